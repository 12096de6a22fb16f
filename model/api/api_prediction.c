#include <isocast/prediction.h>
#include <math.h>

#include "api.h"
#include "api_request.h"
#include "api_systems.h"
#include "model/solve/prediction_fields.h"

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

/* The fields that are reported under a number of their own. What the metric holds has several
 * names. */
static const char *const quantity_names[] = {
    [ISOCAST_QUANTITY_P] = "p",
    [ISOCAST_QUANTITY_C] = "C",
    [ISOCAST_QUANTITY_N] = "N",
    [ISOCAST_QUANTITY_N_LOW] = "N_low",
    [ISOCAST_QUANTITY_N_HIGH] = "N_high",
    [ISOCAST_QUANTITY_W] = "W",
    [ISOCAST_QUANTITY_T] = "T",
    [ISOCAST_QUANTITY_T_C] = "T_c",
    [ISOCAST_QUANTITY_T_O] = "T_o",
    [ISOCAST_QUANTITY_E] = "E",
    [ISOCAST_QUANTITY_S] = "S",
    [ISOCAST_QUANTITY_SPEEDUP] = "speedup",
    [ISOCAST_QUANTITY_PSI] = "psi",
    [ISOCAST_QUANTITY_PSI_FROM_BASE] = "psi_from_base",
    [ISOCAST_QUANTITY_MEMORY] = "memory",
    [ISOCAST_QUANTITY_MEMORY_LIMIT] = "memory_limit",
    [ISOCAST_QUANTITY_CONCURRENCY] = "concurrency",
    [ISOCAST_QUANTITY_R_F] = "R_f",
    [ISOCAST_QUANTITY_T_ALONE] = "T_alone",
    [ISOCAST_QUANTITY_HELD] = "average_speed",
    [ISOCAST_QUANTITY_LATENCY] = "L_e",
    [ISOCAST_QUANTITY_T_LOW] = "T_low",
    [ISOCAST_QUANTITY_T_HIGH] = "T_high",
    [ISOCAST_QUANTITY_E_LOW] = "E_low",
    [ISOCAST_QUANTITY_E_HIGH] = "E_high",
    [ISOCAST_QUANTITY_PSI_LOW] = "psi_low",
    [ISOCAST_QUANTITY_PSI_HIGH] = "psi_high",
    [ISOCAST_QUANTITY_PSI_FROM_BASE_LOW] = "psi_from_base_low",
    [ISOCAST_QUANTITY_PSI_FROM_BASE_HIGH] = "psi_from_base_high",
    [ISOCAST_QUANTITY_CONDITION] = "condition"};

static bool is_number(const isocast_field *field) {
    return field->kind == ISOCAST_FIELD_NUMBER || field->kind == ISOCAST_FIELD_COUNT ||
           field->kind == ISOCAST_FIELD_SHARE;
}

double isocast_prediction_value(const isocast_prediction *prediction, size_t row,
                                const char *name) {
    const isocast_at at = {.result = prediction, .row = row_at(prediction, row)};
    const isocast_field *field =
        name != NULL ? isocast_field_find(&isocast_prediction_rows, name) : NULL;
    return at.row != NULL && field != NULL && is_number(field) ? isocast_field_number(field, &at)
                                                               : (double)NAN;
}

double isocast_prediction_number(const isocast_prediction *prediction, size_t row,
                                 isocast_quantity quantity) {
    bool known = (unsigned)quantity < sizeof quantity_names / sizeof quantity_names[0];
    return known ? isocast_prediction_value(prediction, row, quantity_names[quantity])
                 : (double)NAN;
}

/* The i-th field that is a number; NULL: there is none. */
static const isocast_field *number_at(size_t index) {
    for (size_t i = 0; i < isocast_prediction_rows.count; i++) {
        const isocast_field *field = &isocast_prediction_rows.fields[i];
        if (is_number(field) && index-- == 0) {
            return field;
        }
    }
    return NULL;
}

const char *isocast_prediction_value_name(size_t index) {
    const isocast_field *field = number_at(index);
    return field != NULL ? field->name : NULL;
}

const char *isocast_prediction_value_unit(size_t index) {
    const isocast_field *field = number_at(index);
    return field == NULL ? NULL : field->unit != NULL ? field->unit : "1";
}

const char *isocast_prediction_value_meaning(size_t index) {
    const isocast_field *field = number_at(index);
    return field != NULL ? field->meaning : NULL;
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
