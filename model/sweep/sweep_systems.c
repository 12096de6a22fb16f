#include "sweep_systems.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"

/* The systems of one set of values. */
typedef struct made {
    isocast_system **systems; /* [system_count]; NULL: not read yet, or there is none */
    isocast_bill *bills;      /* [system_count], of those that there are */
    bool *read;               /* [system_count] */
} made;

struct isocast_sweep_systems {
    const isocast_sweep_request *request;
    isocast_machine machine; /* the model's, but for its classes, which are its own */
    isocast_source *names;   /* of the systems, each in a line */
    isocast_span *spans;     /* [system_count] in it */
    double *values;          /* [axis_count], that the machine has */
    made *sets;              /* [count]; the last one has the values */
    size_t count, capacity;
};

static void free_class(isocast_node_class *class) {
    free(class->speeds);
}

/* Copies what values are put into; the names stay the model's. */
static isocast_status copy_classes(const isocast_machine *from, isocast_machine *to) {
    *to = *from;
    to->classes = calloc(from->class_count + 1, sizeof *to->classes);
    to->class_count = 0;
    for (size_t i = 0; to->classes != NULL && i < from->class_count; i++) {
        isocast_node_class *class = &to->classes[i];
        *class = from->classes[i];
        size_t bytes = class->speed_count * sizeof *class->speeds;
        class->speeds = malloc(bytes + 1);
        if (class->speeds == NULL) {
            return ISOCAST_NO_MEMORY;
        }
        if (bytes > 0) {
            memcpy(class->speeds, from->classes[i].speeds, bytes);
        }
        to->class_count++;
    }
    return to->classes == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
}

/* The names as a text that systems can be read from again. */
static isocast_status note_names(isocast_sweep_systems *s) {
    const isocast_sweep_request *request = s->request;
    isocast_buffer text = {0};
    for (size_t i = 0; i < request->system_count; i++) {
        isocast_buffer_puts(&text, request->systems[i]->name);
        s->spans[i].end = text.length;
        isocast_buffer_puts(&text, "\n");
        s->spans[i].begin = s->spans[i].end - strlen(request->systems[i]->name);
    }
    isocast_status status = text.failed
                                ? ISOCAST_NO_MEMORY
                                : isocast_source_create("--to", text.text, text.length, &s->names);
    isocast_buffer_free(&text);
    return status;
}

isocast_status isocast_sweep_systems_create(const isocast_sweep_request *request,
                                            isocast_sweep_systems **out) {
    isocast_sweep_systems *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    s->request = request;
    s->spans = calloc(request->system_count + 1, sizeof *s->spans);
    s->values = calloc(request->design->axis_count + 1, sizeof *s->values);
    isocast_status status = copy_classes(isocast_model_machine(request->model), &s->machine);
    if (s->spans == NULL || s->values == NULL) {
        status = ISOCAST_NO_MEMORY;
    }
    status = status == ISOCAST_OK ? note_names(s) : status;
    if (status != ISOCAST_OK) {
        isocast_sweep_systems_free(s);
        return status;
    }
    *out = s;
    return ISOCAST_OK;
}

void isocast_sweep_systems_free(isocast_sweep_systems *systems) {
    if (systems == NULL) {
        return;
    }
    isocast_sweep_systems_clear(systems);
    for (size_t i = 0; i < systems->machine.class_count; i++) {
        free_class(&systems->machine.classes[i]);
    }
    free(systems->machine.classes);
    isocast_source_free(systems->names);
    free(systems->spans);
    free(systems->values);
    free(systems->sets);
    free(systems);
}

void isocast_sweep_systems_clear(isocast_sweep_systems *systems) {
    for (size_t k = 0; k < systems->count; k++) {
        isocast_systems_free(systems->sets[k].systems, systems->request->system_count);
        free(systems->sets[k].bills);
        free(systems->sets[k].read);
    }
    systems->count = 0;
}

/* Whether the machine has these values already. */
static bool has_values(const isocast_sweep_systems *s, const double *values) {
    const isocast_design *design = s->request->design;
    bool same = s->count > 0;
    for (size_t i = 0; i < design->axis_count && same; i++) {
        bool property = design->axes[i].variable.kind == ISOCAST_VARIED_PROPERTY;
        same = !property || values[i] == s->values[i];
    }
    return same;
}

/* A new set of systems, none of them read, and the machine with its values. */
static isocast_status begin_set(isocast_sweep_systems *s, const double *values) {
    const isocast_design *design = s->request->design;
    size_t count = s->request->system_count;
    if (!isocast_array_grow((void **)&s->sets, s->count, &s->capacity, sizeof *s->sets)) {
        return ISOCAST_NO_MEMORY;
    }
    made set = {calloc(count, sizeof(isocast_system *)), calloc(count, sizeof(isocast_bill)),
                calloc(count, sizeof(bool))};
    if (set.systems == NULL || set.bills == NULL || set.read == NULL) {
        free(set.systems);
        free(set.bills);
        free(set.read);
        return ISOCAST_NO_MEMORY;
    }
    s->sets[s->count++] = set;
    for (size_t i = 0; i < design->axis_count; i++) {
        const isocast_varied *variable = &design->axes[i].variable;
        s->values[i] = values[i];
        if (variable->kind == ISOCAST_VARIED_PROPERTY) {
            isocast_class_property_put(&s->machine, &variable->property, values[i]);
        }
    }
    return ISOCAST_OK;
}

/* Reads a system on the machine as it is. One that it cannot hold stays NULL. */
static isocast_status read_system(isocast_sweep_systems *s, made *set, size_t index) {
    const char *program = isocast_model_algorithm(s->request->model)->kernel;
    isocast_diagnostics diagnostics = {0};
    isocast_system *system = NULL;
    isocast_status status = isocast_system_parse(&s->machine, program, s->names, s->spans[index],
                                                 &diagnostics, &system);
    isocast_diagnostics_clear(&diagnostics);
    if (status == ISOCAST_OK) {
        isocast_system_size_by(system, s->request->measure);
        set->systems[index] = system;
        status = isocast_bill_of_system(&s->machine, system, &set->bills[index]);
    }
    set->read[index] = status != ISOCAST_NO_MEMORY;
    return status == ISOCAST_NO_MEMORY ? status : ISOCAST_OK;
}

isocast_status isocast_sweep_systems_find(isocast_sweep_systems *systems, const double *values,
                                          size_t index, const isocast_system **out,
                                          isocast_bill *bill) {
    isocast_status status = has_values(systems, values) ? ISOCAST_OK : begin_set(systems, values);
    if (status != ISOCAST_OK) {
        return status;
    }
    made *set = &systems->sets[systems->count - 1];
    status = set->read[index] ? ISOCAST_OK : read_system(systems, set, index);
    if (status == ISOCAST_OK) {
        *out = set->systems[index];
        *bill = set->systems[index] != NULL ? set->bills[index] : *bill;
    }
    return status;
}
