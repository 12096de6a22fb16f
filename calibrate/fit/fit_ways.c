#include "fit_ways.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "fit_kinds.h"

const double fit_overlap_ratios[FIT_OVERLAPS] = {1.0 / 8, 1.0 / 2, 2, 8};

/* Nodes of more processors would make formulas too long for a machine file. */
enum { PROCESSORS_MOST = 8 };

bool fit_ways_known(const fit_ways *ways) {
    const fit_network_map *map = ways->map;
    if (map == NULL || map->processors > PROCESSORS_MOST || !fit_pattern_known(ways->name)) {
        return false;
    }
    /* On a plain switch messages meet on the links of nodes alone, which the terms of laws tell
     * well, and predictions take a tenth of the time. Neighbours of a grid are what they tell badly
     * where a node is a part of a row, and butterflies. */
    fit_kind kind = fit_kind_of(ways->name);
    return map->topology != FIT_TOPOLOGY_SWITCHED || kind == FIT_KIND_BUTTERFLY ||
           (map->processors > 1 && kind == FIT_KIND_HALO);
}

/* What the operation takes at the bytes of m over a latency, in latencies; where `latency` is 0, in
 * bytes. */
static double length_at(const fit_ways *ways, const fit_places *placement, double latency,
                        double bytes) {
    fit_replay_rules rules = {ways->eager, latency, bytes};
    return fit_pattern_length(ways->map, ways->name, placement, rules, ways->rounds);
}

/* The lengths of an operation at a place; NAN where memory is short, or as many
 * processes do not do this. */
static void find_lengths(fit_ways *ways, double p, double nodes, double p_node, bool eager) {
    int count = (int)p;
    int *places = malloc((size_t)count * sizeof *places);
    for (int rank = 0; rank < count && places != NULL; rank++) {
        /* Where a later node has more processes than the first one, ranks are counted too far. */
        int node = fit_network_node(ways->map, nodes, p_node, rank);
        places[rank] = node < ways->map->nodes ? node : ways->map->nodes - 1;
    }
    ways->p = p;
    ways->nodes = nodes;
    ways->p_node = p_node;
    ways->eager = eager;
    fit_lengths *own = &ways->lengths;
    own->links = own->loads = NAN;
    if (places != NULL) {
        fit_places placement = {places, (size_t)count};
        own->links = length_at(ways, &placement, 1, 0);
        own->loads = length_at(ways, &placement, 0, 1);
        for (int i = 0; i < FIT_OVERLAPS; i++) {
            double ratio = fit_overlap_ratios[i];
            double sum = own->links + ratio * own->loads;
            own->overlaps[i] = sum > 0 ? length_at(ways, &placement, 1, ratio) / sum : 1;
        }
    }
    free(places);
}

/* Where the sum of both holds. */
static const double ratio_short = 1.0 / 64;
static const double ratio_long = 64;

/* Straight lines over the logarithm of the ratio. */
static double overlap_at(const fit_lengths *lengths, double ratio) {
    double x0 = log2(ratio_short);
    double y0 = 1;
    double x = log2(fmax(ratio, ratio_short));
    for (int i = 0; i <= FIT_OVERLAPS; i++) {
        double x1 = log2(i < FIT_OVERLAPS ? fit_overlap_ratios[i] : ratio_long);
        double y1 = i < FIT_OVERLAPS ? lengths->overlaps[i] : 1;
        if (x <= x1) {
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0);
        }
        x0 = x1;
        y0 = y1;
    }
    return 1;
}

/* Blocks of an exchange are what its messages are. */
static bool by_blocks(const fit_ways *ways) {
    return fit_kind_by_blocks(fit_kind_of(ways->name));
}

bool fit_ways_measure(fit_ways *ways, const fit_summary *item, fit_point *point) {
    double message = by_blocks(ways) ? item->m / item->p : item->m;
    bool eager = message < ways->map->eager_limit;
    bool kept = ways->p == item->p && ways->nodes == item->nodes && ways->p_node == item->p_node &&
                ways->eager == eager;
    if (!kept) {
        find_lengths(ways, item->p, item->nodes, item->p_node, eager);
    }
    const fit_lengths *lengths = &ways->lengths;
    double overlap = overlap_at(lengths, item->m * fit_message_ratio(ways->ratios, message));
    point->latency = overlap * lengths->links * ways->map->link_latency;
    point->transfer = overlap * lengths->loads * item->m * ways->map->link_byte;
    return !isnan(point->latency) && !isnan(point->transfer);
}

/* What is listed at numbers of processes: two lengths, and overlaps. */
enum { COLUMN_LINKS, COLUMN_LOADS, COLUMN_OVERLAPS, COLUMNS = COLUMN_OVERLAPS + FIT_OVERLAPS };

/* Counts up to which all are listed, and the largest; where messages are the square of the counts,
 * a replay takes too long to list as many. */
