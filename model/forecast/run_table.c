#include "run_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/dimension.h"

/* What others call a column, inside of which list of JSON (NULL: anywhere), and what we do. The
 * first is the unit of T. */
static const struct {
    const char *theirs, *list, *ours;
} renamed[] = {{"unit", NULL, "unit"},
               {"units", NULL, "unit"},
               {"value", NULL, "T"},
               {"time", NULL, "T"},
               {"times", "results", "T"},
               {"mean", "results", "T"},
               {"system", "results", "times_system"},
               {"user", "results", "times_user"},
               {"callpath", NULL, "region"},
               {"path", NULL, "region"},
               {"n_ranks", NULL, "p"},
               {"num_tasks", NULL, "p"},
               {"mpi.world.size", NULL, "p"},
               {"n_nodes", NULL, "nodes"},
               {"num_nodes", NULL, "nodes"},
               {"name", "foms", "figure"},
               {"name", "perfvars", "figure"},
               {"name", "CONTEXTS", "context"},
               {"name", "testcases", "test"},
               {"name", "experiments", "experiment"}};

void isocast_run_refuse(isocast_run_table *table, isocast_span span, const char *hint,
                        const char *message) {
    table->status =
        isocast_diagnostics_refuse(table->diagnostics, table->source, span, hint, message);
}

bool isocast_run_span_is(const isocast_run_table *table, isocast_span span, const char *text) {
    return span.end - span.begin == strlen(text) &&
           strncmp(table->source->text + span.begin, text, span.end - span.begin) == 0;
}

const char *isocast_run_ours(const char *list, const char *name, size_t length) {
    for (size_t i = 0; i < sizeof renamed / sizeof renamed[0]; i++) {
        if (strlen(renamed[i].theirs) == length && strncmp(renamed[i].theirs, name, length) == 0 &&
            (renamed[i].list == NULL || (list != NULL && strcmp(list, renamed[i].list) == 0))) {
            return renamed[i].ours;
        }
    }
    return NULL;
}

/* Whether a column is that of a name, or of what we call it. */
static bool is_column(const isocast_run_table *table, const isocast_run_column *column,
                      const char *ours, isocast_span name) {
    if (column->ours != NULL || ours != NULL) {
        return column->ours != NULL && ours != NULL
                   ? strcmp(column->ours, ours) == 0
                   : isocast_run_span_is(table, ours != NULL ? column->name : name,
                                         ours != NULL ? ours : column->ours);
    }
    return column->name.end - column->name.begin == name.end - name.begin &&
           strncmp(table->source->text + column->name.begin, table->source->text + name.begin,
                   name.end - name.begin) == 0;
}

static void set_column(isocast_run_table *table, const char *ours, isocast_span name,
                       isocast_span value, bool is_parameter) {
    size_t i = 0;
    while (i < table->count && !is_column(table, &table->columns[i], ours, name)) {
        i++;
    }
    if (i == ISOCAST_RUN_COLUMNS_MAX) {
        isocast_run_refuse(table, name, NULL, "there are too many columns: at most 1000 are read");
    }
    if (i == table->count && table->status == ISOCAST_OK) {
        if (!ISOCAST_ARRAY_ADD(table->columns, table->count, table->capacity,
                               (isocast_run_column){.name = name, .ours = ours})) {
            table->status = ISOCAST_NO_MEMORY;
            return;
        }
    }
    if (table->status == ISOCAST_OK &&
        !isocast_array_grow((void **)&table->undo, table->undo_count, &table->undo_capacity,
                            sizeof *table->undo)) {
        table->status = ISOCAST_NO_MEMORY;
    }
    if (table->status != ISOCAST_OK) {
        return;
    }
    isocast_run_column *column = &table->columns[i];
    table->undo[table->undo_count++] = (struct isocast_run_undo){i, column->is_set, column->value};
    column->is_parameter = column->is_parameter || is_parameter;
    column->is_set = true;
    column->value = value;
}

void isocast_run_set(isocast_run_table *table, const char *list, isocast_span name,
                     isocast_span value, bool is_parameter) {
    const char *text = table->source->text + name.begin;
    set_column(table, isocast_run_ours(list, text, name.end - name.begin), name, value,
               is_parameter);
}

void isocast_run_set_ours(isocast_run_table *table, const char *ours, isocast_span value) {
    set_column(table, ours, value, value, false);
}

void isocast_run_take_back(isocast_run_table *table, size_t count) {
    while (table->undo_count > count) {
        const struct isocast_run_undo *undo = &table->undo[--table->undo_count];
        table->columns[undo->column].is_set = undo->was_set;
        table->columns[undo->column].value = undo->value;
    }
}

/* SI units in one of the unit stated; 0: it is no time and no energy. */
static double factor_of(const char *unit) {
    static const struct {
        const char *word;
        double factor;
    } words[] = {{"sec", 1},     {"second", 1},         {"msec", 1e-3},       {"millisecond", 1e-3},
                 {"usec", 1e-6}, {"microsecond", 1e-6}, {"nanosecond", 1e-9}, {"minute", 60},
                 {"hour", 3600}};
    isocast_dimension of_unit;
    isocast_dimension wanted;
    size_t length = strlen(unit);
    double factor = 0;
    for (int k = 0; k < 2; k++) {
        if (isocast_unit_parse(unit, length, &factor, &of_unit, NULL) &&
            isocast_unit_dimension(k == 0 ? "s" : "J", &wanted) &&
            isocast_dimension_equal(of_unit, wanted)) {
            return factor;
        }
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t word = strlen(words[i].word);
        if (strncmp(unit, words[i].word, word) == 0 &&
            (length == word || (length == word + 1 && unit[word] == 's'))) {
            return words[i].factor;
        }
    }
    return 0;
}

