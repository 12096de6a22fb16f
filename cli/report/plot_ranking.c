/* Contenders side by side: T over N, and over p or what holds an efficiency, with their crossings.
 */
#include <math.h>
#include <string.h>

#include "plot_results.h"

/* Places (systems, or sizes or targets) that can be told apart by the dashes of their lines. */
enum { PLACES_MAX = 3 };

/* Curves of a place that are looked at; there are as many as contenders. */
enum { CURVES_MAX = 64 };

/* The axes; the script knows these numbers. */
enum { OVER_N, OVER_P, AXES };

/* What is drawn over one axis. */
typedef struct axis {
    const char *key; /* of the place: a text over N, a number over p */
    const char *x;   /* name of the axis in a curve */
    bool is_text;    /* the place is a text */
    const json_t *curves, *crossings;
    const json_t *places[PLACES_MAX]; /* objects that have the place */
    size_t place_count, place_all;
    double low, high, least, most; /* of x and of the value */
} axis;

static bool is_same_place(const axis *a, const json_t *one, const json_t *other) {
    return a->is_text ? strcmp(plot_text_of(one, a->key), plot_text_of(other, a->key)) == 0
                      : plot_number_of(one, a->key) == plot_number_of(other, a->key);
}

/* The number of the place among those that are drawn, from 1; 0 where it is not drawn. */
static size_t place_of(const axis *a, const json_t *object) {
    for (size_t i = 0; i < a->place_count; i++) {
        if (is_same_place(a, a->places[i], object)) {
            return i + 1;
        }
    }
    return 0;
}

/* Places follow each other in a list; of many, they are spread evenly. */
static void choose_places(const json_t *list, axis *a) {
    for (int pass = 0; pass < 2; pass++) {
        const json_t *before = NULL;
        size_t seen = 0;
        size_t i;
        const json_t *object;
        json_array_foreach(list, i, object) {
            if (before != NULL && is_same_place(a, before, object)) {
                continue;
            }
            before = object;
            size_t drawn = a->place_all < PLACES_MAX ? a->place_all : PLACES_MAX;
            size_t next = a->place_all <= PLACES_MAX
                              ? a->place_count
                              : a->place_count * (a->place_all - 1) / (PLACES_MAX - 1);
            if (pass == 1 && a->place_count < drawn && seen == next) {
                a->places[a->place_count++] = object;
            }
            seen++;
        }
        a->place_all = seen;
    }
}

static void widen(axis *a, double x, double value) {
    if (!isnan(x + value)) {
        a->low = fmin(a->low, x);
        a->high = fmax(a->high, x);
        a->least = fmin(a->least, value);
        a->most = fmax(a->most, value);
    }
}

/* The curves of one place. */
typedef struct bundle {
    const json_t *curves[CURVES_MAX];
    size_t count;
} bundle;

/* The least T of the curves that have x as their k-th place. */
static double least_at(const bundle *b, const char *name, size_t k, double x) {
    double least = NAN;
    for (size_t i = 0; i < b->count; i++) {
        if (plot_element_of(b->curves[i], name, k) == x) {
            least = fmin(least, plot_positive(plot_element_of(b->curves[i], "T", k)));
        }
    }
    return least;
}

/* Group, axis, place, x, T, and T over the least T of all contenders there. */
static void put_bundle(const bundle *b, double number, size_t place, axis *a, plot_data *data) {
    for (size_t i = 0; i < b->count; i++) {
        size_t group = plot_group_drawn(data, plot_text_of(b->curves[i], "contender"));
        size_t count = json_array_size(json_object_get(b->curves[i], a->x));
        for (size_t k = 0; group > 0 && k < count; k++) {
            double x = plot_positive(plot_element_of(b->curves[i], a->x, k));
            double T = plot_positive(plot_element_of(b->curves[i], "T", k));
            double ratio = plot_positive(T / least_at(b, a->x, k, x));
            widen(a, x, T);
            plot_row(&data->blocks[PLOT_CURVES],
                     (double[]){(double)group, number, (double)place, x, T, ratio}, 6);
        }
    }
}