enum { ALL_MOST = 64, COUNT_MOST = 256, ROWS_MOST = COUNT_MOST + 2 };
enum { SQUARE_ALL_MOST = 8, SQUARE_COUNT_MOST = 64 };

typedef struct table {
    double p[ROWS_MOST];
    double values[COLUMNS][ROWS_MOST]; /* [COLUMNS][count] */
    size_t count;
    bool overlaps; /* some are not 1 */
} table;

static int next_count(int p, int all_most) {
    int step = 1;
    while (p >= all_most * step) {
        step *= 2;
    }
    return p + (step == 1 ? 1 : 2 * step);
}

/* Where there is room for more processes, growth goes on as from half of the last count to it. */
static void go_on(table *t) {
    static const double far = 1000;
    size_t last = t->count - 1;
    size_t half = last;
    while (half > 0 && t->p[half] > t->p[last] / 2) {
        half--;
    }
    double p = t->p[last];
    t->p[t->count] = far * p;
    for (int c = 0; c < COLUMNS; c++) {
        double *values = t->values[c];
        double growth = c < COLUMN_OVERLAPS && half < last
                            ? (values[last] - values[half]) * (far - 1) * p / (p - t->p[half])
                            : 0;
        values[t->count] = values[last] + fmax(growth, 0);
    }
    t->count++;
}

/* Whether some system has p processes with so many on a node: that are as few as there have to be,
 * or as many on each node. Operations on some of the processes have few of them. */
static bool is_placed(const fit_network_map *map, int each, int p) {
    enum { FEW = 16 };
    return p <= FEW || p % each == 0 || p > (each - 1) * map->nodes;
}

static void find_table(const fit_ways *ways, int each, bool eager, table *out) {
    const fit_network_map *map = ways->map;
    double room = (double)each * map->nodes;
    bool grouped = map->processors == 1 && map->together > 1;
    double group = grouped ? map->together : each;
    bool square = fit_kind_of(ways->name) == FIT_KIND_EXCHANGE;
    int all_most = square ? SQUARE_ALL_MOST : ALL_MOST;
    int most = square ? SQUARE_COUNT_MOST : COUNT_MOST;
    out->count = 0;
    for (int p = 2; p <= most && p <= room; p = next_count(p, all_most)) {
        if (!is_placed(map, each, p)) {
            continue;
        }
        fit_ways at = *ways;
        at.rounds = FIT_ROUNDS_MANY;
        find_lengths(&at, p, ceil(p / group), fmin(p, group), eager);
        if (isnan(at.lengths.links) || isnan(at.lengths.loads)) {
            continue;
        }
        out->p[out->count] = p;
        out->values[COLUMN_LINKS][out->count] = at.lengths.links;
        out->values[COLUMN_LOADS][out->count] = at.lengths.loads;
        for (int i = 0; i < FIT_OVERLAPS; i++) {
            out->values[COLUMN_OVERLAPS + i][out->count] = at.lengths.overlaps[i];
            out->overlaps = out->overlaps || fabs(at.lengths.overlaps[i] - 1) > 1e-3;
        }
        out->count++;
    }
    if (out->count > 0 && room > most) {
        go_on(out);
    }
}

/* Whether the rows between two are on the straight line between them, within a relative error. */
static bool on_line(const table *t, int column, size_t first, size_t last, double error) {
    const double *y = t->values[column];
    for (size_t k = first + 1; k < last; k++) {
        double line =
            y[first] + (y[last] - y[first]) * (t->p[k] - t->p[first]) / (t->p[last] - t->p[first]);
        if (fabs(line - y[k]) > error * fabs(y[k])) {
            return false;
        }
    }
    return true;
}

/* "interpolate(p, 2, 2e-05 s, 4, 4e-05 s)", or one value alone: a column, without the rows that lie
 * between others. */
static void put_column(const table *t, int column, const fit_network_map *map,
                       isocast_buffer *out) {
    static const double exact = 1e-6;
    static const double rough = 2e-3;
    double unit = column == COLUMN_LINKS ? map->link_latency : 1;
    unit = column == COLUMN_LOADS ? map->link_byte : unit;
    const char *suffix = column == COLUMN_LINKS ? " s" : "";
    suffix = column == COLUMN_LOADS ? " s/B" : suffix;
    double error = column < COLUMN_OVERLAPS ? exact : rough;
    bool single = t->count == 1 || on_line(t, column, 0, t->count - 1, error);
    single = single && fabs(t->values[column][t->count - 1] / t->values[column][0] - 1) <= exact;
    isocast_buffer_puts(out, single ? "" : "interpolate(p");
    for (size_t k = 0; k < (single ? 1 : t->count);) {
        isocast_buffer_printf(out, single ? "" : ", %.0f, ", t->p[k]);
        isocast_buffer_printf(out, error == exact ? "%.7g%s" : "%.4g%s",
                              unit * t->values[column][k], suffix);
        size_t next = k + 1;
        while (next + 1 < t->count && on_line(t, column, k, next + 1, error)) {
            next++;
        }
        k = next;
    }
    isocast_buffer_puts(out, single ? "" : ")");
}

