#include "series.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/median.h"
#include "model/base/nearest.h"
#include "model/base/order.h"
#include "model/base/text_index.h"
#include "model/runs/calm.h"
#include "model/runs/set_times.h"
#include "run_files.h"

const char *const isocast_series_scaling_words[ISOCAST_SERIES_SCALING_COUNT + 1] = {
#define ISOCAST_SERIES_WORD(name, word) [ISOCAST_SERIES_##name] = word,
    ISOCAST_SERIES_SCALINGS(ISOCAST_SERIES_WORD)
#undef ISOCAST_SERIES_WORD
};

/* The exponent of T over the first three p below which runs without N count as strong scaling, and
 * above which as weak. The first, as a saturated series looks weak at its end. */
static const double strong_below = -0.35;
static const double weak_above = -0.10;
/* Grids are not of any size: N/p that differ by less are one. */
static const double same_share = 0.05;
/* No program is that much slower than beside it; milliseconds beside seconds are. */
static const double units_mixed = 100;
static const double units_mixed_repeated = 500;

typedef isocast_series_run entry;

/* All runs of a group at one p and N. */
typedef struct cell {
    size_t group, row, runs, launches;
    double nodes;               /* NAN: not known */
    double p, N, level, T;      /* level: what is the same for the series, N or N/p, or 0 */
    double squares_launches;    /* of ln T about its mean over the launches */
    double squares_repetitions; /* about the means of launches, all together */
} cell;

typedef struct reader {
    const isocast_series_request *request;
    isocast_diagnostics *diagnostics;
    isocast_csv csv;
    size_t p, T, N, launch, system, nodes; /* columns; SIZE_MAX: there is none */
    bool p_by_name;                        /* p is read off the names of systems */
    size_t *keys;                          /* [key_count], columns */
    size_t key_count;
    entry *entries; /* [entry_count] */
    size_t entry_count;
    cell *cells; /* [cell_count] */
    size_t cell_count;
    isocast_text_index groups; /* their keys, each behind a line break */
    isocast_status status;
} reader;

static const char *name_of(const reader *r, size_t column) {
    return isocast_csv_text(&r->csv, 0, column);
}

static size_t column_of(const reader *r, const char *name) {
    size_t i = 0;
    while (i < r->csv.rows[0].count && strcmp(name_of(r, i), name) != 0) {
        i++;
    }
    return i < r->csv.rows[0].count ? i : SIZE_MAX;
}

static isocast_span line_of(const reader *r, size_t row) {
    return isocast_source_line(r->request->source,
                               isocast_csv_span(&r->csv.fields[r->csv.rows[row].first]).begin);
}

static isocast_span place_of(const reader *r, size_t row, size_t column) {
    return column == SIZE_MAX ? line_of(r, row)
                              : isocast_csv_span(&r->csv.fields[r->csv.rows[row].first + column]);
}

/* A column that must be there. */
static size_t require(reader *r, const char *name, const char *hint) {
    size_t column = column_of(r, name);
    if (column == SIZE_MAX && r->status == ISOCAST_OK) {
        size_t count = r->csv.rows[0].count;
        const char **names = malloc((count + 1) * sizeof *names);
        isocast_buffer meant = {0};
        for (size_t i = 0; names != NULL && i < count; i++) {
            names[i] = name_of(r, i);
        }
        if (hint == NULL && names != NULL) {
            isocast_nearest_hint(&meant, name, names, count, "columns here");
        }
        free(names);
        isocast_diagnostics_rely(r->diagnostics, &meant);
        isocast_diagnostics_add(r->diagnostics, ISOCAST_ERROR, r->request->source, line_of(r, 0),
                                hint != NULL ? hint : meant.text, "there is no column '%s'", name);
        isocast_buffer_free(&meant);
        r->status = ISOCAST_INVALID;
    }
    return column;
}

