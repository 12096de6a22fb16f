#include "concurrency.h"

#include <math.h>

/* Whole processes are told apart from the rounding of a formula by this share. */
static const double rounding = 1e-9;

/* A concurrency that depends on p is asked again with the processes that are left, so many times.
 */
enum { ROUNDS_MAX = 64 };

bool isocast_concurrency_is_short(double concurrency, double p) {
    return concurrency < p * (1 - rounding);
}

isocast_status isocast_concurrency_least_N(const isocast_model *model, const isocast_system *system,
                                           const double *other_sizes, double least,
                                           isocast_effort *effort, isocast_boundary *out) {
    isocast_curve *curve;
    isocast_status status =
        isocast_curve_create(model, system, other_sizes, ISOCAST_CURVE_CONCURRENCY, effort, &curve);
    if (status != ISOCAST_OK) {
        return status;
    }
    double low;
    double high;
    isocast_boundary found;
    isocast_curve_range(curve, &low, &high);
    status = isocast_boundary_find(curve, ISOCAST_BOUNDARY_FIRST_AT_LEAST, system->p,
                                   fmax(low, least), high, &found);
    if (status == ISOCAST_OK && !isnan(found.N)) {
        status = isocast_boundary_round(curve, system->p, &found.N);
    }
    isocast_curve_free(curve);
    if (status == ISOCAST_OK) {
        *out = found;
    }
    return status;
}

/* Processes fill a node before the next one begins, as they do in the whole. */
static void take_part(const isocast_system *whole, double p, isocast_working_part *part) {
    part->system = *whole;
    for (size_t row = 0; row < ISOCAST_CLASS_ROWS; row++) {
        part->rows[row] = whole->table.rows[row][0];
        part->system.table.rows[row] = &part->rows[row];
    }
    part->rows[ISOCAST_CLASS_PROCESSES] = p;
    part->system.rows = part->rows;
    part->system.p = p;
    part->system.C = p * part->rows[ISOCAST_CLASS_MARKED_SPEED];
    part->system.nodes = fmin(whole->nodes, ceil(p / whole->p_node));
    part->system.p_node = fmin(whole->p_node, p);
}

static isocast_status concurrency_of(const isocast_model *model, const isocast_system *system,
                                     const double *other_sizes, double N, isocast_effort *effort,
                                     double *concurrency) {
    isocast_model_points points = {
        .count = 1, .N = &N, .other_sizes = other_sizes, .systems = &system, .effort = effort};
    isocast_model_results results = {.concurrency = concurrency};
    return isocast_model_evaluate(model, &points, &results);
}

isocast_status isocast_concurrency_working_part(const isocast_model *model,
                                                const isocast_system *system,
                                                const double *other_sizes, double N,
                                                isocast_effort *effort, isocast_working_part *out,
                                                double *p) {
    isocast_working_part part;
    take_part(system, system->p, &part);
    for (size_t round = 0; round < ROUNDS_MAX && part.system.p >= 1; round++) {
        double concurrency = NAN;
        isocast_status status =
            concurrency_of(model, &part.system, other_sizes, N, effort, &concurrency);
        if (status != ISOCAST_OK) {
            return status;
        }
        if (!isocast_concurrency_is_short(concurrency, part.system.p)) {
            *out = part;
            for (size_t row = 0; row < ISOCAST_CLASS_ROWS; row++) {
                out->system.table.rows[row] = &out->rows[row];
            }
            out->system.rows = out->rows;
            *p = part.system.p;
            return ISOCAST_OK;
        }
        take_part(system, fmin(floor(concurrency * (1 + rounding)), part.system.p - 1), &part);
    }
    *p = 0;
    return ISOCAST_OK;
}
