/* One algorithm at several targets or sizes: a line each, over p; and E over N, a line a system. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plot_results.h"

/* What is drawn on the left and on the right; the script knows these numbers. */
enum { PREDICTED_SIZES = 1, PREDICTED_TIMES, EXPLAINED_SIZES, EXPLAINED_TIMES, GROWTHS };

enum { X, LEFT, RIGHT, VALUES };

typedef struct answers {
    const json_t *list;
    const char *rows; /* name of the array of rows in each */
    void (*take)(const json_t *answer, size_t row, double v[VALUES]);
    bool held_size;
} answers;

static bool holds_size(const json_t *list) {
    return strcmp(plot_text_of(json_array_get(list, 0), "held"), "size") == 0;
}

static const json_t *row_of(const answers *a, const json_t *answer, size_t row) {
    return json_array_get(json_object_get(answer, a->rows), row);
}

/* "n = 1024", "E = 0.3", with the order where one is proved; what is held is no speed-efficiency
 * where another metric is chosen. */
static void put_label(const answers *a, const json_t *answer, isocast_buffer *out) {
    const char *metric = plot_text_of(answer, "metric");
    bool is_speed = metric[0] == '\0' || strcmp(metric, "isospeed-e") == 0;
    if (a->held_size) {
        isocast_buffer_printf(out, "%s = %.6g", plot_text_of(answer, "size"),
                              plot_number_of(row_of(a, answer, 0), "N"));
    } else {
        const char *order = plot_text_of(json_object_get(answer, "growth"), "order");
        isocast_buffer_printf(out, "%s = %.4g%s%s", is_speed ? "E" : "target",
                              plot_number_of(answer, "target"), order[0] != '\0' ? ": " : "",
                              order);
    }
}

static void number_of_answer(size_t index, char name[32]) {
    snprintf(name, 32, "%zu", index);
}

static void note_answers(const answers *a, plot_data *data) {
    size_t i;
    const json_t *answer;
    json_array_foreach(a->list, i, answer) {
        char name[32];
        isocast_buffer label = {0};
        number_of_answer(i, name);
        put_label(a, answer, &label);
        plot_group_note(data, name, label.text != NULL ? label.text : "");
        isocast_buffer_free(&label);
    }
    plot_groups_choose(data);
    plot_variable(data, "groups_all", (double)data->groups.count);
}

/* What is drawn on a side. */
typedef struct extent {
    double count, least, most;
} extent;

static void widen(extent *e, double value) {
    e->count += !isnan(value);
    e->least = fmin(e->least, value);
    e->most = fmax(e->most, value);
}

static void put_extent(const extent *e, const char *side, plot_data *data) {
    char name[32];
    snprintf(name, sizeof name, "%s_count", side);
    plot_variable(data, name, e->count);
    snprintf(name, sizeof name, "%s_low", side);
    plot_variable(data, name, e->count > 0 ? e->least : 1);
    snprintf(name, sizeof name, "%s_high", side);
    plot_variable(data, name, e->count > 0 ? e->most : 1);
}

static void put_answer(const answers *a, const json_t *answer, size_t group, extent sides[VALUES],
                       plot_data *data) {
    for (size_t k = 0; k < json_array_size(json_object_get(answer, a->rows)); k++) {
        double v[VALUES] = {NAN, NAN, NAN};
        a->take(answer, k, v);
        const char *status = plot_text_of(row_of(a, answer, k), "status");
        if (isnan(v[X])) {
            continue;
        }
        plot_widen(data, v[X]);
        if (isnan(v[LEFT]) || !plot_is_solved(status)) {
            plot_mark_group(data, v[X], status, group);
        }
        widen(&sides[LEFT], v[LEFT]);
        widen(&sides[RIGHT], v[RIGHT]);
        plot_row(&data->points, (double[]){(double)group, v[X], v[LEFT], v[RIGHT]}, 4);
    }
}

/* After the title. Notes what is drawn, and draws the lines. */
static void put_answers(const answers *a, double kind, plot_data *data) {
    extent sides[VALUES] = {[LEFT] = {0, INFINITY, 0}, [RIGHT] = {0, INFINITY, 0}};
    data->script = "several.gp";
    note_answers(a, data);
    isocast_buffer_puts(&data->points, "group,x,left,right\n");
    size_t i;
    const json_t *answer;
    json_array_foreach(a->list, i, answer) {
        char name[32];
        number_of_answer(i, name);
        size_t group = plot_group_drawn(data, name);
        if (group > 0) {
            put_answer(a, answer, group, sides, data);
        }
    }
    plot_variable(data, "kind_drawn", kind);
    put_extent(&sides[LEFT], "left", data);
    put_extent(&sides[RIGHT], "right", data);
}

static const char *place_of(const json_t *root) {
    return plot_text_of(root, "machine");
}

