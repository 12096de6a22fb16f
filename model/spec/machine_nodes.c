#include "machine_nodes.h"

#include <math.h>
#include <string.h>

#include "machine_speeds.h"
#include "system.h"

static const char name_hint[] = "use letters, digits, - and _";

static void check_plain(isocast_reader *reader, const isocast_tree_node *key) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    if (strspn(key->text, plain) < strlen(key->text)) {
        isocast_reader_refuse(
            reader, key->span, name_hint,
            "the name of a node class becomes the names of the simulator's hosts");
    }
}

static void check_class_name(isocast_reader *reader, const isocast_tree_node *key,
                             const isocast_node_words *words) {
    if (strpbrk(key->text, ":+,. \t") != NULL) {
        isocast_reader_refuse(reader, key->span, name_hint,
                              "the name of a node class must not hold blanks or any of : + , .");
    } else if (words->plain_names) {
        check_plain(reader, key);
    }
}

void isocast_machine_check_hosts(isocast_reader *reader, const isocast_machine *machine) {
    const isocast_tree_entry *nodes = isocast_tree_find(&machine->tree->root, "nodes");
    for (size_t i = 0; nodes != NULL && i < nodes->value.count; i++) {
        check_plain(reader, &nodes->value.entries[i].key);
    }
}

/* Where a processor has one speed for all programs it is a plain number. */
static void read_speed(isocast_reader *reader, const isocast_tree_node *node,
                       const isocast_node_words *words, isocast_node_class *out) {
    const isocast_tree_entry *entry = isocast_tree_find(node, words->speed);
    out->marked_speed = NAN;
    out->standard_error = NAN;
    if (entry == NULL) {
        isocast_reader_refuse(reader, (isocast_span){node->span.begin, node->span.begin + 1},
                              words->speed_hint, "a node class needs the key '%s'", words->speed);
    } else if (words->of_programs) {
        isocast_machine_read_speeds(reader, &entry->value, out);
    } else {
        isocast_reader_number_at(reader, node, words->speed,
                                 isocast_dimension_divide(isocast_dimension_of(ISOCAST_BASE_FLOP),
                                                          isocast_dimension_of(ISOCAST_BASE_TIME)),
                                 (isocast_bounds){.above = true}, &out->marked_speed);
    }
}

/* A plain number is in bytes, which is hardly what was meant. */
static void warn_of_memory(isocast_reader *reader, const isocast_tree_node *class, double memory) {
    static const double least = 1e6; /* B */
    const isocast_tree_entry *entry = isocast_tree_find(class, "memory");
    if (entry == NULL || entry->value.text == NULL || !(memory < least)) {
        return;
    }
    const char *text = entry->value.text;
    if (text[strspn(text, "0123456789.eE")] == '\0') {
        isocast_diagnostics_add(reader->diagnostics, ISOCAST_WARNING, reader->source,
                                entry->value.span, "such as memory: 64 GB",
                                "memory is %g B here; is a unit missing?", memory);
    }
}

/* Memory, caches and clock of a node have no plain numbers: 119.4 would be 119 B/s. */
static void number_with_unit(isocast_reader *reader, const isocast_tree_node *class,
                             const char *key, isocast_dimension dimension, const char *example,
                             double *number) {
    const isocast_tree_entry *entry = isocast_tree_find(class, key);
    const char *text = entry != NULL ? entry->value.text : NULL;
    if (text != NULL && *text != '\0' && text[strspn(text, "0123456789.eE+-")] == '\0') {
        isocast_reader_refuse(reader, entry->value.span, example, "%s needs a unit", key);
        return;
    }
    isocast_reader_number_at(reader, class, key, dimension,
                             (isocast_bounds){.above = true, .hint = example}, number);
}

static void read_sockets(isocast_reader *reader, const isocast_tree_node *class,
                         isocast_node_class *out) {
    static const char hint[] = "such as sockets: 2; each has as many processors, and processors "
                               "are those of the whole node";
    const isocast_tree_entry *entry = isocast_tree_find(class, "sockets");
    isocast_reader_number_at(reader, class, "sockets", isocast_dimension_count,
                             (isocast_bounds){.least = 1, .whole = true, .hint = hint},
                             &out->sockets);
    if (isnan(out->sockets)) {
        out->sockets = 1;
    } else if (out->processors >= 1 && fmod(out->processors, out->sockets) != 0) {
        isocast_reader_refuse(reader, entry->value.span, hint,
                              "%.0f sockets do not divide the %.0f processors of a node",
                              out->sockets, out->processors);
    }
}

