#include "system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "marked_speed.h"
#include "model/base/list.h"

/* Processes of one system; more is a slip, and stays exact in a double. */
static const double processes_most = 1e12;

typedef struct parsing {
    const isocast_machine *machine;
    const isocast_source *source;
    isocast_diagnostics *diagnostics;
    const char *program; /* whose marked speeds are taken */
} parsing;

static isocast_status refuse(const parsing *p, isocast_span span, const char *hint,
                             const char *message) {
    isocast_diagnostics_add(p->diagnostics, ISOCAST_ERROR, p->source, span, hint, "%s", message);
    return ISOCAST_INVALID;
}

static isocast_span trim(const isocast_source *source, isocast_span span) {
    while (span.begin < span.end && strchr(" \t\n\r", source->text[span.begin]) != NULL) {
        span.begin++;
    }
    while (span.end > span.begin && strchr(" \t\n\r", source->text[span.end - 1]) != NULL) {
        span.end--;
    }
    return span;
}

static bool spells(const isocast_source *source, isocast_span span, const char *name) {
    return strlen(name) == span.end - span.begin &&
           memcmp(source->text + span.begin, name, span.end - span.begin) == 0;
}

/* Digits only, the whole span. */
static bool read_count(const isocast_source *source, isocast_span span, double *out) {
    double value = 0;
    for (size_t i = span.begin; i < span.end; i++) {
        char byte = source->text[i];
        if (byte < '0' || byte > '9') {
            return false;
        }
        value = value * 10 + (byte - '0');
    }
    *out = value;
    return span.end > span.begin;
}

static size_t find_byte(const isocast_source *source, isocast_span span, char byte) {
    for (size_t i = span.begin; i < span.end; i++) {
        if (source->text[i] == byte) {
            return i;
        }
    }
    return span.end;
}

static void list_known(const parsing *p, isocast_buffer *hint) {
    isocast_buffer_puts(hint, "systems:");
    for (size_t i = 0; i < p->machine->system_count; i++) {
        isocast_buffer_printf(hint, " %s,", p->machine->systems[i].name);
    }
    if (p->machine->class_count == 1) {
        isocast_buffer_puts(hint,
                            " a number of processes, or kxm for k processes on each of m nodes");
        return;
    }
    isocast_buffer_puts(hint, " or a mix such as");
    for (size_t i = 0; i < p->machine->class_count && i < 3; i++) {
        isocast_buffer_printf(hint, "%s%s:1", i == 0 ? " " : "+", p->machine->classes[i].name);
    }
}

static isocast_status refuse_unknown(const parsing *p, isocast_span span, const char *what) {
    isocast_buffer hint = {0};
    list_known(p, &hint);
    isocast_diagnostics_rely(p->diagnostics, &hint);
    isocast_diagnostics_add(p->diagnostics, ISOCAST_ERROR, p->source, span, hint.text, "%s", what);
    isocast_buffer_free(&hint);
    return ISOCAST_INVALID;
}

static isocast_status refuse_class(const parsing *p, isocast_span span) {
    char name[64];
    size_t length =
        span.end - span.begin < sizeof name - 1 ? span.end - span.begin : sizeof name - 1;
    memcpy(name, p->source->text + span.begin, length);
    name[length] = '\0';
    isocast_buffer hint = {0};
    const char **names = malloc((p->machine->class_count + 1) * sizeof *names);
    if (names == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < p->machine->class_count; i++) {
        names[i] = p->machine->classes[i].name;
    }
    const char *nearest = isocast_nearest_name(name, names, p->machine->class_count);
    free(names);
    if (nearest != NULL) {
        isocast_buffer_printf(&hint, "did you mean '%s'?", nearest);
    } else {
        isocast_buffer_puts(&hint, "node classes:");
        for (size_t i = 0; i < p->machine->class_count; i++) {
            isocast_buffer_printf(&hint, "%s %s", i == 0 ? "" : ",", p->machine->classes[i].name);
        }
    }
    isocast_diagnostics_rely(p->diagnostics, &hint);
    isocast_diagnostics_add(p->diagnostics, ISOCAST_ERROR, p->source, span, hint.text,
                            "'%s' is not a node class of machine '%s'", name,
                            p->machine->name != NULL ? p->machine->name : "");
    isocast_buffer_free(&hint);
    return ISOCAST_INVALID;
}