static void put_curves(double number, axis *a, plot_data *data) {
    size_t i;
    const json_t *object;
    for (size_t place = 1; place <= a->place_count; place++) {
        bundle b = {.count = 0};
        json_array_foreach(a->curves, i, object) {
            if (b.count < CURVES_MAX && place_of(a, object) == place) {
                b.curves[b.count++] = object;
            }
        }
        put_bundle(&b, number, place, a, data);
    }
    json_array_foreach(a->crossings, i, object) {
        size_t place = place_of(a, object);
        size_t k;
        const json_t *point;
        json_array_foreach(json_object_get(object, "points"), k, point) {
            double x = plot_positive(plot_number_of(point, "at"));
            double T = plot_positive(plot_number_of(point, "T"));
            if (place > 0 && !isnan(x + T)) {
                widen(a, x, T);
                plot_row(&data->blocks[PLOT_ROUTES], (double[]){number, (double)place, x, T}, 4);
            }
        }
    }
}

/* A row stands at (N, T) on its system, and over p at its size or target; what has no solution is
 * marked over p, or over N where nothing is drawn over p. */
static void put_row(const json_t *row, bool held_size, axis axes[AXES], size_t group,
                    plot_data *data) {
    double N = plot_positive(plot_number_of(row, "N"));
    double T = plot_positive(plot_number_of(row, "T"));
    double p = plot_positive(plot_number_of(row, "p"));
    double value = held_size ? T : plot_positive(plot_number_of(row, "W"));
    const char *status = plot_text_of(row, "status");
    size_t system = place_of(&axes[OVER_N], row);
    size_t other = place_of(&axes[OVER_P], row);
    widen(&axes[OVER_N], system > 0 ? N : NAN, T);
    widen(&axes[OVER_P], other > 0 ? p : NAN, value);
    bool over_N = held_size && json_array_size(axes[OVER_P].curves) == 0;
    double x = over_N ? N : p;
    axis *marked = &axes[over_N ? OVER_N : OVER_P];
    if ((over_N ? system : other) > 0 && !isnan(x) && (isnan(value) || !plot_is_solved(status))) {
        plot_mark(data, x, status, group);
        marked->low = fmin(marked->low, x);
        marked->high = fmax(marked->high, x);
    }
    plot_row(&data->blocks[PLOT_POINTS],
             (double[]){(double)group, (double)system, (double)other, N, T, p, value}, 7);
}

/* Lines join what follows each other: contender by contender, and place by place. */
static void put_rows(const json_t *root, bool held_size, axis axes[AXES], plot_data *data) {
    const json_t *rows = json_object_get(root, "rows");
    isocast_buffer_puts(&data->blocks[PLOT_POINTS], "group,system,other,N,T,p,value\n");
    for (size_t group = 1; group <= PLOT_GROUPS_MAX; group++) {
        size_t i;
        const json_t *row;
        json_array_foreach(rows, i, row) {
            if (plot_group_drawn(data, plot_text_of(row, "contender")) == group) {
                put_row(row, held_size, axes, group, data);
            }
        }
    }
}

/* What all contenders have in common; "" where they differ. */
static const char *common_of(const json_t *contenders, const char *key) {
    const char *common = plot_text_of(json_array_get(contenders, 0), key);
    size_t i;
    const json_t *contender;
    json_array_foreach(contenders, i, contender) {
        if (strcmp(plot_text_of(contender, key), common) != 0) {
            return "";
        }
    }
    return common;
}

static void put_title(const json_t *root, plot_data *data) {
    const json_t *contenders = json_object_get(root, "contenders");
    const char *algorithm = common_of(contenders, "algorithm");
    const char *machine = common_of(contenders, "machine");
    size_t count = json_array_size(contenders);
    if (algorithm[0] != '\0') {
        plot_title(data, "%s on %zu machines, side by side", algorithm, count);
    } else if (machine[0] != '\0') {
        plot_title(data, "%zu algorithms on %s, side by side", count, machine);
    } else {
        plot_title(data, "%zu contenders, side by side", count);
    }
}

