#include "offers_table.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/nearest.h"
#include "model/spec/purchase.h"
#include "offer.h"

/* Where the value of a column goes. */
typedef enum column_place { OF_ENTRY, OF_OFFER, OF_CLASS, OF_STEP } column_place;

static const struct {
    const char *column;
    const char *key;
    column_place place;
} columns[] = {{"offer", NULL, OF_ENTRY},
               {"class", NULL, OF_ENTRY},
               {"machine", "machine", OF_OFFER},
               {"base_price", "base_price", OF_OFFER},
               {"base_power", "base_power", OF_OFFER},
               {"energy_price", "energy_price", OF_OFFER},
               {"lifetime", "lifetime", OF_OFFER},
               {"use", "use", OF_OFFER},
               {"base_running_cost", "running_cost", OF_OFFER},
               {"count", "count", OF_CLASS},
               {"price", "price", OF_CLASS},
               {"power", "power", OF_CLASS},
               {"running_cost", "running_cost", OF_CLASS},
               {"step", "what", OF_STEP},
               {"step_nodes", "nodes", OF_STEP},
               {"step_price", "price", OF_STEP},
               {"step_power", "power", OF_STEP}};
enum { COLUMNS = sizeof columns / sizeof columns[0], OFFER = 0, CLASS = 1, MACHINE = 2 };

typedef struct table {
    isocast_reader *reader;
    const isocast_csv *csv;
    size_t at[COLUMNS]; /* index of each column in the file; its count of fields: not there */
} table;

static const isocast_csv_field *field_of(const table *t, size_t row, size_t column) {
    const isocast_csv_row *r = &t->csv->rows[row];
    size_t at = t->at[column];
    const isocast_csv_field *field = at < r->count ? &t->csv->fields[r->first + at] : NULL;
    return field != NULL && field->text[0] != '\0' ? field : NULL;
}

static isocast_tree_node scalar(const isocast_csv_field *field) {
    return (isocast_tree_node){
        .kind = ISOCAST_TREE_SCALAR, .span = field->span, .verbatim = true, .text = field->text};
}

/* The value under a key, which is added where it is not there; NULL where memory is short, or where
 * the mapping then has more than `most`. It moves as further keys are added. */
static isocast_tree_node *value_under(table *t, isocast_tree_node *mapping, const char *key,
                                      isocast_span span, size_t most, const char *what) {
    const isocast_tree_entry *entry = isocast_tree_find(mapping, key);
    if (entry != NULL) {
        return &mapping->entries[entry - mapping->entries].value;
    }
    if (mapping->count == most) {
        isocast_reader_refuse(t->reader, span, NULL, "more than %zu %s", most, what);
        return NULL;
    }
    isocast_tree_entry *entries = realloc(mapping->entries, (mapping->count + 1) * sizeof *entries);
    if (entries == NULL) {
        isocast_reader_fail(t->reader);
        return NULL;
    }
    mapping->entries = entries;
    isocast_tree_entry *added = &entries[mapping->count++];
    *added = (isocast_tree_entry){
        .key = {.kind = ISOCAST_TREE_SCALAR, .span = span, .verbatim = true, .text = (char *)key},
        .value = {.kind = ISOCAST_TREE_MAPPING, .span = span}};
    return &added->value;
}

/* Sets a value that is not there yet; another one for the same key is refused. */
static void set(table *t, isocast_tree_node *mapping, const char *key,
                const isocast_csv_field *field) {
    const isocast_tree_entry *there = isocast_tree_find(mapping, key);
    if (there != NULL && strcmp(there->value.text, field->text) != 0) {
        isocast_reader_refuse(t->reader, field->span, "write it once, or the same in each row",
                              "another row of this offer has the %s '%s'", key, there->value.text);
        return;
    }
    isocast_tree_node *value = value_under(t, mapping, key, field->span, COLUMNS, "values");
    if (value != NULL) {
        *value = scalar(field);
    }
}

/* Sets what a row says at one place. */
static void set_columns(table *t, size_t row, column_place place, isocast_tree_node *mapping) {
    for (size_t i = 0; i < COLUMNS && mapping != NULL; i++) {
        const isocast_csv_field *field = field_of(t, row, i);
        if (columns[i].place == place && field != NULL) {
            set(t, mapping, columns[i].key, field);
        }
    }
}

static bool says(const table *t, size_t row, column_place place, const isocast_csv_field **first) {
    for (size_t i = 0; i < COLUMNS; i++) {
        *first = field_of(t, row, i);
        if (columns[i].place == place && *first != NULL) {
            return true;
        }
    }
    return false;
}

