/* Predicted against measured: T and E over N by system, and psi by each route; where several values
 * of E are held, E over N with the sizes that hold them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plot_results.h"

/* Texts of the picture of psi that there is room for. */
enum { ROUTE_NAMES_MAX = 8 };

/* Of two systems on, psi from the one before; a prediction alone has nothing beside it. */
static void put_routes(const json_t *root, plot_data *data) {
    static const char *const keys[] = {"psi", "psi_direct", "psi_predicted", "psi_predicted_low",
                                       "psi_predicted_high"};
    enum { ROUTES = sizeof keys / sizeof keys[0] };
    double known[ROUTES] = {0};
    const json_t *systems = json_object_get(root, "systems");
    size_t count = json_array_size(systems);
    size_t every = (count + ROUTE_NAMES_MAX - 1) / ROUTE_NAMES_MAX;
    double most = 1;
    isocast_buffer_puts(&data->routes, "x,computed,direct,predicted,low,high\n");
    for (size_t i = 1; i < count; i++) {
        const json_t *system = json_array_get(systems, i);
        double v[1 + ROUTES] = {(double)i};
        if ((i - 1) % every == 0) {
            plot_tick(data, (double)i, plot_text_of(system, "system"));
        }
        for (size_t k = 0; k < ROUTES; k++) {
            double psi = plot_number_of(system, keys[k]);
            psi = psi > 0 && psi < 1e12 ? psi : NAN; /* 0 is what was not measured */
            v[1 + k] = psi;
            most = fmax(most, psi);
            known[k] += !isnan(psi);
        }
        plot_row(&data->routes, v, 1 + ROUTES);
    }
    plot_variable(data, "has_routes", known[0] + known[1] > 0);
    plot_variable(data, "computed_count", known[0]);
    plot_variable(data, "direct_count", known[1]);
    plot_variable(data, "interval_count", fmin(known[3], known[4]));
    plot_variable(data, "route_count", count > 0 ? (double)count - 1 : 0);
    plot_variable(data, "psi_high", 1.05 * most);
}

/* The largest E that is drawn: where it is above 1, a line stands at 1. */
static double put_points(const json_t *rows, plot_data *data) {
    double most = 0;
    size_t i;
    const json_t *row;
    isocast_buffer_puts(&data->points, "group,N,T,T_min,T_max,E,E_min,E_max\n");
    json_array_foreach(rows, i, row) {
        size_t group = plot_group_drawn(data, plot_text_of(row, "system"));
        double T = plot_positive(plot_number_of(row, "T"));
        double E = plot_positive(plot_number_of(row, "E"));
        double T_min = plot_positive(plot_number_of(row, "T_min"));
        double T_max = plot_positive(plot_number_of(row, "T_max"));
        T_min = isnan(T_min) ? T : T_min;
        T_max = isnan(T_max) ? T : T_max;
        if (group > 0) {
            plot_row(&data->points,
                     (double[]){(double)group, plot_positive(plot_number_of(row, "N")), T, T_min,
                                T_max, E, plot_positive(E * T / T_max),
                                plot_positive(E * T / T_min)},
                     8);
            most = fmax(most, E);
        }
    }
    return most;
}

static double put_curve(const json_t *curve, size_t group, plot_data *data) {
    const json_t *N = json_object_get(curve, "N");
    double most = 0;
    for (size_t k = 0; k < json_array_size(N); k++) {
        double E = plot_positive(json_number_value(json_array_get(json_object_get(curve, "E"), k)));
        plot_row(&data->curves,
                 (double[]){(double)group, plot_positive(json_number_value(json_array_get(N, k))),
                            plot_positive(
                                json_number_value(json_array_get(json_object_get(curve, "T"), k))),
                            E},
                 4);
        most = fmax(most, E);
    }
    return most;
}

static double put_curves(const json_t *root, plot_data *data) {
    double most = 0;
    size_t i;
    const json_t *curve;
    isocast_buffer_puts(&data->curves, "group,N,T,E\n");
    json_array_foreach(json_object_get(root, "curves"), i, curve) {
        size_t group = plot_group_drawn(data, plot_text_of(curve, "system"));
        if (group > 0) {
            most = fmax(most, put_curve(curve, group, data));
        }
    }
    return most;
}

/* A longer interval goes on beyond the picture, so many times N away: it would leave no room for
 * the rest. */
static const double interval_seen = 10;

/* The sizes at one value that is held. */
static void put_held(const json_t *target, size_t index, plot_data *data) {
    static const char *const keys[] = {"N_predicted", "N_predicted_low", "N_predicted_high"};
    enum { KEYS = sizeof keys / sizeof keys[0], VALUES = KEYS + 3 };
    double E = plot_positive(plot_number_of(target, "efficiency"));
    char name[32];
    snprintf(name, sizeof name, "held_%zu", index + 1);
    plot_variable(data, name, E);
    size_t i;
    const json_t *system;
    json_array_foreach(json_object_get(target, "systems"), i, system) {
        size_t group = plot_group_drawn(data, plot_text_of(system, "system"));
        double v[VALUES] = {(double)group, E};
        for (size_t k = 0; k < KEYS; k++) {
            v[2 + k] = plot_positive(plot_number_of(system, keys[k]));
            v[2 + k] = isnan(v[2 + k]) ? v[2] : v[2 + k];
        }
        v[VALUES - 1] = plot_positive(plot_number_of(system, "N"));
        if (group > 0) {
            plot_row(&data->routes, v, VALUES);
            plot_widen(data, v[2]);
            plot_widen(data, fmax(v[3], v[2] / interval_seen));
            plot_widen(data, fmin(v[4], v[2] * interval_seen));
            plot_widen(data, v[5]);
        }
    }
}

static void put_targets(const json_t *targets, plot_data *data) {
    size_t i;
    const json_t *target;
    data->script = "efficiency.gp";
    isocast_buffer_puts(&data->routes, "group,E,N,low,high,measured\n");
    json_array_foreach(targets, i, target) {
        put_held(target, i, data);
    }
    plot_variable(data, "held_count", (double)json_array_size(targets));
}

void plot_read_validation(const json_t *root, plot_data *data) {
    bool simulated = json_is_true(json_object_get(root, "runs_simulated"));
    const json_t *rows = json_object_get(root, "rows");
    size_t i;
    const json_t *row;
    data->script = "validation.gp";
    json_array_foreach(rows, i, row) {
        plot_system_note(data, plot_text_of(row, "system"), plot_number_of(row, "p"),
                         json_is_true(json_object_get(row, "oversubscribed")));
        plot_widen(data, plot_number_of(row, "N"));
    }
    plot_title(data, "%s on %s: predicted against %s", plot_text_of(root, "algorithm"),
               plot_text_of(root, "machine"), simulated ? "simulated" : "measured");
    plot_variable(data, "simulated", simulated);
    plot_groups_choose(data);
    plot_variable(data, "groups_all", (double)data->groups.count);
    double most = put_points(rows, data);
    most = fmax(most, put_curves(root, data));
    plot_variable(data, "E_most", most);
    const json_t *targets = json_object_get(root, "targets");
    if (json_array_size(targets) > 1) {
        put_targets(targets, data);
    } else {
        put_routes(root, data);
    }
}
