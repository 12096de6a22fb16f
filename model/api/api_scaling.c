#include <isocast/scaling.h>
#include <math.h>

#include "api.h"
#include "api_request.h"
#include "model/solve/scaling_line.h"

static isocast_status check_line(const isocast_model *model, const isocast_line_request *given,
                                 isocast_diagnostics *diagnostics) {
    bool of_memory = given->line == ISOCAST_LINE_MEMORY;
    bool has_base = given->base != NULL && given->N != 0;
    if ((unsigned)given->line > ISOCAST_LINE_TIME) {
        return isocast_api_refuse(diagnostics, "take one of isocast_line", "the line is none");
    }
    if (given->level != 0 && !(given->level > 0 && isfinite(given->level))) {
        return isocast_api_refuse(diagnostics, NULL, "level is not a number above 0");
    }
    if (!of_memory && given->level == 0 && !has_base) {
        return isocast_api_refuse(diagnostics, "give level, or base and N",
                                  "the request does not say what is held constant");
    }
    if ((of_memory || given->line == ISOCAST_LINE_MEMORY_PER_PROCESS) &&
        isocast_model_algorithm(model)->memory == NULL) {
        return isocast_api_refuse(diagnostics, "add the key 'memory' to the algorithm",
                                  "the line holds memory, and the algorithm does not say its own");
    }
    return ISOCAST_OK;
}

/* The texts and sizes are read as those of a prediction at N. */
static isocast_status read_line(const isocast_model *model, const isocast_line_request *given,
                                isocast_diagnostics *diagnostics, isocast_api_request *read) {
    const isocast_size *size = &isocast_model_algorithm(model)->sizes[0];
    isocast_request alike = ISOCAST_REQUEST_INIT;
    bool of_size = given->line == ISOCAST_LINE_SIZE && given->level != 0;
    alike.systems = given->systems;
    alike.base = given->base;
    alike.N = given->N != 0 ? given->N : of_size ? given->level : size->min;
    alike.other_sizes = given->other_sizes;
    return isocast_api_request_read(model, &alike, diagnostics, read);
}

isocast_status isocast_model_scale(const isocast_model *model, const isocast_line_request *request,
                                   isocast_diagnostics *diagnostics, isocast_scaling **out) {
    if (model == NULL || request == NULL || out == NULL) {
        return ISOCAST_ARGUMENT;
    }
    isocast_api_question question = {.read = {.base = NULL}};
    isocast_api_enter(&question.call, diagnostics);
    static const isocast_api_members members = {sizeof(isocast_line_request),
                                                sizeof(isocast_line_request),
                                                "start from ISOCAST_LINE_REQUEST_INIT"};
    isocast_line_request given;
    isocast_status status =
        isocast_api_take_members(&members, request, question.call.diagnostics, &given);
    if (status == ISOCAST_OK) {
        status = check_line(model, &given, question.call.diagnostics);
    }
    if (status == ISOCAST_OK) {
        status = read_line(model, &given, question.call.diagnostics, &question.read);
    }
    if (status == ISOCAST_OK) {
        const isocast_scaling_request line = {.line = given.line,
                                              .level = given.level != 0 ? given.level : NAN,
                                              .base = question.read.request.base,
                                              .N = given.N != 0 ? given.N : NAN,
                                              .other_sizes = given.other_sizes,
                                              .systems = question.read.request.systems,
                                              .system_count = question.read.request.system_count};
        status = isocast_scale(model, &line, out);
    }
    return isocast_api_answer(&question, status);
}

size_t isocast_scaling_row_count(const isocast_scaling *scaling) {
    return scaling->row_count;
}

/* A row or the base; NULL for one that is not there. */
static const isocast_scaling_row *row_at(const isocast_scaling *scaling, size_t row) {
    if (row == ISOCAST_INDEX_BASE) {
        return scaling->has_base ? &scaling->base : NULL;
    }
    return row < scaling->row_count ? &scaling->rows[row] : NULL;
}

const char *isocast_scaling_system(const isocast_scaling *scaling, size_t row) {
    const isocast_scaling_row *r = row_at(scaling, row);
    return r != NULL ? r->system : NULL;
}

isocast_row_status isocast_scaling_status(const isocast_scaling *scaling, size_t row) {
    const isocast_scaling_row *r = row_at(scaling, row);
    return r != NULL ? r->status : ISOCAST_ROW_NOT_CONVERGED;
}

const char *isocast_scaling_note(const isocast_scaling *scaling, size_t row) {
    const isocast_scaling_row *r = row_at(scaling, row);
    return r != NULL ? r->note : NULL;
}

#define ROW(member) ISOCAST_API_PLACE(isocast_scaling_row, member)
#define POINT(member) ISOCAST_API_PLACE(isocast_prediction_row, member)

double isocast_scaling_number(const isocast_scaling *scaling, size_t row,
                              isocast_scaling_quantity quantity) {
    enum { COUNT = ISOCAST_SCALING_COST + 1 };
    static const size_t of_row[COUNT] = {[ISOCAST_SCALING_P] = ROW(p),
                                         [ISOCAST_SCALING_C] = ROW(C),
                                         [ISOCAST_SCALING_N] = ROW(N),
                                         [ISOCAST_SCALING_T_ALONE] = ROW(T_alone),
                                         [ISOCAST_SCALING_SPEEDUP] = ROW(speedup),
                                         [ISOCAST_SCALING_EFFICIENCY] = ROW(efficiency),
                                         [ISOCAST_SCALING_SCALED_SPEEDUP] = ROW(scaled_speedup),
                                         [ISOCAST_SCALING_SERIAL_FRACTION] = ROW(serial_fraction),
                                         [ISOCAST_SCALING_OVERHEAD] = ROW(overhead),
                                         [ISOCAST_SCALING_COST] = ROW(cost)};
    static const size_t of_point[COUNT] = {[ISOCAST_SCALING_W] = POINT(W),
                                           [ISOCAST_SCALING_T] = POINT(T),
                                           [ISOCAST_SCALING_E] = POINT(E),
                                           [ISOCAST_SCALING_MEMORY] = POINT(memory)};
    const isocast_scaling_row *r = row_at(scaling, row);
    bool at_point = (unsigned)quantity < COUNT && of_point[quantity] != 0;
    return at_point && r != NULL
               ? isocast_api_number(isocast_scaling_point(r), of_point, COUNT, quantity)
               : isocast_api_number(r, of_row, COUNT, quantity);
}

double isocast_scaling_level(const isocast_scaling *scaling) {
    return scaling->level;
}
