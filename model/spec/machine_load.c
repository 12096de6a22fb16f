#include "machine_load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "machine_covariance.h"
#include "machine_nodes.h"
#include "machine_operations.h"
#include "machine_speeds.h"
#include "measured.h"
#include "model/yaml/schema.h"
#include "system.h"
#include "uncertain.h"

static void read_one(isocast_reader *reader, const isocast_tree_entry *entry,
                     isocast_machine *machine) {
    static const char *const keys[] = {"misfit", "drift", "runs", "measured"};
    if (!isocast_reader_mapping(reader, &entry->value, "an entry of algorithms", keys,
                                sizeof keys / sizeof keys[0])) {
        return;
    }
    const isocast_tree_node *node = &entry->value;
    isocast_dimension count = isocast_dimension_count;
    isocast_algorithm_misfit read = {.misfit = NAN, .p_max = NAN};
    isocast_reader_find(reader, node, "misfit", true, "an entry of algorithms");
    isocast_reader_number_at(reader, node, "misfit", count, (isocast_bounds){0}, &read.misfit);
    isocast_reader_number_at(reader, node, "drift", count, (isocast_bounds){0}, &read.drift);
    read.drift = fmax(read.drift, 0);
    /* The number of runs is for people, but is checked like all that predictions read. */
    double runs = NAN;
    isocast_reader_number_at(reader, node, "runs", count,
                             (isocast_bounds){.least = 1, .whole = true}, &runs);
    const isocast_tree_node *measured = isocast_reader_find(reader, node, "measured", false, "");
    if (measured != NULL) {
        isocast_measured range = {.p_max = NAN};
        isocast_read_measured(reader, measured, &range);
        read.p_max = range.p_max;
    }
    read.algorithm = isocast_reader_text(reader, &entry->key, "an algorithm's name");
    if (read.algorithm == NULL || isnan(read.misfit)) {
        free(read.algorithm);
        return;
    }
    machine->algorithms[machine->algorithm_count++] = read;
}

/* Reads it, where the file has one. */
static void read_times_of_algorithms(isocast_reader *reader, const isocast_tree_node *root,
                                     isocast_machine *machine) {
    const isocast_tree_node *node =
        isocast_reader_section(reader, root, "algorithms", ISOCAST_TREE_MAPPING);
    if (node == NULL) {
        return;
    }
    machine->algorithms = isocast_reader_allocate(reader, node->count, sizeof *machine->algorithms);
    for (size_t i = 0; machine->algorithms != NULL && i < node->count; i++) {
        read_one(reader, &node->entries[i], machine);
    }
}

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
        while (found < machine->operation_count && !is_named(machine, found, name->text)) {
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
    if (!isocast_reader_mapping(reader, node, "an entry of holds_for", keys, 3)) {
        return;
    }
    const isocast_tree_node *operations = find_names(reader, node, "operations");
    const isocast_tree_node *algorithms = find_names(reader, node, "algorithms");
    restriction->reason = isocast_reader_text_at(reader, node, "reason");
    if (operations != NULL) {
        read_operations(reader, operations, machine, restriction);
    }
    if (algorithms != NULL) {
        read_algorithms(reader, algorithms, restriction);
    }
}

/* Reads the section; the machine's operations are read already. Problems become diagnostics. */
static void read_restrictions(isocast_reader *reader, const isocast_tree_node *root,
                              isocast_machine *machine) {
    const isocast_tree_node *node =
        isocast_reader_section(reader, root, "holds_for", ISOCAST_TREE_SEQUENCE);
    if (node == NULL) {
        return;
    }
    machine->restrictions =
        isocast_reader_allocate(reader, node->count, sizeof *machine->restrictions);
    for (size_t i = 0; machine->restrictions != NULL && i < node->count; i++) {
        isocast_restriction *restriction = &machine->restrictions[machine->restriction_count++];
        read_restriction(reader, &node->items[i], machine, restriction);
    }
}

/* One processor has R_f = 1 by definition; this is for what is written with few digits. */
static const double one_is_one = 1e-9;