/* "on p=16", "n = 1024", "E = 0.3". */
static void put_place_names(const json_t *root, const axis *a, bool held_size, const char *variable,
                            plot_data *data) {
    plot_variable(data, variable, (double)data->text_count + 1);
    for (size_t i = 0; i < a->place_count; i++) {
        isocast_buffer label = {0};
        if (a->is_text) {
            isocast_buffer_printf(&label, "on %s", plot_text_of(a->places[i], a->key));
        } else {
            isocast_buffer_printf(&label, "at %s = %.6g",
                                  held_size ? plot_text_of(root, "size") : "E",
                                  plot_number_of(a->places[i], a->key));
        }
        plot_text_add(data, label.text != NULL ? label.text : "", PLOT_LABEL_MAX);
        isocast_buffer_free(&label);
    }
}

static void put_axis(const axis *a, const char *name, plot_data *data) {
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"low", a->low / 1.2},
                   {"high", a->high * 1.2},
                   {"least", a->least / 2},
                   {"most", a->most * 2},
                   {"places", (double)a->place_count},
                   {"places_all", (double)a->place_all}};
    bool any = a->low <= a->high;
    bool values = a->least <= a->most;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        isocast_buffer variable = {0};
        isocast_buffer_printf(&variable, "%s_%s", name, numbers[i].name);
        bool known = i < 2 ? any : i < 4 ? values : true;
        if (variable.text != NULL) {
            plot_variable(data, variable.text, known ? numbers[i].value : 1 + (double)(i % 2));
        }
        isocast_buffer_free(&variable);
    }
    isocast_buffer has = {0};
    isocast_buffer_printf(&has, "%s_values", name);
    plot_variable(data, has.text != NULL ? has.text : "none", values);
    isocast_buffer_free(&has);
}

void plot_read_ranking(json_t *root, plot_data *data) {
    bool held_size = strcmp(plot_text_of(root, "held"), "efficiency") != 0;
    const json_t *rows = json_object_get(root, "rows");
    axis axes[AXES] = {
        [OVER_N] = {.key = "system",
                    .x = "N",
                    .is_text = true,
                    .curves = json_object_get(root, "curves_over_N"),
                    .crossings = json_object_get(root, "crossings_over_N"),
                    .low = INFINITY,
                    .least = INFINITY},
        [OVER_P] = {.key = held_size ? "N" : "target",
                    .x = "p",
                    .curves = json_object_get(root, "curves_over_p"),
                    .crossings = json_object_get(root, "crossings_over_p"),
                    .low = INFINITY,
                    .least = INFINITY},
    };
    data->script = "ranking.gp";
    put_title(root, data);
    plot_choose(data, json_object_get(root, "contenders"), "name");
    choose_places(axes[OVER_N].curves, &axes[OVER_N]);
    choose_places(rows, &axes[OVER_P]);
    put_place_names(root, &axes[OVER_N], held_size, "first_system", data);
    put_place_names(root, &axes[OVER_P], held_size, "first_other", data);
    isocast_buffer_puts(&data->blocks[PLOT_CURVES], "group,axis,place,x,T,ratio\n");
    isocast_buffer_puts(&data->blocks[PLOT_ROUTES], "axis,place,x,T\n");
    for (size_t i = 0; i < AXES; i++) {
        put_curves((double)i, &axes[i], data);
    }
    put_rows(root, held_size, axes, data);
    /* Over p, curves are drawn where there are some, else the rows; where neither is, ratios. */
    plot_variable(data, "held_size", held_size);
    plot_variable(data, "curves_of_p", (double)json_array_size(axes[OVER_P].curves));
    put_axis(&axes[OVER_N], "N", data);
    put_axis(&axes[OVER_P], "p", data);
    plot_widen(data, axes[OVER_N].low);
    plot_widen(data, axes[OVER_N].high);
    plot_widen(data, axes[OVER_P].low);
}