static isocast_system *create(const parsing *p, isocast_span name, size_t classes_most) {
    isocast_system *system = calloc(1, sizeof *system);
    if (system == NULL) {
        return NULL;
    }
    system->name = strndup(p->source->text + name.begin, name.end - name.begin);
    system->classes = calloc(classes_most, sizeof *system->classes);
    system->each = calloc(classes_most, sizeof *system->each);
    system->rows = calloc(classes_most * ISOCAST_CLASS_ROWS, sizeof *system->rows);
    if (system->name == NULL || system->classes == NULL || system->each == NULL ||
        system->rows == NULL) {
        isocast_system_free(system);
        return NULL;
    }
    for (size_t row = 0; row < ISOCAST_CLASS_ROWS; row++) {
        system->table.rows[row] = system->rows + row * classes_most;
    }
    return system;
}

/* Adds `processes` of a class, `per_node` to a node (0: spread over all nodes of the class first).
 */
static void add_class(const parsing *p, isocast_system *system, size_t classes_most, size_t index,
                      double processes, double per_node) {
    const isocast_node_class *c = &p->machine->classes[index];
    double speed = isocast_marked_speed_of(c, p->program);
    double spread = per_node > 0 ? per_node : fmin(ceil(processes / c->count), c->processors);
    size_t at = system->count++;
    system->classes[at] = index;
    system->each[at] = fmin(spread, processes);
    system->rows[ISOCAST_CLASS_PROCESSES * classes_most + at] = processes;
    system->rows[ISOCAST_CLASS_MARKED_SPEED * classes_most + at] = speed;
    system->rows[ISOCAST_CLASS_MEMORY * classes_most + at] = c->memory / spread;
    system->table.count = system->count;
    system->p += processes;
    system->C += processes * speed;
    system->C_j = at == 0 ? speed : system->C_j;
    double nodes = ceil(processes / spread);
    system->nodes += nodes;
    system->p_node = at == 0 ? fmin(spread, processes) : system->p_node;
    system->beyond_machine =
        system->beyond_machine || processes > c->count * c->processors || nodes > c->count;
}

static isocast_status check_count(const parsing *p, isocast_span span, double processes) {
    if (processes < 1) {
        return refuse(p, span, NULL, "a system needs at least one process");
    }
    if (processes > processes_most) {
        return refuse(p, span, NULL, "too many processes (at most 1e12)");
    }
    return ISOCAST_OK;
}

static isocast_status parse_part(const parsing *p, isocast_span part, size_t classes_most,
                                 isocast_system *system) {
    part = trim(p->source, part);
    size_t colon = find_byte(p->source, part, ':');
    isocast_span name = trim(p->source, (isocast_span){part.begin, colon});
    isocast_span digits = {colon < part.end ? colon + 1 : colon, part.end};
    digits = trim(p->source, digits);
    double processes;
    if (colon == part.end || !read_count(p->source, digits, &processes)) {
        return refuse(p, part, "write class:processes, joined by +, such as server:2+blade:7",
                      "this is not a part of a mix");
    }
    size_t index = 0;
    while (index < p->machine->class_count &&
           !spells(p->source, name, p->machine->classes[index].name)) {
        index++;
    }
    if (index == p->machine->class_count) {
        return refuse_class(p, name);
    }
    for (size_t i = 0; i < system->count; i++) {
        if (system->classes[i] == index) {
            return refuse(p, name, "add up its processes", "this node class is named twice");
        }
    }
    isocast_status status = check_count(p, digits, processes);
    if (status == ISOCAST_OK) {
        add_class(p, system, classes_most, index, processes, 0);
    }
    return status;
}

