#include "offers_file.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/text.h"
#include "model/yaml/schema.h"
#include "offer.h"
#include "offers_table.h"

static const char *const file_keys[] = {"offers", "title", "source", "list", ISOCAST_PURCHASE_KEYS};
static const char *const offer_keys[] = {"machine", "title", "nodes", ISOCAST_PURCHASE_KEYS};
static const char *const class_keys[] = {"count", "price", "power", "running_cost"};
enum {
    FILE_KEYS = sizeof file_keys / sizeof file_keys[0],
    OFFER_KEYS = sizeof offer_keys / sizeof offer_keys[0],
    CLASS_KEYS = sizeof class_keys / sizeof class_keys[0]
};

/* What an offer says of a node class, over what is there. */
static void read_class(isocast_reader *reader, const isocast_tree_node *node,
                       isocast_currency *currency, isocast_node_class *class) {
    const isocast_tree_node *count = isocast_reader_find(reader, node, "count", false, "");
    const isocast_tree_node *power = isocast_reader_find(reader, node, "power", false, "");
    const isocast_tree_node *price = isocast_reader_find(reader, node, "price", false, "");
    const isocast_tree_node *running = isocast_reader_find(reader, node, "running_cost", false, "");
    if (count != NULL) {
        const isocast_formula_place place = {.what = "count", .dimension = isocast_dimension_count};
        class->count = isocast_reader_bounded(reader, count, &place,
                                              (isocast_bounds){.least = 1, .whole = true});
    }
    if (power != NULL) {
        const isocast_formula_place place = {.what = "power",
                                             .dimension = isocast_dimension_of(ISOCAST_BASE_POWER)};
        class->power = isocast_reader_bounded(reader, power, &place, (isocast_bounds){0});
    }
    if (price != NULL) {
        class->price =
            isocast_reader_amount(reader, price, "price", isocast_dimension_count, currency);
    }
    if (running != NULL) {
        class->running_cost = isocast_reader_amount(
            reader, running, "running_cost", isocast_dimension_of(ISOCAST_BASE_TIME), currency);
    }
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
    isocast_offers_table_read(&reader, &file->table, &file->rows);
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
        isocast_offers_table_free(&file->rows);
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

const char *isocast_offers_file_machine(const isocast_offers_file *file, size_t index) {
    return isocast_tree_find(&file->list->entries[index].value, "machine")->value.text;
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
    isocast_reader reader = {file->tree != NULL ? file->tree->source : file->source, diagnostics,
                             ISOCAST_OK};
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
