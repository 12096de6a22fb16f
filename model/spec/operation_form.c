#include "operation_form.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/operation_name.h"
#include "operation_text.h"
#include "range_name.h"

/* How the rows of a table are read and what lies between them. */
typedef struct table {
    bool logarithmic;                 /* straight in log2 m, else in m */
    const isocast_tree_node *factors; /* a column is multiplied with each; NULL for one column */
    bool proportional;                /* beyond the last size, else constant */
} table;

static bool read_table_keys(isocast_operation_text *f, const isocast_tree_node *node, table *out) {
    const isocast_tree_node *axis = isocast_reader_find(f->reader, node, "axis", false, "");
    const isocast_tree_node *beyond = isocast_reader_find(f->reader, node, "beyond", false, "");
    *out = (table){.logarithmic = true,
                   .factors = isocast_reader_find(f->reader, node, "factors", false, "")};
    bool good = true;
    if (axis != NULL) {
        good = isocast_reader_expect(f->reader, axis, ISOCAST_TREE_SCALAR, "axis");
        out->logarithmic = good && strcmp(axis->text, "log2(m)") == 0;
        if (good && !out->logarithmic && strcmp(axis->text, "m") != 0) {
            isocast_reader_refuse(f->reader, axis->span, "write m or log2(m)",
                                  "tables have straight lines over m or over log2(m)");
            good = false;
        }
    }
    if (beyond != NULL) {
        bool text = isocast_reader_expect(f->reader, beyond, ISOCAST_TREE_SCALAR, "beyond");
        out->proportional = text && strcmp(beyond->text, "proportional") == 0;
        if (text && !out->proportional && strcmp(beyond->text, "constant") != 0) {
            isocast_reader_refuse(f->reader, beyond->span, "write proportional or constant",
                                  "beyond its last size a table is proportional to m or constant");
            text = false;
        }
        good = good && text;
    }
    if (out->factors != NULL) {
        good = isocast_reader_expect(f->reader, out->factors, ISOCAST_TREE_SEQUENCE, "factors") &&
               good;
    }
    return good;
}

/* The sizes of a table, B; NULL where one is wrong or they do not rise. */
static double *read_sizes(isocast_operation_text *f, const isocast_tree_node *rows) {
    double *sizes = isocast_reader_allocate(f->reader, rows->count, sizeof *sizes);
    isocast_formula_place place = {.what = "the size of a row",
                                   .dimension = isocast_dimension_of(ISOCAST_BASE_BYTE)};
    bool good = sizes != NULL;
    for (size_t i = 0; good && i < rows->count; i++) {
        sizes[i] =
            isocast_reader_bounded(f->reader, &rows->entries[i].key, &place, (isocast_bounds){0});
        good = !isnan(sizes[i]);
        if (good && i > 0 && sizes[i] <= sizes[i - 1]) {
            isocast_reader_refuse(f->reader, rows->entries[i].key.span,
                                  "list the rows from small to large",
                                  "the sizes of a table must rise");
            good = false;
        }
    }
    if (!good) {
        free(sizes);
        return NULL;
    }
    return sizes;
}

/* Where a size stands on the axis. Logarithms have six digits, as they had when machine files held
 * them in place of the sizes: so those files and these give the same times. */
static double place_on_axis(const table *t, double m) {
    char digits[32];
    if (!t->logarithmic) {
        return m;
    }
    snprintf(digits, sizeof digits, "%.6g", log2(fmax(m, 1)));
    return strtod(digits, NULL);
}

static isocast_dimension per_byte(void) {
    return isocast_unit_of_term("s/B");
}

static isocast_dimension per_flop(void) {
    return isocast_dimension_divide(isocast_dimension_of(ISOCAST_BASE_TIME),
                                    isocast_dimension_of(ISOCAST_BASE_FLOP));
}

/* A number of a table: a time or a time per byte, for kernels a time per flop. */
static bool read_cell(isocast_operation_text *f, const isocast_tree_node *cell, bool leveled,
                      isocast_uncertain *out) {
    isocast_dimension time = isocast_dimension_of(ISOCAST_BASE_TIME);
    isocast_formula_place of_kernel = {
        .what = "a number of the table", .dimension = per_flop(), .also = &time};
    isocast_formula_place any = {.what = "a number of the table", .any_dimension = true};
    if (leveled && isocast_is_uncertain(cell)) {
        isocast_reader_refuse(f->reader, cell->span, "give the error to level",
                              "a number of a table with a level has no error of its own");
        return false;
    }
    if (!isocast_reader_uncertain(f->reader, cell, f->kernel ? &of_kernel : &any, out)) {
        return false;
    }
    if (!f->kernel && !isocast_dimension_equal(out->dimension, time) &&
        !isocast_dimension_equal(out->dimension, per_byte())) {
        isocast_reader_refuse(f->reader, cell->span, "write it as 1.2 us or as 0.1 ns/B",
                              "a number of the table must be a time or a time per byte");
        return false;
    }
    return true;
}