static void find_columns(reader *r) {
    const isocast_series_request *request = r->request;
    r->T = require(r, request->time != NULL ? request->time : "T",
                   request->time != NULL
                       ? NULL
                       : "the first line names the columns: p and T (in seconds) at least; "
                         "--time COLUMN takes another one for T");
    for (size_t i = 0; i < request->only_count; i++) {
        require(r, request->only[i].column, NULL);
    }
    r->N = column_of(r, "N");
    r->launch = column_of(r, "launch");
    r->system = column_of(r, "system");
    r->nodes = column_of(r, "nodes");
    r->p = column_of(r, request->count != NULL ? request->count : "p");
    if (r->p == SIZE_MAX && request->count != NULL) {
        r->p = require(r, request->count, NULL);
    } else if (r->p == SIZE_MAX) {
        r->p = column_of(r, "nodes");
        r->p_by_name = r->p == SIZE_MAX && r->system != SIZE_MAX;
        r->p = r->p_by_name ? r->system : r->p;
    }
    r->N = r->N == r->p ? SIZE_MAX : r->N;
    if (r->p == SIZE_MAX) {
        require(r, "p",
                "the first line names the columns: p and T (in seconds) at least; --count COLUMN "
                "takes another one for p");
    }
}

/* A column that says nothing of what was run: no key, unless it is named as one. */
static bool is_no_key(const reader *r, size_t column) {
    static const char *const names[] = {"p", "nodes",      "cores",          "C",
                                        "T", "repetition", "oversubscribed", "mpi.rank"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(name_of(r, column), names[i]) == 0) {
            return true;
        }
    }
    return column == r->p || column == r->T || column == r->N || column == r->launch ||
           isocast_runs_is_outcome(name_of(r, column));
}

static bool row_counts(const reader *r, size_t row) {
    bool counts = true;
    for (size_t i = 0; i < r->request->only_count; i++) {
        size_t column = column_of(r, r->request->only[i].column);
        counts = counts &&
                 strcmp(isocast_csv_text(&r->csv, row, column), r->request->only[i].value) == 0;
    }
    return counts;
}

static double read_cell(reader *r, size_t row, size_t column) {
    double value = NAN;
    const isocast_csv_field *field = &r->csv.fields[r->csv.rows[row].first + column];
    if (!isocast_csv_positive(field, name_of(r, column), r->request->source, r->diagnostics,
                              &value)) {
        r->status = ISOCAST_INVALID;
    }
    return value;
}

static double read_p(reader *r, size_t row) {
    if (!r->p_by_name) {
        return read_cell(r, row, r->p);
    }
    double p = isocast_set_processors(isocast_csv_text(&r->csv, row, r->p));
    if (isnan(p)) {
        isocast_diagnostics_add(r->diagnostics, ISOCAST_ERROR, r->request->source,
                                place_of(r, row, r->p), "add a column p",
                                "the name of the system, '%s', does not state its processes",
                                isocast_csv_text(&r->csv, row, r->p));
        r->status = ISOCAST_INVALID;
    }
    return p;
}

/* NAN where they are not stated, or are p themselves. */
static double read_nodes(const reader *r, size_t row) {
    double nodes = NAN;
    if (r->nodes != SIZE_MAX && r->nodes != r->p) {
        isocast_csv_number(&r->csv.fields[r->csv.rows[row].first + r->nodes], &nodes);
    }
    return nodes;
}

/* No row is what was asked for: names values that there are of the last column. */
static void refuse_only(reader *r) {
    const isocast_series_only *only = &r->request->only[r->request->only_count - 1];
    size_t column = column_of(r, only->column);
    isocast_text_index values = {0};
    isocast_buffer hint = {0};
    for (size_t row = 1; row < r->csv.row_count; row++) {
        const char *text = isocast_csv_text(&r->csv, row, column);
        isocast_text_index_number(&values, text, strlen(text));
    }
    isocast_nearest_hint(&hint, only->value, (const char *const *)values.texts, values.count,
                         "values here");
    isocast_diagnostics_rely(r->diagnostics, &hint);
    isocast_diagnostics_add(r->diagnostics, ISOCAST_ERROR, r->request->source,
                            place_of(r, 0, column), hint.text, "no row has %s = '%s'%s",
                            only->column, only->value,
                            r->request->only_count > 1 ? " and what else is asked for" : "");
    isocast_buffer_free(&hint);
    isocast_text_index_free(&values);
    r->status = ISOCAST_INVALID;
}

