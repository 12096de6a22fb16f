#include "acceptance.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "mixes.h"
#include "model/base/array.h"
#include "model/solve/interval.h"
#include "model/solve/prediction.h"

/* Below it a hundredth of the variance of ln T on all nodes is common to the few. */
static const double least_correlation = 0.1;

/* A system with its prediction of one row, and how ln T moves there. Start from {0}. */
typedef struct side {
    isocast_system *system;
    isocast_prediction *prediction; /* NULL: there is none */
    double *gradient;               /* d ln T/d number, [number_count] */
    double noise;                   /* sd of ln T of runs besides */
} side;

static void side_free(side *s) {
    isocast_prediction_free(s->prediction);
    isocast_system_free(s->system);
    free(s->gradient);
}

/* At a size, or, where that is NAN, at the one that holds an efficiency. */
static isocast_status predict(const isocast_acceptance_question *q, const isocast_system *system,
                              double N, double efficiency, isocast_prediction **out) {
    const isocast_prediction_request request = {.N = N,
                                                .efficiency = efficiency,
                                                .other_sizes = q->other_sizes,
                                                .systems = &system,
                                                .system_count = 1,
                                                .numbers_only = isnan(N)};
    isocast_status status = isocast_predict(q->offer->model, &request, out);
    return status == ISOCAST_NO_MEMORY ? status : ISOCAST_OK;
}

/* The row, where T is known of all its processes; else NULL. */
static const isocast_prediction_row *row_of(const isocast_prediction *prediction) {
    const isocast_prediction_row *row = prediction != NULL ? &prediction->rows[0] : NULL;
    bool known = row != NULL && row->status == ISOCAST_ROW_OK && row->p_working >= row->p;
    return known && isfinite(row->T) ? row : NULL;
}

/* The share of the few that each class has; the largest remainders are rounded up. */
static void share_out(const isocast_acceptance_question *q, double all, double *out) {
    size_t classes = q->offer->priced->class_count;
    double left = q->few;
    for (size_t i = 0; i < classes; i++) {
        out[i] = floor(q->few * q->nodes[i] / all);
        left -= out[i];
    }
    for (; left > 0.5; left--) {
        size_t most = 0;
        for (size_t i = 1; i < classes; i++) {
            double rest = q->few * q->nodes[i] / all - out[i];
            most = rest > q->few * q->nodes[most] / all - out[most] ? i : most;
        }
        out[most]++;
    }
}

/* The whole size at which the few have the E of all, so that messages take the same share of T; the
 * size on all where there is none. */
static isocast_status find_size(const isocast_acceptance_question *q, const isocast_system *system,
                                double efficiency, double *N) {
    isocast_prediction *prediction = NULL;
    isocast_status status = predict(q, system, NAN, efficiency, &prediction);
    *N = q->N;
    if (prediction != NULL) {
        const isocast_prediction_row *row = &prediction->rows[0];
        double valid = isocast_valid_nearer(row->valid_N, row->N);
        double least = isocast_model_algorithm(q->offer->model)->sizes[0].min;
        bool found = row->status == ISOCAST_ROW_OK || row->status == ISOCAST_ROW_SEVERAL;
        *N = found ? fmax(isnan(valid) ? round(row->N) : valid, least) : *N;
    }
    isocast_prediction_free(prediction);
    return status;
}

static isocast_status find_moves(const isocast_acceptance_question *q, isocast_uncertainty *u,
                                 side *s) {
    isocast_effort effort = isocast_effort_of(1);
    const isocast_interval_request request = {.model = q->offer->model,
                                              .metric = ISOCAST_METRIC_ISOSPEED_E,
                                              .uncertainty = u,
                                              .system = s->system,
                                              .other_sizes = q->other_sizes,
                                              .effort = &effort};
    s->gradient = calloc(isocast_uncertainty_count(u) + 1, sizeof *s->gradient);
    return s->gradient == NULL ? ISOCAST_NO_MEMORY
                               : isocast_interval_time_moves(&request, s->prediction->rows[0].N,
                                                             s->gradient, &s->noise);
}