static void read_class(isocast_reader *reader, const isocast_tree_entry *entry,
                       const isocast_node_words *words, isocast_currency *currency,
                       isocast_node_class *out) {
    const isocast_tree_node *node = &entry->value;
    out->memory = out->price = out->power = out->running_cost = NAN;
    out->memory_bandwidth = out->cache = out->frequency = NAN;
    out->count = out->processors = out->sockets = 1;
    out->name = isocast_reader_text(reader, &entry->key, "a node class");
    if (!isocast_reader_expect(reader, node, ISOCAST_TREE_MAPPING, "a node class")) {
        return;
    }
    check_class_name(reader, &entry->key, words);
    const char *const keys[] = {"count",   "processors", words->speed,   "memory",
                                "price",   "power",      "running_cost", "memory_bandwidth",
                                "sockets", "cache",      "frequency"};
    isocast_reader_known_keys(reader, node, "a node class", keys, sizeof keys / sizeof keys[0]);
    isocast_bounds whole = {.least = 1, .whole = true};
    isocast_dimension bytes = isocast_dimension_of(ISOCAST_BASE_BYTE);
    isocast_dimension time = isocast_dimension_of(ISOCAST_BASE_TIME);
    isocast_reader_number_at(reader, node, "count", isocast_dimension_count, whole, &out->count);
    isocast_reader_number_at(reader, node, "processors", isocast_dimension_count, whole,
                             &out->processors);
    read_speed(reader, node, words, out);
    isocast_reader_number_at(reader, node, "memory", bytes, (isocast_bounds){.above = true},
                             &out->memory);
    warn_of_memory(reader, node, out->memory);
    number_with_unit(reader, node, "memory_bandwidth", isocast_dimension_divide(bytes, time),
                     "such as memory_bandwidth: 200 GB/s", &out->memory_bandwidth);
    number_with_unit(reader, node, "cache", bytes, "such as cache: 32 MiB", &out->cache);
    number_with_unit(reader, node, "frequency",
                     isocast_dimension_divide(isocast_dimension_count, time),
                     "such as frequency: 2.4 GHz", &out->frequency);
    read_sockets(reader, node, out);
    isocast_reader_amount_at(reader, node, "price", isocast_dimension_count, currency, &out->price);
    isocast_reader_amount_at(reader, node, "running_cost", time, currency, &out->running_cost);
    isocast_reader_number_at(reader, node, "power", isocast_dimension_of(ISOCAST_BASE_POWER),
                             (isocast_bounds){0}, &out->power);
}

void isocast_machine_read_nodes(isocast_reader *reader, const isocast_tree_node *root,
                                const isocast_node_words *words, isocast_machine *machine) {
    const isocast_tree_node *nodes = isocast_reader_find(reader, root, "nodes", true, words->file);
    if (nodes == NULL || !isocast_reader_expect(reader, nodes, ISOCAST_TREE_MAPPING, "nodes")) {
        return;
    }
    if (nodes->count == 0) {
        isocast_reader_refuse(reader, nodes->span, "add a class, such as node: {count: 1, ...}",
                              "nodes has no node class");
    }
    machine->classes = isocast_reader_allocate(reader, nodes->count, sizeof *machine->classes);
    for (size_t i = 0; machine->classes != NULL && i < nodes->count; i++) {
        machine->class_count++;
        read_class(reader, &nodes->entries[i], words, &machine->purchase.currency,
                   &machine->classes[i]);
    }
}

void isocast_machine_read_systems(isocast_reader *reader, const isocast_tree_node *root,
                                  isocast_machine *machine) {
    const isocast_tree_node *node =
        isocast_reader_section(reader, root, "systems", ISOCAST_TREE_MAPPING);
    if (node == NULL) {
        return;
    }
    machine->systems = isocast_reader_allocate(reader, node->count, sizeof *machine->systems);
    for (size_t i = 0; machine->systems != NULL && i < node->count; i++) {
        const isocast_tree_entry *entry = &node->entries[i];
        isocast_named_system *system = &machine->systems[machine->system_count];
        system->name = isocast_reader_text(reader, &entry->key, "a system's name");
        if (system->name != NULL) { /* else it cannot be looked for, nor named as near */
            system->text = isocast_reader_text(reader, &entry->value, "a system");
            system->span = entry->value.span;
            machine->system_count++;
        }
    }
}

void isocast_machine_check_systems(isocast_reader *reader, const isocast_machine *machine) {
    for (size_t i = 0; i < machine->system_count; i++) {
        const isocast_named_system *named = &machine->systems[i];
        isocast_system *system = NULL;
        if (named->text == NULL) {
            continue;
        }
        isocast_status status = isocast_system_parse_mix(machine, NULL, reader->source, named->span,
                                                         reader->diagnostics, &system);
        isocast_system_free(system);
        if (status == ISOCAST_NO_MEMORY || (status != ISOCAST_OK && reader->status == ISOCAST_OK)) {
            reader->status = status;
        }
    }
}
