#include "operation_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

bool isocast_operation_put_table(isocast_operation_text *f, const isocast_operation_part *own,
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

bool isocast_operation_put_tables(isocast_operation_text *f, const isocast_operation_part *own,
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
        good = good && isocast_operation_put_table(f, &one, &entry->value);
        isocast_operation_put(f, entry->key.span, i + 1 < tables->count ? ", " : "");
        free(prefix);
    }
    for (size_t i = 1; i < tables->count; i++) {
        isocast_operation_put(f, tables->span, ")");
    }
    return good;
}
