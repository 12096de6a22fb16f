/* Offers: what the goal looks at over what is spent, a line an offer, with the mixes that are
 * chosen; and by which factor each number must change before another offer is better. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plot_results.h"

/* Bars of the right picture. */
enum { CHANGES_MOST = 14 };

/* What is drawn over what is spent; the script knows these numbers. */
typedef enum objective { OF_T, OF_N, OF_COST, OF_ENERGY, OF_P, OF_WORTH, OBJECTIVES } objective;

static const char *const keys[OBJECTIVES] = {"T", "N", "cost", "energy", "p", "T"};

static objective objective_of(const json_t *question) {
    const char *goal = plot_text_of(question, "goal");
    bool held = !isnan(plot_number_of(question, "efficiency"));
    return strcmp(goal, "largest-problem") == 0 || strcmp(goal, "largest-run") == 0 ? OF_N
           : strcmp(goal, "cost") == 0                                              ? OF_COST
           : strcmp(goal, "energy") == 0                                            ? OF_ENERGY
           : strcmp(goal, "processes") != 0                                         ? OF_T
           : held                                                                   ? OF_P
                                                                                    : OF_WORTH;
}

/* NAN where it is not known, or not above 0. */
static double value_of(const json_t *mix, objective of, const char *key) {
    double factor = of == OF_WORTH ? plot_positive(plot_number_of(mix, "spent")) : 1;
    return factor * plot_positive(plot_number_of(mix, key));
}

/* An end of its interval; NAN where there is none. */
static double end_of(const json_t *mix, objective of, const char *end) {
    char key[16];
    snprintf(key, sizeof key, "%s_%s", keys[of], end);
    return value_of(mix, of, key);
}

static void put_curves(const json_t *fronts, objective of, plot_data *data) {
    size_t i;
    const json_t *front;
    isocast_buffer_puts(&data->curves, "group,x,y\n");
    json_array_foreach(fronts, i, front) {
        double group = (double)plot_group_drawn(data, plot_text_of(front, "offer"));
        size_t k;
        const json_t *point;
        json_array_foreach(json_object_get(front, "points"), k, point) {
            double x = plot_positive(plot_number_of(point, "spent"));
            double y = value_of(point, of, keys[of]);
            if (group > 0 && !isnan(x) && !isnan(y)) {
                plot_widen(data, x);
                plot_row(&data->curves, (double[]){group, x, y}, 3);
            }
        }
    }
}

/* The best mix of each offer, with its interval. */
static double put_best(const json_t *rows, objective of, plot_data *data) {
    double solved = 0;
    size_t i;
    const json_t *row;
    isocast_buffer_puts(&data->points, "group,x,y,low,high,chosen\n");
    json_array_foreach(rows, i, row) {
        double group = (double)plot_group_drawn(data, plot_text_of(row, "offer"));
        double x = plot_positive(plot_number_of(row, "spent"));
        double y = value_of(row, of, keys[of]);
        double low = end_of(row, of, "low");
        double high = end_of(row, of, "high");
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

/* "beta: price (wide)", "beta: sendrecv_start", "N": a short name of a number that was varied. Its
 * place among `names`, from 1: a number that was varied up and down has one row. */
static size_t row_of(const json_t *root, const json_t *change, text_index *names) {
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
    size_t row = text_index_of(names, label.text != NULL ? label.text : "", label.length);
    isocast_buffer_free(&label);
    return row == (size_t)-1 ? CHANGES_MOST + 1 : row + 1;
}

/* A bar from 1 to the factor at which the answer changes, or to where the search ended. */
static void put_changes(const json_t *root, plot_data *data) {
    const json_t *changes = json_object_get(root, "changes");
    size_t i;
    text_index names = {0};
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
        size_t row = isnan(factor) ? 0 : row_of(root, change, &names);
        if (row > 0 && row <= CHANGES_MOST) {
            plot_row(&data->routes, (double[]){(double)row, factor, found}, 3);
            widest = fmax(widest, fmax(factor, 1 / factor));
        }
    }
    size_t drawn = names.count < CHANGES_MOST ? names.count : CHANGES_MOST;
    for (size_t k = 0; k < drawn; k++) {
        char name[32];
        snprintf(name, sizeof name, "change_%zu", k + 1);
        plot_variable(data, name,
                      (double)plot_tick_text_add(data, names.texts[k], PLOT_LEGEND_MAX));
    }
    text_index_free(&names);
    plot_variable(data, "changes", (double)drawn);
    plot_variable(data, "widest", widest);
}

void plot_read_offers(const json_t *root, plot_data *data) {
    const json_t *rows = json_object_get(root, "rows");
    const json_t *question = json_object_get(root, "question");
    objective of = objective_of(question);
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
    put_curves(json_object_get(root, "fronts_of_offers"), of, data);
    double solved = put_best(rows, of, data);
    plot_variable(data, "solved", solved);
    plot_variable(data, "objective", of);
    plot_variable(data, "budget", isnan(budget) ? 0 : budget);
    plot_variable(data, "currency",
                  (double)plot_text_add(data, plot_text_of(root, "currency"), PLOT_LABEL_MAX));
    put_changes(root, data);
    /* Offers of which none serves are a picture, too. */
    if (!(solved > 0) && json_array_size(rows) > 0) {
        plot_widen(data, budget > 0 ? budget : 1);
    }
}