/* The cell of a row in a column; NULL, with a diagnostic, where the row has not as many. */
static const isocast_tree_node *cell_of(isocast_operation_text *f, const table *t,
                                        const isocast_tree_node *row, size_t column) {
    if (t->factors == NULL) {
        return row;
    }
    if (!isocast_reader_expect(f->reader, row, ISOCAST_TREE_SEQUENCE, "a row of the table")) {
        return NULL;
    }
    if (row->count != t->factors->count) {
        isocast_reader_refuse(f->reader, row->span, "one number for each of factors",
                              "this row has %zu number%s for %zu factor%s", row->count,
                              row->count == 1 ? "" : "s", t->factors->count,
                              t->factors->count == 1 ? "" : "s");
        return NULL;
    }
    return &row->items[column];
}

/* The numbers of a column, which are those from `first` on, with each other. */
static bool correlate(isocast_operation_text *f, const isocast_operation_part *own, size_t first) {
    for (size_t i = first; i < f->out->count && own->correlation > 0; i++) {
        for (size_t j = first; j < i; j++) {
            if (!isocast_coefficients_correlate(f->out, i, j, own->correlation)) {
                isocast_reader_fail(f->reader);
                return false;
            }
        }
    }
    return true;
}

/* One column: interpolate(x, x1, y1, ...). */
static bool put_column(isocast_operation_text *f, const isocast_operation_part *own, const table *t,
                       const isocast_tree_node *rows, const double *sizes, size_t column) {
    double before = -INFINITY;
    size_t first = f->out->count;
    for (size_t i = 0; i < rows->count; i++) {
        isocast_span key = rows->entries[i].key.span;
        const isocast_tree_node *cell = cell_of(f, t, &rows->entries[i].value, column);
        isocast_uncertain number;
        if (cell == NULL || !read_cell(f, cell, own->leveled, &number)) {
            return false;
        }
        /* One size holds everywhere. */
        if (i == 0 && rows->count == 1) {
            bool bytes = isocast_dimension_equal(number.dimension, per_byte());
            isocast_operation_put(f, rows->span, "%s(", bytes ? "m*" : "");
        } else if (i == 0) {
            bool bytes = isocast_dimension_equal(number.dimension, per_byte());
            isocast_operation_put(f, rows->span, "%sinterpolate(%s", bytes ? "m*" : "",
                                  t->logarithmic ? "log2(m/(1 B))" : "m/(1 B)");
        }
        double x = place_on_axis(t, sizes[i]);
        if (x <= before) {
            isocast_reader_refuse(f->reader, key, "leave one of them out",
                                  "this size is too near to the one before it");
            return false;
        }
        before = x;
        char *name =
            own->leveled ? NULL : isocast_coefficient_name("%s_%.0fB", own->prefix, sizes[i]);
        if (rows->count > 1) {
            isocast_operation_put(f, key, ", %.17g, ", x);
        }
        if (own->leveled) {
            isocast_assembly_quote(&f->text, f->reader->source, cell->span);
        } else if (name != NULL) {
            isocast_operation_put(f, cell->span, "%s", name);
        }
        if (!own->leveled && !isocast_operation_add(f, name, cell->span, &number)) {
            return false;
        }
    }
    isocast_operation_put(f, rows->span, ")");
    return correlate(f, own, first);
}

static bool put_columns(isocast_operation_text *f, const isocast_operation_part *own,
                        const table *t, const isocast_tree_node *rows, const double *sizes) {
    size_t columns = t->factors != NULL ? t->factors->count : 1;
    bool good = true;
    isocast_operation_put(f, rows->span, "(");
    for (size_t k = 0; k < columns && good; k++) {
        isocast_operation_put(f, rows->span, k > 0 ? " + " : "");
        good = put_column(f, own, t, rows, sizes, k);
        if (good && t->factors != NULL) {
            isocast_operation_put(f, rows->span, "*");
            good = isocast_operation_put_formula(f, &t->factors->items[k], "a factor");
        }
    }
    isocast_operation_put(f, rows->span, ")");
    double last = sizes[rows->count - 1];
    if (t->proportional && last > 0) {
        isocast_operation_put(f, rows->span, "*max(1, m/(%.17g B))", last);
    }
    return good;
}