/* All tables of an operation: [eager or not][processes of a node]. */
typedef struct tables {
    const fit_ways *ways;
    table *items; /* [2][processors] */
    bool overlaps;
} tables;

static const table *table_of(const tables *all, bool eager, int each) {
    return &all->items[(eager ? 0 : all->ways->map->processors) + each - 1];
}

/* A column of all tables: if(m < 65536 B, if(p_node <= 1, ..., ...), ...). */
static void put_choice(const tables *all, int column, isocast_buffer *out) {
    const fit_network_map *map = all->ways->map;
    isocast_buffer_printf(out, "if(%s < %.0f B", by_blocks(all->ways) ? "m/p" : "m",
                          map->eager_limit);
    for (int part = 0; part < 2; part++) {
        isocast_buffer_puts(out, ", ");
        for (int each = 1; each < map->processors; each++) {
            isocast_buffer_printf(out, "if(p_node <= %d, ", each);
            put_column(table_of(all, part == 0, each), column, map, out);
            isocast_buffer_puts(out, ", ");
        }
        put_column(table_of(all, part == 0, map->processors), column, map, out);
        for (int each = 1; each < map->processors; each++) {
            isocast_buffer_puts(out, ")");
        }
    }
    isocast_buffer_puts(out, ")");
}

/* The logarithm of the bytes' time over the latency, which the overlap is a curve over. */
static void put_ratio(const fit_ways *ways, isocast_buffer *out) {
    const fit_message_ratios *ratios = ways->ratios;
    isocast_buffer_puts(out, "log2(max(1e-9, m/(1 B)*");
    for (size_t r = 0; r < ratios->count; r++) {
        if (r + 1 < ratios->count) {
            isocast_buffer_printf(out, "if(%s < %.0f B, ", by_blocks(ways) ? "m/p" : "m",
                                  ratios->from[r + 1]);
        }
        isocast_buffer_printf(out, "%.6g%s", ratios->ratios[r], r + 1 < ratios->count ? ", " : "");
    }
    for (size_t r = 1; r < ratios->count; r++) {
        isocast_buffer_puts(out, ")");
    }
    isocast_buffer_puts(out, "))");
}

static void put_overlap(const tables *all, isocast_buffer *out) {
    isocast_buffer_puts(out, "(1 s)*interpolate(");
    put_ratio(all->ways, out);
    isocast_buffer_printf(out, ", %.6g, 1", log2(ratio_short));
    for (int i = 0; i < FIT_OVERLAPS; i++) {
        isocast_buffer_printf(out, ", %.6g, ", log2(fit_overlap_ratios[i]));
        put_choice(all, COLUMN_OVERLAPS + i, out);
    }
    isocast_buffer_printf(out, ", %.6g, 1)", log2(ratio_long));
}

/* Begins an operation, whose formula is appended to its body; NULL where memory is short. */
static isocast_buffer *begin(fit *f, const char *name, const char *ending) {
    char whole[SAMPLES_NAME_MAX + 16];
    snprintf(whole, sizeof whole, "%s%s", name, ending);
    fit_operation *operation = fit_new_operation(f, whole, false);
    if (operation == NULL) {
        return NULL;
    }
    operation->counted = true;
    f->operation_count++;
    isocast_buffer_printf(&operation->body, "%*sformula: ", FIT_BODY_INDENT, "");
    return &operation->body;
}

static bool add_operation(const tables *all, const char *ending, int column, fit *f) {
    const char *name = all->ways->name;
    isocast_buffer *body = begin(f, name, ending);
    if (body == NULL) {
        return false;
    }
    if (column == COLUMN_OVERLAPS) {
        put_overlap(all, body);
    } else {
        isocast_buffer_puts(body, column == COLUMN_LOADS ? "m*" : "");
        put_choice(all, column, body);
        if (all->overlaps) {
            isocast_buffer_printf(body, "*%s_overlap(m, p)/(1 s)", name);
        }
    }
    isocast_buffer_puts(body, "\n");
    return !body->failed;
}

isocast_status fit_ways_add(const fit_ways *ways, fit *f) {
    int processors = ways->map->processors;
    tables all = {ways, calloc(2 * (size_t)processors, sizeof *all.items), false};
    bool room = all.items != NULL;
    for (int k = 0; k < 2 * processors && room; k++) {
        find_table(ways, k % processors + 1, k < processors, &all.items[k]);
        room = all.items[k].count > 0;
        all.overlaps = all.overlaps || all.items[k].overlaps;
    }
    room = room && add_operation(&all, "_latency", COLUMN_LINKS, f) &&
           add_operation(&all, "_transfer", COLUMN_LOADS, f) &&
           (!all.overlaps || add_operation(&all, "_overlap", COLUMN_OVERLAPS, f));
    free(all.items);
    return room ? ISOCAST_OK : ISOCAST_NO_MEMORY;
}