/* A row of `factors` or `times`. */
typedef struct set_row {
    isocast_span span;        /* of the set's name */
    isocast_system *system;   /* NULL where it could not be read */
    isocast_uncertain number; /* 1 or s; NAN likewise */
} set_row;

static const char reference_section[] = "reference";

static void read_row(isocast_reader *reader, const isocast_tree_entry *entry,
                     const isocast_formula_place *place, const isocast_machine *machine,
                     set_row *out) {
    *out = (set_row){.span = entry->key.span, .number = {.value = NAN, .error = NAN}};
    isocast_status status = isocast_system_parse(machine, NULL, reader->source, entry->key.span,
                                                 reader->diagnostics, &out->system);
    if (status != ISOCAST_OK && reader->status != ISOCAST_NO_MEMORY) {
        reader->status = status;
    }
    isocast_reader_uncertain(reader, &entry->value, place, &out->number);
    if (out->number.value <= 0) {
        isocast_reader_refuse(reader, entry->value.span, NULL, "%s must be above 0", place->what);
        out->number.value = NAN;
    }
}

static bool is_readable(const set_row *row) {
    return row->system != NULL && !isnan(row->number.value);
}

static bool is_one_processor(const isocast_system *system, size_t class) {
    return system->p == 1 && system->classes[0] == class;
}

/* The row of one processor of a class; NULL where there is none. */
static const set_row *find_one(const set_row *rows, size_t count, size_t class) {
    for (size_t i = 0; i < count; i++) {
        if (rows[i].system != NULL && is_one_processor(rows[i].system, class)) {
            return &rows[i];
        }
    }
    return NULL;
}

static double relative_error(const isocast_uncertain *number) {
    return isnan(number->error) ? 0 : number->error / number->value;
}

/* R_f and its error from the times on the set and on one processor. */
static void compare_times(const set_row *row, const set_row *one, isocast_reference_set *out) {
    bool known = !isnan(row->number.error) || !isnan(one->number.error);
    out->factor = row->system->p * one->number.value / row->number.value;
    double error = hypot(relative_error(&row->number), relative_error(&one->number));
    out->error = known && row != one ? out->factor * error : NAN;
    out->error_of_one = known && row != one ? relative_error(&one->number) : 0;
    out->one_class = one->system->classes[0];
}

static bool read_factor(isocast_reader *reader, const set_row *row, isocast_reference_set *out) {
    out->factor = row->number.value;
    out->error = row->number.error;
    if (row->system->p == 1 && fabs(out->factor - 1) > one_is_one) {
        isocast_reader_refuse(reader, row->span,
                              "R_f compares a set with one processor; give the times instead of "
                              "R_f where they are known",
                              "R_f of one processor is 1, not %.10g", out->factor);
        return false;
    }
    return true;
}

static bool read_time(isocast_reader *reader, const set_row *rows, size_t count, const set_row *row,
                      const isocast_machine *machine, isocast_reference_set *out) {
    size_t class = row->system->classes[0];
    const set_row *one = find_one(rows, count, class);
    if (one == NULL) {
        isocast_reader_refuse(reader, row->span,
                              "R_f = n T_ref(1)/T_ref(set) on n processors needs the time on one "
                              "processor like that of process 0",
                              "the time on one processor of node class '%s' is missing",
                              machine->classes[class].name);
        return false;
    }
    compare_times(row, one, out);
    return is_readable(one);
}

static bool is_known(const isocast_reference *reference, const char *placement) {
    for (size_t i = 0; i < reference->count; i++) {
        if (strcmp(reference->sets[i].placement, placement) == 0) {
            return true;
        }
    }
    return false;
}

static void add_set(isocast_reader *reader, const set_row *row, isocast_reference_set set,
                    isocast_machine *machine) {
    isocast_reference *reference = &machine->reference;
    set.placement = isocast_system_placement(machine, row->system);
    if (set.placement == NULL) {
        isocast_reader_fail(reader);
    } else if (is_known(reference, set.placement)) {
        isocast_reader_refuse(reader, row->span, "keep one of them",
                              "this processor set is given twice");
        free(set.placement);
    } else {
        reference->sets[reference->count++] = set;
    }
}