/* One table; its part may have the keys axis, beyond and factors. False with a diagnostic. */
static bool put_table(isocast_operation_text *f, const isocast_operation_part *own,
                      const isocast_tree_node *rows) {
    table t;
    if (!read_table_keys(f, own->node, &t) ||
        !isocast_reader_expect(f->reader, rows, ISOCAST_TREE_MAPPING, "a table")) {
        return false;
    }
    if (t.factors != NULL && !own->leveled) {
        isocast_reader_refuse(f->reader, t.factors->span, "add level: 1",
                              "a table with factors needs the key 'level'");
        return false;
    }
    if (rows->count == 0 || (t.factors != NULL && t.factors->count == 0)) {
        isocast_reader_refuse(f->reader, rows->span, "write rows such as 8 KiB: 1.2 us",
                              "the table is empty");
        return false;
    }
    double *sizes = read_sizes(f, rows);
    bool good = sizes != NULL && put_columns(f, own, &t, rows, sizes);
    free(sizes);
    return good;
}

/* A table for each of some numbers of processes: each holds up to its own, the last one beyond. */
static bool put_tables(isocast_operation_text *f, const isocast_operation_part *own,
                       const isocast_tree_node *tables) {
    if (!isocast_reader_expect(f->reader, tables, ISOCAST_TREE_MAPPING, "tables")) {
        return false;
    }
    if (tables->count == 0) {
        isocast_reader_refuse(f->reader, tables->span,
                              "write a table for a number of processes, such as 2: {8 KiB: 1 us}",
                              "tables is empty");
        return false;
    }
    isocast_formula_place place = {.what = "a number of processes",
                                   .dimension = isocast_dimension_count};
    double before = 0;
    bool good = true;
    for (size_t i = 0; i < tables->count && good; i++) {
        const isocast_tree_entry *entry = &tables->entries[i];
        double p = isocast_reader_bounded(f->reader, &entry->key, &place,
                                          (isocast_bounds){.least = 1, .whole = true});
        good = !isnan(p);
        if (good && p <= before) {
            isocast_reader_refuse(f->reader, entry->key.span, "list them from small to large",
                                  "the numbers of processes of tables must rise");
            good = false;
        }
        before = p;
        char *prefix = isocast_coefficient_name("%s_p%.0f", own->prefix, p);
        if (prefix == NULL) {
            isocast_reader_fail(f->reader);
            return false;
        }
        isocast_operation_part one = *own;
        one.prefix = prefix;
        if (i + 1 < tables->count) {
            isocast_operation_put(f, entry->key.span, "if(p <= %.17g, ", p);
        }
        good = good && put_table(f, &one, &entry->value);
        isocast_operation_put(f, entry->key.span, i + 1 < tables->count ? ", " : "");
        free(prefix);
    }
    for (size_t i = 1; i < tables->count; i++) {
        isocast_operation_put(f, tables->span, ")");
    }
    return good;
}

static bool put_part(isocast_operation_text *f, const isocast_tree_node *node, const char *prefix,
                     const isocast_term_list *terms, const char *extra);

/* One correlation of all numbers of a table with each other; NAN where there is no such key, or the
 * part is none of tables. */
static double read_table_correlation(isocast_operation_text *f, const isocast_tree_node *node,
                                     const char *kind) {
    bool tables = strcmp(kind, "table") == 0 || strcmp(kind, "tables") == 0;
    if (node == NULL || !tables || node->kind != ISOCAST_TREE_SCALAR) {
        return NAN;
    }
    isocast_formula_place place = {.what = "a correlation", .dimension = isocast_dimension_count};
    double value = isocast_reader_number(f->reader, node, &place, NULL);
    if (fabs(value) > 1 || value < 0) {
        isocast_reader_refuse(f->reader, node->span, NULL,
                              "the correlation of a table must be from 0 to 1, this is %g", value);
    }
    return value;
}

