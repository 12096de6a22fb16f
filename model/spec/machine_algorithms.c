#include "machine_algorithms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measured.h"

/* What the misfit was found from is for people, but is checked like all that predictions read. */
static void check_origin(isocast_reader *reader, const isocast_tree_node *node) {
    const isocast_tree_node *runs = isocast_reader_find(reader, node, "runs", false, "");
    const isocast_tree_node *measured = isocast_reader_find(reader, node, "measured", false, "");
    isocast_formula_place place = {.what = "runs", .dimension = isocast_dimension_count};
    if (runs != NULL) {
        isocast_reader_bounded(reader, runs, &place, (isocast_bounds){.least = 1, .whole = true});
    }
    if (measured != NULL) {
        isocast_measured ignored = {0};
        isocast_read_measured(reader, measured, &ignored);
    }
}

static void read_one(isocast_reader *reader, const isocast_tree_entry *entry,
                     isocast_machine *machine) {
    static const char *const keys[] = {"misfit", "runs", "measured"};
    if (!isocast_reader_expect(reader, &entry->value, ISOCAST_TREE_MAPPING,
                               "an entry of algorithms")) {
        return;
    }
    isocast_reader_known_keys(reader, &entry->value, "an entry of algorithms", keys, 3);
    const isocast_tree_node *misfit =
        isocast_reader_find(reader, &entry->value, "misfit", true, "an entry of algorithms");
    isocast_formula_place place = {.what = "misfit", .dimension = isocast_dimension_count};
    double value =
        misfit != NULL ? isocast_reader_bounded(reader, misfit, &place, (isocast_bounds){0}) : NAN;
    check_origin(reader, &entry->value);
    char *name = isocast_reader_text(reader, &entry->key, "an algorithm's name");
    if (name == NULL || isnan(value)) {
        free(name);
        return;
    }
    machine->algorithms[machine->algorithm_count++] = (isocast_algorithm_misfit){name, value};
}

void isocast_machine_read_algorithms(isocast_reader *reader, const isocast_tree_node *root,
                                     isocast_machine *machine) {
    const isocast_tree_node *node = isocast_reader_find(reader, root, "algorithms", false, "");
    if (node == NULL || !isocast_reader_expect(reader, node, ISOCAST_TREE_MAPPING, "algorithms")) {
        return;
    }
    machine->algorithms = isocast_reader_allocate(reader, node->count, sizeof *machine->algorithms);
    for (size_t i = 0; machine->algorithms != NULL && i < node->count; i++) {
        read_one(reader, &node->entries[i], machine);
    }
}
