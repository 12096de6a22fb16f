#include "machine_algorithms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measured.h"

/* What the misfit was found from: the largest number of processes, NAN where the file does not say.
 * The number of runs is for people, but is checked like all that predictions read. */
static double read_origin(isocast_reader *reader, const isocast_tree_node *node) {
    const isocast_tree_node *runs = isocast_reader_find(reader, node, "runs", false, "");
    const isocast_tree_node *measured = isocast_reader_find(reader, node, "measured", false, "");
    isocast_formula_place place = {.what = "runs", .dimension = isocast_dimension_count};
    if (runs != NULL) {
        isocast_reader_bounded(reader, runs, &place, (isocast_bounds){.least = 1, .whole = true});
    }
    isocast_measured range = {.p_max = NAN};
    if (measured != NULL) {
        isocast_read_measured(reader, measured, &range);
    }
    return range.p_max;
}

/* A standard deviation that is at least 0; NAN where it is not there, or is no such number. */
static double read_deviation(isocast_reader *reader, const isocast_tree_node *node, const char *key,
                             bool required) {
    const isocast_tree_node *found =
        isocast_reader_find(reader, node, key, required, "an entry of algorithms");
    isocast_formula_place place = {.what = key, .dimension = isocast_dimension_count};
    return found != NULL ? isocast_reader_bounded(reader, found, &place, (isocast_bounds){0}) : NAN;
}

static void read_one(isocast_reader *reader, const isocast_tree_entry *entry,
                     isocast_machine *machine) {
    static const char *const keys[] = {"misfit", "drift", "runs", "measured"};
    if (!isocast_reader_expect(reader, &entry->value, ISOCAST_TREE_MAPPING,
                               "an entry of algorithms")) {
        return;
    }
    isocast_reader_known_keys(reader, &entry->value, "an entry of algorithms", keys,
                              sizeof keys / sizeof keys[0]);
    isocast_algorithm_misfit read = {0};
    read.misfit = read_deviation(reader, &entry->value, "misfit", true);
    read.drift = fmax(read_deviation(reader, &entry->value, "drift", false), 0);
    read.p_max = read_origin(reader, &entry->value);
    read.algorithm = isocast_reader_text(reader, &entry->key, "an algorithm's name");
    if (read.algorithm == NULL || isnan(read.misfit)) {
        free(read.algorithm);
        return;
    }
    machine->algorithms[machine->algorithm_count++] = read;
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