/* The mapping under `factors` or `times`. */
static void read_sets(isocast_reader *reader, const isocast_tree_node *node,
                      isocast_machine *machine) {
    bool times = machine->reference.measured;
    const isocast_formula_place place = {
        .what = times ? "the time of the reference program" : "R_f",
        .dimension = times ? isocast_dimension_of(ISOCAST_BASE_TIME) : isocast_dimension_count};
    if (!isocast_reader_expect(reader, node, ISOCAST_TREE_MAPPING, times ? "times" : "factors")) {
        return;
    }
    set_row *rows = isocast_reader_allocate(reader, node->count, sizeof *rows);
    machine->reference.sets =
        isocast_reader_allocate(reader, node->count, sizeof *machine->reference.sets);
    bool ready = rows != NULL && machine->reference.sets != NULL;
    for (size_t i = 0; ready && i < node->count; i++) {
        read_row(reader, &node->entries[i], &place, machine, &rows[i]);
    }
    for (size_t i = 0; ready && i < node->count; i++) {
        isocast_reference_set set = {.error = NAN};
        if (is_readable(&rows[i]) &&
            (times ? read_time(reader, rows, node->count, &rows[i], machine, &set)
                   : read_factor(reader, &rows[i], &set))) {
            add_set(reader, &rows[i], set, machine);
        }
    }
    for (size_t i = 0; ready && i < node->count; i++) {
        isocast_system_free(rows[i].system);
    }
    free(rows);
}

static void read_ratio(isocast_reader *reader, const isocast_tree_node *node,
                       isocast_reference *reference) {
    isocast_dimension intensity = isocast_dimension_divide(isocast_dimension_of(ISOCAST_BASE_FLOP),
                                                           isocast_dimension_of(ISOCAST_BASE_BYTE));
    isocast_formula_place place = {.what = "the ratio of computation to communication",
                                   .dimension = intensity,
                                   .also = &isocast_dimension_count};
    reference->ratio =
        isocast_reader_bounded(reader, node, &place, (isocast_bounds){.above = true});
}

/* Reads the key `reference` of the root, where it is there; the classes must be read before. The
 * file gives R_f of each set, or the times of the reference program, from which it follows: R_f =
 * n T_ref(1)/T_ref(set) on n processors [HE]. What is wrong is noted. */
static void read_reference(isocast_reader *reader, const isocast_tree_node *root,
                           isocast_machine *machine) {
    static const char *const keys[] = {"program", "ratio", "factors", "times"};
    const isocast_tree_node *node =
        isocast_reader_section(reader, root, reference_section, ISOCAST_TREE_MAPPING);
    if (node == NULL) {
        return;
    }
    isocast_reader_known_keys(reader, node, reference_section, keys, sizeof keys / sizeof keys[0]);
    const isocast_tree_node *ratio = isocast_reader_find(reader, node, "ratio", false, "");
    const isocast_tree_node *factors = isocast_reader_find(reader, node, "factors", false, "");
    const isocast_tree_node *times = isocast_reader_find(reader, node, "times", false, "");
    machine->reference.program = isocast_reader_text_at(reader, node, "program");
    if (ratio != NULL) {
        read_ratio(reader, ratio, &machine->reference);
    }
    if ((factors == NULL) == (times == NULL)) {
        isocast_reader_refuse(reader, isocast_tree_find(root, reference_section)->key.span,
                              "such as factors: {1x2: 1.36, 2x1: 1.37}, or times: {1x1: 33.07 s, "
                              "1x2: 48.59 s}",
                              "%s needs either 'factors' or 'times'%s", reference_section,
                              factors != NULL ? ", not both" : "");
        return;
    }
    machine->reference.measured = times != NULL;
    read_sets(reader, times != NULL ? times : factors, machine);
}

static const char *const calibration_keys[] = {
    "date",   "isocast", "command",     "seed",     "launches",        "simulated",
    "clock",  "samples", "notes",       "sigma",    "standard_errors", "covariance",
    "ranges", "fit",     "environment", "platform", "speed",           "system"};
