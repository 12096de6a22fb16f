#include "fit_ways_table.h"

#include <math.h>
#include <string.h>

#include "fit_kinds.h"
#include "fit_sizes.h"

/* What is taken off is told as exactly, relative to what it is taken off. */
static const double rough = 2e-3;

/* Counts up to which all are listed, and the largest; where messages are the square of the counts,
 * a replay takes too long to list as many. */
enum { ALL_MOST = 64, COUNT_MOST = 256 };
_Static_assert(FIT_WAYS_ROWS_MOST >= COUNT_MOST + 2,
               "all counts and what is beyond them have rows");
enum { SQUARE_ALL_MOST = 8, SQUARE_COUNT_MOST = 64 };

static int next_count(int p, int all_most) {
    int step = 1;
    while (p >= all_most * step) {
        step *= 2;
    }
    return p + (step == 1 ? 1 : 2 * step);
}

/* Where there is room for more processes, growth goes on as from half of the last count to it. */
static void go_on(fit_ways_table *t) {
    static const double far = 1000;
    size_t last = t->count - 1;
    size_t half = last;
    while (half > 0 && t->p[half] > t->p[last] / 2) {
        half--;
    }
    double p = t->p[last];
    t->p[t->count] = far * p;
    for (int c = 0; c < FIT_WAYS_COLUMNS; c++) {
        double *values = t->values[c];
        double growth =
            half < last ? (values[last] - values[half]) * (far - 1) * p / (p - t->p[half]) : 0;
        values[t->count] = values[last] + fmax(growth, 0);
    }
    t->count++;
}

/* Whether some system has p processes with so many on a node: nodes are full but for the last, or
 * as many are on each. Operations on some of the processes have few of them. */
static bool is_placed(const fit_network_map *map, int each, int p) {
    enum { FEW = 16 };
    return p <= FEW || p % each == 0 || each == map->processors;
}

/* Processors of all nodes of a mix; else those of a node that are in use on all of them. */
static double room_of(const fit_network_map *map, int each) {
    double room = fit_network_is_mixed(map) ? 0 : (double)each * map->nodes;
    for (size_t i = 0; i < map->class_count; i++) {
        room += map->class_nodes[i] * map->class_processors[i];
    }
    return room;
}

/* What the values of a column are compared with: themselves, or the length that they are taken off,
 * in their unit. */
static double scale_of(const fit_ways_table *t, int column, size_t row) {
    if (column < FIT_WAYS_COLUMN_SAVINGS) {
        return fabs(t->values[column][row]);
    }
    double loads = fit_saving_ratios[column - FIT_WAYS_COLUMN_SAVINGS];
    double length = 0;
    for (int k = 0; k < FIT_SIZES_MAX; k++) {
        length += t->values[FIT_WAYS_COLUMN_LINKS + k][row] +
                  loads * t->values[FIT_WAYS_COLUMN_LOADS + k][row];
    }
    return length;
}

/* Whether the rows between two are on the straight line between them, within a relative error. */
static bool on_line(const fit_ways_table *t, int column, size_t first, size_t last, double error) {
    const double *y = t->values[column];
    for (size_t k = first + 1; k < last; k++) {
        double line =
            y[first] + (y[last] - y[first]) * (t->p[k] - t->p[first]) / (t->p[last] - t->p[first]);
        if (fabs(line - y[k]) > error * scale_of(t, column, k)) {
            return false;
        }
    }
    return true;
}

/* What a table is of. */
typedef struct listing {
    fit_ways *ways;
    int each; /* processes on a node */
    int regime;
    bool heavy;                   /* each process has as many messages as there are processes */
    double group;                 /* of processes that are near each other */
    const fit_ways_table *before; /* of the regime before; NULL: there is none */
} listing;

static bool can_list(const listing *l, int p) {
    const fit_network_map *map = l->ways->map;
    bool gridded = l->ways->axis == FIT_AXIS_ALL || fit_axis_is_square(p);
    return gridded && (fit_network_is_mixed(map) || is_placed(map, l->each, p));
}

/* Processes of each call. */
static int members_of(const listing *l, int p) {
    return fit_axis_members(l->ways->axis, p);
}

