#include "machine_load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "machine_algorithms.h"
#include "machine_calibration.h"
#include "machine_nodes.h"
#include "machine_operations.h"
#include "machine_reference.h"
#include "machine_restrictions.h"
#include "machine_speeds.h"
#include "model/yaml/schema.h"

static const char *const machine_keys[] = {
    "machine",    "title",   "source",      "benchmark", "nodes",     "systems",  "parameters",
    "operations", "compute", "calibration", "holds_for", "reference", "purchase", "algorithms"};
enum { MACHINE_KEYS = sizeof machine_keys / sizeof machine_keys[0] };
static const isocast_node_words node_words = {
    .file = "a machine file",
    .speed = "marked_speed",
    .speed_hint = "'isocast calibrate -o here.yaml' measures this machine's; for others write it "
                  "as marked_speed: 2 Gflop/s",
    .of_programs = true};

static bool operations_are_named(const isocast_operation *operations, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (operations[i].name == NULL) {
            return false;
        }
    }
    return true;
}

static bool class_is_named(const isocast_node_class *class) {
    for (size_t i = 0; i < class->speed_count; i++) {
        if (class->speeds[i].program == NULL) {
            return false;
        }
    }
    return class->name != NULL;
}

static bool names_are_read(const isocast_machine *machine) {
    for (size_t i = 0; i < machine->parameter_count; i++) {
        if (machine->parameters[i].name == NULL) {
            return false;
        }
    }
    for (size_t i = 0; i < machine->class_count; i++) {
        if (!class_is_named(&machine->classes[i])) {
            return false;
        }
    }
    return operations_are_named(machine->operations, machine->operation_count) &&
           operations_are_named(machine->compute, machine->compute_count);
}

/* Systems of a platform to calibrate: the first that it names, or counts where its nodes are alike.
 */
static void suggest_systems(const isocast_tree_node *root, isocast_buffer *out) {
    enum { SYSTEMS_MAX = 3 };
    const isocast_tree_entry *systems = isocast_tree_find(root, "systems");
    const isocast_tree_entry *nodes = isocast_tree_find(root, "nodes");
    size_t named =
        systems != NULL && systems->value.kind == ISOCAST_TREE_MAPPING ? systems->value.count : 0;
    for (size_t i = 0; i < named && i < SYSTEMS_MAX; i++) {
        isocast_buffer_printf(out, "%s%s", i > 0 ? "," : "", systems->value.entries[i].key.text);
    }
    if (named == 0) {
        bool alike =
            nodes != NULL && nodes->value.kind == ISOCAST_TREE_MAPPING && nodes->value.count == 1;
        isocast_buffer_puts(out, alike ? "2,4,8" : "SYSTEMS");
    }
}

/* A platform says what hardware there is, and nothing of what communication takes on it: that is
 * found by simulation, so its other keys are no problems of their own. */
static bool refuse_platform(isocast_reader *reader, const isocast_tree_node *root) {
    const isocast_tree_entry *entry = isocast_tree_find(root, "platform");
    if (entry == NULL || isocast_tree_find(root, "machine") != NULL) {
        return false;
    }
    isocast_buffer hint = {0};
    isocast_buffer_printf(&hint,
                          "predict, explain, validate and compare take it as --platform %s; or "
                          "make a machine file of it: isocast "
                          "calibrate --platform %s --systems ",
                          reader->source->name, reader->source->name);
    suggest_systems(root, &hint);
    isocast_buffer_puts(&hint, " -o machine.yaml");
    isocast_reader_refuse(
        reader, entry->key.span, hint.text,
        "this is a platform file, but a machine file is needed here, which also says "
        "how long operations take");
    isocast_buffer_free(&hint);
    return true;
}