/* E over N, a line a system, as many as have colours. */
static void put_systems(const json_t *list, plot_data *data) {
    const json_t *rows = json_object_get(json_array_get(list, 0), "rows");
    size_t count = json_array_size(rows);
    size_t drawn = count < PLOT_GROUPS_MAX ? count : PLOT_GROUPS_MAX;
    double low = INFINITY;
    double high = -INFINITY;
    size_t first_text = data->text_count + 1;
    isocast_buffer_puts(&data->curves, "group,N,E\n");
    for (size_t k = 0; k < drawn; k++) {
        size_t system = count == drawn ? k : k * (count - 1) / (PLOT_GROUPS_MAX - 1);
        const json_t *first = json_array_get(rows, system);
        plot_system_add(data, plot_text_of(first, "system"), plot_number_of(first, "p"));
        for (size_t i = 0; i < json_array_size(list); i++) {
            const json_t *row =
                json_array_get(json_object_get(json_array_get(list, i), "rows"), system);
            double N = plot_positive(plot_number_of(row, "N"));
            plot_row(&data->curves,
                     (double[]){(double)k + 1, N, plot_positive(plot_number_of(row, "E"))}, 3);
            low = fmin(low, N);
            high = fmax(high, N);
        }
    }
    plot_variable(data, "systems", low <= high ? (double)drawn : 0);
    plot_variable(data, "systems_all", (double)count);
    plot_variable(data, "first_system", (double)first_text);
    plot_variable(data, "N_from", low <= high ? low / 1.2 : 1);
    plot_variable(data, "N_to", low <= high ? high * 1.2 : 2);
}

static void take_sizes(const json_t *answer, size_t row, double v[VALUES]) {
    const json_t *r = json_array_get(json_object_get(answer, "rows"), row);
    double psi = plot_number_of(r, "psi");
    v[X] = plot_positive(plot_number_of(r, "p"));
    v[LEFT] = plot_positive(plot_number_of(r, "N"));
    v[RIGHT] = psi >= 0 && psi < 1e12 ? psi : NAN;
}

static void take_efficiencies(const json_t *answer, size_t row, double v[VALUES]) {
    const json_t *r = json_array_get(json_object_get(answer, "rows"), row);
    v[X] = plot_positive(plot_number_of(r, "p"));
    v[LEFT] = plot_positive(plot_number_of(r, "E"));
}

/* Of documents like a prediction; what: how their numbers were found. */
static void read_answers(const json_t *list, const char *what, plot_data *data) {
    const json_t *first = json_array_get(list, 0);
    answers a = {.list = list, .rows = "rows", .held_size = holds_size(list)};
    a.take = a.held_size ? take_efficiencies : take_sizes;
    plot_title(data, "%s on %s: %s%s", plot_text_of(first, "algorithm"), place_of(first), what,
               a.held_size ? ", the speed-efficiency over p and over N" : " at several targets");
    put_answers(&a, a.held_size ? PREDICTED_TIMES : PREDICTED_SIZES, data);
    put_systems(a.held_size ? list : NULL, data);
}

void plot_read_predictions(const json_t *root, plot_data *data) {
    read_answers(json_object_get(root, "predictions"), "predicted", data);
}

void plot_read_founds(const json_t *root, plot_data *data) {
    const json_t *list = json_object_get(root, "measurements");
    bool simulated = json_is_true(json_object_get(json_array_get(list, 0), "simulated"));
    read_answers(list, simulated ? "simulated" : "measured", data);
}

/* The share of everything but the computation in T, %. */
static double overhead_share(const json_t *answer, size_t row) {
    size_t i;
    const json_t *part;
    json_array_foreach(json_object_get(answer, "parts"), i, part) {
        if (strcmp(plot_text_of(part, "part"), "computation") == 0) {
            double share = 100 * (1 - plot_element_of(part, "share", row));
            return share >= -1e-9 && share <= 100 ? fmax(share, 0) : NAN;
        }
    }
    return NAN;
}

static void take_explained(const json_t *answer, size_t row, double v[VALUES]) {
    const json_t *r = json_array_get(json_object_get(answer, "systems"), row);
    bool held_size = strcmp(plot_text_of(answer, "held"), "size") == 0;
    v[X] = plot_positive(plot_number_of(r, "p"));
    v[LEFT] = plot_positive(plot_number_of(r, held_size ? "T" : "N"));
    v[RIGHT] = overhead_share(answer, row);
}

void plot_read_explanations(const json_t *root, plot_data *data) {
    const json_t *list = json_object_get(root, "explanations");
    const json_t *first = json_array_get(list, 0);
    const answers a = {
        .list = list, .rows = "systems", .take = take_explained, .held_size = holds_size(list)};
    plot_title(data, "%s on %s: where the time goes, at several %s",
               plot_text_of(first, "algorithm"), place_of(first),
               a.held_size ? "sizes" : "targets");
    put_answers(&a, a.held_size ? EXPLAINED_TIMES : EXPLAINED_SIZES, data);
    put_systems(NULL, data);
}

static void take_growth(const json_t *answer, size_t row, double v[VALUES]) {
    const json_t *r = json_array_get(json_object_get(answer, "rows"), row);
    v[X] = plot_positive(plot_number_of(r, "p"));
    v[LEFT] = plot_positive(plot_number_of(r, "W"));
    v[RIGHT] = plot_positive(plot_number_of(r, "overhead"));
}

void plot_read_growths(const json_t *root, plot_data *data) {
    const json_t *list = json_object_get(root, "growths");
    const json_t *first = json_array_get(list, 0);
    const answers a = {.list = list, .rows = "rows", .take = take_growth};
    plot_title(data, "%s on %s: the isoefficiency function at several E",
               plot_text_of(first, "algorithm"), place_of(first));
    put_answers(&a, GROWTHS, data);
    put_systems(NULL, data);
}