/* Takes the system over. */
static isocast_status finish(const parsing *p, isocast_system *system, isocast_status status,
                             isocast_system **out) {
    if (status == ISOCAST_OK) {
        status = isocast_system_refer(p->machine, system);
    }
    if (status != ISOCAST_OK) {
        isocast_system_free(system);
        return status;
    }
    *out = system;
    return ISOCAST_OK;
}

static isocast_status parse_mix(const parsing *p, isocast_span where, isocast_system **out) {
    size_t classes_most = p->machine->class_count;
    isocast_system *system = create(p, where, classes_most);
    if (system == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    isocast_status status = ISOCAST_OK;
    size_t begin = where.begin;
    while (status == ISOCAST_OK && begin <= where.end) {
        size_t plus = find_byte(p->source, (isocast_span){begin, where.end}, '+');
        status = parse_part(p, (isocast_span){begin, plus}, classes_most, system);
        begin = plus + 1;
    }
    return finish(p, system, status, out);
}

/* "64", or "4x16": 4 processes on each of 16 nodes [HE, processor sets]. */
static isocast_status parse_count(const parsing *p, isocast_span where, double per_node,
                                  double nodes, isocast_system **out) {
    if (p->machine->class_count != 1) {
        return refuse_unknown(p, where,
                              "the machine has several node classes, so a number does not "
                              "tell which are used");
    }
    if (per_node > p->machine->classes[0].processors) {
        isocast_buffer hint = {0};
        isocast_buffer_printf(&hint, "a node has %g processors", p->machine->classes[0].processors);
        isocast_diagnostics_rely(p->diagnostics, &hint);
        isocast_status status =
            refuse(p, where, hint.text, "more processes on a node than it has processors");
        isocast_buffer_free(&hint);
        return status;
    }
    double processes = per_node > 0 ? per_node * nodes : nodes;
    isocast_status status = check_count(p, where, processes);
    if (status != ISOCAST_OK) {
        return status;
    }
    isocast_system *system = create(p, where, 1);
    if (system == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    add_class(p, system, 1, 0, processes, per_node);
    return finish(p, system, status, out);
}

isocast_status isocast_system_parse_mix(const isocast_machine *machine, const char *program,
                                        const isocast_source *source, isocast_span where,
                                        isocast_diagnostics *diagnostics, isocast_system **out) {
    parsing p = {machine, source, diagnostics, program};
    where = trim(source, where);
    double first;
    double second;
    if (read_count(source, where, &first)) {
        return parse_count(&p, where, 0, first, out);
    }
    size_t cross = find_byte(source, where, 'x');
    if (cross < where.end && read_count(source, (isocast_span){where.begin, cross}, &first) &&
        read_count(source, (isocast_span){cross + 1, where.end}, &second)) {
        if (first < 1 || second < 1) {
            return refuse(&p, where, NULL, "a system needs at least one process");
        }
        return parse_count(&p, where, first, second, out);
    }
    if (find_byte(source, where, ':') < where.end) {
        return parse_mix(&p, where, out);
    }
    return refuse_unknown(&p, where, "this is not a system of the machine");
}

isocast_status isocast_system_parse(const isocast_machine *machine, const char *program,
                                    const isocast_source *source, isocast_span where,
                                    isocast_diagnostics *diagnostics, isocast_system **out) {
    where = trim(source, where);
    for (size_t i = 0; i < machine->system_count; i++) {
        if (!spells(source, where, machine->systems[i].name)) {
            continue;
        }
        isocast_system *system = NULL;
        isocast_status status =
            isocast_system_parse_mix(machine, program, machine->tree->source,
                                     machine->systems[i].span, diagnostics, &system);
        if (status != ISOCAST_OK) {
            return status;
        }
        char *name = strdup(machine->systems[i].name);
        if (name == NULL) {
            isocast_system_free(system);
            return ISOCAST_NO_MEMORY;
        }
        free(system->name);
        system->name = name;
        *out = system;
        return ISOCAST_OK;
    }
    return isocast_system_parse_mix(machine, program, source, where, diagnostics, out);
}

void isocast_system_free(isocast_system *system) {
    if (system != NULL) {
        free(system->name);
        free(system->classes);
        free(system->each);
        free(system->rows);
        free(system);
    }
}

double isocast_system_memory(const isocast_system *system) {
    double least = NAN;
    for (size_t i = 0; i < system->count; i++) {
        least = fmin(least, system->table.rows[ISOCAST_CLASS_MEMORY][i]);
    }
    return least;
}

/* One system of a list. A number that comes from a range is written out first, as if it stood
 * there. */
static isocast_status parse_item(const isocast_machine *machine, const char *program,
                                 const isocast_source *list, const isocast_list_item *item,
                                 isocast_diagnostics *diagnostics, isocast_system **out) {
    isocast_span span = item->span;
    bool from_range =
        item->is_number && memchr(list->text + span.begin, '.', span.end - span.begin) != NULL;
    if (!from_range) {
        return isocast_system_parse(machine, program, list, span, diagnostics, out);
    }
    isocast_buffer text = {0};
    isocast_buffer_printf(&text, "%.15g", item->number);
    isocast_source *source = NULL;
    isocast_status status =
        text.failed ? ISOCAST_NO_MEMORY
                    : isocast_source_create(list->name, text.text, text.length, &source);
    isocast_buffer_free(&text);
    if (status == ISOCAST_OK) {
        status = isocast_system_parse(machine, program, source, (isocast_span){0, source->length},
                                      diagnostics, out);
    }
    isocast_source_free(source);
    return status;
}

isocast_status isocast_systems_parse(const isocast_machine *machine, const char *program,
                                     const char *label, const char *text,
                                     isocast_diagnostics *diagnostics, isocast_system ***out,
                                     size_t *count) {
    isocast_source *source = NULL;
    isocast_list_item *items = NULL;
    size_t item_count = 0;
    isocast_status status = isocast_source_create(label, text, strlen(text), &source);
    if (status == ISOCAST_OK) {
        status = isocast_list_split(source, diagnostics, &items, &item_count);
    }
    isocast_system **systems = NULL;
    if (status == ISOCAST_OK) {
        systems = calloc(item_count + 1, sizeof(isocast_system *));
        status = systems == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    }
    bool readable = status == ISOCAST_OK;
    for (size_t i = 0; readable && status != ISOCAST_NO_MEMORY && i < item_count; i++) {
        isocast_status one =
            parse_item(machine, program, source, &items[i], diagnostics, &systems[i]);
        status = one != ISOCAST_OK ? one : status;
    }
    isocast_source_free(source);
    free(items);
    if (status != ISOCAST_OK) {
        isocast_systems_free(systems, systems != NULL ? item_count : 0);
        return status;
    }
    *out = systems;
    *count = item_count;
    return ISOCAST_OK;
}

void isocast_systems_free(isocast_system **systems, size_t count) {
    for (size_t i = 0; i < count; i++) {
        isocast_system_free(systems[i]);
    }
    free(systems);
}

isocast_status isocast_numbers_parse(const char *label, const char *text,
                                     isocast_diagnostics *diagnostics, double **out,
                                     size_t *count) {
    isocast_source *source = NULL;
    isocast_list_item *items = NULL;
    size_t item_count = 0;
    isocast_status status = isocast_source_create(label, text, strlen(text), &source);
    if (status == ISOCAST_OK) {
        status = isocast_list_split(source, diagnostics, &items, &item_count);
    }
    double *numbers = status == ISOCAST_OK ? malloc((item_count + 1) * sizeof *numbers) : NULL;
    for (size_t i = 0; numbers != NULL && i < item_count; i++) {
        numbers[i] = items[i].number;
        if (!items[i].is_number) {
            isocast_diagnostics_add(diagnostics, ISOCAST_ERROR, source, items[i].span, NULL,
                                    "expected a number here");
            status = ISOCAST_INVALID;
        }
    }
    isocast_source_free(source);
    free(items);
    if (status != ISOCAST_OK || numbers == NULL) {
        free(numbers);
        return status != ISOCAST_OK ? status : ISOCAST_NO_MEMORY;
    }
    *out = numbers;
    *count = item_count;
    return ISOCAST_OK;
}
