#include "solver.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_min.h>
#include <gsl/gsl_roots.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The condition is scanned in x = ln N on a coarse grid over the whole range, then again, finer,
 * wherever E comes near the target, so that a root is bracketed before it is solved for and a
 * double crossing is not stepped over. Peaks and dips that stay on one side of the target between
 * two points are followed to their extreme. */
enum {
    COARSE_POINTS = 161,
    FINE_PARTS = 16,
    FINE_MOST = 4096,     /* points that the fine grid may have */
    EXTREMA_MOST = 24,    /* peaks and dips followed */
    CROSSINGS_MOST = 256, /* sign changes looked at */
    ITERATIONS_MOST = 200
};

/* How near (relatively) E must come to the target for the fine grid to look there. */
static const double near_target = 0.25;
/* A root meets the condition within this relative residual; a jump does not. */
static const double residual_most = 1e-10;
/* A jump over the target that is smaller on both sides is taken for a root: switches in the message
 * size make such, and no prediction is that exact. */
static const double small_jump = 0.01;

const char *isocast_row_status_word(isocast_row_status status) {
    switch (status) {
#define ISOCAST_ROW_CASE(name, word)                                                               \
    case ISOCAST_ROW_##name:                                                                       \
        return word;
        ISOCAST_ROW_LIST(ISOCAST_ROW_CASE)
#undef ISOCAST_ROW_CASE
    }
    return "unknown";
}

/* The condition on one system, as a function of x = ln N. */
typedef struct condition {
    const isocast_model *model;
    const isocast_system *system;
    const double *other_sizes;
    const double *parameters;
    double target;
    double sign; /* 1, or -1 to turn a search for a peak into one for a minimum */
    isocast_status status;
    double sum_work; /* that sums took so far (isocast_program_points) */
} condition;

/* residual[k] = E(exp(x[k]))/target - 1, NAN where E is not finite; shape [count]. */
static void evaluate(condition *c, size_t count, const double *x, double *N, double *residual) {
    for (size_t k = 0; k < count; k++) {
        N[k] = exp(x[k]);
    }
    isocast_model_points points = {.count = count,
                                   .N = N,
                                   .other_sizes = c->other_sizes,
                                   .systems = &c->system,
                                   .systems_stride = 0,
                                   .parameters = c->parameters,
                                   .parameters_stride = 0,
                                   .sum_work = &c->sum_work};
    isocast_model_results results = {.E = residual};
    isocast_status status = isocast_model_evaluate(c->model, &points, &results);
    if (status != ISOCAST_OK) {
        c->status = status;
    }
    for (size_t k = 0; k < count; k++) {
        residual[k] = status == ISOCAST_OK ? residual[k] / c->target - 1 : NAN;
    }
}

static double residual_at(double x, void *context) {
    condition *c = context;
    double N;
    double residual;
    evaluate(c, 1, &x, &N, &residual);
    /* GSL ends the process on a value that is not finite; E = 0 stands for "no efficiency here". */
    return c->sign * (isfinite(residual) ? residual : -1);
}

/* Points in rising x with their residuals; both arrays have room for `capacity`. */
typedef struct samples {
    double *x;
    double *residual;
    double *N; /* scratch of evaluate() */
    size_t count;
    size_t capacity;
} samples;

static bool samples_reserve(samples *s, size_t capacity) {
    s->x = malloc(3 * capacity * sizeof *s->x);
    if (s->x == NULL) {
        return false;
    }
    s->residual = s->x + capacity;
    s->N = s->residual + capacity;
    s->capacity = capacity;
    return true;
}

static void scan_coarse(condition *c, double x_min, double x_max, samples *s) {
    s->count = COARSE_POINTS;
    for (size_t k = 0; k < s->count; k++) {
        s->x[k] = x_min + (x_max - x_min) * (double)k / (double)(s->count - 1);
    }
    evaluate(c, s->count, s->x, s->N, s->residual);
}

static bool is_near(double left, double right) {
    return (left < 0) != (right < 0) || fabs(left) < near_target || fabs(right) < near_target ||
           isnan(left) != isnan(right);
}

/* Copies the coarse scan into `fine` with the intervals near the target divided. */
static void scan_fine(condition *c, const samples *coarse, samples *fine) {
    fine->count = 0;
    for (size_t k = 0; k < coarse->count; k++) {
        fine->x[fine->count++] = coarse->x[k];
        bool room = fine->count + FINE_PARTS + (coarse->count - k) < fine->capacity;
        if (k + 1 < coarse->count && room &&
            is_near(coarse->residual[k], coarse->residual[k + 1])) {
            double step = (coarse->x[k + 1] - coarse->x[k]) / FINE_PARTS;
            for (size_t part = 1; part < FINE_PARTS; part++) {
                fine->x[fine->count++] = coarse->x[k] + step * (double)part;
            }
        }
    }
    evaluate(c, fine->count, fine->x, fine->N, fine->residual);
}