/* What must be shown, by the conditional distribution. */
static isocast_status find_limits(const side *few, const side *all, isocast_uncertainty *u,
                                  isocast_acceptance *out) {
    size_t n = isocast_uncertainty_count(u);
    double *direction = calloc(n + 1, sizeof *direction);
    if (direction == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    double common = isocast_uncertainty_variance(u, few->gradient, direction);
    double v = common + few->noise * few->noise;
    double w = isocast_uncertainty_variance(u, all->gradient, NULL) + all->noise * all->noise;
    double c = sqrt(common) * isocast_displaced_change(all->gradient, direction, n);
    free(direction);
    double T_all = all->prediction->rows[0].T;
    double T_high = all->prediction->rows[0].T_high;
    if (isnan(out->promised)) {
        out->promised = T_high > 0 ? T_high : T_all * exp(isocast_uncertainty_reach(u) * sqrt(w));
    }
    out->correlation = v > 0 && w > 0 ? c / sqrt(v * w) : NAN;
    if (!(out->correlation >= least_correlation)) {
        out->status = ISOCAST_ACCEPTANCE_APART;
        return ISOCAST_OK;
    }
    double rest = sqrt(fmax(w - c * c / v, 0));
    double room =
        log(out->promised / T_all) - gsl_cdf_ugaussian_Pinv(ISOCAST_ACCEPTANCE_LEVEL) * rest;
    double reach = room * v / c; /* ln of T to be shown over T predicted */
    out->T_most = out->T * exp(reach);
    out->E_least = out->E * exp(-reach);
    out->passes = gsl_cdf_ugaussian_P(reach / sqrt(v));
    return ISOCAST_OK;
}

static isocast_status ask(const isocast_acceptance_question *q, side *few, side *all,
                          isocast_acceptance *out) {
    double nodes[ISOCAST_OFFER_CLASSES_MAX] = {0};
    share_out(q, out->all_nodes, nodes);
    isocast_status status = isocast_mix_system(q->offer, q->nodes, &all->system);
    if (status == ISOCAST_OK) {
        status = isocast_mix_system(q->offer, nodes, &few->system);
    }
    if (status == ISOCAST_OK) {
        status = predict(q, all->system, q->N, NAN, &all->prediction);
    }
    const isocast_prediction_row *whole = row_of(all->prediction);
    if (status != ISOCAST_OK || whole == NULL) {
        return status == ISOCAST_INVALID ? ISOCAST_OK : status; /* more processes than allowed */
    }
    status = find_size(q, few->system, whole->E, &out->N);
    if (status == ISOCAST_OK) {
        status = predict(q, few->system, out->N, NAN, &few->prediction);
    }
    const isocast_prediction_row *row = row_of(few->prediction);
    if (status != ISOCAST_OK || row == NULL) {
        return status;
    }
    out->p = row->p;
    out->T = row->T;
    out->E = row->E;
    isocast_uncertainty *u = all->prediction->uncertainty;
    out->status = u == NULL ? ISOCAST_ACCEPTANCE_NO_ERRORS : ISOCAST_ACCEPTANCE_OK;
    status = u == NULL ? status : find_moves(q, u, few);
    if (u == NULL || status != ISOCAST_OK) {
        return status;
    }
    status = find_moves(q, u, all);
    return status == ISOCAST_OK ? find_limits(few, all, u, out) : status;
}

isocast_status isocast_acceptances_add(isocast_acceptances *list,
                                       const isocast_acceptance_question *q) {
    double all = 0;
    for (size_t i = 0; i < q->offer->priced->class_count; i++) {
        all += q->nodes[i];
    }
    if (!(q->few < all)) {
        return ISOCAST_OK;
    }
    isocast_acceptance one = {.offer = q->offer->name,
                              .application = q->application,
                              .nodes = q->few,
                              .p = NAN,
                              .N = NAN,
                              .T = NAN,
                              .E = NAN,
                              .T_most = NAN,
                              .E_least = NAN,
                              .passes = NAN,
                              .all_nodes = all,
                              .all_N = q->N,
                              .promised = q->promised,
                              .correlation = NAN,
                              .status = ISOCAST_ACCEPTANCE_NO_TIME};
    side few = {0};
    side whole = {0};
    isocast_status status = ask(q, &few, &whole, &one);
    side_free(&few);
    side_free(&whole);
    if (status == ISOCAST_OK && !ISOCAST_ARRAY_ADD(list->items, list->count, list->capacity, one)) {
        status = ISOCAST_NO_MEMORY;
    }
    return status;
}

void isocast_acceptances_free(isocast_acceptances *list) {
    free(list->items);
    *list = (isocast_acceptances){0};
}