/* The lower triangle, row by row, of so many coefficients from `first` on. */
static bool read_correlation(isocast_operation_text *f, const isocast_tree_node *node, size_t first,
                             size_t count) {
    size_t due = count * (count - (count > 0)) / 2;
    if (!isocast_reader_expect(f->reader, node, ISOCAST_TREE_SEQUENCE, "correlation")) {
        return false;
    }
    if (node->count != due) {
        isocast_reader_refuse(f->reader, node->span,
                              "write them row by row: of the 2nd number with the 1st, of the 3rd "
                              "with the 1st and the 2nd, and so on",
                              "%zu number%s %zu correlation%s, this list has %zu", count,
                              count == 1 ? " has" : "s have", due, due == 1 ? "" : "s",
                              node->count);
        return false;
    }
    isocast_formula_place place = {.what = "a correlation", .dimension = isocast_dimension_count};
    bool good = true;
    size_t index = 0;
    for (size_t row = 1; row < count; row++) {
        for (size_t column = 0; column < row; column++) {
            const isocast_tree_node *item = &node->items[index++];
            double value = isocast_reader_number(f->reader, item, &place, NULL);
            if (fabs(value) > 1) {
                isocast_reader_refuse(f->reader, item->span, NULL,
                                      "a correlation must be from -1 to 1, this is %g", value);
                good = false;
            }
            good = good && !isnan(value);
            if (good &&
                !isocast_coefficients_correlate(f->out, first + row, first + column, value)) {
                isocast_reader_fail(f->reader);
                good = false;
            }
        }
    }
    return good;
}

static bool put_terms(isocast_operation_text *f, const isocast_operation_part *own) {
    bool good = true;
    const char *plus = "";
    for (size_t i = 0; i < own->node->count; i++) {
        const isocast_tree_entry *entry = &own->node->entries[i];
        const isocast_law_term *term = isocast_term_find(own->terms, entry->key.text);
        if (term == NULL) {
            continue;
        }
        isocast_formula_place place = {.what = term->key,
                                       .dimension = isocast_unit_of_term(term->unit)};
        isocast_uncertain number;
        char *name = isocast_coefficient_name("%s_%s", own->prefix, term->key);
        if (!isocast_reader_uncertain(f->reader, &entry->value, &place, &number)) {
            free(name);
            good = false;
            continue;
        }
        if (name != NULL) {
            isocast_operation_put(f, entry->value.span, "%s%s%s", plus, name, term->factor);
        }
        good = isocast_operation_add(f, name, entry->value.span, &number) && good;
        plus = " + ";
    }
    return good;
}

/* Where the ranges begin, B; NULL where one is wrong or they do not rise. */
static double *read_switches(isocast_operation_text *f, const isocast_tree_node *ranges) {
    double *from = isocast_reader_allocate(f->reader, ranges->count, sizeof *from);
    isocast_formula_place place = {.what = "from",
                                   .dimension = isocast_dimension_of(ISOCAST_BASE_BYTE)};
    bool good = from != NULL;
    for (size_t i = 0; good && i < ranges->count; i++) {
        const isocast_tree_node *range = &ranges->items[i];
        if (!isocast_reader_expect(f->reader, range, ISOCAST_TREE_MAPPING, "a range")) {
            good = false;
            break;
        }
        const isocast_tree_node *node =
            isocast_reader_find(f->reader, range, "from", i > 0, "a range after the first");
        from[i] =
            node != NULL ? isocast_reader_bounded(f->reader, node, &place, (isocast_bounds){0}) : 0;
        good = !isnan(from[i]) && (node != NULL || i == 0);
        if (good && i == 0 && node != NULL && from[i] > 0) {
            isocast_reader_refuse(f->reader, node->span, "write from: 0 B",
                                  "the first range must begin at 0 B");
            good = false;
        } else if (good && i > 0 && node != NULL && from[i] <= from[i - 1]) {
            isocast_reader_refuse(f->reader, node->span, "list the ranges from small to large",
                                  "a range must begin above the one before it");
            good = false;
        }
    }
    if (!good) {
        free(from);
        return NULL;
    }
    return from;
}

/* What the ranges go by: the message size m, or the size m/p of a block. */
static bool read_size_key(isocast_operation_text *f, const isocast_tree_node *node,
                          const char **out) {
    const isocast_tree_node *size = isocast_reader_find(f->reader, node, "size", false, "");
    *out = "m";
    if (size == NULL) {
        return true;
    }
    if (!isocast_reader_expect(f->reader, size, ISOCAST_TREE_SCALAR, "size")) {
        return false;
    }
    if (strcmp(size->text, "m") != 0 && strcmp(size->text, "m/p") != 0) {
        isocast_reader_refuse(f->reader, size->span, "write m or m/p",
                              "ranges go by the message size m or by its blocks m/p");
        return false;
    }
    *out = strcmp(size->text, "m") == 0 ? "m" : "m/p";
    return true;
}