enum { CALIBRATION_KEYS = sizeof calibration_keys / sizeof calibration_keys[0] };

static size_t find_parameter(isocast_reader *reader, const isocast_machine *machine,
                             const isocast_tree_node *name) {
    for (size_t i = 0; i < machine->parameter_count; i++) {
        if (strcmp(machine->parameters[i].name, name->text) == 0) {
            return i;
        }
    }
    isocast_reader_refuse(reader, name->span, "write a name that stands in parameters",
                          "'%s' is not a parameter of this machine", name->text);
    return machine->parameter_count;
}

static void read_errors(isocast_reader *reader, const isocast_tree_node *node,
                        isocast_machine *machine) {
    if (!isocast_reader_expect(reader, node, ISOCAST_TREE_MAPPING, "standard_errors")) {
        return;
    }
    for (size_t i = 0; i < node->count; i++) {
        size_t index = find_parameter(reader, machine, &node->entries[i].key);
        if (index < machine->parameter_count && !isnan(machine->parameters[index].standard_error)) {
            isocast_reader_refuse(reader, node->entries[i].key.span,
                                  "the other stands behind the number, after \xC2\xB1",
                                  "'%s' has a standard error already", node->entries[i].key.text);
        } else if (index < machine->parameter_count) {
            isocast_parameter *parameter = &machine->parameters[index];
            isocast_formula_place place = {.what = "a standard error",
                                           .dimension = parameter->dimension};
            double error = isocast_reader_bounded(reader, &node->entries[i].value, &place,
                                                  (isocast_bounds){0});
            parameter->standard_error = error;
            if (machine->covariance != NULL) {
                machine->covariance[index * machine->parameter_count + index] = error * error;
            }
        }
    }
}

/* The indices that the rows of the matrix stand for; NULL on failure. */
static size_t *read_covariance_names(isocast_reader *reader, const isocast_tree_node *names,
                                     const isocast_machine *machine) {
    size_t *indices = isocast_reader_allocate(reader, names->count, sizeof *indices);
    bool complete = indices != NULL;
    for (size_t i = 0; indices != NULL && i < names->count; i++) {
        if (!isocast_reader_expect(reader, &names->items[i], ISOCAST_TREE_SCALAR,
                                   "a parameter's name")) {
            complete = false;
            continue;
        }
        indices[i] = find_parameter(reader, machine, &names->items[i]);
        complete = complete && indices[i] < machine->parameter_count;
    }
    if (!complete) {
        free(indices);
        return NULL;
    }
    return indices;
}

static void read_covariance_row(isocast_reader *reader, const isocast_tree_node *row,
                                const size_t *indices, size_t count, size_t index,
                                isocast_machine *machine) {
    if (!isocast_reader_expect(reader, row, ISOCAST_TREE_SEQUENCE, "a row of the matrix")) {
        return;
    }
    if (row->count != count) {
        isocast_reader_refuse(reader, row->span, NULL,
                              "a row of the covariance has %zu numbers for %zu parameters",
                              row->count, count);
        return;
    }
    /* SI throughout: the unit of each element follows from its two parameters. */
    isocast_formula_place place = {.what = "a covariance", .dimension = isocast_dimension_count};
    for (size_t k = 0; k < count; k++) {
        machine->covariance[indices[index] * machine->parameter_count + indices[k]] =
            isocast_reader_number(reader, &row->items[k], &place, NULL);
    }
}

static void check_symmetry(isocast_reader *reader, const isocast_tree_node *node,
                           const isocast_machine *machine) {
    size_t n = machine->parameter_count;
    for (size_t i = 0; i < n; i++) {
        bool negative = machine->covariance[i * n + i] < 0;
        if (negative) {
            isocast_reader_refuse(reader, node->span, NULL, "the variance of '%s' is negative",
                                  machine->parameters[i].name);
        }
        for (size_t k = 0; k < i; k++) {
            double upper = machine->covariance[k * n + i];
            double lower = machine->covariance[i * n + k];
            if (fabs(upper - lower) > 1e-6 * (fabs(upper) + fabs(lower))) {
                isocast_reader_refuse(reader, node->span, NULL,
                                      "the covariance of '%s' and '%s' is given in two values",
                                      machine->parameters[k].name, machine->parameters[i].name);
            }
        }
    }
}

