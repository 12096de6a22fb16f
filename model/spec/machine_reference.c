#include "machine_reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "system.h"
#include "uncertain.h"

/* One processor has R_f = 1 by definition; this is for what is written with few digits. */
static const double one_is_one = 1e-9;

/* A row of `factors` or `times`. */
typedef struct set_row {
    isocast_span span;        /* of the set's name */
    isocast_system *system;   /* NULL where it could not be read */
    isocast_uncertain number; /* 1 or s; NAN likewise */
} set_row;

static const char section[] = "reference";

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

void isocast_machine_read_reference(isocast_reader *reader, const isocast_tree_node *root,
                                    isocast_machine *machine) {
    static const char *const keys[] = {"program", "ratio", "factors", "times"};
    const isocast_tree_node *node = isocast_reader_find(reader, root, section, false, "");
    if (node == NULL || !isocast_reader_expect(reader, node, ISOCAST_TREE_MAPPING, section)) {
        return;
    }
    isocast_reader_known_keys(reader, node, section, keys, sizeof keys / sizeof keys[0]);
    const isocast_tree_node *program = isocast_reader_find(reader, node, "program", false, "");
    const isocast_tree_node *ratio = isocast_reader_find(reader, node, "ratio", false, "");
    const isocast_tree_node *factors = isocast_reader_find(reader, node, "factors", false, "");
    const isocast_tree_node *times = isocast_reader_find(reader, node, "times", false, "");
    if (program != NULL) {
        machine->reference.program = isocast_reader_text(reader, program, "program");
    }
    if (ratio != NULL) {
        read_ratio(reader, ratio, &machine->reference);
    }
    if ((factors == NULL) == (times == NULL)) {
        isocast_reader_refuse(reader, isocast_tree_find(root, section)->key.span,
                              "such as factors: {1x2: 1.36, 2x1: 1.37}, or times: {1x1: 33.07 s, "
                              "1x2: 48.59 s}",
                              "%s needs either 'factors' or 'times'%s", section,
                              factors != NULL ? ", not both" : "");
        return;
    }
    machine->reference.measured = times != NULL;
    read_sets(reader, times != NULL ? times : factors, machine);
}
