#include "row_draws.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "displaced.h"
#include "draw_roots.h"

enum {
    DRAWS = ISOCAST_UNCERTAINTY_DRAWS,
    BLOCK = 100,
    STEPS_MAX = 12,
    FEWEST_AT_ONCE = 20 /* draws that are looked for by themselves */
};

/* The draws of a block, whose roots are looked for together. */
typedef struct block {
    const double *errors;  /* [end][n] */
    size_t begin, end;     /* of what is looked for at the moment */
    double x[BLOCK];       /* ln N; NAN: given up */
    double slope[BLOCK];   /* d ln held/d ln N */
    double off[BLOCK];     /* ln held - ln target at x */
    double targets[BLOCK]; /* ln */
    isocast_metric_point at[BLOCK];
} block;

/* What is off at the present x; out of the range of N nothing is known. */
static isocast_status look_at_block(const isocast_interval_request *request, block *b) {
    const isocast_size *size = &isocast_model_algorithm(request->model)->sizes[0];
    size_t n = isocast_uncertainty_count(request->uncertainty);
    double N[BLOCK] = {0};
    for (size_t k = b->begin; k < b->end; k++) {
        N[k] = exp(b->x[k]);
        bool inside = N[k] >= size->min && N[k] <= size->max;
        N[k] = inside ? N[k] : size->min;
        b->x[k] = inside ? b->x[k] : NAN;
    }
    isocast_status status =
        isocast_displaced_evaluate(request, request->system, b->end - b->begin, N + b->begin,
                                   b->errors + b->begin * n, 1, b->at + b->begin);
    for (size_t k = b->begin; k < b->end && status == ISOCAST_OK; k++) {
        b->off[k] = isnan(b->x[k])
                        ? NAN
                        : log(isocast_metric_held(request->metric, &b->at[k])) - b->targets[k];
    }
    return status;
}

/* The roots that the row's own moves to with each of the draws: from where first order has them, by
 * the secant rule. */
static isocast_status solve_together(const isocast_interval_request *request, double tolerance,
                                     block *b) {
    isocast_status status = look_at_block(request, b);
    for (int step = 0; step < STEPS_MAX && status == ISOCAST_OK; step++) {
        double before_x[BLOCK] = {0};
        double before_off[BLOCK] = {0};
        bool done = true;
        for (size_t k = b->begin; k < b->end; k++) {
            before_x[k] = b->x[k];
            before_off[k] = b->off[k];
            double move = -b->off[k] / b->slope[k];
            if (!(fabs(move) <= tolerance)) {
                done = false;
                b->x[k] += fmax(-1, fmin(1, move));
            }
        }
        if (done) {
            return ISOCAST_OK;
        }
        status = look_at_block(request, b);
        for (size_t k = b->begin; k < b->end && status == ISOCAST_OK; k++) {
            double change = b->x[k] - before_x[k];
            double slope = (b->off[k] - before_off[k]) / change;
            b->slope[k] = change != 0 && slope != 0 && isfinite(slope) ? slope : b->slope[k];
        }
    }
    for (size_t k = b->begin; k < b->end; k++) {
        b->x[k] = fabs(b->off[k] / b->slope[k]) <= tolerance ? b->x[k] : NAN;
    }
    return status;
}

/* What it takes to look at the first draw of a block, in steps. Errors: NO_MEMORY. */
static isocast_status steps_of_draw(const isocast_interval_request *request, block *b,
                                    double *steps) {
    double left = request->effort->left;
    b->begin = 0;
    b->end = 1;
    isocast_status status = look_at_block(request, b);
    *steps = left - request->effort->left;
    return status;
}

/* The draws of a block: together by the program, which runs for all of them at once, where that
 * takes less; else one after the other, so that what does not depend on N is known for all N of a
 * draw. */
static isocast_status solve_block(const isocast_interval_request *request, double tolerance,
                                  size_t count, block *b) {
    isocast_interval_request by_program = *request;
    by_program.times = NULL;
    double alone = INFINITY;
    double together = 0;
    isocast_status status = ISOCAST_OK;
    if (request->times != NULL && count > 1) {
        status = steps_of_draw(request, b, &alone);
        status = status == ISOCAST_OK ? steps_of_draw(&by_program, b, &together) : status;
    }
    bool is_together = request->times == NULL || (count > 1 && together <= alone);
    size_t width = is_together ? count : 1;
    for (size_t k = 0; k < count && status == ISOCAST_OK; k += width) {
        b->begin = k;
        b->end = k + width;
        status = solve_together(is_together ? &by_program : request, tolerance, b);
    }
    return status;
}

/* What draws of a row are looked for with, and where they go. */
typedef struct drawing {
    const isocast_interval_request *request;
    const isocast_prediction_row *row;
    double slope, reach, tolerance;
    const double *errors;           /* [DRAWS][n] */
    const double *errors_by_number; /* [n][DRAWS] */
    const double *starts;           /* [DRAWS], ln N; owned */
    double *N_draws, *read_draws;
} drawing;