static bool put_ranges(isocast_operation_text *f, const isocast_operation_part *own,
                       const isocast_tree_node *ranges) {
    const char *size;
    if (!isocast_reader_expect(f->reader, ranges, ISOCAST_TREE_SEQUENCE, "ranges") ||
        !read_size_key(f, own->node, &size)) {
        return false;
    }
    if (ranges->count == 0) {
        isocast_reader_refuse(f->reader, ranges->span,
                              "write one at least, such as - {from: 0 B, start: 1 us}",
                              "the list of ranges is empty");
        return false;
    }
    double *from = read_switches(f, ranges);
    bool good = from != NULL;
    for (size_t i = 0; good && i < ranges->count; i++) {
        bool last = i + 1 == ranges->count;
        size_t room = strlen(own->prefix) + ISOCAST_RANGE_NAME_MAX;
        char *prefix = isocast_reader_allocate(f->reader, room, 1);
        if (prefix == NULL) {
            good = false;
            break;
        }
        isocast_range_name(own->prefix, from[i], last ? INFINITY : from[i + 1], prefix, room);
        if (!last) {
            isocast_operation_put(f, ranges->items[i + 1].span, "if(%s < %.17g B, ", size,
                                  from[i + 1]);
        }
        good = put_part(f, &ranges->items[i], prefix, own->terms, "from");
        isocast_operation_put(f, ranges->items[i].span, "%s", last ? "" : ", ");
        free(prefix);
    }
    for (size_t i = 1; i < ranges->count; i++) {
        isocast_operation_put(f, ranges->span, ")");
    }
    free(from);
    return good;
}

static bool put_placements(isocast_operation_text *f, const isocast_operation_part *own,
                           const isocast_tree_node *one_node) {
    const isocast_tree_node *several =
        isocast_reader_find(f->reader, own->node, "several_nodes", true, f->name);
    char *prefix = isocast_coefficient_name("%s_node", own->prefix);
    if (prefix == NULL) {
        isocast_reader_fail(f->reader);
    }
    bool good = several != NULL && prefix != NULL;
    if (good) {
        isocast_operation_put(f, one_node->span, "if(nodes == 1, ");
        good = put_part(f, one_node, prefix, own->terms, "");
        isocast_operation_put(f, several->span, ", ");
        good = put_part(f, several, own->prefix, own->terms, "") && good;
        isocast_operation_put(f, several->span, ")");
    }
    free(prefix);
    return good;
}

/* A mean of several, by their shares. */
static bool put_mean(isocast_operation_text *f, const isocast_operation_part *own,
                     const isocast_tree_node *items) {
    isocast_formula_place place = {.what = "share", .dimension = isocast_dimension_count};
    if (!isocast_reader_expect(f->reader, items, ISOCAST_TREE_SEQUENCE, "mean_of")) {
        return false;
    }
    if (items->count == 0) {
        isocast_reader_refuse(f->reader, items->span, "write parts such as - {share: 0.4, ...}",
                              "the list of parts is empty");
        return false;
    }
    bool good = true;
    for (size_t i = 0; i < items->count && good; i++) {
        const isocast_tree_node *item = &items->items[i];
        const isocast_tree_node *share =
            isocast_reader_expect(f->reader, item, ISOCAST_TREE_MAPPING, "a part")
                ? isocast_reader_find(f->reader, item, "share", true, "a part of mean_of")
                : NULL;
        double value = share != NULL
                           ? isocast_reader_bounded(f->reader, share, &place, (isocast_bounds){0})
                           : NAN;
        good = !isnan(value);
        isocast_operation_put(f, item->span, "%s%.17g*(", i > 0 ? " + " : "", value);
        good = good && put_part(f, item, own->prefix, own->terms, "share");
        isocast_operation_put(f, item->span, ")");
    }
    return good;
}

static bool put_written(isocast_operation_text *f, const isocast_operation_part *own,
                        const isocast_tree_node *node) {
    (void)own;
    return isocast_operation_put_formula(f, node, "formula");
}

/* What an operation, or a part of one, may be made of in place of terms. */
static const struct {
    const char *key;
    bool (*put)(isocast_operation_text *f, const isocast_operation_part *own,
                const isocast_tree_node *value);
    bool of_kernels; /* also a time per flop */
} kinds[] = {
    {"formula", put_written, true}, {"ranges", put_ranges, true},       {"table", put_table, true},
    {"tables", put_tables, true},   {"one_node", put_placements, true}, {"mean_of", put_mean, true},
};
enum { KINDS = sizeof kinds / sizeof kinds[0], NO_KIND = KINDS };

