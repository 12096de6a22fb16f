/* E over N as measured on each system, its trend line, and the N that was read from it: the figures
 * of [CSW 4.4]. */
#include <math.h>

#include "plot_results.h"

enum { LINE, POINT, READING };

/* The sizes that the picture holds, and the largest E. */
typedef struct extent {
    double N_low, N_high;
    double E_high;
} extent;

static void put_place(double group, double kind, double N, double E, extent *e, plot_data *data) {
    N = plot_positive(N);
    E = plot_positive(E);
    plot_row(&data->curves, (double[]){group, kind, N, E}, 4);
    if (!isnan(N + E)) {
        e->N_low = fmin(e->N_low, N);
        e->N_high = fmax(e->N_high, N);
        e->E_high = fmax(e->E_high, E);
    }
}

/* A list of systems with their N and E. */
static void put_list(const json_t *list, double kind, extent *e, plot_data *data) {
    size_t i;
    const json_t *one;
    json_array_foreach(list, i, one) {
        size_t group = plot_group_drawn(data, plot_text_of(one, "system"));
        for (size_t k = 0; group > 0 && k < json_array_size(json_object_get(one, "N")); k++) {
            put_place((double)group, kind, plot_element_of(one, "N", k),
                      plot_element_of(one, "E", k), e, data);
        }
    }
}

static void put_readings(const json_t *rows, double efficiency, extent *e, plot_data *data) {
    size_t i;
    const json_t *row;
    json_array_foreach(rows, i, row) {
        size_t group = plot_group_drawn(data, plot_text_of(row, "system"));
        double N = plot_positive(plot_number_of(row, "N"));
        if (group > 0 && !isnan(N)) {
            put_place((double)group, READING, N, efficiency, e, data);
        }
    }
}

void plot_readings(const json_t *root, plot_data *data) {
    const json_t *measured = json_object_get(root, "measured");
    const json_t *rows = json_object_get(root, "rows");
    if (json_array_size(measured) == 0) {
        return;
    }
    size_t i;
    const json_t *row;
    json_array_foreach(rows, i, row) {
        plot_system_note(data, plot_text_of(row, "system"), plot_number_of(row, "p"),
                         json_is_true(json_object_get(row, "oversubscribed")));
    }
    plot_groups_choose(data);
    extent e = {.N_low = INFINITY, .N_high = -INFINITY};
    isocast_buffer_puts(&data->curves, "group,kind,N,E\n");
    put_list(measured, POINT, &e, data);
    put_list(json_object_get(root, "curves"), LINE, &e, data);
    double efficiency = plot_number_of(root, "efficiency");
    put_readings(rows, efficiency, &e, data);
    if (e.N_low <= e.N_high) {
        data->beside = "readings.gp";
        plot_variable(data, "E_held", efficiency);
        plot_variable(data, "E_high", 1.05 * fmax(1, e.E_high));
        plot_variable(data, "N_from", e.N_low / 1.2);
        plot_variable(data, "N_to", e.N_high * 1.2);
    }
}