static bool draws_hang_linearly(const isocast_interval_request *request) {
    isocast_metric_reading reading = isocast_metric_row_of(request->metric)->reading;
    return request->drawn != NULL && (reading == ISOCAST_READ_WORK || reading == ISOCAST_READ_TIME);
}

/* Some draws, which[0] to which[count - 1], each by its own search. */
static isocast_status draw_block(const drawing *d, const size_t *which, size_t count,
                                 double *errors, block *b) {
    const isocast_interval_request *request = d->request;
    size_t n = isocast_uncertainty_count(request->uncertainty);
    b->errors = errors;
    for (size_t k = 0; k < count; k++) {
        memcpy(errors + k * n, d->errors + which[k] * n, n * sizeof *errors);
        b->slope[k] = d->slope;
        b->x[k] = d->starts[which[k]];
    }
    isocast_status status =
        isocast_displaced_targets(request, count, b->errors, 1, d->row->held, b->targets);
    if (status == ISOCAST_OK) {
        status = solve_block(request, d->tolerance, count, b);
    }
    for (size_t k = 0; k < count && status == ISOCAST_OK; k++) {
        d->N_draws[which[k]] = b->x[k];
        d->read_draws[which[k]] =
            isnan(b->x[k]) ? NAN : log(isocast_metric_read(request->metric, &b->at[k]));
    }
    return status;
}

/* Draws that are looked for by themselves, and how many of them have no root. */
typedef struct rest {
    const drawing *d;
    block *block;
    double *errors; /* [BLOCK][n] */
    size_t most;    /* lost, from which on no interval is known */
    size_t lost;
} rest;

/* Looks for each of these draws by its own search, until too many are lost. */
static isocast_status take_rest(rest *r, const size_t *which, size_t count) {
    isocast_status status = ISOCAST_OK;
    size_t width = 0;
    for (size_t k = 0; k < count && r->lost < r->most && status == ISOCAST_OK; k += width) {
        size_t left = r->most - r->lost;
        size_t enough = left < FEWEST_AT_ONCE ? FEWEST_AT_ONCE : left < BLOCK ? left : BLOCK;
        width = count - k < enough ? count - k : enough;
        status = draw_block(r->d, which + k, width, r->errors, r->block);
        for (size_t i = k; i < k + width; i++) {
            r->lost += isnan(r->d->N_draws[which[i]]) ? 1 : 0;
        }
    }
    return status;
}

/* Looks for all draws together, and by themselves for those that have no root near the row's. Once
 * too many are lost, the others are not looked for. */
static isocast_status take_together(rest *r, isocast_draw_roots *roots) {
    isocast_status status = ISOCAST_OK;
    bool done = false;
    while (!done && r->lost < r->most && status == ISOCAST_OK) {
        size_t left = r->most - r->lost;
        const size_t *without;
        size_t count;
        status = isocast_draw_roots_go_on(roots, left < FEWEST_AT_ONCE ? FEWEST_AT_ONCE : left,
                                          &without, &count, &done);
        status = status == ISOCAST_OK ? take_rest(r, without, count) : status;
    }
    return status;
}

/* ln of what psi is read off at the roots of draws whose ln W is known. */
static void read_at_roots(const drawing *d, const double *targets, const double *ln_W) {
    const isocast_interval_request *request = d->request;
    bool of_time = isocast_metric_row_of(request->metric)->reading == ISOCAST_READ_TIME;
    isocast_metric_point unit = isocast_displaced_unknown(request->system);
    unit.W = 1;
    double by_W = of_time ? -log(isocast_metric_size_of(request->metric, &unit))
                          : log(isocast_metric_read(request->metric, &unit));
    for (size_t k = 0; k < DRAWS; k++) {
        if (!isnan(ln_W[k])) {
            d->read_draws[k] = ln_W[k] + by_W - (of_time ? targets[k] : 0);
        }
    }
}

/* ln N where first order has the roots of all draws. Errors: NO_MEMORY, NUMERIC. */
static isocast_status find_starts(drawing *d) {
    size_t n = isocast_uncertainty_count(d->request->uncertainty);
    const double *moves = d->row->moves.of_N;
    double *starts = calloc(DRAWS, sizeof *starts);
    d->starts = starts;
    isocast_status status =
        starts == NULL
            ? ISOCAST_NO_MEMORY
            : isocast_uncertainty_draw_by_number(d->request->uncertainty, &d->errors_by_number);
    for (size_t i = 0; i < n && status == ISOCAST_OK; i++) {
        const double *own = d->errors_by_number + i * DRAWS;
        for (size_t k = 0; moves[i] != 0 && k < DRAWS; k++) {
            starts[k] += moves[i] * own[k];
        }
    }
    for (size_t k = 0; k < DRAWS && status == ISOCAST_OK; k++) {
        starts[k] = log(d->row->N) + fmax(-2 * d->reach, fmin(2 * d->reach, starts[k]));
    }
    return status;
}

