#include "offers_file.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/csv.h"
#include "model/base/nearest.h"
#include "model/base/text.h"
#include "model/spec/purchase.h"
#include "model/yaml/schema.h"
#include "offer.h"
#include "suite_file.h"

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
    return (isocast_tree_node){.kind = ISOCAST_TREE_SCALAR,
                               .span = isocast_csv_span(field),
                               .verbatim = true,
                               .text = field->text};
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
        isocast_reader_refuse(t->reader, isocast_csv_span(field),
                              "write it once, or the same in each row",
                              "another row of this offer has the %s '%s'", key, there->value.text);
        return;
    }
    isocast_tree_node *value =
        value_under(t, mapping, key, isocast_csv_span(field), COLUMNS, "values");
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
            isocast_reader_refuse(t->reader, isocast_csv_span(first), "fill in the column class",
                                  "this row does not say which node class it is about");
        }
        return;
    }
    isocast_tree_node *nodes =
        value_under(t, offer, "nodes", isocast_csv_span(class), COLUMNS, "values");
    isocast_tree_node *value =
        nodes != NULL ? value_under(t, nodes, class->text, isocast_csv_span(class),
                                    ISOCAST_OFFER_CLASSES_MAX, "node classes of an offer")
                      : NULL;
    set_columns(t, row, OF_CLASS, value);
}