static void add_cell(isocast_run_table *table, isocast_span span, const char *text) {
    if (table->status == ISOCAST_OK) {
        table->status = isocast_csv_add(&table->csv, span, text);
    }
}

/* T in SI units, where it is a number. */
static void add_scaled(isocast_run_table *table, isocast_span value, double factor) {
    char text[64];
    char *end = NULL;
    const char *begin = table->source->text + value.begin;
    double number = strtod(begin, &end);
    bool is_number = end == table->source->text + value.end && end != begin;
    snprintf(text, sizeof text, "%.17g", number * factor);
    add_cell(table, value, is_number ? text : NULL);
}

void isocast_run_add(isocast_run_table *table, isocast_span place) {
    const isocast_run_column *unit = table->columns;
    double factor = 1;
    if (table->count > 0 && unit->is_set) {
        char text[32] = "";
        size_t length = unit->value.end - unit->value.begin;
        memcpy(text, table->source->text + unit->value.begin, length < sizeof text ? length : 0);
        factor = factor_of(text);
        if (factor == 0) {
            return;
        }
    }
    size_t first = table->csv.field_count;
    for (size_t i = 1; i < table->count && table->status == ISOCAST_OK; i++) {
        const isocast_run_column *column = &table->columns[i];
        if (!column->is_set) {
            add_cell(table, place, "");
        } else if (factor != 1 && column->ours != NULL && strcmp(column->ours, "T") == 0) {
            add_scaled(table, column->value, factor);
        } else {
            add_cell(table, column->value, NULL);
        }
    }
    if (table->status == ISOCAST_OK) {
        table->status = isocast_csv_end_row(&table->csv, first);
    }
}

isocast_status isocast_run_begin(isocast_run_table *table) {
    table->status = isocast_csv_begin(table->source, &table->csv);
    if (!ISOCAST_ARRAY_ADD(table->columns, table->count, table->capacity,
                           (isocast_run_column){.ours = renamed[0].ours})) {
        table->status = ISOCAST_NO_MEMORY;
    }
    return table->status;
}

/* Names columns of the header row, of which so many are parameters, by the rule of p and N. */
void isocast_run_name_parameters(isocast_csv *csv, const bool *is_parameter) {
    static const char *const known[] = {"p", "N"};
    const isocast_csv_row *header = &csv->rows[0];
    isocast_csv_field *fields = csv->fields + header->first;
    for (size_t k = 0; k < 2; k++) {
        size_t parameter = SIZE_MAX;
        for (size_t i = header->count; i-- > 0;) {
            bool other = strcmp(fields[i].text, "p") != 0 && strcmp(fields[i].text, "N") != 0;
            parameter = is_parameter[i] && other ? i : parameter;
        }
        for (size_t i = 0; i < header->count; i++) {
            parameter = strcmp(fields[i].text, known[k]) == 0 ? SIZE_MAX : parameter;
        }
        if (parameter != SIZE_MAX) {
            fields[parameter].text = (char *)known[k];
        }
    }
}

/* Puts the names before the rows, and fills up rows that came before a column. */
static void put_names(isocast_run_table *table) {
    bool is_parameter[ISOCAST_RUN_COLUMNS_MAX] = {false};
    isocast_csv *csv = &table->csv;
    size_t columns = table->count - 1;
    size_t rows = csv->row_count;
    for (size_t row = 0; row < rows && table->status == ISOCAST_OK; row++) {
        isocast_csv_row old = csv->rows[row];
        if (old.count == columns) {
            continue;
        }
        csv->rows[row] = (isocast_csv_row){csv->field_count, columns};
        for (size_t i = 0; i < columns; i++) {
            isocast_span span = isocast_csv_span(&csv->fields[old.first + (i < old.count ? i : 0)]);
            add_cell(table, span, i < old.count ? csv->fields[old.first + i].text : "");
        }
    }
    size_t first = csv->field_count;
    for (size_t i = 0; i < columns; i++) {
        is_parameter[i] = table->columns[i + 1].is_parameter;
        add_cell(table, table->columns[i + 1].name, table->columns[i + 1].ours);
    }
    if (table->status == ISOCAST_OK) {
        table->status = isocast_csv_end_row(csv, first);
    }
    if (table->status == ISOCAST_OK) {
        isocast_csv_row header = csv->rows[rows];
        memmove(csv->rows + 1, csv->rows, rows * sizeof *csv->rows);
        csv->rows[0] = header;
        isocast_run_name_parameters(csv, is_parameter);
    }
}

isocast_status isocast_run_finish(isocast_run_table *table, isocast_csv *out) {
    if (table->status == ISOCAST_OK && table->csv.row_count > 0) {
        put_names(table);
    }
    if (table->status == ISOCAST_OK) {
        table->status = isocast_csv_refuse_controls(&table->csv, table->source, table->diagnostics);
    }
    free(table->columns);
    free(table->undo);
    if (table->status != ISOCAST_OK) {
        isocast_csv_free(&table->csv);
        return table->status;
    }
    *out = table->csv;
    return ISOCAST_OK;
}