static void read_covariance(isocast_reader *reader, const isocast_tree_node *node,
                            isocast_machine *machine) {
    static const char *const keys[] = {"parameters", "matrix"};
    if (!isocast_reader_mapping(reader, node, "covariance", keys, 2)) {
        return;
    }
    const isocast_tree_node *names =
        isocast_reader_find(reader, node, "parameters", true, "covariance");
    const isocast_tree_node *matrix =
        isocast_reader_find(reader, node, "matrix", true, "covariance");
    if (names == NULL || matrix == NULL ||
        !isocast_reader_expect(reader, names, ISOCAST_TREE_SEQUENCE, "parameters") ||
        !isocast_reader_expect(reader, matrix, ISOCAST_TREE_SEQUENCE, "matrix")) {
        return;
    }
    if (names->count != matrix->count) {
        isocast_reader_refuse(reader, matrix->span, "one row for each parameter",
                              "the covariance has %zu row%s for %zu parameters", matrix->count,
                              matrix->count == 1 ? "" : "s", names->count);
        return;
    }
    size_t *indices = read_covariance_names(reader, names, machine);
    bool ready = indices != NULL && isocast_machine_need_covariance(reader, machine);
    for (size_t i = 0; ready && i < matrix->count; i++) {
        read_covariance_row(reader, &matrix->items[i], indices, names->count, i, machine);
    }
    if (ready && reader->status == ISOCAST_OK) {
        check_symmetry(reader, matrix, machine);
    }
    free(indices);
}

static isocast_operation *find_operation(isocast_machine *machine, const char *name) {
    for (size_t i = 0; i < machine->operation_count; i++) {
        if (strcmp(machine->operations[i].name, name) == 0) {
            return &machine->operations[i];
        }
    }
    for (size_t i = 0; i < machine->compute_count; i++) {
        if (strcmp(machine->compute[i].name, name) == 0) {
            return &machine->compute[i];
        }
    }
    return NULL;
}

static void read_ranges(isocast_reader *reader, const isocast_tree_node *node,
                        isocast_machine *machine) {
    if (!isocast_reader_expect(reader, node, ISOCAST_TREE_MAPPING, "ranges")) {
        return;
    }
    for (size_t i = 0; i < node->count; i++) {
        const isocast_tree_entry *entry = &node->entries[i];
        isocast_operation *operation = find_operation(machine, entry->key.text);
        if (operation == NULL) {
            isocast_reader_refuse(reader, entry->key.span,
                                  "write a name that stands in operations or compute",
                                  "'%s' is not an operation of this machine", entry->key.text);
            continue;
        }
        isocast_measured measured = {operation->p_min, operation->p_max, operation->m_min,
                                     operation->m_max};
        isocast_read_measured(reader, &entry->value, &measured);
        operation->p_min = measured.p_min;
        operation->p_max = measured.p_max;
        operation->m_min = measured.m_min;
        operation->m_max = measured.m_max;
    }
}

/* What was found while fitting is for people and not checked, but for the mean error, which says
 * how far times may be off. */
static void read_fit(isocast_reader *reader, const isocast_tree_node *node,
                     isocast_machine *machine) {
    (void)reader;
    for (size_t i = 0; node->kind == ISOCAST_TREE_MAPPING && i < node->count; i++) {
        const isocast_tree_entry *entry = &node->entries[i];
        isocast_operation *operation = find_operation(machine, entry->key.text);
        const isocast_tree_entry *error = isocast_tree_find(&entry->value, "mean_error");
        if (operation != NULL && error != NULL && error->value.kind == ISOCAST_TREE_SCALAR) {
            double value = strtod(error->value.text, NULL);
            operation->fitted.mean_error = isfinite(value) && value >= 0 ? value : NAN;
        }
    }
}

