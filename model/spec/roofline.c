#include "roofline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_time.h"
#include "machine_scope.h"

/* Computing ends no sooner than the memory of the node where it takes longest has moved the bytes.
 * What the caches hold of a working set is not moved. S. Williams, A. Waterman, D. Patterson,
 * Roofline, CACM 52 (2009). `one` is what a single process gets of a memory that nobody else uses,
 * where it was measured. */
static const char whole[] = "max(computing, max_class(traffic/p/%s%s))";
static const char out_of_caches[] = " * if(memory > cache, 1 - cache/memory, 0)";

enum { SYMBOLS = 7 };

struct isocast_roofline {
    isocast_symbol symbols[SYMBOLS];
    isocast_scope scope;
    isocast_source *source;
    isocast_formula *formula;
};

static bool knows_bandwidth(const isocast_machine *machine) {
    bool known = machine->class_count > 0;
    for (size_t i = 0; i < machine->class_count; i++) {
        known = known && !isnan(machine->classes[i].memory_bandwidth);
    }
    return known;
}

/* The parameter that shows what one process gets; parameter_count: there is none. */
static size_t find_one(const isocast_machine *machine, isocast_dimension rate) {
    size_t i = 0;
    while (i < machine->parameter_count &&
           (strcmp(machine->parameters[i].name, "memory_bandwidth") != 0 ||
            !isocast_dimension_equal(machine->parameters[i].dimension, rate))) {
        i++;
    }
    return i;
}

static void add(isocast_roofline *roofline, isocast_symbol symbol) {
    roofline->symbols[roofline->scope.count++] = symbol;
}

static void add_formula(isocast_roofline *roofline, const isocast_roofline_request *request,
                        const char *name, isocast_dimension dimension,
                        const isocast_formula *formula) {
    if (formula != NULL) {
        add(roofline, (isocast_symbol){.name = name,
                                       .kind = ISOCAST_SYMBOL_FORMULA,
                                       .dimension = dimension,
                                       .formula = formula,
                                       .scope = request->scope});
    }
}

/* What computes, what moves, and what a process has of its node. */
static void fill(isocast_roofline *roofline, const isocast_roofline_request *request, size_t one) {
    const isocast_algorithm *algorithm = request->algorithm;
    isocast_dimension bytes = isocast_dimension_of(ISOCAST_BASE_BYTE);
    isocast_dimension time = isocast_dimension_of(ISOCAST_BASE_TIME);
    isocast_dimension rate = isocast_dimension_divide(bytes, time);
    roofline->scope.symbols = roofline->symbols;
    add_formula(roofline, request, "computing", time, request->computing);
    add_formula(roofline, request, "traffic", bytes, algorithm->traffic);
    add_formula(roofline, request, "memory", bytes, algorithm->memory);
    add(roofline, (isocast_symbol){.name = "p",
                                   .kind = ISOCAST_SYMBOL_INPUT,
                                   .index = algorithm->size_count + ISOCAST_COLUMN_p});
    add(roofline, (isocast_symbol){.name = "bandwidth",
                                   .kind = ISOCAST_SYMBOL_CLASS,
                                   .dimension = rate,
                                   .index = ISOCAST_CLASS_BANDWIDTH});
    add(roofline, (isocast_symbol){.name = "cache",
                                   .kind = ISOCAST_SYMBOL_CLASS,
                                   .dimension = bytes,
                                   .index = ISOCAST_CLASS_CACHE});
    if (one < request->machine->parameter_count) {
        add(roofline, (isocast_symbol){.name = "one",
                                       .kind = ISOCAST_SYMBOL_INPUT,
                                       .dimension = rate,
                                       .index = request->first_parameter + one});
    }
}

static isocast_status parse(isocast_roofline *roofline, const isocast_roofline_request *request,
                            size_t one, isocast_diagnostics *diagnostics) {
    char text[160];
    snprintf(text, sizeof text, whole,
             one < request->machine->parameter_count ? "min(bandwidth, one)" : "bandwidth",
             request->algorithm->memory != NULL ? out_of_caches : "");
    size_t length = strlen(text);
    isocast_status status = isocast_source_create("roofline", text, length, &roofline->source);
    return status == ISOCAST_OK
               ? isocast_formula_parse(roofline->source, (isocast_span){0, length},
                                       (isocast_names){0}, diagnostics, &roofline->formula)
               : status;
}

/* Whether the traffic counts: not again where the kernel's time was measured with it, and not
 * without a bandwidth, which is a warning where it is missed. Simulated runs of a kernel go without
 * it likewise. */
static bool does_count(const isocast_roofline_request *request, isocast_diagnostics *diagnostics) {
    const isocast_algorithm *algorithm = request->algorithm;
    const isocast_machine *machine = request->machine;
    const isocast_tree_entry *key = isocast_tree_find(&algorithm->tree->root, "traffic");
    bool measured = isocast_kernel_time_has_memory(algorithm, machine);
    bool known = knows_bandwidth(machine);
    bool simulated = machine->simulated && algorithm->kernel != NULL;
    if (!measured && !known && !simulated && isocast_kernel_time_lacks_memory(algorithm, machine)) {
        isocast_diagnostics_add(diagnostics, ISOCAST_WARNING, algorithm->tree->source,
                                key->key.span,
                                "add memory_bandwidth to the node classes of the machine file",
                                "machine '%s' does not state the memory bandwidth of its nodes: "
                                "the traffic does not count",
                                machine->name);
    }
    return known && !measured;
}

isocast_status isocast_roofline_create(const isocast_roofline_request *request,
                                       isocast_diagnostics *diagnostics, isocast_roofline **out) {
    *out = NULL;
    if (request->algorithm->traffic == NULL || !does_count(request, diagnostics)) {
        return ISOCAST_OK;
    }
    isocast_dimension rate = isocast_dimension_divide(isocast_dimension_of(ISOCAST_BASE_BYTE),
                                                      isocast_dimension_of(ISOCAST_BASE_TIME));
    size_t one = find_one(request->machine, rate);
    isocast_roofline *roofline = calloc(1, sizeof *roofline);
    isocast_status status =
        roofline != NULL ? parse(roofline, request, one, diagnostics) : ISOCAST_NO_MEMORY;
    if (status != ISOCAST_OK) {
        isocast_roofline_free(roofline);
        return status;
    }
    fill(roofline, request, one);
    *out = roofline;
    return ISOCAST_OK;
}

void isocast_roofline_free(isocast_roofline *roofline) {
    if (roofline != NULL) {
        isocast_formula_free(roofline->formula);
        isocast_source_free(roofline->source);
        free(roofline);
    }
}

isocast_symbol isocast_roofline_symbol(const isocast_roofline *roofline) {
    return (isocast_symbol){.name = ISOCAST_ROOFLINE_NAME,
                            .kind = ISOCAST_SYMBOL_FORMULA,
                            .dimension = isocast_dimension_of(ISOCAST_BASE_TIME),
                            .formula = roofline->formula,
                            .scope = &roofline->scope};
}