static void read_rows(reader *r) {
    r->entries = calloc(r->csv.row_count, sizeof *r->entries);
    if (r->entries == NULL) {
        r->status = ISOCAST_NO_MEMORY;
        return;
    }
    for (size_t row = 1; row < r->csv.row_count; row++) {
        if (r->csv.rows[row].count != r->csv.rows[0].count) {
            isocast_diagnostics_add(r->diagnostics, ISOCAST_ERROR, r->request->source,
                                    line_of(r, row),
                                    "write decimal numbers with a point, and a text with a comma "
                                    "in it in quotes",
                                    "this row has %zu cells, the first line names %zu columns",
                                    r->csv.rows[row].count, r->csv.rows[0].count);
            r->status = ISOCAST_INVALID;
        } else if (row_counts(r, row)) {
            r->entries[r->entry_count++] =
                (entry){.row = row,
                        .p = read_p(r, row),
                        .N = r->N != SIZE_MAX ? read_cell(r, row, r->N) : NAN,
                        .T = read_cell(r, row, r->T),
                        .nodes = read_nodes(r, row)};
        }
    }
    if (r->entry_count == 0 && r->status == ISOCAST_OK && r->request->only_count > 0) {
        refuse_only(r);
    } else if (r->entry_count == 0 && r->status == ISOCAST_OK) {
        isocast_diagnostics_add_file(r->diagnostics, ISOCAST_ERROR, r->request->source->name,
                                     "each further line is a run: p, and T in seconds",
                                     "holds no rows");
        r->status = ISOCAST_INVALID;
    }
}

/* Whether most rows have a value of a column that several p have, and there are several values. */
static bool keeps_apart(reader *r, size_t column) {
    isocast_text_index values = {0};
    size_t *value_of = malloc((r->entry_count + 1) * sizeof *value_of);
    double *p_of = calloc(r->entry_count + 1, sizeof *p_of); /* NAN: several */
    size_t rows = 0;
    for (size_t i = 0; value_of != NULL && p_of != NULL && i < r->entry_count; i++) {
        const char *text = isocast_csv_text(&r->csv, r->entries[i].row, column);
        size_t v = i > 0 && strcmp(text, values.texts[value_of[i - 1]]) == 0
                       ? value_of[i - 1]
                       : isocast_text_index_number(&values, text, strlen(text));
        if (v == SIZE_MAX) {
            r->status = ISOCAST_NO_MEMORY;
            break;
        }
        value_of[i] = v;
        p_of[v] = p_of[v] == 0 || p_of[v] == r->entries[i].p ? r->entries[i].p : NAN;
    }
    if (value_of == NULL || p_of == NULL) {
        r->status = ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; r->status == ISOCAST_OK && i < r->entry_count; i++) {
        rows += isnan(p_of[value_of[i]]) ? 1 : 0;
    }
    bool apart = values.count > 1 && 2 * rows >= r->entry_count;
    isocast_text_index_free(&values);
    free(value_of);
    free(p_of);
    return apart;
}

/* Whether not all rows have the same in a column. */
static bool differs(const reader *r, size_t column) {
    for (size_t i = 1; i < r->entry_count; i++) {
        if (strcmp(isocast_csv_text(&r->csv, r->entries[i].row, column),
                   isocast_csv_text(&r->csv, r->entries[0].row, column)) != 0) {
            return true;
        }
    }
    return false;
}

static void find_keys(reader *r) {
    const isocast_series_request *request = r->request;
    r->keys = calloc(r->csv.rows[0].count + request->by_count + 1, sizeof *r->keys);
    if (r->keys == NULL) {
        r->status = ISOCAST_NO_MEMORY;
        return;
    }
    if (request->by != NULL) {
        for (size_t i = 0; i < request->by_count && r->status == ISOCAST_OK; i++) {
            size_t column = require(r, request->by[i], NULL);
            if (column != SIZE_MAX && column != r->N && differs(r, column)) {
                r->keys[r->key_count++] = column;
            }
        }
        return;
    }
    for (size_t i = 0; i < r->csv.rows[0].count && r->status == ISOCAST_OK; i++) {
        if (!is_no_key(r, i) && keeps_apart(r, i)) {
            r->keys[r->key_count++] = i;
        }
    }
}

/* Whether a row has the same keys as another. */
static bool are_alike(const reader *r, size_t row, size_t other) {
    bool alike = true;
    for (size_t k = 0; k < r->key_count && alike; k++) {
        alike = strcmp(isocast_csv_text(&r->csv, row, r->keys[k]),
                       isocast_csv_text(&r->csv, other, r->keys[k])) == 0;
    }
    return alike;
}