static void read_purchase(isocast_reader *reader, const isocast_tree_node *root,
                          isocast_machine *machine) {
    static const char *const keys[] = {ISOCAST_PURCHASE_KEYS};
    const isocast_tree_node *node = isocast_reader_find(reader, root, "purchase", false, "");
    if (node != NULL && isocast_reader_expect(reader, node, ISOCAST_TREE_MAPPING, "purchase")) {
        isocast_reader_known_keys(reader, node, "purchase", keys, sizeof keys / sizeof keys[0]);
        isocast_purchase_read(reader, node, &machine->purchase);
    }
}

static void read_machine(isocast_reader *reader, isocast_machine *machine) {
    const isocast_tree_node *root = &machine->tree->root;
    if (!isocast_reader_expect(reader, root, ISOCAST_TREE_MAPPING, "a machine file")) {
        return;
    }
    if (refuse_platform(reader, root) ||
        isocast_reader_refuse_kind(reader, root, "machine", "a machine file")) {
        return;
    }
    isocast_reader_known_keys(reader, root, "a machine file", machine_keys, MACHINE_KEYS);
    const isocast_tree_node *name =
        isocast_reader_find(reader, root, "machine", true, "a machine file");
    const isocast_tree_node *source = isocast_reader_find(reader, root, "source", false, "");
    machine->name = name != NULL ? isocast_reader_text(reader, name, "machine") : NULL;
    machine->source = source != NULL ? isocast_reader_text(reader, source, "source") : NULL;
    isocast_machine_read_benchmark(reader, root, machine);
    isocast_machine_read_nodes(reader, root, &node_words, machine);
    read_purchase(reader, root, machine);
    isocast_machine_check_speeds(reader, root, machine);
    isocast_machine_read_operations(reader, root, machine);
    isocast_machine_read_restrictions(reader, root, machine);
    isocast_machine_read_algorithms(reader, root, machine);
    isocast_machine_read_systems(reader, root, &node_words, machine);
    bool readable = names_are_read(machine);
    if (readable && machine->class_count > 0) {
        isocast_machine_check_systems(reader, machine);
        isocast_machine_read_reference(reader, root, machine);
    }
    if (readable) {
        isocast_machine_check_operations(reader, machine);
    }
    const isocast_tree_node *calibration =
        isocast_reader_find(reader, root, "calibration", false, "");
    if (readable && calibration != NULL) {
        isocast_machine_read_calibration(reader, calibration, machine);
    }
}

isocast_status isocast_machine_read(isocast_source *source, isocast_diagnostics *diagnostics,
                                    isocast_machine **out) {
    isocast_machine *machine = calloc(1, sizeof *machine);
    if (machine == NULL) {
        isocast_source_free(source);
        return ISOCAST_NO_MEMORY;
    }
    machine->sigma_launch = NAN;
    machine->sigma_within = NAN;
    machine->reference.ratio = NAN;
    machine->purchase = isocast_purchase_none();
    isocast_status status = isocast_tree_parse(source, diagnostics, &machine->tree);
    if (status == ISOCAST_OK) {
        isocast_reader reader = {machine->tree->source, diagnostics, ISOCAST_OK};
        read_machine(&reader, machine);
        status = reader.status;
    }
    if (status != ISOCAST_OK) {
        isocast_machine_free(machine);
        return status;
    }
    *out = machine;
    return ISOCAST_OK;
}

isocast_status isocast_machine_read_text(const char *name, const char *text, size_t length,
                                         isocast_diagnostics *diagnostics, isocast_machine **out) {
    isocast_source *source = NULL;
    isocast_status status = isocast_source_take(name, text, length, diagnostics, &source);
    return status == ISOCAST_OK ? isocast_machine_read(source, diagnostics, out) : status;
}

isocast_status isocast_machine_load(const char *path, isocast_diagnostics *diagnostics,
                                    isocast_machine **out) {
    isocast_source *source = NULL;
    isocast_status status = isocast_source_read(path, diagnostics, &source);
    return status == ISOCAST_OK ? isocast_machine_read(source, diagnostics, out) : status;
}
