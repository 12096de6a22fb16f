#include "prediction_psi.h"

#include <math.h>
#include <stdlib.h>

#include "concurrency.h"
#include "displaced.h"
#include "row_draws.h"

/* A row with how it came about. */
typedef struct isocast_interval_row {
    isocast_interval_request request;
    isocast_prediction_row *row; /* its moves may get draws */
} isocast_interval_row;

enum { DRAWS = ISOCAST_UNCERTAINTY_DRAWS };

/* ln N of a row is closed in on to this share of the reach of ln psi: N of both rows may move much
 * farther than psi. Draws, whose errors average out, are so at most to this share of N's own reach.
 */
static const double root_tolerance = 2e-3;
static const double draw_tolerance = 3e-4;

/* ln of what psi is read off with a draw: as it was drawn, or to first order. */
static double drawn_read(const isocast_row_moves *moves, const double *errors, size_t n, size_t d) {
    return moves->draws != NULL
               ? moves->draws[DRAWS + d]
               : moves->ln_read + isocast_displaced_change(moves->of_read, errors + d * n, n);
}

static isocast_status psi_by_draws(const isocast_interval_row *from, const isocast_interval_row *to,
                                   double psi, double *low, double *high) {
    isocast_uncertainty *uncertainty = from->request.uncertainty;
    size_t n = isocast_uncertainty_count(from->request.uncertainty);
    const isocast_row_moves *before = &from->row->moves;
    const isocast_row_moves *after = &to->row->moves;
    const double *errors;
    const double *normal;
    isocast_status status = isocast_uncertainty_draw(uncertainty, &errors, &normal);
    double *draws = malloc(2 * (size_t)DRAWS * sizeof *draws);
    status = draws == NULL ? ISOCAST_NO_MEMORY : status;
    double at_values = before->ln_read - after->ln_read;
    for (size_t d = 0; d < DRAWS && status == ISOCAST_OK; d++) {
        draws[d] = log(psi) - at_values + drawn_read(before, errors, n, d) -
                   drawn_read(after, errors, n, d);
    }
    if (status == ISOCAST_OK) {
        isocast_displaced_interval(uncertainty, draws, draws + DRAWS, low, high);
    }
    free(draws);
    return status == ISOCAST_NUMERIC ? ISOCAST_OK : status;
}

/* What psi really changes by, ln, one reach of the errors in its own direction to either side. */
static isocast_status find_ends_of_psi(const isocast_interval_row *from,
                                       const isocast_interval_row *to, const double *direction,
                                       double z, double tolerance, double *ends) {
    size_t n = isocast_uncertainty_count(from->request.uncertainty);
    double *errors = calloc(n + 1, sizeof *errors);
    isocast_status status = errors == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    for (int side = 0; side < 2 && status == ISOCAST_OK; side++) {
        double before = NAN;
        double after = NAN;
        for (size_t i = 0; i < n; i++) {
            errors[i] = (side == 0 ? -z : z) * direction[i];
        }
        status = isocast_row_draws_read(&from->request, from->row, errors, tolerance, &before);
        if (status == ISOCAST_OK) {
            status = isocast_row_draws_read(&to->request, to->row, errors, tolerance, &after);
        }
        if (status == ISOCAST_OK) {
            ends[side] = before - after - (from->row->moves.ln_read - to->row->moves.ln_read);
        }
    }
    free(errors);
    return status;
}

/* Draws for a row that was solved for and has none, as far as there are roots. Its ln N may be off
 * by `tolerance`. */
static isocast_status draw_row(const isocast_interval_row *r, double tolerance) {
    isocast_row_moves *moves = &r->row->moves;
    if (moves->draws != NULL || isnan(moves->held_by_N)) {
        return ISOCAST_OK;
    }
    if (moves->too_few != NULL) {
        moves->draws = moves->too_few;
        moves->too_few = NULL;
        return ISOCAST_OK;
    }
    double reach = log(r->row->N_high / r->row->N_low) / 2;
    double *draws = malloc(2 * (size_t)DRAWS * sizeof *draws);
    if (draws == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    isocast_status status =
        isocast_row_draws_find(&r->request, r->row, moves->held_by_N, reach,
                               fmax(tolerance, draw_tolerance * reach), draws, draws + DRAWS);
    if (status == ISOCAST_OK) {
        moves->draws = draws;
    } else {
        free(draws);
    }
    return status == ISOCAST_NUMERIC ? ISOCAST_OK : status;
}

/* To first order; *curved says whether that is too rough and draws can be afforded, and *tolerance
 * what ln N of both may be off by then. */
static isocast_status psi_to_first_order(const isocast_interval_row *from,
                                         const isocast_interval_row *to, double psi, double *low,
                                         double *high, double *tolerance, bool *curved) {
    const isocast_uncertainty *u = from->request.uncertainty;
    size_t n = isocast_uncertainty_count(from->request.uncertainty);
    double *difference = calloc(2 * n + 1, sizeof *difference);
    if (difference == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        difference[i] = from->row->moves.of_read[i] - to->row->moves.of_read[i];
    }
    double *direction = difference + n;
    double z = isocast_uncertainty_reach(u);
    double reach = z * sqrt(isocast_uncertainty_variance(u, difference, direction));
    isocast_status status = ISOCAST_OK;
    *curved = false;
    *tolerance = root_tolerance * fmax(reach, ISOCAST_REACH_SEEN);
    if (isfinite(reach)) {
        *low = psi * exp(-reach);
        *high = psi * exp(reach);
    }
    if (isfinite(reach) && reach > ISOCAST_REACH_SEEN) {
        double ends[2];
        double left = to->request.effort->left;
        status = find_ends_of_psi(from, to, direction, z, *tolerance, ends);
        *curved =
            status == ISOCAST_OK && isocast_displaced_is_curved(ends, reach) &&
            isocast_row_draws_are_affordable(&to->request, left - to->request.effort->left, 2);
    }
    free(difference);
    return status;
}

/* The interval of psi from a row to another, where both have moves; else NAN. `psi` is its value.
 * As with N, first order is tested at both ends, and draws are taken where it is too rough. Errors:
 * NO_MEMORY. */
static isocast_status interval_of_psi(const isocast_interval_row *from,
                                      const isocast_interval_row *to, double psi, double *low,
                                      double *high) {
    *low = *high = NAN;
    const isocast_row_moves *before = &from->row->moves;
    const isocast_row_moves *after = &to->row->moves;
    if (from->request.uncertainty == NULL || before->of_read == NULL || after->of_read == NULL ||
        !isfinite(psi)) {
        return ISOCAST_OK;
    }
    bool curved = false;
    double tolerance;
    isocast_status status = psi_to_first_order(from, to, psi, low, high, &tolerance, &curved);
    if (before->draws != NULL || after->draws != NULL) {
        /* Draws say more, but there may be none of psi. */
        *low = curved ? NAN : *low;
        *high = curved ? NAN : *high;
        curved = true;
    }
    if (status == ISOCAST_OK && curved) {
        status = draw_row(from, tolerance);
        status = status == ISOCAST_OK ? draw_row(to, tolerance) : status;
    }
    return status == ISOCAST_OK && curved ? psi_by_draws(from, to, psi, low, high) : status;
}

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
    return interval_of_psi(from, to, *psi, low, high);
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
    return interval_of_psi(&a, &b, psi, low, high);
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
            double work = row->W / before.row->W;
            row->psi_energy = work * before.row->energy / row->energy;
            row->psi_cost = work * before.row->cost / row->cost;
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
