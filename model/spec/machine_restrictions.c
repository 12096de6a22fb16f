#include "machine_restrictions.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/known_operation.h"

/* The name of an operation is NULL where it could not be read. */
static bool is_named(const isocast_machine *machine, size_t operation, const char *name) {
    const char *own = machine->operations[operation].name;
    return own != NULL && strcmp(own, name) == 0;
}

static void read_operations(isocast_reader *reader, const isocast_tree_node *node,
                            const isocast_machine *machine, isocast_restriction *restriction) {
    restriction->operations =
        isocast_reader_allocate(reader, node->count, sizeof *restriction->operations);
    for (size_t i = 0; restriction->operations != NULL && i < node->count; i++) {
        const isocast_tree_node *name = &node->items[i];
        size_t found = 0;
        if (!isocast_reader_expect(reader, name, ISOCAST_TREE_SCALAR, "an operation's name")) {
            continue;
        }
        const char *today = isocast_known_operation_today(name->text);
        while (found < machine->operation_count && !is_named(machine, found, today)) {
            found++;
        }
        if (found == machine->operation_count) {
            isocast_reader_refuse(reader, name->span, "write a name that stands in operations",
                                  "'%s' is not an operation of this machine", name->text);
        } else {
            restriction->operations[restriction->operation_count++] = found;
        }
    }
}

static void read_algorithms(isocast_reader *reader, const isocast_tree_node *node,
                            isocast_restriction *restriction) {
    restriction->algorithms =
        isocast_reader_allocate(reader, node->count, sizeof *restriction->algorithms);
    for (size_t i = 0; restriction->algorithms != NULL && i < node->count; i++) {
        char *name = isocast_reader_text(reader, &node->items[i], "an algorithm's name");
        if (name != NULL) {
            restriction->algorithms[restriction->algorithm_count++] = name;
        }
    }
}

/* A list under a key that must be there and name something; NULL with a diagnostic otherwise. */
static const isocast_tree_node *find_names(isocast_reader *reader, const isocast_tree_node *node,
                                           const char *key) {
    const isocast_tree_node *names =
        isocast_reader_find(reader, node, key, true, "an entry of holds_for");
    if (names == NULL || !isocast_reader_expect(reader, names, ISOCAST_TREE_SEQUENCE, key)) {
        return NULL;
    }
    if (names->count == 0) {
        isocast_reader_refuse(reader, names->span, "name at least one, such as [T_send]",
                              "the list of %s is empty", key);
        return NULL;
    }
    return names;
}

static void read_restriction(isocast_reader *reader, const isocast_tree_node *node,
                             const isocast_machine *machine, isocast_restriction *restriction) {
    static const char *const keys[] = {"operations", "algorithms", "reason"};
    if (!isocast_reader_expect(reader, node, ISOCAST_TREE_MAPPING, "an entry of holds_for")) {
        return;
    }
    isocast_reader_known_keys(reader, node, "an entry of holds_for", keys, 3);
    const isocast_tree_node *operations = find_names(reader, node, "operations");
    const isocast_tree_node *algorithms = find_names(reader, node, "algorithms");
    const isocast_tree_node *reason = isocast_reader_find(reader, node, "reason", false, "");
    restriction->reason = reason != NULL ? isocast_reader_text(reader, reason, "reason") : NULL;
    if (operations != NULL) {
        read_operations(reader, operations, machine, restriction);
    }
    if (algorithms != NULL) {
        read_algorithms(reader, algorithms, restriction);
    }
}

void isocast_machine_read_restrictions(isocast_reader *reader, const isocast_tree_node *root,
                                       isocast_machine *machine) {
    const isocast_tree_node *node = isocast_reader_find(reader, root, "holds_for", false, "");
    if (node == NULL || !isocast_reader_expect(reader, node, ISOCAST_TREE_SEQUENCE, "holds_for")) {
        return;
    }
    machine->restrictions =
        isocast_reader_allocate(reader, node->count, sizeof *machine->restrictions);
    for (size_t i = 0; machine->restrictions != NULL && i < node->count; i++) {
        isocast_restriction *restriction = &machine->restrictions[machine->restriction_count++];
        read_restriction(reader, &node->items[i], machine, restriction);
    }
}
