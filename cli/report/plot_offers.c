/* Offers: what the goal looks at over what is spent, a line an offer, with the mixes that are
 * chosen; and by which factor each number must change before another offer is better. Of a suite of
 * applications: SSI or SSP of each offer over its price, and what each application gives on each
 * offer. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/output/json_text.h"
#include "plot_results.h"

/* Bars of the right picture; applications that the horizontal axis names. */
enum { CHANGES_MOST = 14, NAMES_MAX = 12 };

/* What is drawn over what is spent; the script knows these numbers. */
typedef enum objective { OF_T, OF_N, OF_COST, OF_ENERGY, OF_P, OF_WORTH, OBJECTIVES } objective;

/* By offer: what is spent, and what is drawn over it. */
#define LINES(member)                                                                              \
    PLOT_TABLE(CURVES, "fronts_of_offers.points", "offer", "x=spent y_front=" member "!")
#define BEST(member)                                                                               \
    PLOT_TABLE(POINTS, "rows", "offer",                                                            \
               "x=spent y=" member "! low=" member "_low|y high=" member "_high|y chosen")
static const plot_table tables[OBJECTIVES][2] = {
    [OF_T] = {LINES("T"), BEST("T")},          [OF_N] = {LINES("N"), BEST("N")},
    [OF_COST] = {LINES("cost"), BEST("cost")}, [OF_ENERGY] = {LINES("energy"), BEST("energy")},
    [OF_P] = {LINES("p"), BEST("p")},          [OF_WORTH] = {LINES("worth"), BEST("worth")}};

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

/* What is spent times T, with its interval. */
static void set_worth(json_t *mix) {
    static const char *const ends[][2] = {
        {"T", "worth"}, {"T_low", "worth_low"}, {"T_high", "worth_high"}};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        plot_set(mix, ends[i][1],
                 plot_positive_of(mix, "spent") * plot_positive_of(mix, ends[i][0]));
    }
}

static void set_chosen(json_t *row) {
    plot_set(row, "chosen", strcmp(plot_text_of(row, "status"), "best") == 0 ? 1 : NAN);
}

static void prepare(const json_t *root) {
    CLI_JSON_EACH(one, i, json_object_get(root, "rows")) {
        set_worth(one);
        set_chosen(one);
    }
    CLI_JSON_EACH(front, i, json_object_get(root, "fronts_of_offers")) {
        CLI_JSON_EACH(one, k, json_object_get(front, "points")) {
            set_worth(one);
        }
    }
}

/* "beta: price (wide)", "beta: sendrecv_start", "N": a short name of a number that was varied. Its
 * place among `names`, from 1: a number that was varied up and down has one row. */
static size_t row_of(const json_t *root, const json_t *change, isocast_text_index *names) {
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
    size_t row =
        isocast_text_index_number(names, label.text != NULL ? label.text : "", label.length);
    isocast_buffer_free(&label);
    return row == (size_t)-1 ? CHANGES_MOST + 1 : row + 1;
}

/* A bar from 1 to the factor at which the answer changes, or to where the search ended. */
static void put_changes(const json_t *root, plot_data *data) {
    const json_t *changes = json_object_get(root, "changes");
    isocast_text_index names = {0};
    double widest = 1.1;
    isocast_buffer_puts(&data->blocks[PLOT_ROUTES], "row,factor,found\n");
    CLI_JSON_EACH(change, i, changes) {
        double now = plot_number_of(change, "now");
        double threshold = plot_number_of(change, "threshold");
        double from = plot_number_of(change, "searched_from");
        double to = plot_number_of(change, "searched_to");
        bool found = !isnan(threshold);
        double factor = plot_positive((found ? threshold : to > now ? to : from) / now);
        size_t row = isnan(factor) ? 0 : row_of(root, change, &names);
        if (row > 0 && row <= CHANGES_MOST) {
            plot_row(&data->blocks[PLOT_ROUTES], (double[]){(double)row, factor, found}, 3);
            widest = fmax(widest, fmax(factor, 1 / factor));
        }
    }
    size_t drawn = names.count < CHANGES_MOST ? names.count : CHANGES_MOST;
    for (size_t k = 0; k < drawn; k++) {
        plot_variable_of(data, "change", k + 1,
                         (double)plot_tick_text_add(data, names.texts[k], PLOT_LEGEND_MAX));
    }
    isocast_text_index_free(&names);
    plot_variable(data, "changes", (double)drawn);
    plot_variable(data, "widest", widest);
}

/* The title, and an offer for each line. */
static void put_title(const json_t *root, const char *of, plot_data *data) {
    const char *best = plot_text_of(root, "best");
    plot_title(data, "%s: %s%s", of, best[0] != '\0' ? "the best offer is " : "no offer serves",
               best);
    plot_choose(data, json_object_get(root, "rows"), "offer");
}

/* The currency, and room at what could be spent: offers of which none serves are a picture, too. */
static void put_money(const json_t *root, double budget, plot_data *data) {
    plot_variable(data, "currency",
                  (double)plot_text_add(data, plot_text_of(root, "currency"), PLOT_LABEL_MAX));
    if (!(plot_know(data, "y", NAN)->count > 0) &&
        json_array_size(json_object_get(root, "rows")) > 0) {
        plot_widen(data, budget > 0 ? budget : 1);
    }
}

void plot_read_offers(json_t *root, plot_data *data) {
    const json_t *question = json_object_get(root, "question");
    objective of = objective_of(question);
    double budget = plot_number_of(question, "budget");
    data->script = "offers.gp";
    put_title(root, plot_text_of(root, "algorithm"), data);
    prepare(root);
    plot_put(data, tables[of], 2, root);
    plot_variable(data, "objective", of);
    plot_variable(data, "budget", isnan(budget) ? 0 : budget);
    put_money(root, budget, data);
    put_changes(root, data);
}

/* What offers are judged by, with its interval. */
static void set_measure(json_t *row, bool by_SSI) {
    static const char *const ends[][3] = {{"measure", "SSI", "SSP"},
                                          {"measure_low", "SSI_low", "SSP_low"},
                                          {"measure_high", "SSI_high", "SSP_high"}};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        plot_set(row, ends[i][0], plot_positive_of(row, ends[i][by_SSI ? 1 : 2]));
    }
    set_chosen(row);
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
    static const plot_table judged[] = {
        BEST("measure"), PLOT_TABLE(CURVES, "runs", "offer", "place gain!", .beside = true)};
    bool by_SSI = strncmp(plot_text_of(root, "ranked_by"), "SSI", 3) == 0;
    data->script = "suite.gp";
    put_title(root, "a suite of applications", data);
    CLI_JSON_EACH(row, i, json_object_get(root, "rows")) {
        set_measure(row, by_SSI);
    }
    json_t *applications = place_runs(json_object_get(root, "runs"), by_SSI);
    plot_put(data, judged, sizeof judged / sizeof judged[0], root);
    plot_name_places(data, applications, 0, "application", NAMES_MAX);
    plot_variable(data, "places", (double)json_array_size(applications));
    json_decref(applications);
    plot_variable(data, "by_SSI", by_SSI);
    put_money(root, NAN, data);
}
