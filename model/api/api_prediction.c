#include <isocast/prediction.h>
#include <math.h>

#include "api.h"
#include "api_request.h"
#include "api_systems.h"

isocast_status isocast_model_bind(const isocast_algorithm *algorithm,
                                  const isocast_machine *machine, isocast_diagnostics *diagnostics,
                                  isocast_model **out) {
    if (algorithm == NULL || machine == NULL || out == NULL) {
        return ISOCAST_ARGUMENT;
    }
    isocast_api_call call;
    isocast_api_enter(&call, diagnostics);
    return isocast_api_leave(&call,
                             isocast_model_create(algorithm, machine, call.diagnostics, out));
}

isocast_status isocast_model_describe_system(const isocast_model *model, const char *system,
                                             isocast_diagnostics *diagnostics, double *processes,
                                             double *marked_speed) {
    if (model == NULL || system == NULL) {
        return ISOCAST_ARGUMENT;
    }
    return isocast_api_describe_system(isocast_model_machine(model),
                                       isocast_model_algorithm(model)->kernel, system, diagnostics,
                                       processes, marked_speed);
}

isocast_status isocast_model_predict(const isocast_model *model, const isocast_request *request,
                                     isocast_diagnostics *diagnostics, isocast_prediction **out) {
    isocast_api_question question;
    isocast_status status = isocast_api_ask(model, request, diagnostics, out, &question);
    if (status == ISOCAST_OK) {
        status = isocast_predict(model, &question.read.request, out);
    }
    return isocast_api_answer(&question, status);
}

size_t isocast_prediction_row_count(const isocast_prediction *prediction) {
    return prediction->row_count;
}

/* A row or the base; NULL for one that is not there. */
static const isocast_prediction_row *row_at(const isocast_prediction *prediction, size_t row) {
    if (row == ISOCAST_INDEX_BASE) {
        return prediction->has_base ? &prediction->base : NULL;
    }
    return row < prediction->row_count ? &prediction->rows[row] : NULL;
}

const char *isocast_prediction_system(const isocast_prediction *prediction, size_t row) {
    const isocast_prediction_row *r = row_at(prediction, row);
    return r != NULL ? r->system : NULL;
}

isocast_row_status isocast_prediction_status(const isocast_prediction *prediction, size_t row) {
    const isocast_prediction_row *r = row_at(prediction, row);
    return r != NULL ? r->status : ISOCAST_ROW_NOT_CONVERGED;
}

const char *isocast_prediction_note(const isocast_prediction *prediction, size_t row) {
    const isocast_prediction_row *r = row_at(prediction, row);
    return r != NULL ? r->note : NULL;
}

double isocast_prediction_number(const isocast_prediction *prediction, size_t row,
                                 isocast_quantity quantity) {
    const isocast_prediction_row *r = row_at(prediction, row);
    if (r == NULL) {
        return NAN;
    }
    switch (quantity) {
    case ISOCAST_QUANTITY_P:
        return r->p;
    case ISOCAST_QUANTITY_C:
        return r->C;
    case ISOCAST_QUANTITY_N:
        return r->N;
    case ISOCAST_QUANTITY_N_LOW:
        return r->N_low;
    case ISOCAST_QUANTITY_N_HIGH:
        return r->N_high;
    case ISOCAST_QUANTITY_W:
        return r->W;
    case ISOCAST_QUANTITY_T:
        return r->T;
    case ISOCAST_QUANTITY_T_C:
        return r->T_c;
    case ISOCAST_QUANTITY_T_O:
        return r->T_o;
    case ISOCAST_QUANTITY_E:
        return r->E;
    case ISOCAST_QUANTITY_S:
        return r->S;
    case ISOCAST_QUANTITY_SPEEDUP:
        return r->speedup;
    case ISOCAST_QUANTITY_PSI:
        return r->psi;
    case ISOCAST_QUANTITY_PSI_FROM_BASE:
        return r->psi_from_base;
    case ISOCAST_QUANTITY_MEMORY:
        return r->memory;
    case ISOCAST_QUANTITY_MEMORY_LIMIT:
        return r->memory_limit;
    case ISOCAST_QUANTITY_CONCURRENCY:
        return r->concurrency;
    case ISOCAST_QUANTITY_R_F:
        return r->R_f;
    case ISOCAST_QUANTITY_T_ALONE:
        return r->T_alone;
    case ISOCAST_QUANTITY_HELD:
        return r->held;
    case ISOCAST_QUANTITY_LATENCY:
        return r->latency;
    case ISOCAST_QUANTITY_T_LOW:
        return r->T_low;
    case ISOCAST_QUANTITY_T_HIGH:
        return r->T_high;
    case ISOCAST_QUANTITY_E_LOW:
        return r->E_low;
    case ISOCAST_QUANTITY_E_HIGH:
        return r->E_high;
    case ISOCAST_QUANTITY_PSI_LOW:
        return r->psi_low;
    case ISOCAST_QUANTITY_PSI_HIGH:
        return r->psi_high;
    case ISOCAST_QUANTITY_PSI_FROM_BASE_LOW:
        return r->psi_from_base_low;
    case ISOCAST_QUANTITY_PSI_FROM_BASE_HIGH:
        return r->psi_from_base_high;
    case ISOCAST_QUANTITY_CONDITION:
        return r->condition;
    }
    return NAN;
}

size_t isocast_prediction_root_count(const isocast_prediction *prediction, size_t row) {
    const isocast_prediction_row *r = row_at(prediction, row);
    return r != NULL ? r->solution.root_count : 0;
}

double isocast_prediction_root(const isocast_prediction *prediction, size_t row, size_t index) {
    return index < isocast_prediction_root_count(prediction, row)
               ? row_at(prediction, row)->solution.roots[index]
               : NAN;
}

size_t isocast_prediction_term_count(const isocast_prediction *prediction) {
    return prediction->term_count;
}

const char *isocast_prediction_term_name(const isocast_prediction *prediction, size_t term) {
    return term < prediction->term_count
               ? isocast_model_algorithm(prediction->model)->overhead[term].name
               : NULL;
}

double isocast_prediction_term(const isocast_prediction *prediction, size_t row, size_t term) {
    const isocast_prediction_row *r = row_at(prediction, row);
    return r != NULL && term < prediction->term_count ? r->terms[term] : NAN;
}

double isocast_prediction_target(const isocast_prediction *prediction) {
    return prediction->target;
}
