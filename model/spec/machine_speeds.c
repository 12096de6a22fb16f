#include "machine_speeds.h"

#include <math.h>
#include <string.h>

#include "marked_speed.h"
#include "uncertain.h"

static const char what[] = "marked_speed";
static const char example[] = "such as marked_speed: {default: 2 Gflop/s, mm: 9 Gflop/s}";

/* Programs of one machine; more is a slip. */
enum { PROGRAMS_MAX = 100 };

static bool is_default(const isocast_tree_entry *entry) {
    return strcmp(entry->key.text, ISOCAST_MARKED_SPEED_DEFAULT_KEY) == 0;
}

/* NAN, with a diagnostic, where it is none. */
static double read_speed(isocast_reader *reader, const isocast_tree_node *node, double *error) {
    isocast_formula_place place = {
        .what = what,
        .dimension = isocast_dimension_divide(isocast_dimension_of(ISOCAST_BASE_FLOP),
                                              isocast_dimension_of(ISOCAST_BASE_TIME))};
    isocast_uncertain number;
    *error = NAN;
    if (!isocast_reader_uncertain(reader, node, &place, &number)) {
        return NAN;
    }
    if (!(number.value > 0)) {
        isocast_reader_refuse(reader, node->span, NULL, "%s must be above 0, this is %g", what,
                              number.value);
        return NAN;
    }
    *error = number.error;
    return number.value;
}

/* The mean of the programs' speeds, with its error where all errors are known. */
static void take_mean(isocast_node_class *class) {
    double n = (double)class->speed_count;
    double variance = 0;
    class->is_mean = true;
    class->marked_speed = 0;
    for (size_t i = 0; i < class->speed_count; i++) {
        class->marked_speed += class->speeds[i].value / n;
        variance += pow(class->speeds[i].standard_error / n, 2);
    }
    class->standard_error = sqrt(variance);
}

static void read_programs(isocast_reader *reader, const isocast_tree_node *node,
                          isocast_node_class *class) {
    if (node->count == 0) {
        isocast_reader_refuse(reader, node->span, example, "%s has no entry", what);
        return;
    }
    class->speeds = isocast_reader_allocate(reader, node->count, sizeof *class->speeds);
    if (class->speeds == NULL || !isocast_reader_at_most(reader, node, PROGRAMS_MAX, what)) {
        return;
    }
    bool has_default = false;
    for (size_t i = 0; i < node->count; i++) {
        const isocast_tree_entry *entry = &node->entries[i];
        if (is_default(entry)) {
            has_default = true;
            class->marked_speed = read_speed(reader, &entry->value, &class->standard_error);
            continue;
        }
        isocast_program_speed *speed = &class->speeds[class->speed_count++];
        speed->program = isocast_reader_text(reader, &entry->key, "a program's name");
        speed->value = read_speed(reader, &entry->value, &speed->standard_error);
    }
    if (!has_default) {
        take_mean(class);
    }
}

void isocast_machine_read_speeds(isocast_reader *reader, const isocast_tree_node *node,
                                 isocast_node_class *class) {
    if (node->kind == ISOCAST_TREE_MAPPING) {
        read_programs(reader, node, class);
    } else {
        class->marked_speed = read_speed(reader, node, &class->standard_error);
    }
}

static const isocast_tree_node *speeds_of(const isocast_tree_node *class) {
    const isocast_tree_entry *entry =
        class->kind == ISOCAST_TREE_MAPPING ? isocast_tree_find(class, what) : NULL;
    return entry != NULL ? &entry->value : NULL;
}

/* Reports each program that `given` has and the class `other` lacks. */
static void compare(isocast_reader *reader, const isocast_tree_entry *given,
                    const isocast_tree_entry *other) {
    const isocast_tree_node *speeds = speeds_of(&given->value);
    const isocast_tree_node *others = speeds_of(&other->value);
    if (speeds == NULL || others == NULL || speeds->kind != ISOCAST_TREE_MAPPING ||
        speeds->count > PROGRAMS_MAX || others->count > PROGRAMS_MAX) {
        return;
    }
    for (size_t i = 0; i < speeds->count; i++) {
        const isocast_tree_entry *entry = &speeds->entries[i];
        bool there = others->kind == ISOCAST_TREE_MAPPING
                         ? isocast_tree_find(others, entry->key.text) != NULL
                         : is_default(entry);
        if (!there) {
            isocast_reader_refuse(reader, entry->key.span,
                                  "give it for every node class or for none",
                                  "marked_speed of node class '%s' has no entry '%s', which that "
                                  "of '%s' has",
                                  other->key.text, entry->key.text, given->key.text);
        }
    }
}

void isocast_machine_check_speeds(isocast_reader *reader, const isocast_tree_node *root,
                                  const isocast_machine *machine) {
    const isocast_tree_entry *nodes = isocast_tree_find(root, "nodes");
    for (size_t i = 1; nodes != NULL && i < machine->class_count; i++) {
        compare(reader, &nodes->value.entries[0], &nodes->value.entries[i]);
        compare(reader, &nodes->value.entries[i], &nodes->value.entries[0]);
    }
}

void isocast_machine_read_benchmark(isocast_reader *reader, const isocast_tree_node *root,
                                    isocast_machine *machine) {
    static const char key[] = "benchmark";
    const isocast_tree_node *node = isocast_reader_find(reader, root, key, false, "");
    if (node == NULL) {
        return;
    }
    if (node->kind != ISOCAST_TREE_MAPPING) {
        machine->benchmark = isocast_reader_text(reader, node, key);
        return;
    }
    if (!isocast_reader_at_most(reader, node, PROGRAMS_MAX + 1, key)) {
        return;
    }
    machine->benchmarks = isocast_reader_allocate(reader, node->count, sizeof *machine->benchmarks);
    for (size_t i = 0; machine->benchmarks != NULL && i < node->count; i++) {
        isocast_program_benchmark *benchmark = &machine->benchmarks[machine->benchmark_count++];
        benchmark->program = isocast_reader_text(reader, &node->entries[i].key, "a program's name");
        benchmark->text = isocast_reader_text(reader, &node->entries[i].value, key);
    }
}
