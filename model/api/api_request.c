#include "api_request.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "api_systems.h"

/* What diagnostics call the request. */
static const char label[] = "request";

isocast_status isocast_api_refuse(isocast_diagnostics *diagnostics, const char *hint,
                                  const char *message) {
    isocast_diagnostics_add_file(diagnostics, ISOCAST_ERROR, label, hint, "%s", message);
    return ISOCAST_ARGUMENT;
}

/* Is it one of: base and N; efficiency; N? */
static isocast_status check_combination(const isocast_request *given,
                                        isocast_diagnostics *diagnostics) {
    bool has_N = given->N != 0;
    bool has_efficiency = given->efficiency != 0;
    if (given->systems == NULL) {
        return isocast_api_refuse(diagnostics, "such as \"C4,C8\" or \"2..64*2\"",
                                  "systems is not given");
    }
    if (!has_N && !has_efficiency) {
        return isocast_api_refuse(
            diagnostics, "give base and N (the efficiency there), efficiency, or N (the size)",
            "the request does not say what is held constant");
    }
    if (given->base != NULL && !has_N) {
        return isocast_api_refuse(diagnostics, "give N, too", "base needs the size there");
    }
    if (has_efficiency && (has_N || given->base != NULL)) {
        return isocast_api_refuse(diagnostics, "leave it at 0, or leave base and N out",
                                  "efficiency is given together with base or N");
    }
    if (isocast_metric_name(given->metric) == NULL) {
        return isocast_api_refuse(diagnostics, "take one of isocast_metric", "the metric is none");
    }
    if (!(given->level >= 0 && given->level < 1)) {
        return isocast_api_refuse(diagnostics, "such as 0.95, or 0 for 0.9",
                                  "level is not between 0 and 1");
    }
    if (has_efficiency && !(given->efficiency > 0 && isfinite(given->efficiency))) {
        return isocast_api_refuse(diagnostics, NULL, "efficiency is not a number above 0");
    }
    return ISOCAST_OK;
}

static isocast_status check_size(const isocast_size *size, double value,
                                 isocast_diagnostics *diagnostics) {
    if (value >= size->min && value <= size->max) {
        return ISOCAST_OK;
    }
    isocast_diagnostics_add_file(diagnostics, ISOCAST_ERROR, label, NULL,
                                 "%s = %.10g is outside its range, %.10g to %.10g", size->name,
                                 value, size->min, size->max);
    return ISOCAST_ARGUMENT;
}

static isocast_status check_sizes(const isocast_algorithm *algorithm, const isocast_request *given,
                                  isocast_diagnostics *diagnostics) {
    if (algorithm->size_count > 1 && given->other_sizes == NULL) {
        isocast_diagnostics_add_file(
            diagnostics, ISOCAST_ERROR, label, "give the further sizes in other_sizes",
            "algorithm '%s' has %zu size parameters", algorithm->name, algorithm->size_count);
        return ISOCAST_ARGUMENT;
    }
    isocast_status status = ISOCAST_OK;
    if (given->N != 0) {
        status = check_size(&algorithm->sizes[0], given->N, diagnostics);
    }
    for (size_t i = 1; i < algorithm->size_count; i++) {
        isocast_status one =
            check_size(&algorithm->sizes[i], given->other_sizes[i - 1], diagnostics);
        status = one != ISOCAST_OK ? one : status;
    }
    return status;
}

isocast_status isocast_api_take_members(const isocast_api_members *members, const void *given,
                                        isocast_diagnostics *diagnostics, void *out) {
    size_t size = *(const size_t *)given;
    if (size < members->first_version) {
        return isocast_api_refuse(diagnostics, members->start, "size is not the size of a request");
    }
    const char *bytes = given;
    for (size_t i = members->known; i < size; i++) {
        if (bytes[i] != 0) {
            return isocast_api_refuse(
                diagnostics, "use a newer library",
                "a member is given that this version of the library does not know");
        }
    }
    memcpy(out, given, size < members->known ? size : members->known);
    return ISOCAST_OK;
}

/* Sets what counts as the size of the systems, and of the base. */
static isocast_status apply_measure(const isocast_machine *machine, isocast_system_measure measure,
                                    isocast_diagnostics *diagnostics, isocast_api_request *out) {
    if (measure != ISOCAST_SIZE_BY_SUM && measure != ISOCAST_SIZE_BY_REFERENCE) {
        return isocast_api_refuse(diagnostics, "take one of isocast_system_measure",
                                  "the measure is none");
    }
    if (measure == ISOCAST_SIZE_BY_REFERENCE && machine->reference.count == 0) {
        return isocast_api_refuse(
            diagnostics, "add the key 'reference' to the machine file",
            "the size by reference needs R_f, which the machine does not give");
    }
    for (size_t i = 0; i < out->request.system_count; i++) {
        isocast_system_size_by(out->systems[i], measure);
    }
    if (out->base != NULL) {
        isocast_system_size_by(out->base, measure);
    }
    return ISOCAST_OK;
}

isocast_status isocast_api_request_read(const isocast_model *model, const isocast_request *given,
                                        isocast_diagnostics *diagnostics,
                                        isocast_api_request *out) {
    static const isocast_api_members members = {offsetof(isocast_request, metric),
                                                sizeof(isocast_request),
                                                "start from ISOCAST_REQUEST_INIT"};
    isocast_request whole = ISOCAST_REQUEST_INIT;
    const isocast_machine *machine = isocast_model_machine(model);
    const char *program = isocast_model_algorithm(model)->kernel;
    isocast_status status = isocast_api_take_members(&members, given, diagnostics, &whole);
    if (status != ISOCAST_OK) {
        return status;
    }
    status = check_combination(&whole, diagnostics);
    if (status == ISOCAST_OK) {
        status = check_sizes(isocast_model_algorithm(model), &whole, diagnostics);
    }
    if (status == ISOCAST_OK && whole.base != NULL) {
        status =
            isocast_api_read_system(machine, program, "base", whole.base, diagnostics, &out->base);
    }
    if (status == ISOCAST_OK) {
        status = isocast_systems_parse(machine, program, "systems", whole.systems, diagnostics,
                                       &out->systems, &out->request.system_count);
    }
    if (status == ISOCAST_OK) {
        status = apply_measure(machine, whole.measure, diagnostics, out);
    }
    out->request.base = out->base;
    out->request.systems = (const isocast_system *const *)out->systems;
    out->request.N = whole.N != 0 ? whole.N : NAN;
    out->request.efficiency = whole.efficiency != 0 ? whole.efficiency : NAN;
    out->request.other_sizes = whole.other_sizes;
    out->request.metric = whole.metric;
    out->request.level = whole.level;
    return status;
}

void isocast_api_request_free(isocast_api_request *request) {
    isocast_system_free(request->base);
    isocast_systems_free(request->systems, request->request.system_count);
}

isocast_status isocast_api_ask(const isocast_model *model, const isocast_request *request,
                               isocast_diagnostics *diagnostics, const void *out,
                               isocast_api_question *question) {
    question->read = (isocast_api_request){0};
    isocast_api_enter(&question->call, diagnostics);
    return model == NULL || request == NULL || out == NULL
               ? ISOCAST_ARGUMENT
               : isocast_api_request_read(model, request, question->call.diagnostics,
                                          &question->read);
}

isocast_status isocast_api_answer(isocast_api_question *question, isocast_status status) {
    isocast_api_request_free(&question->read);
    return isocast_api_leave(&question->call, status);
}