/* Whether what is saved at a row is worth telling. */
static void note_telling(fit_ways_table *t, size_t at) {
    static const double telling = 1e-3;
    for (int c = FIT_WAYS_COLUMN_SAVINGS; c < FIT_WAYS_COLUMNS; c++) {
        t->saves = t->saves || fabs(t->values[c][at]) > telling * scale_of(t, c, at);
    }
}

static void set_row(fit_ways_table *t, size_t at, const fit_lengths *lengths) {
    for (int k = 0; k < FIT_SIZES_MAX; k++) {
        t->values[FIT_WAYS_COLUMN_LINKS + k][at] = lengths->links[k];
        t->values[FIT_WAYS_COLUMN_LOADS + k][at] = lengths->loads[k];
    }
    for (int i = 0; i < FIT_SAVINGS; i++) {
        t->values[FIT_WAYS_COLUMN_SAVINGS + i][at] = lengths->savings[i];
    }
}

/* Whether messages are the same in two regimes. */
static bool is_alike(const listing *l, int one, int other, int p) {
    const fit_network_map *map = l->ways->map;
    const fit_regimes *regimes = fit_ways_regimes(l->ways);
    int members = members_of(l, p);
    int stride = l->ways->axis == FIT_AXIS_Y ? p / members : 1;
    return !fit_network_is_mixed(map) &&
           fit_regime_is_alike(l->ways->name, map, fit_regime_middle(regimes, one, members),
                               fit_regime_middle(regimes, other, members),
                               (fit_callers){members, l->each, stride});
}

/* Up to which argument messages are the same as in the regime, B. */
static double alike_until(const listing *l, int p) {
    const fit_regimes *regimes = fit_ways_regimes(l->ways);
    double low;
    double high;
    int regime = l->regime;
    while (regime < regimes->count && is_alike(l, regime, regime + 1, p)) {
        regime++;
    }
    fit_regime_range(regimes, regime, members_of(l, p), &low, &high);
    return high;
}

/* The row of the regime before with p processes, where messages are the same there; -1: none. */
static long row_before(const listing *l, int p) {
    for (size_t row = 0; l->before != NULL && row < l->before->count; row++) {
        if (l->before->p[row] == p && is_alike(l, l->regime - 1, l->regime, p)) {
            return (long)row;
        }
    }
    return -1;
}

/* Puts a count of processes in front of row `at`, where as many do this; else false. */
static bool add_row(const listing *l, size_t at, int p, fit_ways_table *t) {
    long alike = row_before(l, p);
    fit_ways there = *l->ways;
    there.rounds = FIT_ROUNDS_MANY;
    if (alike < 0) {
        there.m_most = alike_until(l, p);
        double group = fit_network_is_mixed(l->ways->map) ? p : l->group; /* its nodes are full */
        fit_ways_find(&there, p, ceil(p / group), fmin(p, group), l->regime);
    }
    if (t->count >= FIT_WAYS_ROWS_MOST - 1 ||
        (alike < 0 && (isnan(there.lengths.links[0]) || isnan(there.lengths.loads[0])))) {
        return false;
    }
    size_t behind = t->count++ - at;
    memmove(&t->p[at + 1], &t->p[at], behind * sizeof *t->p);
    t->p[at] = p;
    for (int c = 0; c < FIT_WAYS_COLUMNS; c++) {
        memmove(&t->values[c][at + 1], &t->values[c][at], behind * sizeof *t->values[c]);
        t->values[c][at] = alike >= 0 ? l->before->values[c][alike] : 0;
    }
    if (alike < 0) {
        set_row(t, at, &there.lengths);
    }
    note_telling(t, at);
    return true;
}

/* The count that can be listed next to the middle between two rows; 0: none. */
static int middle_count(const listing *l, const fit_ways_table *t, size_t row) {
    int low = (int)t->p[row];
    int high = (int)t->p[row + 1];
    for (int away = 0; away < high - low; away++) {
        int p = (low + high) / 2 + (away % 2 == 0 ? away / 2 : -(away + 1) / 2);
        if (p > low && p < high && can_list(l, p)) {
            return p;
        }
    }
    return 0;
}