/* Follows a peak (sign -1) or dip (sign 1) inside [left, right] from `middle` to its extreme;
 * *x and *residual get it. */
static void follow_extreme(condition *c, double sign, double left, double middle, double right,
                           double *x, double *residual) {
    c->sign = sign;
    *x = middle;
    *residual = residual_at(middle, c) * sign;
    gsl_function function = {residual_at, c};
    gsl_min_fminimizer *minimizer = gsl_min_fminimizer_alloc(gsl_min_fminimizer_brent);
    if (minimizer == NULL) {
        c->status = ISOCAST_NO_MEMORY;
    } else if (gsl_min_fminimizer_set(minimizer, &function, middle, left, right) == GSL_SUCCESS) {
        for (int i = 0; i < ITERATIONS_MOST; i++) {
            if (gsl_min_fminimizer_iterate(minimizer) != GSL_SUCCESS) {
                break;
            }
            if (gsl_min_test_interval(gsl_min_fminimizer_x_lower(minimizer),
                                      gsl_min_fminimizer_x_upper(minimizer), 1e-9,
                                      0) == GSL_SUCCESS) {
                break;
            }
        }
        *x = gsl_min_fminimizer_x_minimum(minimizer);
        *residual = gsl_min_fminimizer_f_minimum(minimizer) * sign;
    }
    gsl_min_fminimizer_free(minimizer);
    c->sign = 1;
}

static bool is_strict_extreme(const samples *s, size_t k, double *sign) {
    double left = s->residual[k - 1];
    double middle = s->residual[k];
    double right = s->residual[k + 1];
    if (middle > left && middle > right) {
        *sign = -1;
        return true;
    }
    *sign = 1;
    return middle < left && middle < right;
}

/* Adds to `s` the extremes that reach over the target between its points, so that every crossing
 * shows as a sign change between neighbours. */
static void insert_extremes(condition *c, samples *s) {
    size_t followed = 0;
    for (size_t k = 1; k + 1 < s->count && followed < EXTREMA_MOST; k++) {
        double sign;
        if (!(fabs(s->residual[k]) < near_target) || !is_strict_extreme(s, k, &sign) ||
            s->residual[k] * sign < 0 || s->count == s->capacity) {
            continue;
        }
        followed++;
        double x;
        double residual;
        follow_extreme(c, sign, s->x[k - 1], s->x[k], s->x[k + 1], &x, &residual);
        if ((residual < 0) == (s->residual[k] < 0) || x == s->x[k]) {
            continue;
        }
        size_t at = x < s->x[k] ? k : k + 1;
        memmove(s->x + at + 1, s->x + at, (s->count - at) * sizeof *s->x);
        memmove(s->residual + at + 1, s->residual + at, (s->count - at) * sizeof *s->residual);
        s->x[at] = x;
        s->residual[at] = residual;
        s->count++;
        k++;
    }
}

/* Closes in on a sign change between left and right. True where the condition is met, or jumped
 * over by little; at a jump *x is the side on which E is over the target. */
static bool close_in(condition *c, double left, double left_residual, double right,
                     double right_residual, double *x, bool *jumps) {
    *jumps = false;
    if (left_residual == 0 || right_residual == 0) {
        *x = left_residual == 0 ? left : right;
        return true;
    }
    gsl_function function = {residual_at, c};
    gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    if (solver == NULL) {
        c->status = ISOCAST_NO_MEMORY;
        return false;
    }
    double best = left;
    double best_residual = left_residual;
    if (gsl_root_fsolver_set(solver, &function, left, right) == GSL_SUCCESS) {
        for (int i = 0; i < ITERATIONS_MOST; i++) {
            if (gsl_root_fsolver_iterate(solver) != GSL_SUCCESS) {
                break;
            }
            best = gsl_root_fsolver_root(solver);
            best_residual = residual_at(best, c);
            left = gsl_root_fsolver_x_lower(solver);
            right = gsl_root_fsolver_x_upper(solver);
            if (fabs(best_residual) < 1e-15 ||
                gsl_root_test_interval(left, right, 0, 4e-16) == GSL_SUCCESS) {
                break;
            }
        }
    }
    gsl_root_fsolver_free(solver);
    *x = best;
    if (fabs(best_residual) <= residual_most) {
        return true;
    }
    double at_left = residual_at(left, c);
    double at_right = residual_at(right, c);
    *x = at_left >= 0 ? left : right;
    *jumps = true;
    return fmax(fabs(at_left), fabs(at_right)) <= small_jump;
}