/* The keys that go with them. */
static const char *const other_keys[] = {"several_nodes", "size",         "shape",      "axis",
                                         "factors",       "beyond",       "plus",       "level",
                                         "ratio",         "ratio_shared", "correlation"};
enum { OTHER_KEYS = sizeof other_keys / sizeof other_keys[0], EXTRA_KEYS = 2 };

/* Keys of an operation besides those of its parts. */
static const char *const operation_keys[] = {"measured", "fit"};

static bool check_keys(isocast_operation_text *f, const isocast_tree_node *node,
                       const isocast_term_list *terms, const char *extra) {
    const char *keys[KINDS + OTHER_KEYS + EXTRA_KEYS + ISOCAST_SHAPE_TERMS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < terms->count && i < ISOCAST_SHAPE_TERMS_MAX && !f->kernel; i++) {
        keys[count++] = terms->terms[i].key;
    }
    for (size_t i = 0; i < KINDS; i++) {
        keys[count++] = kinds[i].key;
    }
    for (size_t i = 0; i < OTHER_KEYS; i++) {
        keys[count++] = other_keys[i];
    }
    if (extra != NULL && extra[0] != '\0') {
        keys[count++] = extra;
    } else if (extra == NULL) {
        memcpy(keys + count, operation_keys, sizeof operation_keys);
        count += sizeof operation_keys / sizeof operation_keys[0];
    }
    isocast_status before = f->reader->status;
    isocast_reader_known_keys(f->reader, node, f->name, keys, count);
    return f->reader->status == before;
}

/* The kind of a part, by its key; NO_KIND for terms. False where it has two. */
static bool find_kind(isocast_operation_text *f, const isocast_operation_part *own, size_t *kind,
                      const isocast_tree_node **value) {
    const isocast_tree_entry *first = NULL;
    *kind = NO_KIND;
    *value = NULL;
    for (size_t i = 0; i < own->node->count; i++) {
        const isocast_tree_entry *entry = &own->node->entries[i];
        size_t found = 0;
        while (found < KINDS && strcmp(kinds[found].key, entry->key.text) != 0) {
            found++;
        }
        if (found == KINDS &&
            (f->kernel || isocast_term_find(own->terms, entry->key.text) == NULL)) {
            continue;
        }
        if (first != NULL && (found != KINDS || *kind != NO_KIND)) {
            isocast_reader_refuse(f->reader, entry->key.span,
                                  "keep one of them; the key plus adds a formula to it",
                                  "%s is made of '%s' already", f->name, first->key.text);
            return false;
        }
        if (first == NULL) {
            first = entry;
            *kind = found;
            *value = found != KINDS ? &entry->value : NULL;
        }
    }
    if (first == NULL) {
        isocast_reader_refuse(
            f->reader, (isocast_span){own->node->span.begin, own->node->span.begin + 1},
            f->kernel ? "write tables: {1: {8 KiB: 0.1 ns/flop}}, say, or formula: ..."
                      : "write terms such as start: 1 us and byte: 0.1 ns/B, or formula: ...",
            "%s has nothing that states its time", f->name);
    }
    return first != NULL;
}

/* One ratio: a number, or, where it has an error, a coefficient of its own. */
static bool put_one_ratio(isocast_operation_text *f, const isocast_tree_node *node,
                          const char *prefix, const char *key, double p) {
    isocast_formula_place place = {.what = "a ratio", .dimension = isocast_dimension_count};
    isocast_uncertain number;
    if (!isocast_is_uncertain(node)) {
        double value = isocast_reader_bounded(f->reader, node, &place, (isocast_bounds){0});
        isocast_operation_put(f, node->span, "%.17g", value);
        return !isnan(value);
    }
    if (!isocast_reader_uncertain(f->reader, node, &place, &number)) {
        return false;
    }
    if (number.value < 0) {
        isocast_reader_refuse(f->reader, node->span, NULL, "a ratio must be at least 0, this is %g",
                              number.value);
        return false;
    }
    char *name = isocast_coefficient_name("%s_%s_%.0f", prefix, key, p);
    if (name != NULL) {
        isocast_operation_put(f, node->span, "%s", name);
    }
    return isocast_operation_add(f, name, node->span, &number);
}