static void read_sigma(isocast_reader *reader, const isocast_tree_node *node,
                       isocast_machine *machine) {
    static const char *const keys[] = {"launch", "within"};
    if (!isocast_reader_mapping(reader, node, "sigma", keys, 2)) {
        return;
    }
    isocast_reader_number_at(reader, node, "launch", isocast_dimension_count, (isocast_bounds){0},
                             &machine->sigma_launch);
    isocast_reader_number_at(reader, node, "within", isocast_dimension_count, (isocast_bounds){0},
                             &machine->sigma_within);
}

/* Reads the section into a machine whose parameters and operations are there already. */
static void read_calibration(isocast_reader *reader, const isocast_tree_node *section,
                             isocast_machine *machine) {
    if (!isocast_reader_mapping(reader, section, "calibration", calibration_keys,
                                CALIBRATION_KEYS)) {
        return;
    }
    machine->calibrated = true;
    const isocast_tree_node *simulated =
        isocast_reader_section(reader, section, "simulated", ISOCAST_TREE_SCALAR);
    if (simulated != NULL) {
        machine->simulated = strcmp(simulated->text, "true") == 0;
        if (!machine->simulated && strcmp(simulated->text, "false") != 0) {
            isocast_reader_refuse(reader, simulated->span, "write true or false",
                                  "simulated must be true or false");
        }
    }
    static const struct {
        const char *key;
        void (*read)(isocast_reader *, const isocast_tree_node *, isocast_machine *);
    } parts[] = {{"standard_errors", read_errors},
                 {"covariance", read_covariance},
                 {"ranges", read_ranges},
                 {"fit", read_fit},
                 {"sigma", read_sigma}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const isocast_tree_node *node =
            isocast_reader_find(reader, section, parts[i].key, false, "");
        if (node != NULL) {
            parts[i].read(reader, node, machine);
        }
    }
}

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
    const isocast_tree_node *node =
        isocast_reader_section(reader, root, "purchase", ISOCAST_TREE_MAPPING);
    if (node != NULL) {
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
    machine->name = name != NULL ? isocast_reader_text(reader, name, "machine") : NULL;
    machine->source = isocast_reader_text_at(reader, root, "source");
    isocast_machine_read_benchmark(reader, root, machine);
    isocast_machine_read_nodes(reader, root, &node_words, machine);
    read_purchase(reader, root, machine);
    isocast_machine_check_speeds(reader, root, machine);
    isocast_machine_read_operations(reader, root, machine);
    read_restrictions(reader, root, machine);
    read_times_of_algorithms(reader, root, machine);
    isocast_machine_read_systems(reader, root, machine);
    bool readable = names_are_read(machine);
    if (readable && machine->class_count > 0) {
        isocast_machine_check_systems(reader, machine);
        read_reference(reader, root, machine);
    }
    if (readable) {
        isocast_machine_check_operations(reader, machine);
    }
    const isocast_tree_node *calibration =
        isocast_reader_find(reader, root, "calibration", false, "");
    if (readable && calibration != NULL) {
        read_calibration(reader, calibration, machine);
    }
}

isocast_status isocast_machine_read_tree(isocast_tree *tree, isocast_diagnostics *diagnostics,
                                         isocast_machine **out) {
    isocast_machine *machine = calloc(1, sizeof *machine);
    if (machine == NULL) {
        isocast_tree_free(tree);
        return ISOCAST_NO_MEMORY;
    }
    machine->tree = tree;
    machine->sigma_launch = NAN;
    machine->sigma_within = NAN;
    machine->reference.ratio = NAN;
    machine->purchase = isocast_purchase_none();
    isocast_reader reader = {tree->source, diagnostics, ISOCAST_OK};
    read_machine(&reader, machine);
    if (reader.status != ISOCAST_OK) {
        isocast_machine_free(machine);
        return reader.status;
    }
    *out = machine;
    return ISOCAST_OK;
}

isocast_status isocast_machine_read(isocast_source *source, isocast_diagnostics *diagnostics,
                                    isocast_machine **out) {
    isocast_tree *tree = NULL;
    isocast_status status = isocast_tree_parse(source, diagnostics, &tree);
    return status == ISOCAST_OK ? isocast_machine_read_tree(tree, diagnostics, out) : status;
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