/* Where T hangs linearly on the numbers. */
static isocast_status draw_linear(const drawing *d, rest *r) {
    const isocast_interval_request *request = d->request;
    const isocast_size *size = &isocast_model_algorithm(request->model)->sizes[0];
    double *targets = malloc(2 * (size_t)DRAWS * sizeof *targets);
    if (targets == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    double *ln_W = targets + DRAWS;
    isocast_metric_point at = isocast_displaced_unknown(request->system);
    isocast_draw_roots_request wanted = {.times = request->drawn,
                                         .system = request->system,
                                         .other_sizes = request->other_sizes,
                                         .low = size->min,
                                         .high = size->max,
                                         .size = isocast_metric_size_of(request->metric, &at),
                                         .draws = DRAWS,
                                         .errors = d->errors_by_number,
                                         .targets = targets,
                                         .starts = d->starts,
                                         .centre = log(d->row->N),
                                         .slope = d->slope,
                                         .reach = d->reach,
                                         .tolerance = d->tolerance,
                                         .effort = request->effort};
    isocast_draw_roots *roots = NULL;
    double far = exp(ISOCAST_DRAW_ROOTS_FAR * d->reach);
    isocast_status status = isocast_drawn_times_narrow(
        request->drawn, request->system, request->other_sizes, fmax(size->min, d->row->N / far),
        fmin(size->max, d->row->N * far));
    if (status == ISOCAST_OK) {
        status = isocast_displaced_targets(request, DRAWS, d->errors, 1, d->row->held, targets);
    }
    if (status == ISOCAST_OK) {
        status = isocast_draw_roots_create(&wanted, d->N_draws, ln_W, &roots);
    }
    if (status == ISOCAST_OK) {
        status = take_together(r, roots);
    }
    if (status == ISOCAST_OK) {
        read_at_roots(d, targets, ln_W);
    }
    isocast_draw_roots_free(roots);
    free(targets);
    return status;
}

static isocast_status draw_each(rest *r) {
    isocast_status status = ISOCAST_OK;
    for (size_t k = 0; k < DRAWS && r->lost < r->most && status == ISOCAST_OK; k += BLOCK) {
        size_t which[BLOCK];
        for (size_t i = 0; i < BLOCK; i++) {
            which[i] = k + i;
        }
        status = take_rest(r, which, DRAWS - k < BLOCK ? DRAWS - k : BLOCK);
    }
    return status;
}

isocast_status isocast_row_draws_find(const isocast_interval_request *request,
                                      const isocast_prediction_row *row, double slope, double reach,
                                      double tolerance, double *N_draws, double *read_draws) {
    drawing d = {.request = request,
                 .row = row,
                 .slope = slope,
                 .reach = reach,
                 .tolerance = tolerance,
                 .N_draws = N_draws,
                 .read_draws = read_draws};
    size_t n = isocast_uncertainty_count(request->uncertainty);
    rest r = {.d = &d,
              .block = calloc(1, sizeof *r.block),
              .errors = malloc(BLOCK * (n + 1) * sizeof *r.errors),
              .most = isocast_uncertainty_lost_draws(request->uncertainty)};
    const double *normal;
    isocast_status status =
        r.block == NULL || r.errors == NULL
            ? ISOCAST_NO_MEMORY
            : isocast_uncertainty_draw(request->uncertainty, &d.errors, &normal);
    for (size_t k = 0; k < DRAWS; k++) {
        N_draws[k] = read_draws[k] = NAN;
    }
    if (status == ISOCAST_OK) {
        status = find_starts(&d);
    }
    if (status == ISOCAST_OK) {
        status = draws_hang_linearly(request) ? draw_linear(&d, &r) : draw_each(&r);
    }
    free(r.errors);
    free((double *)d.starts);
    free(r.block);
    return status;
}

isocast_status isocast_row_draws_read(const isocast_interval_request *request,
                                      const isocast_prediction_row *row, const double *errors,
                                      double tolerance, double *out) {
    const isocast_row_moves *moves = &row->moves;
    size_t n = isocast_uncertainty_count(request->uncertainty);
    block *b = calloc(1, sizeof *b);
    if (b == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    double move = isocast_displaced_change(moves->of_N, errors, n);
    b->errors = errors;
    b->end = 1;
    b->x[0] = log(row->N) + move;
    b->slope[0] = moves->held_by_N;
    isocast_status status = isocast_displaced_targets(request, 1, errors, 1, row->held, b->targets);
    if (status == ISOCAST_OK && isnan(moves->held_by_N)) {
        status = look_at_block(request, b);
    } else if (status == ISOCAST_OK) {
        status = solve_block(request, tolerance, 1, b);
    }
    if (status == ISOCAST_OK) {
        *out = isnan(b->x[0]) ? NAN : log(isocast_metric_read(request->metric, &b->at[0]));
    }
    free(b);
    return status;
}

bool isocast_row_draws_are_affordable(const isocast_interval_request *request, double spent,
                                      double evaluations) {
    double steps = draws_hang_linearly(request) ? isocast_draw_roots_steps(request->drawn, DRAWS)
                                                : spent / 2 * DRAWS * evaluations;
    return steps <= request->effort->left / 2;
}