/* Ratios at numbers of processes, with straight lines between; "1" where there are none. */
static bool put_ratio(isocast_operation_text *f, const isocast_tree_node *node, const char *prefix,
                      const char *key) {
    if (node == NULL) {
        isocast_operation_put(f, (isocast_span){0}, "1");
        return true;
    }
    if (!isocast_reader_expect(f->reader, node, ISOCAST_TREE_MAPPING, "a ratio")) {
        return false;
    }
    isocast_formula_place of_p = {.what = "a number of processes",
                                  .dimension = isocast_dimension_count};
    double before = 0;
    if (node->count < 2) {
        isocast_reader_refuse(f->reader, node->span, "such as {4: 1.02, 8: 1}",
                              "a ratio takes two numbers of processes or more");
        return false;
    }
    isocast_operation_put(f, node->span, "interpolate(p");
    for (size_t i = 0; i < node->count; i++) {
        const isocast_tree_entry *entry = &node->entries[i];
        double p =
            isocast_reader_bounded(f->reader, &entry->key, &of_p, (isocast_bounds){.least = 1});
        if (isnan(p)) {
            return false;
        }
        if (p <= before) {
            isocast_reader_refuse(f->reader, entry->key.span, "list them from small to large",
                                  "the numbers of processes of a ratio must rise");
            return false;
        }
        before = p;
        isocast_operation_put(f, entry->key.span, ", %.17g, ", p);
        if (!put_one_ratio(f, &entry->value, prefix, key, p)) {
            return false;
        }
    }
    isocast_operation_put(f, node->span, ")");
    return true;
}

/* What the part is multiplied with: ratios of all systems, or of those whose processes share nodes
 * and of the others. */
static bool put_ratios(isocast_operation_text *f, const isocast_tree_node *ratio,
                       const isocast_tree_node *shared, const char *prefix) {
    if (ratio == NULL && shared == NULL) {
        return true;
    }
    const isocast_tree_node *any = ratio != NULL ? ratio : shared;
    isocast_operation_put(f, any->span, "*");
    if (shared == NULL) {
        return put_ratio(f, ratio, prefix, "ratio");
    }
    isocast_operation_put(f, any->span, "if(nodes < p, ");
    bool good = put_ratio(f, shared, prefix, "ratio_shared");
    isocast_operation_put(f, any->span, ", ");
    good = put_ratio(f, ratio, prefix, "ratio") && good;
    isocast_operation_put(f, any->span, ")");
    return good;
}

/* The number that all of a part is multiplied with. */
static bool put_level(isocast_operation_text *f, const isocast_operation_part *own,
                      const isocast_tree_node *node) {
    isocast_formula_place place = {.what = "level", .dimension = isocast_dimension_count};
    isocast_uncertain number;
    char *name = isocast_coefficient_name("%s_level", own->prefix);
    if (!isocast_reader_uncertain(f->reader, node, &place, &number)) {
        free(name);
        return false;
    }
    if (name != NULL) {
        isocast_operation_put(f, node->span, "%s*", name);
    }
    return isocast_operation_add(f, name, node->span, &number);
}

static bool read_shape(isocast_operation_text *f, const isocast_tree_node *node,
                       const isocast_term_list **out) {
    if (!isocast_reader_expect(f->reader, node, ISOCAST_TREE_SCALAR, "shape")) {
        return false;
    }
    const isocast_term_list *found = node->text[0] != '\0' ? isocast_terms_of(node->text) : NULL;
    if (found == NULL) {
        isocast_buffer hint = {0};
        for (size_t i = 1; i < ISOCAST_SHAPES; i++) {
            isocast_buffer_printf(&hint, "%s %s", i == 1 ? "known here:" : ",",
                                  isocast_term_lists[i].shape);
        }
        isocast_diagnostics_rely(f->reader->diagnostics, &hint);
        isocast_reader_refuse(f->reader, node->span, hint.text, "'%s' is not a shape", node->text);
        isocast_buffer_free(&hint);
        return false;
    }
    *out = found;
    return true;
}

/* Puts a part: plus + level*(what it is made of)*ratio. `extra`: a key that it may have besides, or
 * ""; NULL for a whole operation. */