static void add_step(table *t, size_t row, isocast_tree_node *offer) {
    const isocast_csv_field *first = NULL;
    if (!says(t, row, OF_STEP, &first)) {
        return;
    }
    isocast_tree_node *steps =
        value_under(t, offer, "steps", isocast_csv_span(first), COLUMNS, "values");
    if (steps == NULL) {
        return;
    }
    steps->kind = ISOCAST_TREE_SEQUENCE;
    if (steps->count == ISOCAST_STEPS_MAX) {
        isocast_reader_refuse(t->reader, isocast_csv_span(first), NULL,
                              "more than %d steps of an offer", ISOCAST_STEPS_MAX);
        return;
    }
    isocast_tree_node *items = realloc(steps->items, (steps->count + 1) * sizeof *items);
    if (items == NULL) {
        isocast_reader_fail(t->reader);
        return;
    }
    steps->items = items;
    items[steps->count] =
        (isocast_tree_node){.kind = ISOCAST_TREE_MAPPING, .span = isocast_csv_span(first)};
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
            isocast_reader_refuse(t->reader, isocast_csv_span(field), hint.text,
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

/* Columns: offer, machine; class with count, price, power and running_cost, a row a class; step
 * with step_nodes, step_price and step_power; and the other keys of a purchase. What is empty is
 * not said. The tree's texts are the table's. What is wrong goes to the reader. */
static void read_offers_table(isocast_reader *reader, const isocast_csv *csv,
                              isocast_tree_node *list) {
    table t = {.reader = reader, .csv = csv};
    *list = (isocast_tree_node){.kind = ISOCAST_TREE_MAPPING};
    if (csv->row_count < 2) {
        isocast_reader_refuse(reader, (isocast_span){0, 1},
                              "write a row for each offer, such as alpha,alpha.yaml below "
                              "offer,machine",
                              "the table has no offers");
        return;
    }
    find_columns(&t);
    for (size_t row = 1; row < csv->row_count && reader->status == ISOCAST_OK; row++) {
        const isocast_csv_field *name = field_of(&t, row, OFFER);
        if (name == NULL) {
            size_t first = csv->rows[row].first;
            isocast_reader_refuse(reader, isocast_csv_span(&csv->fields[first]), NULL,
                                  "this row does not name its offer");
            continue;
        }
        isocast_tree_node *offer =
            value_under(&t, list, name->text, isocast_csv_span(name), ISOCAST_OFFERS_MAX, "offers");
        if (offer != NULL) {
            set_columns(&t, row, OF_OFFER, offer);
            add_class(&t, row, offer);
            add_step(&t, row, offer);
        }
    }
}

static void free_offers_table(isocast_tree_node *list) {
    for (size_t i = 0; i < list->count; i++) {
        if (list->kind == ISOCAST_TREE_MAPPING) {
            free_offers_table(&list->entries[i].value);
        } else if (list->kind == ISOCAST_TREE_SEQUENCE) {
            free_offers_table(&list->items[i]);
        }
    }
    free(list->entries);
    free(list->items);
    *list = (isocast_tree_node){0};
}

static const char *const file_keys[] = {
    "offers",       "title",     "source", "list",
    "applications", "reference", "phases", ISOCAST_PURCHASE_KEYS};
static const char *const offer_keys[] = {"machine", "title", "nodes", "phases",
                                         ISOCAST_PURCHASE_KEYS};
static const char *const class_keys[] = {"count", "price", "power", "running_cost"};
enum {
    FILE_KEYS = sizeof file_keys / sizeof file_keys[0],
    OFFER_KEYS = sizeof offer_keys / sizeof offer_keys[0],
    CLASS_KEYS = sizeof class_keys / sizeof class_keys[0]
};

/* What an offer says of a node class, over what is there. */
static void read_class(isocast_reader *reader, const isocast_tree_node *node,
                       isocast_currency *currency, isocast_node_class *class) {
    isocast_dimension time = isocast_dimension_of(ISOCAST_BASE_TIME);
    isocast_reader_number_at(reader, node, "count", isocast_dimension_count,
                             (isocast_bounds){.least = 1, .whole = true}, &class->count);
    isocast_reader_number_at(reader, node, "power", isocast_dimension_of(ISOCAST_BASE_POWER),
                             (isocast_bounds){0}, &class->power);
    isocast_reader_amount_at(reader, node, "price", isocast_dimension_count, currency,
                             &class->price);
    isocast_reader_amount_at(reader, node, "running_cost", time, currency, &class->running_cost);
}

static void check_offer(isocast_reader *reader, const isocast_tree_entry *entry,
                        isocast_currency currency) {
    const isocast_tree_node *offer = &entry->value;
    if (!isocast_reader_expect(reader, offer, ISOCAST_TREE_MAPPING, "an offer")) {
        return;
    }
    free(isocast_reader_text(reader, &entry->key, "the name of an offer"));
    isocast_reader_known_keys(reader, offer, "an offer", offer_keys, OFFER_KEYS);
    const isocast_tree_node *machine =
        isocast_reader_find(reader, offer, "machine", true, "an offer");
    if (machine != NULL) {
        free(isocast_reader_text(reader, machine, "machine"));
    }
    /* Amounts and units, before any machine is there. */
    isocast_purchase purchase = isocast_purchase_none();
    purchase.currency = currency;
    isocast_purchase_read(reader, offer, &purchase);
    isocast_deliveries deliveries = {0};
    isocast_deliveries_read(reader, offer, &deliveries);
    const isocast_tree_node *nodes = isocast_reader_find(reader, offer, "nodes", false, "");
    bool readable =
        nodes != NULL && isocast_reader_expect(reader, nodes, ISOCAST_TREE_MAPPING, "nodes") &&
        isocast_reader_at_most(reader, nodes, ISOCAST_OFFER_CLASSES_MAX, "node classes");
    for (size_t i = 0; readable && i < nodes->count; i++) {
        const isocast_tree_node *class = &nodes->entries[i].value;
        if (isocast_reader_expect(reader, class, ISOCAST_TREE_MAPPING, "a node class")) {
            isocast_node_class ignored = {0};
            isocast_reader_known_keys(reader, class, "a node class of an offer", class_keys,
                                      CLASS_KEYS);
            read_class(reader, class, &purchase.currency, &ignored);
        }
    }
    isocast_purchase_clear(&purchase);
}

static void check_list(isocast_reader *reader, const isocast_tree_node *list,
                       isocast_currency currency) {
    if (!isocast_reader_expect(reader, list, ISOCAST_TREE_MAPPING, "list")) {
        return;
    }
    if (list->count == 0) {
        isocast_reader_refuse(reader, list->span, "add one: list: {alpha: {machine: alpha.yaml}}",
                              "there is no offer");
    }
    if (!isocast_reader_at_most(reader, list, ISOCAST_OFFERS_MAX, "offers")) {
        return;
    }
    for (size_t i = 0; i < list->count; i++) {
        check_offer(reader, &list->entries[i], currency);
    }
}

static void refuse_phases(isocast_reader *reader, const isocast_tree_node *mapping) {
    const isocast_tree_entry *phases = isocast_tree_find(mapping, "phases");
    if (phases != NULL) {
        isocast_reader_refuse(reader, phases->key.span, "leave them out, or add applications",
                              "phases count in the SSP of a suite, and this file has no "
                              "applications");
    }
}

/* Takes the source over in every case. */
static isocast_status read_yaml(isocast_source *source, isocast_diagnostics *diagnostics,
                                isocast_offers_file *file) {
    isocast_status status = isocast_tree_parse(source, diagnostics, &file->tree);
    if (status != ISOCAST_OK) {
        return status;
    }
    isocast_reader reader = {file->tree->source, diagnostics, ISOCAST_OK};
    const isocast_tree_node *root = &file->tree->root;
    if (isocast_reader_expect(&reader, root, ISOCAST_TREE_MAPPING, "a file of offers")) {
        isocast_purchase common = isocast_purchase_none();
        isocast_reader_known_keys(&reader, root, "a file of offers", file_keys, FILE_KEYS);
        isocast_purchase_read(&reader, root, &common);
        file->common = root;
        file->list = isocast_reader_find(&reader, root, "list", true, "a file of offers");
        if (file->list != NULL) {
            check_list(&reader, file->list, common.currency);
        }
        if (isocast_tree_find(root, "applications") != NULL ||
            isocast_tree_find(root, "reference") != NULL) {
            isocast_status suite = isocast_suite_read(file->tree, diagnostics, &file->suite);
            reader.status = reader.status == ISOCAST_OK ? suite : reader.status;
            isocast_deliveries deliveries = {0};
            isocast_deliveries_read(&reader, root, &deliveries);
        } else if (reader.status == ISOCAST_OK && file->list != NULL) {
            refuse_phases(&reader, root);
            for (size_t i = 0; i < file->list->count; i++) {
                refuse_phases(&reader, &file->list->entries[i].value);
            }
        }
        isocast_purchase_clear(&common);
    }
    return reader.status;
}

static isocast_status read_table(const char *path, isocast_diagnostics *diagnostics,
                                 isocast_offers_file *file) {
    isocast_status status = isocast_csv_load(path, diagnostics, &file->source, &file->table);
    if (status != ISOCAST_OK) {
        return status;
    }
    isocast_reader reader = {file->source, diagnostics, ISOCAST_OK};
    read_offers_table(&reader, &file->table, &file->rows);
    file->list = &file->rows;
    if (reader.status == ISOCAST_OK) {
        check_list(&reader, file->list, ISOCAST_CURRENCY_NONE);
    }
    return reader.status;
}

static isocast_status finish(isocast_status status, isocast_offers_file *file,
                             isocast_offers_file **out) {
    if (status != ISOCAST_OK) {
        isocast_offers_file_free(file);
        return status;
    }
    *out = file;
    return ISOCAST_OK;
}

isocast_status isocast_offers_file_read(isocast_source *source, isocast_diagnostics *diagnostics,
                                        isocast_offers_file **out) {
    isocast_offers_file *file = calloc(1, sizeof *file);
    if (file == NULL) {
        isocast_source_free(source);
        return ISOCAST_NO_MEMORY;
    }
    return finish(read_yaml(source, diagnostics, file), file, out);
}

isocast_status isocast_offers_file_load(const char *path, isocast_diagnostics *diagnostics,
                                        isocast_offers_file **out) {
    if (!isocast_text_ends(path, ".csv")) {
        isocast_source *source = NULL;
        isocast_status status = isocast_source_read(path, diagnostics, &source);
        return status == ISOCAST_OK ? isocast_offers_file_read(source, diagnostics, out) : status;
    }
    isocast_offers_file *file = calloc(1, sizeof *file);
    return file == NULL ? ISOCAST_NO_MEMORY
                        : finish(read_table(path, diagnostics, file), file, out);
}

void isocast_offers_file_free(isocast_offers_file *file) {
    if (file != NULL) {
        isocast_suite_free(&file->suite);
        free_offers_table(&file->rows);
        isocast_csv_free(&file->table);
        isocast_source_free(file->source);
        isocast_tree_free(file->tree);
        free(file);
    }
}

size_t isocast_offers_file_count(const isocast_offers_file *file) {
    return file->list->count;
}

const char *isocast_offers_file_name(const isocast_offers_file *file, size_t index) {
    return file->list->entries[index].key.text;
}

const isocast_source *isocast_offers_file_source(const isocast_offers_file *file) {
    return file->tree != NULL ? file->tree->source : file->source;
}

const isocast_tree_node *isocast_offers_file_machine(const isocast_offers_file *file,
                                                     size_t index) {
    return &isocast_tree_find(&file->list->entries[index].value, "machine")->value;
}

const isocast_tree_node *isocast_offers_file_algorithm(const isocast_offers_file *file,
                                                       size_t index) {
    const isocast_tree_entry *suite = isocast_tree_find(&file->tree->root, "applications");
    return &isocast_tree_find(&suite->value.entries[index].value, "algorithm")->value;
}

isocast_status isocast_offers_file_deliveries(const isocast_offers_file *file, size_t index,
                                              isocast_deliveries *out) {
    isocast_status status = ISOCAST_OK;
    if (file->tree != NULL) {
        isocast_diagnostics none = {0}; /* what is wrong was refused when the file was read */
        isocast_reader reader = {file->tree->source, &none, ISOCAST_OK};
        isocast_deliveries_read(&reader, file->common, out);
        isocast_deliveries_read(&reader, &file->list->entries[index].value, out);
        isocast_diagnostics_clear(&none);
        status = reader.status;
    }
    return status;
}

static void refuse_class(isocast_reader *reader, const isocast_tree_node *key,
                         const isocast_machine *machine) {
    isocast_buffer hint = {0};
    isocast_buffer_puts(&hint, "node classes:");
    for (size_t i = 0; i < machine->class_count; i++) {
        isocast_buffer_printf(&hint, "%s %s", i > 0 ? "," : "", machine->classes[i].name);
    }
    isocast_diagnostics_rely(reader->diagnostics, &hint);
    isocast_reader_refuse(reader, key->span, hint.text, "'%s' is not a node class of machine '%s'",
                          key->text, machine->name);
    isocast_buffer_free(&hint);
}

static void apply_class(isocast_reader *reader, const isocast_tree_entry *entry,
                        isocast_machine *machine) {
    size_t i = 0;
    while (i < machine->class_count && strcmp(machine->classes[i].name, entry->key.text) != 0) {
        i++;
    }
    if (i == machine->class_count) {
        refuse_class(reader, &entry->key, machine);
        return;
    }
    read_class(reader, &entry->value, &machine->purchase.currency, &machine->classes[i]);
}

isocast_status isocast_offers_file_apply(const isocast_offers_file *file, size_t index,
                                         isocast_machine *machine,
                                         isocast_diagnostics *diagnostics) {
    const isocast_tree_node *offer = &file->list->entries[index].value;
    isocast_reader reader = {isocast_offers_file_source(file), diagnostics, ISOCAST_OK};
    if (file->common != NULL) {
        isocast_purchase_read(&reader, file->common, &machine->purchase);
    }
    isocast_purchase_read(&reader, offer, &machine->purchase);
    const isocast_tree_node *nodes = isocast_reader_find(&reader, offer, "nodes", false, "");
    for (size_t i = 0; nodes != NULL && i < nodes->count; i++) {
        apply_class(&reader, &nodes->entries[i], machine);
    }
    return reader.status;
}