static void number_groups(reader *r) {
    isocast_text_index launches = {0};
    isocast_buffer keys = {0};
    const char *last = ""; /* launch, of the row before */
    for (size_t i = 0; i < r->entry_count && r->status == ISOCAST_OK; i++) {
        entry *e = &r->entries[i];
        bool alike = i > 0 && are_alike(r, e->row, e[-1].row);
        keys.length = 0;
        isocast_buffer_puts(&keys, "\n");
        for (size_t k = 0; k < r->key_count && !alike; k++) {
            isocast_buffer_puts(&keys, isocast_csv_text(&r->csv, e->row, r->keys[k]));
            isocast_buffer_puts(&keys, "\n");
        }
        if (r->launch != SIZE_MAX) {
            const char *launch = isocast_csv_text(&r->csv, e->row, r->launch);
            bool same = i > 0 && strcmp(launch, last) == 0;
            e->launch =
                same ? e[-1].launch : isocast_text_index_number(&launches, launch, strlen(launch));
            last = launch;
        }
        e->group = keys.failed ? SIZE_MAX
                   : alike     ? e[-1].group
                               : isocast_text_index_number(&r->groups, keys.text, keys.length);
        r->status = e->group == SIZE_MAX || e->launch == SIZE_MAX ? ISOCAST_NO_MEMORY : r->status;
    }
    isocast_buffer_free(&keys);
    isocast_text_index_free(&launches);
}

static int order_sizes(double a, double b) {
    return isnan(a) ? 0 : isocast_order(a, b);
}

/* By what entries of one launch at one point have in common. */
static int compare_launches(const void *a, const void *b) {
    const entry *first = a;
    const entry *second = b;
    if (first->group != second->group) {
        return first->group < second->group ? -1 : 1;
    }
    if (first->p != second->p) {
        return first->p < second->p ? -1 : 1;
    }
    int order = order_sizes(first->N, second->N);
    return order != 0 ? order : (first->launch > second->launch) - (first->launch < second->launch);
}

/* A launch at one point. */
typedef struct launch {
    entry of;      /* its first entry, by which launches are sorted */
    size_t number; /* as they come in the file */
} launch;

/* Launches as they come in the file, and what finds them. */
typedef struct launch_list {
    launch *items; /* [count] */
    size_t count, capacity;
    uint32_t *slots; /* [mask + 1], number + 1; 0: free */
    size_t mask;
} launch_list;

static uint64_t mixed(uint64_t hash, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    hash = (hash ^ bits) * 0x9E3779B97F4A7C15U;
    return hash ^ (hash >> 29);
}

/* The number of the launch of an entry; SIZE_MAX where memory is short. */
static size_t number_launch(launch_list *list, const entry *e) {
    uint64_t hash = mixed(mixed(e->group * 31 + e->launch, e->p), isnan(e->N) ? 0 : e->N);
    size_t at = (size_t)hash & list->mask;
    for (; list->slots[at] != 0; at = (at + 1) & list->mask) {
        if (compare_launches(&list->items[list->slots[at] - 1].of, e) == 0) {
            return list->slots[at] - 1;
        }
    }
    const launch new = {.of = *e, .number = list->count};
    if (!ISOCAST_ARRAY_ADD(list->items, list->count, list->capacity, new)) {
        return SIZE_MAX;
    }
    list->slots[at] = (uint32_t)list->count;
    return list->count - 1;
}

/* Puts the entries of each launch together, in the order of the file, by group, p and N. There are
 * few launches in many entries: only these are sorted. */
