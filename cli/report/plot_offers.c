/* Offers: T or N over what is spent, a line an offer, with the mixes that are chosen; and by which
 * factor each number must change before another offer is better. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plot_results.h"

/* Bars of the right picture. */
enum { CHANGES_MOST = 14 };

/* What is drawn over what is spent. */
static double objective_of(const json_t *mix, bool of_N) {
    return plot_positive(plot_number_of(mix, of_N ? "N" : "T"));
}

static void put_curves(const json_t *fronts, bool of_N, plot_data *data) {
    size_t i;
    const json_t *front;
    isocast_buffer_puts(&data->curves, "group,x,y\n");
    json_array_foreach(fronts, i, front) {
        double group = (double)plot_group_drawn(data, plot_text_of(front, "offer"));
        size_t k;
        const json_t *point;
        json_array_foreach(json_object_get(front, "points"), k, point) {
            double x = plot_positive(plot_number_of(point, "spent"));
            double y = objective_of(point, of_N);
            if (group > 0 && !isnan(x) && !isnan(y)) {
                plot_widen(data, x);
                plot_row(&data->curves, (double[]){group, x, y}, 3);
            }
        }
    }
}

/* The best mix of each offer, with its interval. */
static double put_best(const json_t *rows, bool of_N, plot_data *data) {
    double solved = 0;
    size_t i;
    const json_t *row;
    isocast_buffer_puts(&data->points, "group,x,y,low,high,chosen\n");
    json_array_foreach(rows, i, row) {
        double group = (double)plot_group_drawn(data, plot_text_of(row, "offer"));
        double x = plot_positive(plot_number_of(row, "spent"));
        double y = objective_of(row, of_N);
        double low = plot_positive(plot_number_of(row, of_N ? "N_low" : "T_low"));
        double high = plot_positive(plot_number_of(row, of_N ? "N_high" : "T_high"));
        if (group > 0 && !isnan(x) && !isnan(y)) {
            plot_widen(data, x);
            bool chosen = strcmp(plot_text_of(row, "status"), "best") == 0;
            plot_row(&data->points,
                     (double[]){group, x, y, isnan(low) ? y : low, isnan(high) ? y : high, chosen},
                     6);
            solved++;
        }
    }
    return solved;
}

/* "beta: price (wide)", "beta: sendrecv_start", "N": a short name of a number that was varied. */
static size_t add_label(const json_t *root, const json_t *change, plot_data *data) {
    const char *of = plot_text_of(change, "of");
    const char *offer = plot_text_of(change, "offer");
    const char *name = plot_text_of(change, "name");
    isocast_buffer label = {0};
    if (offer[0] != '\0') {
        isocast_buffer_printf(&label, "%s: ", offer);
    }
    if (strcmp(of, "parameter") == 0) {
        isocast_buffer_puts(&label, name);
    } else if (strcmp(of, "size") == 0) {
        isocast_buffer_puts(&label, plot_text_of(root, "size"));
    } else {
        for (const char *letter = of; *letter != '\0'; letter++) {
            isocast_buffer_printf(&label, "%c", *letter == '-' ? ' ' : *letter);
        }
        isocast_buffer_printf(&label, name[0] != '\0' ? " (%s)" : "%s", name);
    }
    data->failed = data->failed || label.failed;
    size_t text = plot_text_add(data, label.text != NULL ? label.text : "", PLOT_LABEL_MAX);
    isocast_buffer_free(&label);
    return text;
}

/* A bar from 1 to the factor at which the answer changes, or to where the search ended. */
static void put_changes(const json_t *root, plot_data *data) {
    const json_t *changes = json_object_get(root, "changes");
    size_t i;
    size_t drawn = 0;
    double widest = 1.1;
    const json_t *change;
    isocast_buffer_puts(&data->routes, "row,factor,found\n");
    json_array_foreach(changes, i, change) {
        double now = plot_number_of(change, "now");
        double threshold = plot_number_of(change, "threshold");
        double from = plot_number_of(change, "searched_from");
        double to = plot_number_of(change, "searched_to");
        bool found = !isnan(threshold);
        double factor = plot_positive((found ? threshold : to > now ? to : from) / now);
        if (drawn == CHANGES_MOST || isnan(factor)) {
            continue;
        }
        char name[32];
        drawn++;
        snprintf(name, sizeof name, "change_%zu", drawn);
        plot_variable(data, name, (double)add_label(root, change, data));
        plot_row(&data->routes, (double[]){(double)drawn, factor, found}, 3);
        widest = fmax(widest, fmax(factor, 1 / factor));
    }
    plot_variable(data, "changes", (double)drawn);
    plot_variable(data, "widest", widest);
}

void plot_read_offers(const json_t *root, plot_data *data) {
    const json_t *rows = json_object_get(root, "rows");
    const json_t *question = json_object_get(root, "question");
    const char *goal = plot_text_of(question, "goal");
    bool of_N = strcmp(goal, "largest-problem") == 0 || strcmp(goal, "largest-run") == 0;
    double budget = plot_number_of(question, "budget");
    size_t i;
    const json_t *row;
    data->script = "offers.gp";
    const char *best = plot_text_of(root, "best");
    plot_title(data, "%s: %s%s", plot_text_of(root, "algorithm"),
               best[0] != '\0' ? "the best offer is " : "no offer serves", best);
    json_array_foreach(rows, i, row) {
        plot_group_note(data, plot_text_of(row, "offer"), plot_text_of(row, "offer"));
    }
    plot_groups_choose(data);
    put_curves(json_object_get(root, "fronts_of_offers"), of_N, data);
    double solved = put_best(rows, of_N, data);
    plot_variable(data, "solved", solved);
    plot_variable(data, "of_N", of_N);
    plot_variable(data, "budget", isnan(budget) ? 0 : budget);
    plot_variable(data, "currency",
                  (double)plot_text_add(data, plot_text_of(root, "currency"), PLOT_LABEL_MAX));
    put_changes(root, data);
    /* Offers of which none serves are a picture, too. */
    if (!(solved > 0) && json_array_size(rows) > 0) {
        plot_widen(data, budget > 0 ? budget : 1);
    }
}
