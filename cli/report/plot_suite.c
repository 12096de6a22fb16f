/* A suite of applications: SSI or SSP of each offer over its price, and what each application gives
 * on each offer. */
#include <math.h>
#include <string.h>

#include "cli/output/json_text.h"
#include "plot_results.h"

/* Applications that the horizontal axis names. */
enum { NAMES_MAX = 12 };

/* What offers are judged by, with its interval. */
static void set_measure(json_t *row, bool by_SSI) {
    static const char *const ends[][3] = {{"measure", "SSI", "SSP"},
                                          {"measure_low", "SSI_low", "SSP_low"},
                                          {"measure_high", "SSI_high", "SSP_high"}};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        plot_set(row, ends[i][0], plot_positive_of(row, ends[i][by_SSI ? 1 : 2]));
    }
    plot_set(row, "chosen", strcmp(plot_text_of(row, "status"), "best") == 0 ? 1 : NAN);
}

/* Runs follow each other by application: gives each the place of its own, and the first of each. */
static json_t *place_runs(const json_t *runs, bool by_SSI) {
    json_t *first = json_array();
    const char *before = NULL;
    CLI_JSON_EACH(run, i, runs) {
        const char *name = plot_text_of(run, "application");
        if (before == NULL || strcmp(name, before) != 0) {
            cli_json_append(&first, json_incref(run));
        }
        before = name;
        plot_set(run, "place", (double)json_array_size(first));
        plot_set(run, "gain", plot_number_of(run, by_SSI ? "factor" : "rate"));
    }
    return first;
}

void plot_read_suite(json_t *root, plot_data *data) {
    static const plot_table tables[] = {
        PLOT_TABLE(POINTS, "rows", "offer",
                   "x=spent y=measure! low=measure_low|y high=measure_high|y chosen"),
        PLOT_TABLE(CURVES, "runs", "offer", "place gain!", .beside = true)};
    const json_t *rows = json_object_get(root, "rows");
    const char *best = plot_text_of(root, "best");
    bool by_SSI = strncmp(plot_text_of(root, "ranked_by"), "SSI", 3) == 0;
    data->script = "suite.gp";
    plot_title(data, "a suite of applications: %s%s",
               best[0] != '\0' ? "the best offer is " : "no offer serves", best);
    plot_choose(data, rows, "offer");
    CLI_JSON_EACH(row, i, rows) {
        set_measure(row, by_SSI);
    }
    json_t *applications = place_runs(json_object_get(root, "runs"), by_SSI);
    plot_put(data, tables, sizeof tables / sizeof tables[0], root);
    plot_name_places(data, applications, 0, "application", NAMES_MAX);
    plot_variable(data, "places", (double)json_array_size(applications));
    json_decref(applications);
    plot_variable(data, "by_SSI", by_SSI);
    plot_variable(data, "currency",
                  (double)plot_text_add(data, plot_text_of(root, "currency"), PLOT_LABEL_MAX));
    /* Offers of which none serves are a picture, too. */
    if (!(plot_know(data, "y", NAN)->count > 0) && json_array_size(rows) > 0) {
        plot_widen(data, 1);
    }
}