static void order_entries(reader *r) {
    launch_list list = {.mask = 1};
    while (list.mask < 2 * r->entry_count) {
        list.mask = 2 * list.mask + 1;
    }
    list.slots = calloc(list.mask + 1, sizeof *list.slots);
    uint32_t *number = malloc((r->entry_count + 1) * sizeof *number);
    entry *ordered = malloc((r->entry_count + 1) * sizeof *ordered);
    bool enough = list.slots != NULL && number != NULL && ordered != NULL;
    for (size_t i = 0; i < r->entry_count && enough; i++) {
        bool same = i > 0 && compare_launches(&r->entries[i - 1], &r->entries[i]) == 0;
        size_t found = same ? number[i - 1] : number_launch(&list, &r->entries[i]);
        enough = found != SIZE_MAX;
        number[i] = (uint32_t)found;
    }
    size_t *place = calloc(list.count + 1, sizeof *place); /* of a launch's next entry, by number */
    if (enough && place != NULL && list.items != NULL) {
        qsort(list.items, list.count, sizeof *list.items, compare_launches);
        for (size_t i = 0; i < r->entry_count; i++) {
            place[number[i]]++;
        }
        size_t begin = 0;
        for (size_t k = 0; k < list.count; k++) {
            size_t count = place[list.items[k].number];
            place[list.items[k].number] = begin;
            begin += count;
        }
        for (size_t i = 0; i < r->entry_count; i++) {
            ordered[place[number[i]]++] = r->entries[i];
        }
        free(r->entries);
        r->entries = ordered;
    } else {
        free(ordered);
        r->status = ISOCAST_NO_MEMORY;
    }
    free(list.items);
    free(list.slots);
    free(number);
    free(place);
}

/* Sum of the squares of ln T about their mean; makes them ln T. */
static double squares_of(double *T, size_t count) {
    double sum = 0;
    double squares = 0;
    for (size_t i = 0; i < count; i++) {
        T[i] = log(T[i]);
        sum += T[i];
    }
    for (size_t i = 0; i < count; i++) {
        squares += (T[i] - sum / (double)count) * (T[i] - sum / (double)count);
    }
    return squares;
}

/* A time that is too many times another to be of one unit. */
static void refuse_units(reader *r, size_t row, double p, double most, const char *other) {
    isocast_diagnostics_add(r->diagnostics, ISOCAST_ERROR, r->request->source,
                            place_of(r, row, r->T), "write all times in one unit, in seconds",
                            "T at p = %.10g is more than %.4g times what %s took; are units mixed?",
                            p, most, other);
    r->status = ISOCAST_INVALID;
}

/* Makes a cell of entries begin to end - 1, launch by launch; scratch: [end - begin]. */
static void make_cell(reader *r, size_t begin, size_t end, double *medians, double *times) {
    const entry *entries = r->entries;
    cell c = {.group = entries[begin].group,
              .row = entries[begin].row,
              .p = entries[begin].p,
              .N = entries[begin].N,
              .nodes = entries[begin].nodes,
              .runs = end - begin};
    double least = INFINITY;
    size_t longest = begin;
    for (size_t i = begin; i < end;) {
        size_t after = i;
        while (after < end && entries[after].launch == entries[i].launch) {
            times[after - i] = entries[after].T;
            least = fmin(least, entries[after].T);
            longest = entries[after].T > entries[longest].T ? after : longest;
            after++;
        }
        medians[c.launches++] = gsl_stats_median(times, 1, after - i);
        c.squares_repetitions += squares_of(times, after - i);
        i = after;
    }
    c.T = isocast_median(medians, c.launches);
    c.squares_launches = squares_of(medians, c.launches);
    if (entries[longest].T > units_mixed_repeated * least) {
        refuse_units(r, entries[longest].row, c.p, units_mixed_repeated, "another run there");
    }
    r->cells[r->cell_count++] = c;
}

static void make_cells(reader *r) {
    order_entries(r);
    r->cells = calloc(r->entry_count, sizeof *r->cells);
    double *medians = calloc(r->entry_count, sizeof *medians);
    double *times = calloc(r->entry_count, sizeof *times);
    if (r->cells == NULL || medians == NULL || times == NULL) {
        r->status = ISOCAST_NO_MEMORY;
    }
    for (size_t begin = 0; r->status != ISOCAST_NO_MEMORY && begin < r->entry_count;) {
        size_t end = begin + 1;
        while (end < r->entry_count && r->entries[end].group == r->entries[begin].group &&
               r->entries[end].p == r->entries[begin].p &&
               order_sizes(r->entries[end].N, r->entries[begin].N) == 0) {
            end++;
        }
        make_cell(r, begin, end, medians, times);
        begin = end;
    }
    free(medians);
    free(times);
}

static int compare_levels(const void *a, const void *b) {
    const cell *first = a;
    const cell *second = b;
    int order = isocast_order((double)first->group, (double)second->group);
    order = order != 0 ? order : isocast_order(first->level, second->level);
    return order != 0 ? order : isocast_order(first->p, second->p);
}

