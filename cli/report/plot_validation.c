/* Predicted against measured: T and E over N by system, and psi by each route; where several values
 * of E are held, E over N with the sizes that hold them; and the parts of T against the phases. */
#include <math.h>

#include "cli/output/json_text.h"
#include "plot_results.h"

/* A longer interval goes on beyond the picture, so many times N away: it would leave no room for
 * the rest. */
static const double interval_seen = 10;

/* Of two systems on, psi from the one before; a prediction alone has nothing beside it. */
static void put_routes(const json_t *root, plot_data *data) {
    static const plot_table table = PLOT_TABLE(
        ROUTES, "systems", NULL, "number=# psi psi_direct psi_predicted~", .beside = true);
    enum { NAMES_MAX = 8 };
    const json_t *systems = json_object_get(root, "systems");
    size_t count = json_array_size(systems);
    plot_put(data, &table, 1, root);
    plot_name_places(data, systems, 1, "system", NAMES_MAX);
    plot_variable(data, "route_count", count > 0 ? (double)count - 1 : 0);
}

/* The sizes at the values that are held. */
static void put_targets(const json_t *targets, const json_t *root, plot_data *data) {
    static const plot_table table =
        PLOT_TABLE(ROUTES, "targets.systems", "system",
                   "E_held=efficiency N_predicted N_low=N_predicted_low|N_predicted "
                   "N_high=N_predicted_high|N_predicted N_measured=N",
                   .beside = true);
    CLI_JSON_EACH(target, i, targets) {
        plot_variable_of(data, "held", i + 1, plot_positive_of(target, "efficiency"));
        CLI_JSON_EACH(system, k, json_object_get(target, "systems")) {
            double N = plot_positive_of(system, "N_predicted");
            double low = plot_positive_of(system, "N_predicted_low");
            double high = plot_positive_of(system, "N_predicted_high");
            plot_widen(data, N);
            plot_widen(data, isnan(low) ? N : fmax(low, N / interval_seen));
            plot_widen(data, isnan(high) ? N : fmin(high, N * interval_seen));
            plot_widen(data, plot_number_of(system, "N"));
        }
    }
    data->script = "efficiency.gp";
    plot_put(data, &table, 1, root);
    plot_variable(data, "held_count", (double)json_array_size(targets));
}

void plot_read_validation(json_t *root, plot_data *data) {
    static const plot_table tables[] = {
        PLOT_TABLE(POINTS, "rows", "system", "N T T_min|T T_max|T E"),
        PLOT_TABLE(CURVES, "curves", "system", "N T E", .beside = true)};
    bool simulated = plot_flag_of(root, "runs_simulated");
    const json_t *targets = json_object_get(root, "targets");
    data->script = "validation.gp";
    plot_title(data, "%s on %s: predicted against %s", plot_text_of(root, "algorithm"),
               plot_text_of(root, "machine"), simulated ? "simulated" : "measured");
    plot_choose(data, json_object_get(root, "rows"), "system");
    plot_put(data, tables, 2, root);
    plot_variable(data, "simulated", simulated);
    if (json_array_size(targets) > 1) {
        put_targets(targets, root, data);
    } else {
        put_routes(root, data);
    }
}

/* The parts of all rows that have both times. */
static json_t *ratios_of(const json_t *rows) {
    json_t *ratios = json_array();
    CLI_JSON_EACH(row, i, rows) {
        CLI_JSON_EACH(part, k, json_object_get(row, "parts")) {
            double ratio = plot_number_of(part, "measured") / plot_number_of(part, "predicted");
            plot_set(part, "N", plot_number_of(row, "N"));
            plot_set(part, "ratio", ratio);
            if (!isnan(plot_positive(ratio)) && !isnan(plot_positive_of(row, "N"))) {
                cli_json_append(&ratios, json_incref(part));
            }
        }
    }
    return ratios;
}

void plot_read_comparison(json_t *root, plot_data *data) {
    static const plot_table table = PLOT_TABLE(POINTS, "ratios", "part", "x=N ratio");
    bool simulated = plot_flag_of(root, "runs_simulated");
    json_object_set_new(root, "ratios", ratios_of(json_object_get(root, "rows")));
    data->script = "ratio.gp";
    plot_title(data, "%s on %s: times of the parts, %s over predicted",
               plot_text_of(root, "algorithm"), plot_text_of(root, "machine"),
               simulated ? "simulated" : "measured");
    plot_choose(data, json_object_get(root, "ratios"), "part");
    plot_group_colours(data);
    plot_put(data, &table, 1, root);
    plot_variable(data, "simulated", simulated);
    plot_variable(data, "of_messages", 0);
}
