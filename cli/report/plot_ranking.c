/* Contenders side by side: T over N, and over p or what holds an efficiency, with their crossings.
 */
#include <math.h>
#include <string.h>

#include "cli/output/json_text.h"
#include "plot_results.h"

/* Places (systems, or sizes or targets) that can be distinguished by the dashes of their lines. */
enum { PLACES_MAX = 3 };

/* Curves of a place that are looked at; there are as many as contenders. */
enum { CURVES_MAX = 64 };

/* The axes; the script knows these numbers. */
enum { OVER_N, OVER_P, AXES };

/* What is drawn over one axis. */
typedef struct axis {
    const char *key;                  /* of the place: a text over N, a number over p */
    const char *x;                    /* name of the axis in a curve */
    bool is_text;                     /* the place is a text */
    const json_t *places[PLACES_MAX]; /* objects that have the place */
    size_t place_count, place_all;
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
        CLI_JSON_EACH(object, i, list) {
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

/* Sets the T of curves of one place over the least T of all of them there. Where there is no T, an
 * axis needs no room for its place. */
static void set_ratios(json_t *const *curves, size_t count, const char *x) {
    for (size_t i = 0; i < count; i++) {
        json_t *places = json_object_get(curves[i], x);
        json_t *ratios = json_array();
        for (size_t k = 0; k < json_array_size(places); k++) {
            double T = plot_positive(plot_element_of(curves[i], "T", k));
            double least = T;
            for (size_t other = 0; other < count; other++) {
                if (plot_element_of(curves[other], x, k) == plot_element_of(curves[i], x, k)) {
                    least = fmin(least, plot_positive(plot_element_of(curves[other], "T", k)));
                }
            }
            cli_json_append(&ratios, cli_json_number(T / least));
            if (isnan(T)) {
                json_array_set_new(places, k, json_null());
            }
        }
        json_object_set_new(curves[i], "ratio", ratios);
    }
}

/* Sets the places of curves and crossings, over p where `number` is 1. */
static void set_places(const axis *a, const json_t *curves, const json_t *crossings,
                       double number) {
    for (size_t place = 1; place <= a->place_count; place++) {
        json_t *bundle[CURVES_MAX];
        size_t count = 0;
        CLI_JSON_EACH(object, i, curves) {
            if (count < CURVES_MAX && place_of(a, object) == place) {
                plot_set(object, "place", (double)place);
                bundle[count++] = object;
            }
        }
        set_ratios(bundle, count, a->x);
    }
    CLI_JSON_EACH(object, i, crossings) {
        plot_set(object, "place", (double)place_of(a, object));
        plot_set(object, "axis", number);
    }
}

/* A row stands at (N, T) on its system, and over p at its size or target; what has no solution is
 * marked over p, or over N where nothing is drawn over p. */
static void set_row(json_t *row, bool held_size, bool mark_over_N, const axis axes[AXES],
                    size_t group, plot_data *data) {
    double N = plot_positive_of(row, "N");
    double T = plot_positive_of(row, "T");
    double p = plot_positive_of(row, "p");
    double y = held_size ? T : plot_positive_of(row, "W");
    const char *status = plot_text_of(row, "status");
    size_t system = place_of(&axes[OVER_N], row);
    size_t other = place_of(&axes[OVER_P], row);
    bool over_N = system > 0 && !isnan(N + T);
    bool over_p = other > 0 && !isnan(p + y);
    plot_set(row, "system_place", (double)system);
    plot_set(row, "other_place", (double)other);
    plot_set(row, "x_N", over_N ? N : NAN);
    plot_set(row, "y_N", over_N ? T : NAN);
    plot_set(row, "x_p", over_p ? p : NAN);
    plot_set(row, "y_p", over_p ? y : NAN);
    double x = mark_over_N ? N : p;
    if ((mark_over_N ? system : other) > 0 && !isnan(x) && (isnan(y) || !plot_is_solved(status))) {
        plot_mark(data, x, status, group);
        plot_know(data, mark_over_N ? "x_N" : "x_p", x);
    }
}

static void set_rows(const json_t *root, bool held_size, const axis axes[AXES], plot_data *data) {
    bool mark_over_N = held_size && json_array_size(json_object_get(root, "curves_over_p")) == 0;
    for (size_t group = 1; group <= plot_groups_drawn(data); group++) {
        CLI_JSON_EACH(row, i, json_object_get(root, "rows")) {
            if (plot_group_drawn(data, plot_text_of(row, "contender")) == group) {
                set_row(row, held_size, mark_over_N, axes, group, data);
            }
        }
    }
}

/* What all contenders have in common; "" where they differ. */
static const char *common_of(const json_t *contenders, const char *key) {
    const char *common = plot_text_of(json_array_get(contenders, 0), key);
    CLI_JSON_EACH(contender, i, contenders) {
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
        plot_text_take(data, &label, PLOT_LABEL_MAX);
    }
}

/* From this many sizes on lines over p would be those of a few: what is fastest where is drawn. */
enum { REGION_SIZES = 5 };

/* Makes ranges of p cells of a map over N and p: each size reaches half the way to the next, in
 * ln N, and p to twice what any range begins at. */
static void make_cells(const json_t *ranges, const json_t *rows) {
    size_t count = json_array_size(ranges);
    double top = 1;
    CLI_JSON_EACH(row, i, rows) {
        top = fmax(top, plot_number_of(row, "p"));
    }
    CLI_JSON_EACH(row, i, ranges) {
        top = fmax(top, plot_number_of(row, "from"));
    }
    for (size_t begin = 0, end = 0; begin < count; begin = end) {
        double N = plot_number_of(json_array_get(ranges, begin), "N");
        while (end < count && plot_number_of(json_array_get(ranges, end), "N") == N) {
            end++;
        }
        end = end > begin ? end : begin + 1;
        double before = begin > 0 ? plot_number_of(json_array_get(ranges, begin - 1), "N") : NAN;
        double after = end < count ? plot_number_of(json_array_get(ranges, end), "N") : NAN;
        before = isnan(before) ? N * N / after : before;
        after = isnan(after) ? N * N / before : after;
        for (size_t k = begin; k < end; k++) {
            json_t *cell = json_array_get(ranges, k);
            plot_set(cell, "left", sqrt(N * before));
            plot_set(cell, "right", sqrt(N * after));
            plot_set(cell, "bottom", plot_number_of(cell, "from"));
            plot_set(cell, "top", fmin(plot_number_of(cell, "to"), 2 * top));
        }
    }
}

void plot_read_ranking(json_t *root, plot_data *data) {
    static const plot_table tables[] = {
        PLOT_TABLE(POINTS, "rows", "contender", "system_place0 other_place0 x_N y_N x_p y_p",
                   .beside = true),
        PLOT_TABLE(CURVES, "curves_over_N", "contender", "place x_N=N y_N=T ratio", .beside = true),
        PLOT_TABLE(ROUTES, "crossings_over_N.points crossings_over_p.points", NULL,
                   "place axis0 x=at! T!", .beside = true),
        PLOT_TABLE(MORE, "curves_over_p", "contender", "place x_p=p y_p=T", .beside = true)};
    static const plot_table cells =
        PLOT_TABLE(MORE, "ranges_over_p", "fastest", "left right! bottom! top!", .beside = true);
    bool held_size = strcmp(plot_text_of(root, "held"), "efficiency") != 0;
    const json_t *over_N = json_object_get(root, "curves_over_N");
    const json_t *over_p = json_object_get(root, "curves_over_p");
    axis axes[AXES] = {[OVER_N] = {.key = "system", .x = "N", .is_text = true},
                       [OVER_P] = {.key = held_size ? "N" : "target", .x = "p"}};
    data->script = "ranking.gp";
    put_title(root, data);
    plot_choose(data, json_object_get(root, "contenders"), "name");
    choose_places(over_N, &axes[OVER_N]);
    choose_places(json_object_get(root, "rows"), &axes[OVER_P]);
    put_place_names(root, &axes[OVER_N], held_size, "first_system", data);
    put_place_names(root, &axes[OVER_P], held_size, "first_other", data);
    set_places(&axes[OVER_N], over_N, json_object_get(root, "crossings_over_N"), OVER_N);
    set_places(&axes[OVER_P], over_p, json_object_get(root, "crossings_over_p"), OVER_P);
    set_rows(root, held_size, axes, data);
    bool has_regions = held_size && axes[OVER_P].place_all >= REGION_SIZES &&
                       json_array_size(json_object_get(root, "ranges_over_p")) > 0;
    if (has_regions) {
        make_cells(json_object_get(root, "ranges_over_p"), json_object_get(root, "rows"));
    }
    plot_put(data, tables, sizeof tables / sizeof tables[0] - (has_regions ? 1 : 0), root);
    plot_put(data, &cells, has_regions ? 1 : 0, root);
    plot_variable(data, "regions", has_regions && plot_know(data, "left", NAN)->count > 0);
    /* Over p, curves are drawn where there are some, else the rows; where neither is, ratios. */
    plot_variable(data, "held_size", held_size);
    plot_variable(data, "curves_of_p", (double)json_array_size(over_p));
    plot_variable(data, "N_places", (double)axes[OVER_N].place_count);
    plot_variable(data, "N_places_all", (double)axes[OVER_N].place_all);
    plot_variable(data, "p_places", (double)axes[OVER_P].place_count);
    plot_variable(data, "p_places_all", (double)axes[OVER_P].place_all);
    plot_widen(data, plot_know(data, "x_N", NAN)->least);
    plot_widen(data, plot_know(data, "x_N", NAN)->most);
    plot_widen(data, plot_know(data, "x_p", NAN)->least);
}