static bool are_same(double a, double b, double share) {
    return fabs(a - b) <= share * fabs(b);
}

/* The most cells of one level in a group of cells, which it sorts by level. */
static size_t longest_level(cell *cells, size_t count) {
    qsort(cells, count, sizeof *cells, compare_levels);
    size_t longest = 0;
    for (size_t begin = 0; begin < count;) {
        size_t end = begin + 1;
        while (end < count && are_same(cells[end].level, cells[begin].level, ISOCAST_SAME)) {
            end++;
        }
        longest = end - begin > longest ? end - begin : longest;
        begin = end;
    }
    return longest;
}

/* Where a group has several N at one p, each N is a series, or each N/p if those are longer. The
 * cells are sorted by p. */
static void set_levels(cell *cells, size_t count) {
    bool several = false;
    for (size_t i = 1; i < count; i++) {
        several = several || cells[i].p == cells[i - 1].p;
    }
    for (size_t i = 0; i < count; i++) {
        cells[i].level = several ? cells[i].N : 0;
    }
    size_t by_N = longest_level(cells, count);
    if (!several || by_N >= 3) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        cells[i].level = cells[i].N / cells[i].p;
    }
    if (longest_level(cells, count) <= by_N) {
        for (size_t i = 0; i < count; i++) {
            cells[i].level = cells[i].N;
        }
        longest_level(cells, count);
    }
}

/* Strong, weak or mixed. */
static void find_scaling(const isocast_series_request *request, isocast_series *s) {
    size_t third = s->count > 2 ? 2 : s->count - 1;
    double exponent = third == 0 ? 0
                                 : log(s->points[third].T / s->points[0].T) /
                                       log(s->points[third].p / s->points[0].p);
    s->power = NAN;
    for (int k = 3; k >= 0 && !isnan(s->sizes[0]) && s->count > 1; k--) {
        bool constant = true;
        for (size_t i = 1; i < s->count; i++) {
            double ratio = pow(s->sizes[i] / s->sizes[0], k > 0 ? k : 1);
            ratio *= k > 0 ? s->points[0].p / s->points[i].p : 1;
            constant = constant && are_same(ratio, 1, k > 0 ? same_share : ISOCAST_SAME);
        }
        s->power = constant ? k : s->power;
    }
    s->N = s->power == 0 || s->count == 1 ? s->sizes[0] : NAN;
    if (request->scaling != NULL) {
        s->scaling = *request->scaling;
        s->evidence = ISOCAST_SERIES_GIVEN;
    } else if (!isnan(s->power)) {
        bool own = s->power == 0 && s->count > 2 && exponent > weak_above;
        s->scaling = s->power > 0 || own ? ISOCAST_SERIES_WEAK : ISOCAST_SERIES_STRONG;
        s->evidence = own ? ISOCAST_SERIES_BY_N_OWN : ISOCAST_SERIES_BY_N;
    } else if (!isnan(s->sizes[0]) && s->count > 1) {
        s->scaling = ISOCAST_SERIES_MIXED;
        s->evidence = ISOCAST_SERIES_BY_N;
    } else {
        s->scaling = exponent < strong_below ? ISOCAST_SERIES_STRONG
                     : exponent > weak_above ? ISOCAST_SERIES_WEAK
                                             : ISOCAST_SERIES_MIXED;
        s->evidence = ISOCAST_SERIES_BY_TIMES;
    }
}

/* The noise of its launches and repetitions, pooled over all its cells; [count]. */
static void find_noise(const cell *cells, isocast_series *s) {
    double launches = 0;
    double repetitions = 0;
    double free_launches = 0;
    double free_repetitions = 0;
    for (size_t i = 0; i < s->count; i++) {
        launches += cells[i].squares_launches;
        free_launches += (double)cells[i].launches - 1;
        repetitions += cells[i].squares_repetitions;
        free_repetitions += (double)(cells[i].runs - cells[i].launches);
        s->runs += cells[i].runs;
    }
    s->sd_launches = free_launches > 0 ? sqrt(launches / free_launches) : NAN;
    s->sd_repetitions = free_repetitions > 0 ? sqrt(repetitions / free_repetitions) : NAN;
    for (size_t i = 0; i < s->count; i++) {
        const cell *c = &cells[i];
        s->points[i].variance = free_launches > 0 ? launches / free_launches / (double)c->launches
                                : free_repetitions > 0
                                    ? repetitions / free_repetitions / (double)c->runs
                                    : 0;
    }
}

