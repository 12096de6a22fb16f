/* Lines of scaling, and a number of processes that was chosen. */
#include <math.h>
#include <string.h>

#include "model/base/quantity.h"
#include "plot_results.h"

/* What the rows have, over all of them. */
typedef struct extent {
    bool held_size; /* T is drawn in place of N */
    double solved;
    double speedups;
    double scaled;
} extent;

enum { X, N, T, SPEEDUP, SCALED, COLUMNS };
static const char header[] = "x,N,T,speedup,scaled_speedup\n";

static void put_row(const json_t *row, extent *e, plot_data *data) {
    double x = plot_positive(plot_number_of(row, "p"));
    if (isnan(x)) {
        return;
    }
    double v[COLUMNS] = {[X] = x,
                         [N] = plot_positive(plot_number_of(row, "N")),
                         [T] = plot_positive(plot_number_of(row, "T")),
                         [SPEEDUP] = plot_positive(plot_number_of(row, "speedup")),
                         [SCALED] = plot_positive(plot_number_of(row, "scaled_speedup"))};
    const char *status = plot_text_of(row, "status");
    double value = e->held_size ? v[T] : v[N];
    plot_widen(data, x);
    if (isnan(value) || (status[0] != '\0' && strcmp(status, "ok") != 0)) {
        plot_mark(data, x, status);
    }
    e->solved += !isnan(value);
    e->speedups += !isnan(v[SPEEDUP]);
    e->scaled += !isnan(v[SCALED]);
    plot_row(&data->points, v, COLUMNS);
}

/* "work per process held at 16 flop". */
static void append_held(const json_t *root, isocast_buffer *out) {
    static const char *const units[][2] = {
        {"work-per-process", "flop"}, {"memory-per-process", "B"}, {"time", "s"}};
    const char *held = plot_text_of(root, "held");
    double level = plot_number_of(root, "level");
    for (const char *letter = held; *letter != '\0'; letter++) {
        isocast_buffer_printf(out, "%c", *letter == '-' ? ' ' : *letter);
    }
    isocast_buffer_puts(out, isnan(level) ? " filled" : " held at ");
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (!isnan(level) && strcmp(held, units[i][0]) == 0) {
            isocast_quantity_format(level, units[i][1], 4, out);
            return;
        }
    }
    if (!isnan(level)) {
        isocast_buffer_printf(out, "%g", level);
    }
}

/* T, and the speedup against T_alone, over p around a number that was chosen. */
static size_t put_points(const json_t *choice, const json_t *chosen, plot_data *data) {
    const json_t *points = json_object_get(choice, "points");
    double alone = plot_number_of(chosen, "T_alone");
    isocast_buffer_puts(&data->curves, "x,T,speedup\n");
    for (size_t i = 0; i < json_array_size(points); i++) {
        const json_t *point = json_array_get(points, i);
        double x = plot_positive(plot_number_of(point, "p"));
        double time = plot_positive(plot_number_of(point, "T"));
        if (!isnan(x) && !isnan(time)) {
            plot_widen(data, x);
            plot_row(&data->curves, (double[]){x, time, plot_positive(alone / time)}, 3);
        }
    }
    return json_array_size(points);
}

void plot_read_scaling(const json_t *root, plot_data *data) {
    const json_t *rows = json_object_get(root, "rows");
    const json_t *base = json_object_get(root, "base");
    const json_t *choice = json_object_get(root, "choice");
    extent e = {.held_size = strcmp(plot_text_of(root, "held"), "size") == 0};
    isocast_buffer held = {0};
    append_held(root, &held);
    if (json_is_object(choice)) {
        isocast_buffer_puts(&held, strcmp(plot_text_of(choice, "goal"), "most") == 0
                                       ? ", the largest number of processes at an efficiency"
                                       : ", the number of processes with the smallest T");
    }
    plot_title(data, "%s on %s: %s", plot_text_of(root, "algorithm"), plot_text_of(root, "machine"),
               held.text != NULL ? held.text : "");
    isocast_buffer_free(&held);
    isocast_buffer_puts(&data->points, header);
    if (json_is_object(base)) {
        put_row(base, &e, data);
    }
    size_t i;
    const json_t *row;
    json_array_foreach(rows, i, row) {
        put_row(row, &e, data);
    }
    data->script = "lines.gp";
    plot_variable(data, "held_size", e.held_size);
    plot_variable(data, "solved", e.solved);
    plot_variable(data, "speedups", e.speedups);
    plot_variable(data, "scaled", e.scaled);
    plot_variable(data, "curved", (double)put_points(choice, json_array_get(rows, 0), data));
}