static bool put_part(isocast_operation_text *f, const isocast_tree_node *node, const char *prefix,
                     const isocast_term_list *terms, const char *extra) {
    isocast_reader *reader = f->reader;
    if (!isocast_reader_expect(reader, node, ISOCAST_TREE_MAPPING, f->name)) {
        return false;
    }
    const isocast_tree_node *shape = isocast_reader_find(reader, node, "shape", false, "");
    const isocast_tree_node *plus = isocast_reader_find(reader, node, "plus", false, "");
    const isocast_tree_node *level = isocast_reader_find(reader, node, "level", false, "");
    const isocast_tree_node *ratio = isocast_reader_find(reader, node, "ratio", false, "");
    const isocast_tree_node *shared = isocast_reader_find(reader, node, "ratio_shared", false, "");
    const isocast_tree_node *correlation =
        isocast_reader_find(reader, node, "correlation", false, "");
    isocast_operation_part own = {
        .node = node, .prefix = prefix, .terms = terms, .leveled = level != NULL};
    size_t first = f->out->count;
    size_t kind;
    const isocast_tree_node *value;
    if ((shape != NULL && !read_shape(f, shape, &own.terms)) ||
        !check_keys(f, node, own.terms, extra) || !find_kind(f, &own, &kind, &value)) {
        return false;
    }
    own.correlation =
        read_table_correlation(f, correlation, kind != NO_KIND ? kinds[kind].key : "");
    bool good = true;
    if (plus != NULL) {
        good = isocast_operation_put_formula(f, plus, "plus");
        isocast_operation_put(f, plus->span, " + ");
    }
    good = (level == NULL || put_level(f, &own, level)) && good;
    bool multiplied = level != NULL || ratio != NULL || shared != NULL;
    isocast_operation_put(f, node->span, "%s", multiplied ? "(" : "");
    good = (kind != NO_KIND ? kinds[kind].put(f, &own, value) : put_terms(f, &own)) && good;
    isocast_operation_put(f, node->span, "%s", multiplied ? ")" : "");
    size_t count = f->out->count - first; /* of what correlations are listed for */
    good = put_ratios(f, ratio, shared, prefix) && good;
    bool listed = correlation != NULL && isnan(own.correlation);
    return good && (!listed || read_correlation(f, correlation, first, count));
}

/* What was found while fitting is for people, but for what says how far times may be off. */
static void read_fit(isocast_reader *reader, const isocast_tree_node *node,
                     isocast_fitted *fitted) {
    const struct {
        const char *key;
        double *value;
    } errors[] = {{"mean_error", &fitted->mean_error},
                  {"misfit", &fitted->misfit},
                  {"drift", &fitted->drift}};
    if (!isocast_reader_expect(reader, node, ISOCAST_TREE_MAPPING, "fit")) {
        return;
    }
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        isocast_reader_number_at(reader, node, errors[i].key, isocast_dimension_count,
                                 (isocast_bounds){0}, errors[i].value);
    }
}

/* The beginning of the names of coefficients: T_bcast's are bcast_start and so on. */
static char *prefix_of(const char *name) {
    const char *word = isocast_operation_is_name(name) ? isocast_operation_stem(name) : name;
    bool digit = isdigit((unsigned char)word[0]) || word[0] == '\0';
    char *prefix = isocast_coefficient_name("%s%s", digit ? "_" : "", word);
    for (char *at = prefix; at != NULL && *at != '\0'; at++) {
        *at = isalnum((unsigned char)*at) ? *at : '_';
    }
    return prefix;
}

isocast_formula *isocast_operation_form_read(isocast_reader *reader,
                                             const isocast_tree_entry *entry, const char *name,
                                             bool kernel, isocast_coefficients *coefficients,
                                             isocast_measured *measured, isocast_fitted *fitted) {
    const isocast_tree_node *node = &entry->value;
    isocast_operation_text f = {
        .reader = reader, .name = name, .kernel = kernel, .out = coefficients};
    const isocast_tree_node *ranges = isocast_reader_find(reader, node, "measured", false, "");
    const isocast_tree_node *fit = isocast_reader_find(reader, node, "fit", false, "");
    isocast_status before = reader->status;
    if (ranges != NULL) {
        isocast_read_measured(reader, ranges, measured);
    }
    if (fit != NULL) {
        read_fit(reader, fit, fitted);
    }
    char *prefix = prefix_of(name);
    if (prefix == NULL) {
        isocast_reader_fail(reader);
    }
    isocast_formula *formula = NULL;
    bool good = prefix != NULL && put_part(&f, node, prefix, isocast_terms_of(""), NULL) &&
                reader->status == before;
    if (good) {
        isocast_status status = isocast_assembly_parse(&f.text, reader->source, entry->key.span,
                                                       reader->diagnostics, &formula);
        if (status != ISOCAST_OK) {
            reader->status = status;
        }
        if (status == ISOCAST_NO_MEMORY) {
            isocast_diagnostics_fail(reader->diagnostics);
        }
    }
    isocast_assembly_free(&f.text);
    free(prefix);
    return formula;
}
