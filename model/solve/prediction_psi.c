#include "prediction_psi.h"

#include <math.h>

#include "concurrency.h"
#include "psi_interval.h"

double isocast_psi(double C, double W, double C_to, double W_to) {
    return C_to * W / (C * W_to);
}

isocast_metric_point isocast_row_point(const isocast_prediction_row *row) {
    return (isocast_metric_point){
        .C = row->size, .R_f = row->R_f, .W = row->W, .T = row->T, .T_alone = row->T_alone};
}

bool isocast_row_is_beyond_concurrency(const isocast_prediction_row *row) {
    return isocast_concurrency_is_short(row->concurrency, row->p_working);
}

isocast_interval_request isocast_prediction_interval(const isocast_prediction *prediction,
                                                     const isocast_prediction_request *request,
                                                     const isocast_system *system,
                                                     isocast_effort *effort, bool solved) {
    return (isocast_interval_request){.model = prediction->model,
                                      .metric = prediction->metric,
                                      .uncertainty = prediction->uncertainty,
                                      .system = system,
                                      .base = solved ? request->base : NULL,
                                      .base_row =
                                          solved && prediction->has_base ? &prediction->base : NULL,
                                      .other_sizes = request->other_sizes,
                                      .effort = effort,
                                      .times = prediction->times,
                                      .drawn = prediction->drawn};
}

double isocast_prediction_psi(const isocast_prediction *prediction,
                              const isocast_prediction_row *from,
                              const isocast_prediction_row *to) {
    isocast_metric_point a = isocast_row_point(from);
    isocast_metric_point b = isocast_row_point(to);
    return isocast_row_is_beyond_concurrency(from) || isocast_row_is_beyond_concurrency(to)
               ? NAN
               : isocast_metric_psi(prediction->metric, &a, &b);
}

/* psi from a row to another, with its interval. */
static isocast_status relate(const isocast_prediction *prediction, const isocast_interval_row *from,
                             const isocast_interval_row *to, double *psi, double *low,
                             double *high) {
    *psi = isocast_prediction_psi(prediction, from->row, to->row);
    return isocast_interval_of_psi(from, to, *psi, low, high);
}

static isocast_interval_row interval_row(const isocast_prediction *prediction,
                                         const isocast_prediction_request *request,
                                         isocast_prediction_place at, isocast_effort *effort) {
    bool solved = at.row != &prediction->base;
    return (isocast_interval_row){
        isocast_prediction_interval(prediction, request, at.system, effort, solved), at.row};
}

isocast_status isocast_prediction_psi_interval(isocast_prediction *prediction,
                                               const isocast_prediction_request *request,
                                               isocast_prediction_place from,
                                               isocast_prediction_place to, isocast_effort *effort,
                                               double *low, double *high) {
    isocast_interval_row a = interval_row(prediction, request, from, effort);
    isocast_interval_row b = interval_row(prediction, request, to, effort);
    double psi = isocast_effort_is_spent(effort)
                     ? NAN
                     : isocast_prediction_psi(prediction, from.row, to.row);
    return isocast_interval_of_psi(&a, &b, psi, low, high);
}

isocast_status isocast_prediction_relate_rows(isocast_prediction *prediction,
                                              const isocast_prediction_request *request,
                                              isocast_effort *effort) {
    isocast_interval_row base = {
        isocast_prediction_interval(prediction, request, request->base, effort, false),
        prediction->has_base ? &prediction->base : NULL};
    isocast_interval_row before = base;
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < prediction->row_count && status == ISOCAST_OK; i++) {
        isocast_prediction_row *row = &prediction->rows[i];
        isocast_interval_row own = {
            isocast_prediction_interval(prediction, request, request->systems[i], effort, true),
            row};
        if (before.row != NULL) {
            status = relate(prediction, &before, &own, &row->psi, &row->psi_low, &row->psi_high);
        }
        if (base.row != NULL && status == ISOCAST_OK) {
            status = relate(prediction, &base, &own, &row->psi_from_base, &row->psi_from_base_low,
                            &row->psi_from_base_high);
        }
        before = own;
        base = base.row == NULL ? own : base;
    }
    return status;
}