/* How many of the first cells do not fill a node, which the last one does: 0 where less than three
 * would be left. */
static size_t inside_node(const cell *cells, size_t count) {
    double per_node = cells[count - 1].p / cells[count - 1].nodes;
    size_t inside = 0;
    while (inside < count && cells[inside].nodes == 1 &&
           cells[inside].p < per_node * (1 - ISOCAST_SAME)) {
        inside++;
    }
    return count >= inside + 3 ? inside : 0;
}

/* A series of cells; refuses times that jump. */
static void make_series(reader *r, const cell *cells, size_t count, isocast_series *s) {
    size_t inside = inside_node(cells, count);
    cells += inside;
    count -= inside;
    *s = (isocast_series){.group = cells[0].group,
                          .inside = inside,
                          .points = calloc(count, sizeof *s->points),
                          .sizes = calloc(count, sizeof *s->sizes),
                          .count = count};
    if (s->points == NULL || s->sizes == NULL) {
        r->status = ISOCAST_NO_MEMORY;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        s->points[i] = (isocast_point){.p = cells[i].p, .T = cells[i].T};
        s->sizes[i] = cells[i].N;
        if (i == 0) {
            continue;
        }
        double most = units_mixed * cells[i].p / cells[i - 1].p;
        if (isnan(cells[i].N) || cells[i].N == cells[i - 1].N) {
            if (cells[i].T > most * cells[i - 1].T) {
                refuse_units(r, cells[i].row, cells[i].p, most, "the run on fewer processes");
            } else if (cells[i - 1].T > most * cells[i].T) {
                refuse_units(r, cells[i - 1].row, cells[i - 1].p, most,
                             "the run on more processes");
            }
        }
    }
    find_noise(cells, s);
    find_scaling(r->request, s);
}

static void make_all(reader *r, isocast_series_list *list) {
    size_t longest = 0;
    for (size_t begin = 0; begin < r->cell_count;) {
        size_t end = begin;
        while (end < r->cell_count && r->cells[end].group == r->cells[begin].group) {
            end++;
        }
        set_levels(r->cells + begin, end - begin);
        begin = end;
    }
    list->series = calloc(ISOCAST_SERIES_MAX, sizeof *list->series);
    if (list->series == NULL) {
        r->status = ISOCAST_NO_MEMORY;
    }
    for (size_t begin = 0; begin < r->cell_count && r->status == ISOCAST_OK;) {
        size_t end = begin + 1;
        while (end < r->cell_count && r->cells[end].group == r->cells[begin].group &&
               are_same(r->cells[end].level, r->cells[begin].level, ISOCAST_SAME)) {
            end++;
        }
        if (list->count == ISOCAST_SERIES_MAX) {
            isocast_diagnostics_add_file(
                r->diagnostics, ISOCAST_ERROR, r->request->source->name,
                "--only COLUMN=VALUE takes some of the rows; --by COLUMNS says what keeps series "
                "apart",
                "these are more than %d series", ISOCAST_SERIES_MAX);
            r->status = ISOCAST_INVALID;
            return;
        }
        make_series(r, r->cells + begin, end - begin, &list->series[list->count++]);
        longest = end - begin > longest ? end - begin : longest;
        begin = end;
    }
    if (r->status == ISOCAST_OK && longest < 2) {
        isocast_diagnostics_add(r->diagnostics, ISOCAST_ERROR, r->request->source,
                                place_of(r, 0, r->p_by_name ? SIZE_MAX : r->p),
                                "a forecast needs runs on three different p or more, at one N or "
                                "at sizes that grow with p",
                                "no series has runs on more than one p");
        r->status = ISOCAST_INVALID;
    }
}