static void find_roots(condition *c, const samples *s, isocast_solution *solution) {
    size_t looked_at = 0;
    for (size_t k = 0; k + 1 < s->count; k++) {
        double left = s->residual[k];
        double right = s->residual[k + 1];
        bool at_first = k == 0 && left == 0;
        if (!isfinite(left) || !isfinite(right) || ((left < 0) == (right < 0) && !at_first)) {
            continue;
        }
        if (looked_at++ == CROSSINGS_MOST) {
            solution->more_roots = true;
            return;
        }
        double x = s->x[k];
        bool jumps;
        bool met = close_in(c, s->x[k], left, s->x[k + 1], right, &x, &jumps);
        double N = exp(x);
        if (jumps && isnan(solution->jump_N)) {
            solution->jump_N = N;
        }
        if (!met) {
            continue;
        }
        if (solution->root_count == ISOCAST_ROOTS_MOST) {
            solution->more_roots = true;
        } else if (solution->root_count == 0 || N > solution->roots[solution->root_count - 1]) {
            solution->roots[solution->root_count++] = N;
        }
    }
}

/* Sets the largest and smallest E and where; the largest is followed to its peak where there is no
 * root, as it is what is told then. */
static void find_best(condition *c, const samples *s, isocast_solution *solution) {
    size_t best = s->count;
    size_t least = s->count;
    for (size_t k = 0; k < s->count; k++) {
        if (isfinite(s->residual[k])) {
            best = best == s->count || s->residual[k] > s->residual[best] ? k : best;
            least = least == s->count || s->residual[k] < s->residual[least] ? k : least;
        }
    }
    if (best == s->count) {
        return;
    }
    double x = s->x[best];
    double residual = s->residual[best];
    double sign;
    /* Where E saturates, rounding decides which point is the largest: as good as the last is the
     * end. */
    solution->best_at_end = s->residual[s->count - 1] >= residual - 1e-9 * (1 + residual);
    if (solution->best_at_end) {
        x = s->x[s->count - 1];
    } else if (solution->root_count == 0 && best > 0 && best + 1 < s->count &&
               is_strict_extreme(s, best, &sign)) {
        follow_extreme(c, -1, s->x[best - 1], x, s->x[best + 1], &x, &residual);
    }
    solution->best_E = (residual + 1) * c->target;
    solution->best_N = exp(x);
    solution->least_E = (s->residual[least] + 1) * c->target;
}

static bool is_target_everywhere(const samples *s) {
    for (size_t k = 0; k < s->count; k++) {
        if (!(fabs(s->residual[k]) <= 1e-12)) {
            return false;
        }
    }
    return true;
}

static void decide(isocast_solution *solution) {
    if (solution->root_count > 0) {
        solution->N = solution->roots[0];
        bool several = solution->root_count > 1 || solution->more_roots;
        solution->status = several ? ISOCAST_ROW_SEVERAL : ISOCAST_ROW_OK;
    } else if (!isnan(solution->jump_N)) {
        solution->N = solution->jump_N;
        solution->status = ISOCAST_ROW_NOT_CONVERGED;
    } else if (isnan(solution->best_E)) {
        solution->status = ISOCAST_ROW_NOT_CONVERGED;
    } else {
        solution->status = ISOCAST_ROW_UNREACHABLE;
    }
}

isocast_status isocast_solve(const isocast_model *model, const isocast_system *system,
                             const double *other_sizes, const double *parameters, double target,
                             isocast_solution *out) {
    if (!isfinite(target) || target <= 0) {
        return ISOCAST_ARGUMENT;
    }
    const isocast_size *size = &isocast_model_algorithm(model)->sizes[0];
    double N_min = fmax(size->min, 1);
    double N_max = fmin(size->max, ISOCAST_N_MOST);
    condition c = {.model = model,
                   .system = system,
                   .other_sizes = other_sizes,
                   .parameters = parameters,
                   .target = target,
                   .sign = 1,
                   .status = ISOCAST_OK};
    isocast_solution solution = {.status = ISOCAST_ROW_NOT_CONVERGED,
                                 .N = NAN,
                                 .best_E = NAN,
                                 .best_N = NAN,
                                 .least_E = NAN,
                                 .jump_N = NAN};
    samples coarse = {0};
    samples fine = {0};
    if (!samples_reserve(&coarse, COARSE_POINTS) || !samples_reserve(&fine, FINE_MOST)) {
        free(coarse.x);
        return ISOCAST_NO_MEMORY;
    }
    scan_coarse(&c, log(N_min), log(fmax(N_min, N_max)), &coarse);
    if (is_target_everywhere(&coarse)) {
        solution.status = ISOCAST_ROW_OK;
        solution.every_N = true;
        solution.N = N_min;
        solution.best_E = target;
        solution.best_N = N_min;
        solution.least_E = target;
    } else {
        scan_fine(&c, &coarse, &fine);
        insert_extremes(&c, &fine);
        find_roots(&c, &fine, &solution);
        find_best(&c, &fine, &solution);
        decide(&solution);
    }
    free(coarse.x);
    free(fine.x);
    if (c.status != ISOCAST_OK) {
        return c.status;
    }
    *out = solution;
    return ISOCAST_OK;
}
