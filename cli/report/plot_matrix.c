/* psi between all pairs of systems as curves, one for each system that psi is taken from: the
 * figures of He et al. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/samples/text_index.h"
#include "model/base/order.h"
#include "model/base/refused.h"
#include "plot_results.h"

/* Names of systems that there is room for; systems that a matrix has at most. */
enum { NAMES_MAX = 24, SYSTEMS_MAX = 1000 };

typedef struct places {
    text_index systems;
    size_t count;
    double *sizes; /* [count]: R_f, else C, else p */
    size_t *ranks; /* [count]: by size, the smallest is 0; those of one size as they come */
} places;

static size_t find(places *p, const char *name) {
    return text_index_of(&p->systems, name, strlen(name));
}

static double size_of(const json_t *row) {
    double R_f = plot_number_of(row, "R_f");
    double C = plot_number_of(row, "C");
    return !isnan(R_f) ? R_f : !isnan(C) ? C : plot_number_of(row, "p");
}

static void note_size(places *p, const json_t *row) {
    const char *set = plot_text_of(row, "set");
    size_t index = find(p, set[0] != '\0' ? set : plot_text_of(row, "system"));
    if (index < p->count) {
        p->sizes[index] = size_of(row);
    }
}

/* The systems that pairs name, and their places on the axis: the smallest system first. */
static bool place_systems(const json_t *root, places *p) {
    const json_t *pairs = json_object_get(root, "pairs");
    const json_t *rows = json_object_get(root, "rows");
    size_t i;
    const json_t *one;
    json_array_foreach(pairs, i, one) {
        (void)find(p, plot_text_of(one, "from"));
        (void)find(p, plot_text_of(one, "to"));
    }
    size_t count = p->systems.count;
    p->count = count;
    p->sizes = calloc(count + 1, sizeof *p->sizes);
    p->ranks = calloc(count + 1, sizeof *p->ranks);
    if (p->sizes == NULL || p->ranks == NULL) {
        isocast_refused_note();
        return false;
    }
    if (count > SYSTEMS_MAX) {
        return false;
    }
    note_size(p, json_object_get(root, "base"));
    json_array_foreach(rows, i, one) {
        note_size(p, one);
    }
    for (size_t a = 0; a < count; a++) {
        for (size_t b = 0; b < count; b++) {
            bool smaller = p->sizes[b] < p->sizes[a] || (!(p->sizes[a] < p->sizes[b]) && b < a);
            p->ranks[a] += smaller;
        }
    }
    return true;
}

static void name_places(const places *p, plot_data *data) {
    size_t count = p->count;
    size_t every = (count + NAMES_MAX - 1) / NAMES_MAX;
    for (size_t a = 0; a < count; a++) {
        if (p->ranks[a] % every == 0) {
            plot_tick(data, (double)p->ranks[a] + 1, p->systems.texts[a]);
        }
    }
    plot_variable(data, "count", (double)count);
    plot_widen(data, 1);
    plot_widen(data, fmax(1, (double)count));
}

/* Whether a pair is drawn: back to a smaller system psi is the reciprocal, which is nothing new. */
static bool is_forward(places *p, const json_t *pair, size_t *to) {
    size_t from = find(p, plot_text_of(pair, "from"));
    *to = find(p, plot_text_of(pair, "to"));
    return from < p->count && *to < p->count && p->ranks[*to] > p->ranks[from] &&
           plot_number_of(pair, "psi") > 0;
}

/* Lines join what follows each other, so places come by line and along the axis. */
typedef struct place {
    double group, x, psi;
} place;

static int by_line(const void *left, const void *right) {
    const place *a = left;
    const place *b = right;
    int order = isocast_order(a->group, b->group);
    return order != 0 ? order : isocast_order(a->x, b->x);
}

static void write_places(place *drawn, size_t count, plot_data *data) {
    isocast_buffer_puts(&data->blocks[PLOT_POINTS], "group,x,psi\n");
    if (count > 0) {
        qsort(drawn, count, sizeof *drawn, by_line);
    }
    for (size_t i = 0; i < count; i++) {
        plot_row(&data->blocks[PLOT_POINTS], (double[]){drawn[i].group, drawn[i].x, drawn[i].psi},
                 3);
    }
}

static void put_pairs(const json_t *pairs, places *p, plot_data *data) {
    size_t i;
    size_t to;
    const json_t *pair;
    json_array_foreach(pairs, i, pair) {
        if (is_forward(p, pair, &to)) {
            plot_group_note(data, plot_text_of(pair, "from"), plot_text_of(pair, "from"));
        }
    }
    plot_groups_choose(data);
    double most = 1;
    place *drawn = malloc((json_array_size(pairs) + 1) * sizeof *drawn);
    size_t count = 0;
    if (drawn == NULL) {
        isocast_refused_note();
    }
    json_array_foreach(pairs, i, pair) {
        size_t group = 0;
        if (drawn != NULL && is_forward(p, pair, &to)) {
            group = plot_group_drawn(data, plot_text_of(pair, "from"));
        }
        if (group > 0) {
            double psi = plot_positive(plot_number_of(pair, "psi"));
            drawn[count++] = (place){(double)group, (double)p->ranks[to] + 1, psi};
            most = fmax(most, psi);
        }
    }
    write_places(drawn, count, data);
    free(drawn);
    plot_variable(data, "psi_high", 1.05 * most);
}

bool plot_matrix(json_t *root, plot_data *data) {
    const json_t *pairs = json_object_get(root, "pairs");
    if (json_array_size(pairs) == 0) {
        return false;
    }
    places p = {0};
    bool placed = place_systems(root, &p);
    if (placed) {
        put_pairs(pairs, &p, data);
        name_places(&p, data);
        data->script = "matrix.gp";
    }
    text_index_free(&p.systems);
    free(p.sizes);
    free(p.ranks);
    return placed;
}

/* Times of processor sets: psi where it was asked for, else R_f beside the number of processors. */
void plot_read_sets(json_t *root, plot_data *data) {
    static const plot_table table = {
        .block = PLOT_POINTS, .rows = "rows", .columns = "x=# n R_f psi"};
    const json_t *rows = json_object_get(root, "rows");
    const char *metric = plot_text_of(root, "metric");
    const char *times = plot_file_name(plot_text_of(root, "times"));
    const char *reference = plot_file_name(plot_text_of(root, "reference"));
    if (metric[0] != '\0') {
        plot_title(data, "Scalability of processor sets by %s, from the times of %s", metric,
                   times);
    } else {
        plot_title(data, "Performance reference factors of processor sets, from %s", reference);
    }
    if (plot_matrix(root, data)) {
        return;
    }
    /* From a set to a smaller one psi is off the scale of the others. */
    double before = NAN;
    size_t i;
    json_t *row;
    json_array_foreach(rows, i, row) {
        double R_f = plot_positive(plot_number_of(row, "R_f"));
        if (R_f < before) {
            plot_set(row, "psi", NAN);
        }
        before = R_f;
    }
    plot_put(data, &table, 1, root);
    plot_name_places(data, rows, 0, "set", NAMES_MAX);
    data->script = "sets.gp";
}
