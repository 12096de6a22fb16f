/* The isoefficiency function: W' over p with its proved order and the bounds, and the total
 * overhead by part. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plot_results.h"

/* The orders that lines are drawn for; the script knows these numbers. */
enum { WHOLE, PROCESSES, CONCURRENCY, ORDERS };

/* Exponents of p and log p of an order that is proved; both NAN where it is not. */
static void put_order(const json_t *part, size_t order, plot_data *data) {
    const json_t *W = json_object_get(part, "W");
    char name[32];
    snprintf(name, sizeof name, "power_%zu", order);
    plot_variable(data, name, plot_number_of(W, "p"));
    snprintf(name, sizeof name, "log_power_%zu", order);
    plot_variable(data, name, plot_number_of(W, "log_p"));
    snprintf(name, sizeof name, "law_%zu", order);
    const char *text = plot_text_of(part, "law");
    text = text[0] != '\0' ? text : plot_text_of(part, "order");
    plot_variable(data, name, (double)plot_text_add(data, text, PLOT_TITLE_MAX));
}

static const json_t *part_named(const json_t *parts, const char *name) {
    size_t i;
    const json_t *part;
    json_array_foreach(parts, i, part) {
        if (strcmp(plot_text_of(part, "part"), name) == 0 &&
            strcmp(plot_text_of(part, "kind"), "bound") == 0) {
            return part;
        }
    }
    return NULL;
}

static void note_parts(const json_t *row, plot_data *data) {
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)json_object_get(row, "terms"), name, value) {
        plot_group_note(data, name, name);
    }
    if (plot_number_of(row, "idle") > 0) {
        plot_group_note(data, "", "idle or excess computation");
    }
}

/* Overheads of all processes together, s. Lines join what follows each other: a part at a time. */
static void put_parts(const json_t *rows, plot_data *data) {
    isocast_buffer_puts(&data->curves, "group,x,overhead\n");
    for (size_t part = 0; part < data->groups.count; part++) {
        const char *name = data->groups.texts[part];
        size_t group = plot_group_drawn(data, name);
        size_t i;
        const json_t *row;
        json_array_foreach(rows, i, row) {
            double p = plot_positive(plot_number_of(row, "p"));
            double overhead = name[0] == '\0' ? plot_number_of(row, "idle")
                                              : plot_number_of(json_object_get(row, "terms"), name);
            if (group > 0 && !isnan(p)) {
                plot_row(&data->curves, (double[]){(double)group, p, plot_positive(overhead)}, 3);
            }
        }
    }
}

static void put_rows(const json_t *rows, plot_data *data) {
    double solved = 0;
    bool below = false; /* computing is faster than W/C, and is no part of a logarithmic scale */
    double ends[4] = {NAN, NAN, NAN, NAN}; /* p and W of the first and the last solved row */
    size_t i;
    const json_t *row;
    isocast_buffer_puts(&data->points, "x,W,overhead\n");
    json_array_foreach(rows, i, row) {
        double p = plot_positive(plot_number_of(row, "p"));
        double W = plot_positive(plot_number_of(row, "W"));
        if (isnan(p)) {
            continue;
        }
        plot_widen(data, p);
        if (isnan(W)) {
            plot_mark(data, p, plot_text_of(row, "status"));
            continue;
        }
        below = below || plot_number_of(row, "idle") < 0;
        plot_row(&data->points, (double[]){p, W, plot_positive(plot_number_of(row, "overhead"))},
                 3);
        if (solved == 0) {
            ends[0] = p;
            ends[1] = W;
        }
        ends[2] = p;
        ends[3] = W;
        solved++;
    }
    plot_variable(data, "solved", solved);
    plot_variable(data, "below", below ? 1 : 0);
    plot_variable(data, "p_first", ends[0]);
    plot_variable(data, "W_first", ends[1]);
    plot_variable(data, "p_last", ends[2]);
    plot_variable(data, "W_last", ends[3]);
}

void plot_read_growth(const json_t *root, plot_data *data) {
    const json_t *rows = json_object_get(root, "rows");
    const json_t *parts = json_object_get(root, "parts");
    size_t i;
    const json_t *row;
    data->script = "growth.gp";
    plot_title(data, "%s on %s: the isoefficiency function at E = %.4g",
               plot_text_of(root, "algorithm"), plot_text_of(root, "machine"),
               plot_number_of(root, "target"));
    json_array_foreach(rows, i, row) {
        note_parts(row, data);
    }
    plot_groups_choose(data);
    plot_group_colours(data);
    put_order(json_object_get(root, "growth"), WHOLE, data);
    put_order(part_named(parts, "processes"), PROCESSES, data);
    put_order(part_named(parts, "concurrency"), CONCURRENCY, data);
    put_rows(rows, data);
    put_parts(rows, data);
}
