/* One algorithm at several targets or sizes: a line each, over p; and E over N, a line a system. */
#include <math.h>
#include <string.h>

#include "cli/output/json_text.h"
#include "plot_results.h"

/* What is drawn on the left and on the right; the script knows these numbers. */
enum { PREDICTED_SIZES = 1, PREDICTED_TIMES, EXPLAINED_SIZES, EXPLAINED_TIMES, GROWTHS, KINDS };

/* Each of the answers is a line. */
#define TABLE(its_rows, its_columns)                                                               \
    PLOT_TABLE(POINTS, "answers." its_rows, "line", "x=p " its_columns, .solved = "left")
static const plot_table tables[KINDS] = {
    [PREDICTED_SIZES] = TABLE("rows", "left=N right=psi0"),
    [PREDICTED_TIMES] = TABLE("rows", "left=E right=none"),
    [EXPLAINED_SIZES] = TABLE("systems", "left=N right=overhead_share0"),
    [EXPLAINED_TIMES] = TABLE("systems", "left=T right=overhead_share0"),
    [GROWTHS] = TABLE("rows", "left=W right=overhead")};

static bool holds_size(const json_t *answer) {
    return strcmp(plot_text_of(answer, "held"), "size") == 0;
}

/* "n = 1024", "E = 0.3", with the order where one is proved; what is held is no speed-efficiency
 * where another metric is chosen. */
static void put_label(const json_t *answer, const char *rows, bool held_size, isocast_buffer *out) {
    const char *metric = plot_text_of(answer, "metric");
    bool is_speed = metric[0] == '\0' || strcmp(metric, "isospeed-e") == 0;
    if (held_size) {
        const json_t *first = json_array_get(json_object_get(answer, rows), 0);
        isocast_buffer_printf(out, "%s = %.6g", plot_text_of(answer, "size"),
                              plot_number_of(first, "N"));
    } else {
        const char *order = plot_text_of(json_object_get(answer, "growth"), "order");
        isocast_buffer_printf(out, "%s = %.4g%s%s", is_speed ? "E" : "target",
                              plot_number_of(answer, "target"), order[0] != '\0' ? ": " : "",
                              order);
    }
}

/* Lines are known by their numbers: two may have one label. */
static void choose_lines(json_t *answers, int kind, plot_data *data) {
    const char *rows = kind == EXPLAINED_SIZES || kind == EXPLAINED_TIMES ? "systems" : "rows";
    bool held_size = kind != GROWTHS && holds_size(json_array_get(answers, 0));
    CLI_JSON_EACH(answer, i, answers) {
        isocast_buffer label = {0};
        char name[32];
        snprintf(name, sizeof name, "%zu", i);
        put_label(answer, rows, held_size, &label);
        plot_group_note(data, name, label.text != NULL ? label.text : "");
        json_object_set_new(answer, "line", cli_json_string(name));
        isocast_buffer_free(&label);
    }
    plot_groups_choose(data);
}

/* E over N, a line a system, as many as have colours. */
static void put_systems(const json_t *list, plot_data *data) {
    const json_t *rows = json_object_get(json_array_get(list, 0), "rows");
    size_t count = json_array_size(rows);
    size_t drawn = count < PLOT_GROUPS_MAX ? count : PLOT_GROUPS_MAX;
    const plot_quantity *seen = plot_know(data, "N_seen", NAN);
    size_t first_text = data->text_count + 1;
    isocast_buffer_puts(&data->blocks[PLOT_CURVES], "group,N,E\n");
    for (size_t k = 0; k < drawn; k++) {
        size_t system = count == drawn ? k : k * (count - 1) / (PLOT_GROUPS_MAX - 1);
        const json_t *first = json_array_get(rows, system);
        plot_system_add(data, plot_text_of(first, "system"), plot_number_of(first, "p"));
        for (size_t i = 0; i < json_array_size(list); i++) {
            const json_t *row =
                json_array_get(json_object_get(json_array_get(list, i), "rows"), system);
            double N = plot_positive_of(row, "N");
            plot_know(data, "N_seen", N);
            plot_row(&data->blocks[PLOT_CURVES],
                     (double[]){(double)k + 1, N, plot_positive_of(row, "E")}, 3);
        }
    }
    plot_variable(data, "systems", seen->count > 0 ? (double)drawn : 0);
    plot_variable(data, "systems_all", (double)count);
    plot_variable(data, "first_system", (double)first_text);
}

/* After the title. */
static void put_answers(json_t *root, json_t *answers, int kind, plot_data *data) {
    data->script = "several.gp";
    choose_lines(answers, kind, data);
    json_object_set(root, "answers", answers);
    plot_put(data, &tables[kind], 1, root);
    plot_variable(data, "kind_drawn", kind);
    put_systems(kind == PREDICTED_TIMES ? answers : NULL, data);
}

static void put_title(const json_t *answers, const char *what, const char *at, plot_data *data) {
    const json_t *first = json_array_get(answers, 0);
    plot_title(data, "%s on %s: %s%s", plot_text_of(first, "algorithm"),
               plot_text_of(first, "machine"), what, at);
}

/* Of documents like a prediction; what: how their numbers were found. */
static void read_answers(json_t *root, json_t *answers, const char *what, plot_data *data) {
    bool held_size = holds_size(json_array_get(answers, 0));
    put_title(answers, what,
              held_size ? ", the speed-efficiency over p and over N" : " at several targets", data);
    put_answers(root, answers, held_size ? PREDICTED_TIMES : PREDICTED_SIZES, data);
}

void plot_read_predictions(json_t *root, plot_data *data) {
    read_answers(root, json_object_get(root, "predictions"), "predicted", data);
}

void plot_read_founds(json_t *root, plot_data *data) {
    json_t *list = json_object_get(root, "measurements");
    bool simulated = plot_flag_of(json_array_get(list, 0), "simulated");
    read_answers(root, list, simulated ? "simulated" : "measured", data);
}

/* The share of everything but the computation in T on each system, %. */
static void set_overheads(const json_t *answer) {
    CLI_JSON_EACH(part, i, json_object_get(answer, "parts")) {
        bool computes = strcmp(plot_text_of(part, "part"), "computation") == 0;
        CLI_JSON_EACH(system, k, json_object_get(answer, "systems")) {
            double share = 100 * (1 - plot_element_of(part, "share", k));
            if (computes && json_object_get(system, "overhead_share") == NULL) {
                plot_set(system, "overhead_share",
                         share >= -1e-9 && share <= 100 ? fmax(share, 0) : NAN);
            }
        }
    }
}

void plot_read_explanations(json_t *root, plot_data *data) {
    json_t *answers = json_object_get(root, "explanations");
    bool held_size = holds_size(json_array_get(answers, 0));
    CLI_JSON_EACH(answer, i, answers) {
        set_overheads(answer);
    }
    put_title(answers, "where the time goes, at several ", held_size ? "sizes" : "targets", data);
    put_answers(root, answers, held_size ? EXPLAINED_TIMES : EXPLAINED_SIZES, data);
}

void plot_read_growths(json_t *root, plot_data *data) {
    json_t *answers = json_object_get(root, "growths");
    put_title(answers, "the isoefficiency function at several E", "", data);
    put_answers(root, answers, GROWTHS, data);
}
