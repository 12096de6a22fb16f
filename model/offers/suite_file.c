#include "suite_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/yaml/schema.h"

static const char *const application_keys[] = {"algorithm", "at",         "nodes",
                                               "weight",    "capability", "reference"};
static const char *const reference_keys[] = {"nodes", "time", "rate"};
static const char *const machine_keys[] = {"nodes"};
enum {
    APPLICATION_KEYS = sizeof application_keys / sizeof application_keys[0],
    REFERENCE_KEYS = sizeof reference_keys / sizeof reference_keys[0],
    MACHINE_KEYS = sizeof machine_keys / sizeof machine_keys[0],
    SIZES_MOST = 16
};

static const isocast_bounds whole_nodes = {.least = 1, .whole = true};
static const isocast_bounds above_zero = {.least = 0, .above = true};

/* "N=20000" of each entry. */
static void read_sizes(isocast_reader *reader, const isocast_tree_node *node,
                       isocast_suite_application *a) {
    if (!isocast_reader_expect(reader, node, ISOCAST_TREE_MAPPING, "at") ||
        !isocast_reader_at_most(reader, node, SIZES_MOST, "sizes")) {
        return;
    }
    a->sizes = isocast_reader_allocate(reader, node->count, sizeof *a->sizes);
    for (size_t i = 0; a->sizes != NULL && i < node->count; i++) {
        const isocast_tree_entry *entry = &node->entries[i];
        char *value = isocast_reader_text(reader, &entry->value, entry->key.text);
        isocast_buffer text = {0};
        if (value != NULL && isocast_reader_expect_name(reader, &entry->key)) {
            isocast_buffer_printf(&text, "%s=%s", entry->key.text, value);
            a->sizes[a->size_count] = isocast_buffer_take(&text);
            if (a->sizes[a->size_count] == NULL) {
                isocast_reader_fail(reader);
            } else {
                a->size_count++;
            }
        }
        free(value);
    }
}

static void read_reference(isocast_reader *reader, const isocast_tree_node *node,
                           isocast_suite_application *a) {
    if (!isocast_reader_mapping(reader, node, "reference", reference_keys, REFERENCE_KEYS)) {
        return;
    }
    isocast_reader_find(reader, node, "nodes", true, "the reference");
    if ((isocast_tree_find(node, "time") == NULL) == (isocast_tree_find(node, "rate") == NULL)) {
        isocast_reader_refuse(
            reader, node->span,
            "write reference: {time: 812 s, nodes: 32}, or with rate: 170 Gflop/s "
            "where a rate of the whole job is its figure of merit",
            "the reference has to state either its time or its rate");
    }
    isocast_reader_number_at(reader, node, "time", isocast_dimension_of(ISOCAST_BASE_TIME),
                             above_zero, &a->reference_time);
    isocast_reader_number_at(reader, node, "rate",
                             isocast_dimension_divide(isocast_dimension_of(ISOCAST_BASE_FLOP),
                                                      isocast_dimension_of(ISOCAST_BASE_TIME)),
                             above_zero, &a->reference_rate);
    isocast_reader_number_at(reader, node, "nodes", isocast_dimension_count, whole_nodes,
                             &a->reference_nodes);
}

static void read_application(isocast_reader *reader, const isocast_tree_entry *entry,
                             isocast_suite *suite) {
    isocast_suite_application *a = &suite->applications[suite->count++];
    *a = (isocast_suite_application){.weight = 1,
                                     .nodes = NAN,
                                     .capability = 1,
                                     .reference_time = NAN,
                                     .reference_rate = NAN,
                                     .reference_nodes = NAN};
    const isocast_tree_node *node = &entry->value;
    a->name = isocast_reader_text(reader, &entry->key, "the name of an application");
    if (!isocast_reader_mapping(reader, node, "an application", application_keys,
                                APPLICATION_KEYS)) {
        return;
    }
    const isocast_tree_node *at = isocast_reader_find(reader, node, "at", true, "an application");
    const isocast_tree_node *algorithm =
        isocast_reader_find(reader, node, "algorithm", true, "an application");
    a->algorithm = algorithm != NULL ? isocast_reader_text(reader, algorithm, "algorithm") : NULL;
    if (at != NULL) {
        read_sizes(reader, at, a);
    }
    isocast_reader_number_at(reader, node, "nodes", isocast_dimension_count, whole_nodes,
                             &a->nodes);
    isocast_reader_number_at(reader, node, "weight", isocast_dimension_count, above_zero,
                             &a->weight);
    isocast_reader_number_at(reader, node, "capability", isocast_dimension_count, above_zero,
                             &a->capability);
    const isocast_tree_node *reference = isocast_reader_find(reader, node, "reference", false, "");
    if (reference != NULL) {
        read_reference(reader, reference, a);
    }
}

/* All applications have a reference, and so has the whole; or none. */
static void check_references(isocast_reader *reader, const isocast_tree_node *list,
                             const isocast_tree_node *whole, const isocast_suite *suite) {
    size_t have = 0;
    for (size_t i = 0; i < suite->count; i++) {
        have += isnan(suite->applications[i].reference_nodes) ? 0 : 1;
    }
    for (size_t i = 0; i < suite->count && have > 0; i++) {
        if (isnan(suite->applications[i].reference_nodes)) {
            isocast_reader_refuse(reader, list->entries[i].key.span,
                                  "add reference: {time: 812 s, nodes: 32}, or leave it out of all",
                                  "application '%s' has no reference, but others have",
                                  list->entries[i].key.text);
        }
    }
    if (have > 0 && !(suite->reference_nodes > 0)) {
        isocast_reader_refuse(reader, list->span,
                              "add reference: {nodes: 5576} at the top of the file",
                              "the file does not state how many nodes the reference machine has");
    } else if (have == 0 && whole != NULL) {
        isocast_reader_refuse(reader, whole->span,
                              "add reference: {time: 812 s, nodes: 32} to each application",
                              "no application states its time on the reference machine");
    }
}

isocast_status isocast_suite_read(const isocast_tree *tree, isocast_diagnostics *diagnostics,
                                  isocast_suite *out) {
    isocast_reader reader = {tree->source, diagnostics, ISOCAST_OK};
    const isocast_tree_node *root = &tree->root;
    const isocast_tree_node *list =
        isocast_reader_find(&reader, root, "applications", true, "a suite");
    const isocast_tree_node *whole = isocast_reader_find(&reader, root, "reference", false, "");
    out->reference_nodes = NAN;
    if (list == NULL ||
        !isocast_reader_expect(&reader, list, ISOCAST_TREE_MAPPING, "applications") ||
        !isocast_reader_at_most(&reader, list, ISOCAST_SUITE_MAX, "applications")) {
        return reader.status != ISOCAST_OK ? reader.status : ISOCAST_INVALID;
    }
    if (list->count == 0) {
        isocast_reader_refuse(&reader, list->span,
                              "add one: applications: {heat: {algorithm: heat.yaml, at: {N: "
                              "20000}}}",
                              "there is no application");
    }
    for (size_t i = 0; i < list->count; i++) {
        read_application(&reader, &list->entries[i], out);
    }
    if (whole != NULL &&
        isocast_reader_mapping(&reader, whole, "reference", machine_keys, MACHINE_KEYS)) {
        isocast_reader_number_at(&reader, whole, "nodes", isocast_dimension_count, whole_nodes,
                                 &out->reference_nodes);
    }
    if (reader.status == ISOCAST_OK) {
        check_references(&reader, list, whole, out);
    }
    return reader.status;
}
