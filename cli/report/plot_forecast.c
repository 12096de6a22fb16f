/* Forecasts: T and efficiency over p, the runs, the band, and points forecast from those before. */
#include <math.h>

#include "cli/output/json_text.h"
#include "plot_results.h"

/* Gives each series the name that the legend has. */
static void name_series(const json_t *list) {
    size_t i;
    json_t *series;
    json_array_foreach(list, i, series) {
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
        if (name.text != NULL) {
            json_object_set_new(series, "line", cli_json_string(name.text));
        }
        isocast_buffer_free(&name);
    }
}

void plot_read_forecast(json_t *root, plot_data *data) {
    static const plot_table tables[] = {
        {.block = PLOT_POINTS, .rows = "series.points", .group = "line", .columns = "x=p T E"},
        {.block = PLOT_CURVES,
         .rows = "series.curve",
         .group = "line",
         .columns = "x=p T_forecast=T~ E_forecast=E~ T_ideal"},
        {.block = PLOT_MORE,
         .rows = "series.left_out_points",
         .group = "line",
         .columns = "x=p p_known T_left_out=T_forecast"}};
    const json_t *list = json_object_get(root, "series");
    name_series(list);
    data->script = "forecast.gp";
    plot_title(data, "Forecast from %s", plot_file_name(plot_text_of(root, "runs")));
    plot_choose(data, list, "line");
    plot_put(data, tables, 3, root);
}