/* The keys of the groups, from their texts, which the list takes over. */
static void take_keys(reader *r, isocast_series_list *list) {
    size_t keys = r->key_count;
    list->key_names = calloc(keys + 1, sizeof *list->key_names);
    list->keys = calloc(r->groups.count + 1, sizeof *list->keys);
    list->count_name = strdup(r->p_by_name ? "p" : name_of(r, r->p));
    list->has_N = r->N != SIZE_MAX;
    if (list->key_names == NULL || list->keys == NULL || list->count_name == NULL) {
        r->status = ISOCAST_NO_MEMORY;
        return;
    }
    for (size_t k = 0; k < keys; k++) {
        list->key_names[list->key_count++] = strdup(name_of(r, r->keys[k]));
        if (list->key_names[k] == NULL) {
            r->status = ISOCAST_NO_MEMORY;
            return;
        }
    }
    list->runs = r->entries;
    list->run_count = r->entry_count;
    r->entries = NULL;
    list->texts = r->groups.texts;
    list->text_count = r->groups.count;
    free(r->groups.slots);
    r->groups = (isocast_text_index){0};
    for (size_t g = 0; g < list->text_count; g++) {
        list->keys[list->group_count++] = calloc(keys + 1, sizeof **list->keys);
        if (list->keys[g] == NULL) {
            r->status = ISOCAST_NO_MEMORY;
            return;
        }
        char *at = list->texts[g] + 1;
        for (size_t k = 0; k < keys; k++) {
            list->keys[g][k] = at;
            at += strcspn(at, "\n");
            *at++ = '\0';
        }
    }
    for (size_t i = 0; i < list->count; i++) {
        list->series[i].keys = (const char *const *)list->keys[list->series[i].group];
    }
}

isocast_status isocast_series_read(const isocast_series_request *request,
                                   isocast_diagnostics *diagnostics, isocast_series_list **out) {
    static void (*const steps[])(reader *) = {find_columns, read_rows, find_keys, number_groups,
                                              make_cells};
    reader r = {.request = request, .diagnostics = diagnostics};
    isocast_series_list *list = calloc(1, sizeof *list);
    r.status = list == NULL ? ISOCAST_NO_MEMORY
               : isocast_run_file_recognise(request->source)
                   ? isocast_run_file_read(request->source, diagnostics, &r.csv)
                   : isocast_csv_read(request->source, diagnostics, &r.csv);
    if (r.status == ISOCAST_OK && r.csv.row_count == 0) {
        isocast_diagnostics_add_file(diagnostics, ISOCAST_ERROR, request->source->name,
                                     "the first line names the columns: p and T at least",
                                     "holds no rows");
        r.status = ISOCAST_INVALID;
    }
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && r.status == ISOCAST_OK; i++) {
        steps[i](&r);
    }
    if (r.status == ISOCAST_OK) {
        make_all(&r, list);
    }
    if (r.status == ISOCAST_OK) {
        take_keys(&r, list);
    }
    isocast_csv_free(&r.csv);
    isocast_text_index_free(&r.groups);
    free(r.keys);
    free(r.entries);
    free(r.cells);
    if (r.status != ISOCAST_OK) {
        isocast_series_list_free(list);
        return r.status;
    }
    *out = list;
    return ISOCAST_OK;
}

void isocast_series_list_free(isocast_series_list *list) {
    if (list == NULL) {
        return;
    }
    for (size_t i = 0; i < list->count; i++) {
        free(list->series[i].points);
        free(list->series[i].sizes);
    }
    for (size_t i = 0; i < list->key_count; i++) {
        free(list->key_names[i]);
    }
    for (size_t i = 0; i < list->group_count; i++) {
        free(list->keys[i]);
    }
    for (size_t i = 0; i < list->text_count; i++) {
        free(list->texts[i]);
    }
    free(list->texts);
    free(list->runs);
    free(list->keys);
    free(list->key_names);
    free(list->series);
    free(list->count_name);
    free(list);
}

double isocast_series_share(const isocast_series *series) {
    return series->power == 1 ? series->sizes[0] / series->points[0].p : NAN;
}

double isocast_series_ideal(const isocast_series *series) {
    return series->scaling == ISOCAST_SERIES_STRONG ? -1
           : series->scaling == ISOCAST_SERIES_WEAK ? 0
                                                    : NAN;
}

double isocast_series_efficiency(const isocast_series *series, double p, double T) {
    const isocast_point *first = &series->points[0];
    return first->T * pow(p / first->p, isocast_series_ideal(series)) / T;
}