static void add_class(table *t, size_t row, isocast_tree_node *offer) {
    const isocast_csv_field *class = field_of(t, row, CLASS);
    const isocast_csv_field *first = NULL;
    if (class == NULL) {
        if (says(t, row, OF_CLASS, &first)) {
            isocast_reader_refuse(t->reader, first->span, "fill in the column class",
                                  "this row does not say which node class it is about");
        }
        return;
    }
    isocast_tree_node *nodes = value_under(t, offer, "nodes", class->span, COLUMNS, "values");
    isocast_tree_node *value =
        nodes != NULL ? value_under(t, nodes, class->text, class->span, ISOCAST_OFFER_CLASSES_MAX,
                                    "node classes of an offer")
                      : NULL;
    set_columns(t, row, OF_CLASS, value);
}

static void add_step(table *t, size_t row, isocast_tree_node *offer) {
    const isocast_csv_field *first = NULL;
    if (!says(t, row, OF_STEP, &first)) {
        return;
    }
    isocast_tree_node *steps = value_under(t, offer, "steps", first->span, COLUMNS, "values");
    if (steps == NULL) {
        return;
    }
    steps->kind = ISOCAST_TREE_SEQUENCE;
    if (steps->count == ISOCAST_STEPS_MAX) {
        isocast_reader_refuse(t->reader, first->span, NULL, "more than %d steps of an offer",
                              ISOCAST_STEPS_MAX);
        return;
    }
    isocast_tree_node *items = realloc(steps->items, (steps->count + 1) * sizeof *items);
    if (items == NULL) {
        isocast_reader_fail(t->reader);
        return;
    }
    steps->items = items;
    items[steps->count] = (isocast_tree_node){.kind = ISOCAST_TREE_MAPPING, .span = first->span};
    set_columns(t, row, OF_STEP, &items[steps->count++]);
}

static void find_columns(table *t) {
    const isocast_csv_row *header = &t->csv->rows[0];
    const char *names[COLUMNS];
    for (size_t i = 0; i < COLUMNS; i++) {
        names[i] = columns[i].column;
        t->at[i] = header->count;
    }
    for (size_t k = 0; k < header->count; k++) {
        const isocast_csv_field *field = &t->csv->fields[header->first + k];
        size_t i = 0;
        while (i < COLUMNS && strcmp(columns[i].column, field->text) != 0) {
            i++;
        }
        if (i == COLUMNS) {
            isocast_buffer hint = {0};
            isocast_nearest_hint(&hint, field->text, names, COLUMNS, "the columns are");
            isocast_diagnostics_rely(t->reader->diagnostics, &hint);
            isocast_reader_refuse(t->reader, field->span, hint.text,
                                  "'%s' is no column of a table of offers", field->text);
            isocast_buffer_free(&hint);
        } else {
            t->at[i] = k;
        }
    }
    for (size_t i = 0; i < COLUMNS; i++) {
        bool needed = i == OFFER || i == MACHINE;
        if (needed && t->at[i] == header->count) {
            isocast_reader_refuse(t->reader, (isocast_span){0, 1}, NULL,
                                  "a table of offers needs the column '%s'", columns[i].column);
        }
    }
}

void isocast_offers_table_read(isocast_reader *reader, const isocast_csv *csv,
                               isocast_tree_node *list) {
    table t = {.reader = reader, .csv = csv};
    *list = (isocast_tree_node){.kind = ISOCAST_TREE_MAPPING};
    if (csv->row_count == 0) {
        isocast_reader_refuse(reader, (isocast_span){0, 1}, NULL, "the table has no rows");
        return;
    }
    find_columns(&t);
    for (size_t row = 1; row < csv->row_count && reader->status == ISOCAST_OK; row++) {
        const isocast_csv_field *name = field_of(&t, row, OFFER);
        if (name == NULL) {
            size_t first = csv->rows[row].first;
            isocast_reader_refuse(reader, csv->fields[first].span, NULL,
                                  "this row does not name its offer");
            continue;
        }
        isocast_tree_node *offer =
            value_under(&t, list, name->text, name->span, ISOCAST_OFFERS_MAX, "offers");
        if (offer != NULL) {
            set_columns(&t, row, OF_OFFER, offer);
            add_class(&t, row, offer);
            add_step(&t, row, offer);
        }
    }
}

void isocast_offers_table_free(isocast_tree_node *list) {
    for (size_t i = 0; i < list->count; i++) {
        if (list->kind == ISOCAST_TREE_MAPPING) {
            isocast_offers_table_free(&list->entries[i].value);
        } else if (list->kind == ISOCAST_TREE_SEQUENCE) {
            isocast_offers_table_free(&list->items[i]);
        }
    }
    free(list->entries);
    free(list->items);
    *list = (isocast_tree_node){0};
}
