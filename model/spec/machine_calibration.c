#include "machine_calibration.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "machine_covariance.h"
#include "measured.h"
#include "model/base/known_operation.h"

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
    if (!isocast_reader_expect(reader, node, ISOCAST_TREE_MAPPING, "covariance")) {
        return;
    }
    isocast_reader_known_keys(reader, node, "covariance", keys, 2);
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

static isocast_operation *find_operation(isocast_machine *machine, const char *given) {
    const char *name = isocast_known_operation_today(given);
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
    if (!isocast_reader_expect(reader, node, ISOCAST_TREE_MAPPING, "sigma")) {
        return;
    }
    isocast_reader_known_keys(reader, node, "sigma", keys, 2);
    isocast_formula_place place = {.what = "a sigma", .dimension = isocast_dimension_count};
    const isocast_tree_node *launch = isocast_reader_find(reader, node, "launch", false, "");
    const isocast_tree_node *within = isocast_reader_find(reader, node, "within", false, "");
    if (launch != NULL) {
        machine->sigma_launch = isocast_reader_bounded(reader, launch, &place, (isocast_bounds){0});
    }
    if (within != NULL) {
        machine->sigma_within = isocast_reader_bounded(reader, within, &place, (isocast_bounds){0});
    }
}

void isocast_machine_read_calibration(isocast_reader *reader, const isocast_tree_node *section,
                                      isocast_machine *machine) {
    if (!isocast_reader_expect(reader, section, ISOCAST_TREE_MAPPING, "calibration")) {
        return;
    }
    isocast_reader_known_keys(reader, section, "calibration", calibration_keys, CALIBRATION_KEYS);
    machine->calibrated = true;
    const isocast_tree_node *simulated =
        isocast_reader_find(reader, section, "simulated", false, "");
    if (simulated != NULL &&
        isocast_reader_expect(reader, simulated, ISOCAST_TREE_SCALAR, "simulated")) {
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
