/* Forecasts: T and efficiency over p, the runs, the band, and points forecast from those before;
 * and of forecasts by formulas T over p, and what they are off by. */
#include <math.h>
#include <stdlib.h>

#include "cli/output/json_text.h"
#include "model/base/order.h"
#include "plot_results.h"

/* Names the line that an object belongs to; frees the name. */
static void set_line(json_t *object, isocast_buffer *name) {
    if (name->text != NULL) {
        json_object_set_new(object, "line", cli_json_string(name->text));
    }
    isocast_buffer_free(name);
}

/* Gives each series the name that the legend has. */
static void name_series(const json_t *list) {
    CLI_JSON_EACH(series, i, list) {
        isocast_buffer name = {0};
        const char *keys = plot_text_of(series, "series");
        double N = plot_number_of(series, "N");
        double share = plot_number_of(series, "N_per_p");
        isocast_buffer_puts(&name, keys);
        if (!isnan(N) || !isnan(share)) {
            isocast_buffer_printf(&name, "%s%s = %.4g", keys[0] != '\0' ? ", " : "",
                                  isnan(N) ? "N/p" : "N", isnan(N) ? share : N);
        }
        if (name.length == 0) {
            isocast_buffer_puts(&name, "runs");
        }
        set_line(series, &name);
    }
}

void plot_read_forecast(json_t *root, plot_data *data) {
    static const plot_table tables[] = {
        PLOT_TABLE(POINTS, "series.points", "line", "x=p T E"),
        PLOT_TABLE(CURVES, "series.curve", "line", "x=p T_forecast=T~ E_forecast=E~ T_ideal"),
        PLOT_TABLE(MORE, "series.left_out_points", "line", "x=p p_known T_left_out=T_forecast")};
    const json_t *list = json_object_get(root, "series");
    name_series(list);
    data->script = "forecast.gp";
    plot_title(data, "Forecast from %s", plot_file_name(plot_text_of(root, "runs")));
    plot_choose(data, list, "line");
    plot_put(data, tables, 3, root);
}

/* The line of a size: "N = 1024, K = 8". */
static void name_sizes(json_t *row, const char *size) {
    isocast_buffer name = {0};
    const char *other;
    json_t *value;
    isocast_buffer_printf(&name, "%s = %.6g", size, plot_number_of(row, "N"));
    json_object_foreach(json_object_get(row, "other_sizes"), other, value) {
        isocast_buffer_printf(&name, ", %s = %.6g", other, json_number_value(value));
    }
    set_line(row, &name);
}

static int compare_p(const void *a, const void *b) {
    return isocast_order(plot_number_of(*(json_t *const *)a, "p"),
                         plot_number_of(*(json_t *const *)b, "p"));
}

/* Names the lines of rows, sets the T that these go through, and adds them to `all`. */
static void take_rows(json_t *rows, const char *size, const char *T, json_t **all, size_t *count) {
    CLI_JSON_EACH(row, i, rows) {
        name_sizes(row, size[0] != '\0' ? size : "N");
        plot_set(row, "T_line", plot_number_of(row, T));
        plot_set(row, "ratio", plot_number_of(row, "T_fit") / plot_number_of(row, "T"));
        all[(*count)++] = row;
    }
}

void plot_read_joined(json_t *root, plot_data *data) {
    static const plot_table tables[] = {PLOT_TABLE(POINTS, "points", "line", "x=p T ratio"),
                                        PLOT_TABLE(CURVES, "all", "line", "x=p T_line"),
                                        PLOT_TABLE(MORE, "rows", "line", "x=p T_forecast=T~")};
    const char *size = plot_text_of(root, "size");
    json_t *points = json_object_get(root, "points");
    json_t *rows = json_object_get(root, "rows");
    size_t count = 0;
    json_t **order = calloc(json_array_size(points) + json_array_size(rows) + 1, sizeof *order);
    json_t *all = json_array();
    if (order != NULL) {
        take_rows(points, size, "T_fit", order, &count);
        take_rows(rows, size, "T", order, &count);
        qsort(order, count, sizeof *order, compare_p);
        for (size_t i = 0; i < count; i++) {
            json_array_append(all, order[i]);
        }
    }
    free(order);
    cli_json_set(&root, "all", all);
    data->script = "joined.gp";
    plot_title(data, "%s on %s, fitted to %s", plot_text_of(root, "algorithm"),
               plot_text_of(root, "machine"), plot_file_name(plot_text_of(root, "runs")));
    plot_choose(data, rows, "line");
    plot_put(data, tables, 3, root);
}
