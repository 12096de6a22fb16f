/* Where the time goes: parts of T by system, and what moves it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output/json_text.h"
#include "plot_results.h"

enum { DRIVERS_MAX = 10, NAMES_MAX = 12 };
/* Larger shares, in %, come from no explanation. */
static const double share_most = 1e4;

/* What the bars of a plot come to, in %. */
typedef struct extent {
    double low, high;
} extent;

/* The share of a part on a system, in %; below 0 for a term that takes time off; NAN where there is
 * none. */
static double share_of(const json_t *part, size_t system) {
    const json_t *share = json_array_get(json_object_get(part, "share"), system);
    double value = json_is_number(share) ? 100 * json_number_value(share) : (double)NAN;
    return fabs(value) <= share_most ? value : NAN;
}

static bool has_value(const json_t *parts, size_t system) {
    CLI_JSON_EACH(part, i, parts) {
        if (!isnan(share_of(part, system))) {
            return true;
        }
    }
    return false;
}

/* Puts a part on those above 0, or under those below. */
static void put_share(size_t system, size_t group, double share, extent *bar, plot_data *data) {
    double *end = share < 0 ? &bar->low : &bar->high;
    double begin = *end;
    *end += share;
    plot_row(&data->blocks[PLOT_POINTS],
             (double[]){(double)system + 1, (double)group + 1, fmin(begin, *end), fmax(begin, *end),
                        share},
             5);
}

/* A bar of a system: its parts stand on each other, and those that take time off hang below 0;
 * those that have no colour are one, the last. */
static void put_bar(const json_t *parts, size_t system, size_t named, extent *widest,
                    plot_data *data) {
    extent bar = {0, 0};
    for (size_t i = 0; i < named; i++) {
        double share = share_of(json_array_get(parts, i), system);
        put_share(system, i, isnan(share) ? 0 : share, &bar, data);
    }
    if (json_array_size(parts) > named) {
        put_share(system, named, 100 - bar.low - bar.high, &bar, data);
    }
    widest->low = fmin(widest->low, bar.low);
    widest->high = fmax(widest->high, bar.high);
}

/* A class of nodes by the name that its marked speed has in --set. */
static size_t add_driver(const json_t *driver, plot_data *data) {
    isocast_buffer name = {0};
    bool is_speed = strcmp(plot_text_of(driver, "kind"), "marked-speed") == 0;
    isocast_buffer_printf(&name, "%s%s", plot_text_of(driver, "driver"),
                          is_speed ? ".marked_speed" : "");
    return plot_text_take(data, &name, PLOT_LEGEND_MAX);
}

static void put_drivers(const json_t *root, plot_data *data) {
    const json_t *sensitivity = json_object_get(root, "sensitivity");
    const json_t *drivers = json_object_get(sensitivity, "drivers");
    size_t count = 0;
    extent range = {0, 0};
    isocast_buffer_puts(&data->blocks[PLOT_CURVES], "rank,elasticity,text\n");
    for (size_t i = 0; i < json_array_size(drivers) && count < DRIVERS_MAX; i++) {
        const json_t *driver = json_array_get(drivers, i);
        double elasticity = plot_number_of(driver, "elasticity");
        if (isfinite(elasticity) && fabs(elasticity) < 1e6) {
            size_t text = add_driver(driver, data);
            plot_row(&data->blocks[PLOT_CURVES],
                     (double[]){(double)++count, elasticity, (double)text}, 3);
            range = (extent){fmin(range.low, elasticity), fmax(range.high, elasticity)};
        }
    }
    plot_variable(data, "drivers", (double)count);
    plot_variable(data, "elasticities", range.high - range.low);
    plot_variable(data, "drivers_of_T", strcmp(plot_text_of(sensitivity, "of"), "T") == 0);
    plot_variable(data, "driven_system",
                  (double)plot_text_add(data, plot_text_of(sensitivity, "system"), PLOT_LABEL_MAX));
}

void plot_read_explanation(json_t *root, plot_data *data) {
    const json_t *systems = json_object_get(root, "systems");
    const json_t *parts = json_object_get(root, "parts");
    size_t named = json_array_size(parts);
    size_t solved = 0;
    extent widest = {0, 100};
    data->script = "explanation.gp";
    plot_title(data, "%s on %s: where the time goes, predicted", plot_text_of(root, "algorithm"),
               plot_text_of(root, "machine"));
    named = named > PLOT_GROUPS_MAX ? PLOT_GROUPS_MAX - 1 : named;
    const char *names[PLOT_GROUPS_MAX] = {NULL};
    size_t groups = named + (json_array_size(parts) > named);
    for (size_t i = 0; i < groups; i++) {
        names[i] = i < named ? plot_text_of(json_array_get(parts, i), "part") : "others";
        plot_text_add(data, names[i], PLOT_LEGEND_MAX);
    }
    plot_variable(data, "groups", (double)groups);
    plot_colours(data, names, groups);
    isocast_buffer_puts(&data->blocks[PLOT_POINTS], "x,group,low,high,share\n");
    for (size_t i = 0; i < json_array_size(systems); i++) {
        plot_widen(data, (double)i + 1);
        if (has_value(parts, i)) {
            put_bar(parts, i, named, &widest, data);
            solved++;
        } else {
            plot_mark(data, (double)i + 1, plot_text_of(json_array_get(systems, i), "status"), 0);
        }
    }
    plot_variable(data, "solved", (double)solved);
    plot_variable(data, "share_low", widest.low);
    plot_variable(data, "share_high", widest.high);
    plot_variable(data, "systems", (double)json_array_size(systems));
    plot_name_places(data, systems, 0, "system", NAMES_MAX);
    put_drivers(root, data);
}