static bool is_straight(const fit_ways_table *t, size_t first, size_t last) {
    static const double error = 0.01;
    for (int c = FIT_WAYS_COLUMN_LINKS; c < FIT_WAYS_COLUMN_SAVINGS; c++) {
        if (!on_line(t, c, first, last, error)) {
            return false;
        }
    }
    return true;
}

/* Halves gaps until what is in their middle is on the straight line: growth has bends where another
 * group of nodes begins. */
static void refine(const listing *l, fit_ways_table *t) {
    for (size_t row = 0; row + 1 < t->count;) {
        int p = middle_count(l, t, row);
        bool added = p > 0 && add_row(l, row + 1, p, t);
        if (!added) {
            row++;
        } else if (is_straight(t, row, row + 2)) {
            row += 2;
        }
    }
}

/* Whether a count is next to one where the library takes another algorithm. */
static bool is_at_turn(const listing *l, int p) {
    double m = fit_regime_middle(fit_ways_regimes(l->ways), l->regime, p);
    return fit_regime_turns(l->ways->name, l->ways->map, m, p, l->each) ||
           fit_regime_turns(l->ways->name, l->ways->map, m, p + 1, l->each);
}

void fit_ways_table_find(fit_ways *ways, int each, int regime, const fit_ways_table *before,
                         fit_ways_table *out) {
    const fit_network_map *map = ways->map;
    double room = room_of(map, each);
    bool grouped = map->processors == 1 && map->together > 1;
    double m = fit_regime_middle(fit_ways_regimes(ways), regime, SQUARE_COUNT_MOST);
    listing l = {ways,
                 each,
                 regime,
                 ways->axis == FIT_AXIS_ALL && (fit_kind_of(ways->name) == FIT_KIND_EXCHANGE ||
                                                fit_regime_is_heavy(ways->name, map, m, each)),
                 grouped ? map->together : each,
                 before};
    int all_most = l.heavy ? SQUARE_ALL_MOST : ALL_MOST;
    int most = l.heavy ? SQUARE_COUNT_MOST : COUNT_MOST;
    int due = 2;
    out->count = 0;
    for (int p = 2; p <= most && p <= room; p++) {
        bool listed = can_list(&l, p);
        /* Of counts without a grid the next one that has one is due. */
        bool waits = p >= due && !listed && ways->axis != FIT_AXIS_ALL;
        if (listed && (p >= due || (ways->axis == FIT_AXIS_ALL && is_at_turn(&l, p)))) {
            add_row(&l, out->count, p, out);
        }
        due = p >= due && !waits ? next_count(p, all_most) : due;
    }
    if (l.heavy) {
        refine(&l, out);
    }
    if (out->count > 0 && room > most) {
        go_on(out);
    }
}

bool fit_ways_table_is_alike(const fit_ways_table *t, int column, int other) {
    for (size_t k = 0; k < t->count; k++) {
        if (fabs(t->values[column][k] - t->values[other][k]) > rough * scale_of(t, column, k)) {
            return false;
        }
    }
    return true;
}

void fit_ways_table_put(const fit_ways_table *t, int column, const char *key, isocast_buffer *out) {
    static const double exact = 1e-6;
    double error = column < FIT_WAYS_COLUMN_SAVINGS ? exact : rough;
    bool single = t->count == 1 || on_line(t, column, 0, t->count - 1, error);
    double change = fabs(t->values[column][t->count - 1] - t->values[column][0]);
    single = single && change <= exact * scale_of(t, column, 0);
    if (!single) {
        isocast_buffer_printf(out, "interpolate(%s", key);
    }
    for (size_t k = 0; k < (single ? 1 : t->count);) {
        isocast_buffer_printf(out, single ? "" : ", %.0f, ", t->p[k]);
        double value = t->values[column][k];
        bool none = fabs(value) <= exact * scale_of(t, column, k);
        isocast_buffer_printf(out, error == exact ? "%.7g" : "%.4g", none ? 0 : value);
        size_t next = k + 1;
        while (next + 1 < t->count && on_line(t, column, k, next + 1, error)) {
            next++;
        }
        k = next;
    }
    isocast_buffer_puts(out, single ? "" : ")");
}
