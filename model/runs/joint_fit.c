#include "joint_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/bounded.h"
#include "model/base/median.h"
#include "model/base/moments.h"
#include "model/solve/prediction.h"
#include "model/solve/sensitivity.h"
#include "model/spec/requirement.h"

enum {
    ROUNDS_MAX = 100,
    TRIES_MAX = 16,
    DECADES = 28,
    FIRST_DECADE = -15,
    SCANNED = 200,
    STARTS = 8,
    STARTED_BY = 400
};
/* Huber's: errors up to 1.345 standard deviations count by their squares, larger ones by what they
 * are. A standard deviation is 1.4826 times the median of what errors are. */
static const double floor_by_median = 1.345 * 1.4826;
static const double floor_least = 1e-13;
static const double loss_floor = 0.01; /* by which fits from several starts are compared */
static const double exact = 1e-7;      /* relative error that is none */
static const double agreed = 1e-11;    /* relative change of T */
static const double gain_least = 1e-7; /* of a step, over the loss before it */
static const double damping_least = 1e-8;

const char *const isocast_fitted_status_words[] = {"ok",    "least",   "most",   "contradicted",
                                                   "alike", "assumed", "silent", NULL};

/* A fit on its way. */
typedef struct fitter {
    const isocast_model *model;
    isocast_model *fitted; /* with the values of the fit; NULL until there are some */
    isocast_validation *v;
    const isocast_validation_point **points; /* [n] */
    size_t n;
    size_t requirements[ISOCAST_JOINT_FIT_MAX],
        parameters[ISOCAST_JOINT_FIT_MAX]; /* their places */
    size_t count;
    isocast_requirement before[ISOCAST_JOINT_FIT_MAX]; /* as the algorithm had them */
    double *values;                                    /* [parameter_count], those of a try */
    double value[ISOCAST_JOINT_FIT_MAX];               /* those of the fit */
    double scratch[ISOCAST_JOINT_FIT_MAX];
    double damping;            /* of steps, over the products of each number with itself */
    double *T, *error, *trial; /* [n]: predicted, ln(T/measured), |error| in order or T of a try */
    double *slopes;            /* [n][count], d ln T/d value */
} fitter;

/* T of each `stride`-th point with these values, and its slopes, which may be NULL. */
static isocast_status compute(fitter *f, const double *value, size_t stride, double *T,
                              double *slopes) {
    for (size_t j = 0; j < f->count; j++) {
        f->values[f->parameters[j]] = value[j];
    }
    isocast_model *varied = NULL;
    isocast_status status = isocast_model_with_parameters(f->model, f->values, &varied);
    if (status != ISOCAST_OK) {
        return status;
    }
    isocast_validation at = *f->v;
    at.model = varied;
    isocast_effort effort = isocast_effort_of(f->n);
    for (size_t i = 0; status == ISOCAST_OK && i < f->n; i += stride) {
        const isocast_validation_system *system = &f->v->systems[f->points[i]->system];
        isocast_model_results results = {.T = &T[i]};
        status = isocast_validation_times(&at, system, f->points[i]->N, &effort, &results, NULL);
        const isocast_sensitivity_request wanted = {.model = varied,
                                                    .system = system->system,
                                                    .N = f->points[i]->N,
                                                    .other_sizes = system->other_sizes,
                                                    .effort = &effort};
        isocast_sensitivity s;
        if (status == ISOCAST_OK && slopes != NULL) {
            status = isocast_sensitivity_find(&wanted, &s);
        }
        for (size_t j = 0; status == ISOCAST_OK && slopes != NULL && j < f->count; j++) {
            double by = s.of_T.by_parameters[f->parameters[j]];
            slopes[i * f->count + j] = isfinite(by) ? by : 0;
        }
        if (status == ISOCAST_OK && slopes != NULL) {
            isocast_sensitivity_free(&s);
        }
    }
    isocast_model_free(varied);
    return status;
}

/* Where one number alone comes nearest to the runs, beside the others as they are; 0 where it makes
 * no difference. */
static isocast_status scan(fitter *f, size_t which, double *nearest) {
    size_t stride = f->n / SCANNED + 1;
    double best = INFINITY;
    double worst = -INFINITY;
    double before = f->value[which];
    for (int d = 0; d < DECADES; d++) {
        f->value[which] = pow(10, FIRST_DECADE + d);
        isocast_status status = compute(f, f->value, stride, f->T, NULL);
        if (status != ISOCAST_OK) {
            return status;
        }
        double off = 0;
        for (size_t i = 0; i < f->n; i += stride) {
            double ln = fabs(log(f->T[i] / f->points[i]->T));
            off += ln < 50 ? ln : 50;
        }
        *nearest = off < best ? f->value[which] : *nearest;
        best = fmin(best, off);
        worst = fmax(worst, off);
    }
    *nearest = worst - best > 1e-9 ? *nearest : 0;
    f->value[which] = before;
    return ISOCAST_OK;
}

/* Squares of small errors, and of large ones what they are: a run that is far off moves little. */
static double loss(const double *T, const fitter *f, double floor) {
    double sum = 0;
    for (size_t i = 0; i < f->n; i++) {
        double error = fabs(log(T[i] / f->points[i]->T));
        if (!isfinite(error)) {
            return INFINITY;
        }
        sum += error <= floor ? error * error / (2 * floor) : error - floor / 2;
    }
    return sum;
}

/* Sets the errors, and gives the median of their sizes, which are sorted in `trial`. */
static double find_errors(fitter *f) {
    for (size_t i = 0; i < f->n; i++) {
        f->error[i] = log(f->T[i] / f->points[i]->T);
        f->trial[i] = fabs(f->error[i]);
    }
    return isocast_median(f->trial, f->n);
}

static double floor_of(double median) {
    return fmax(floor_by_median * median, floor_least);
}

static double weight_of(double error, double floor) {
    return 1 / fmax(fabs(error), floor);
}

static unsigned bit(size_t i) {
    return 1U << i;
}

/* The least squares of the errors, straight on from the values as they are, of what these are above
 * their least; weight 1 where the floor is NAN. */
static void make_system(const fitter *f, double floor, isocast_moments_system *out) {
    isocast_moments moments = {.terms = f->count};
    for (size_t i = 0; i < f->n; i++) {
        double root = isnan(floor) ? 1 : sqrt(weight_of(f->error[i], floor));
        double x[ISOCAST_JOINT_FIT_MAX];
        double y = -f->error[i];
        for (size_t j = 0; j < f->count; j++) {
            double slope = f->slopes[i * f->count + j];
            x[j] = root * slope;
            y += slope * (f->value[j] - f->before[j].min);
        }
        isocast_moments_add(&moments, x, root * y);
    }
    isocast_moments_system_make(&moments, out);
}

/* Where the errors are least, by their slopes at the values as they are, and the less away from
 * these the larger `damping` is (Levenberg and Marquardt). */
static void find_target(const fitter *f, const isocast_moments_system *system, double damping,
                        double *target, unsigned *alike) {
    isocast_moments_system damped = *system;
    double range[ISOCAST_JOINT_FIT_MAX] = {0};
    for (size_t j = 0; j < f->count; j++) {
        double now = (f->value[j] - f->before[j].min) * system->scale[j];
        damped.products[j][j] += damping;
        damped.with_y[j] += damping * now;
        damped.y_squares += damping * now * now;
        range[j] = f->before[j].max - f->before[j].min;
    }
    isocast_bounded_solve(&damped, range, target, alike);
    for (size_t j = 0; j < f->count; j++) {
        target[j] = system->scale[j] > 0 ? f->before[j].min + target[j] : f->value[j];
    }
}

/* One step; *ends: it is the last, as T hardly changes, or comes hardly nearer to the runs. */
static isocast_status step(fitter *f, bool *ends, unsigned *alike) {
    double *trial = f->scratch;
    double floor = floor_of(find_errors(f));
    isocast_moments_system system;
    make_system(f, floor, &system);
    double now = loss(f->T, f, floor);
    find_target(f, &system, 0, trial, alike);
    *ends = true;
    for (int k = 0; k < TRIES_MAX; k++) {
        unsigned of_damped;
        if (f->damping > 0) {
            find_target(f, &system, f->damping, trial, &of_damped);
        }
        isocast_status status = compute(f, trial, 1, f->trial, NULL);
        if (status != ISOCAST_OK) {
            return status;
        }
        double then = loss(f->trial, f, floor);
        if (then <= now) {
            double moved = 0;
            for (size_t i = 0; i < f->n; i++) {
                moved = fmax(moved, fabs(f->trial[i] / f->T[i] - 1));
            }
            *ends = moved <= agreed || now - then <= gain_least * now;
            memcpy(f->value, trial, f->count * sizeof *trial);
            f->damping = f->damping > damping_least ? f->damping / 10 : 0;
            return ISOCAST_OK;
        }
        f->damping = fmax(10 * f->damping, damping_least);
    }
    return ISOCAST_OK;
}

/* Straight on from the values as they are, again and again. */
static isocast_status iterate(fitter *f, unsigned *alike, const char **failure) {
    f->damping = 0;
    bool ends = false;
    for (int round = 0; round < ROUNDS_MAX && !ends; round++) {
        isocast_status status = compute(f, f->value, 1, f->T, f->slopes);
        if (status != ISOCAST_OK) {
            return status;
        }
        if (!isfinite(loss(f->T, f, 1))) {
            *failure = "T has no finite value above 0 where it was tried";
            return ISOCAST_OK;
        }
        status = step(f, &ends, alike);
        if (status != ISOCAST_OK) {
            return status;
        }
    }
    return compute(f, f->value, 1, f->T, f->slopes);
}

/* Adds what the machine's own errors do: all T may be off by what its intervals say, together, and
 * the numbers move as a step of the fit would. */
static isocast_status add_of_machine(fitter *f, double floor, unsigned used, const double *inverse,
                                     double *covariance) {
    double with[ISOCAST_JOINT_FIT_MAX] = {0}; /* sum of w slope error */
    double moves[ISOCAST_JOINT_FIT_MAX] = {0};
    for (size_t i = 0; i < f->n; i++) {
        const isocast_validation_system *system = &f->v->systems[f->points[i]->system];
        const isocast_system *const systems[] = {system->system};
        const isocast_prediction_request request = {.N = f->points[i]->N,
                                                    .other_sizes = system->other_sizes,
                                                    .efficiency = NAN,
                                                    .systems = systems,
                                                    .system_count = 1};
        isocast_prediction *prediction = NULL;
        isocast_status status = isocast_predict(f->fitted, &request, &prediction);
        if (status == ISOCAST_NO_MEMORY) {
            return status;
        }
        const isocast_prediction_row *row = prediction != NULL ? prediction->rows : NULL;
        double error = row != NULL ? log(row->T_high / row->T_low) / (2 * ISOCAST_NORMAL_95) : 0;
        for (size_t j = 0; isfinite(error) && j < f->count; j++) {
            with[j] += weight_of(f->error[i], floor) * f->slopes[i * f->count + j] * error;
        }
        isocast_prediction_free(prediction);
    }
    size_t entry = 0;
    for (size_t a = 0; a < f->count; a++) {
        for (size_t b = 0; (used & bit(a)) != 0 && b < f->count; b++) {
            moves[a] += (used & bit(b)) != 0 ? inverse[entry++] * with[b] : 0;
        }
    }
    for (size_t a = 0; a < f->count; a++) {
        for (size_t b = 0; b < f->count; b++) {
            covariance[a * f->count + b] += moves[a] * moves[b];
        }
    }
    return ISOCAST_OK;
}

/* By the scatter about the fit. Medians of absolute values know the place of a law no better than
 * by the factor pi/2, which is taken, as weights are between those of means and of medians. */
static isocast_status find_covariance(fitter *f, double scatter, unsigned used,
                                      double *covariance) {
    double floor = floor_of(find_errors(f));
    double inverse[ISOCAST_JOINT_FIT_MAX * ISOCAST_JOINT_FIT_MAX];
    isocast_moments_system system;
    size_t of = (size_t)__builtin_popcount(used);
    make_system(f, NAN, &system);
    if (of == 0 || of >= f->n || !isocast_moments_invert(&system, used, inverse)) {
        return ISOCAST_OK;
    }
    size_t entry = 0;
    for (size_t a = 0; a < f->count; a++) {
        for (size_t b = 0; b < f->count; b++) {
            if ((used & bit(a)) != 0 && (used & bit(b)) != 0) {
                covariance[a * f->count + b] = acos(0.0) * scatter * scatter * inverse[entry++];
            }
        }
    }
    make_system(f, floor, &system);
    return isocast_moments_invert(&system, used, inverse)
               ? add_of_machine(f, floor, used, inverse, covariance)
               : ISOCAST_OK;
}

/* The values go into the algorithm, with their errors and the correlations of these. */
static isocast_status put(const fitter *f, const double *covariance, isocast_algorithm *algorithm,
                          isocast_joint_fit *fit) {
    size_t n = f->count;
    isocast_requirement_correlation *all =
        realloc(algorithm->correlations, (algorithm->correlation_count + n * n) * sizeof *all);
    if (all == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    algorithm->correlations = all;
    for (size_t i = 0; i < n; i++) {
        isocast_fitted_number *number = &fit->numbers[i];
        isocast_requirement *r = &algorithm->requirements[f->requirements[i]];
        double error = sqrt(covariance[i * n + i]);
        number->error = error > exact * number->value ? error : NAN;
        r->fallback = number->value;
        r->error = number->error;
        r->assumed = false;
        r->open =
            number->status == ISOCAST_FITTED_SILENT || number->status == ISOCAST_FITTED_ASSUMED;
        size_t kept = 0;
        for (size_t k = 0; k < algorithm->correlation_count; k++) {
            if (all[k].first != f->requirements[i] && all[k].second != f->requirements[i]) {
                all[kept++] = all[k];
            }
        }
        algorithm->correlation_count = kept;
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++) {
            double of = sqrt(covariance[i * n + i] * covariance[k * n + k]);
            if (of > 0 && covariance[i * n + k] != 0) {
                all[algorithm->correlation_count++] = (isocast_requirement_correlation){
                    f->requirements[k], f->requirements[i], covariance[i * n + k] / of};
            }
        }
    }
    return ISOCAST_OK;
}

/* Residuals against the share of a part: how far they go, where that is no chance. */
static double trend_of(const fitter *f, const double *shares) {
    static const double least = 4; /* standard errors */
    double n = (double)f->n;
    double sums[5] = {0}; /* x, y, xx, xy, yy */
    double low = INFINITY;
    double high = -INFINITY;
    for (size_t i = 0; i < f->n; i++) {
        double x = shares[i];
        double y = fmax(-1, fmin(1, f->error[i]));
        sums[0] += x / n;
        sums[1] += y / n;
        low = fmin(low, x);
        high = fmax(high, x);
    }
    for (size_t i = 0; i < f->n; i++) {
        double x = shares[i] - sums[0];
        double y = fmax(-1, fmin(1, f->error[i])) - sums[1];
        sums[2] += x * x;
        sums[3] += x * y;
        sums[4] += y * y;
    }
    double r = sums[3] / sqrt(sums[2] * sums[4]);
    double sure = fabs(r) * sqrt((n - 2) / fmax(1 - r * r, 1e-12));
    return f->n >= 6 && sure > least ? sums[3] / sums[2] * (high - low) : 0;
}

static isocast_status find_trend(fitter *f, isocast_joint_fit *fit) {
    static const double least = 0.05;
    size_t parts = isocast_model_algorithm(f->model)->overhead_count + 1;
    double *terms = malloc(parts * sizeof *terms);
    double **places = malloc(parts * sizeof *places);
    double *shares = malloc(parts * f->n * sizeof *shares);
    isocast_status status =
        terms == NULL || places == NULL || shares == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    isocast_effort effort = isocast_effort_of(f->n);
    isocast_validation at = *f->v;
    at.model = f->fitted;
    for (size_t i = 0; status == ISOCAST_OK && i < f->n; i++) {
        double T;
        double T_c;
        for (size_t k = 0; k + 1 < parts; k++) {
            places[k] = &terms[k];
        }
        isocast_model_results results = {.T = &T, .T_c = &T_c, .terms = places};
        status = isocast_validation_times(&at, &f->v->systems[f->points[i]->system],
                                          f->points[i]->N, &effort, &results, NULL);
        for (size_t k = 0; k < parts; k++) {
            double share = (k == 0 ? T_c : terms[k - 1]) / T;
            shares[k * f->n + i] = isfinite(share) ? share : 0;
        }
    }
    fit->trend_part = fit->part_count = parts;
    for (size_t k = 0; status == ISOCAST_OK && k < parts; k++) {
        double trend = trend_of(f, shares + k * f->n);
        if (fabs(trend) > fmax(least, fabs(fit->trend))) {
            fit->trend = trend;
            fit->trend_part = k;
        }
    }
    free(terms);
    free(places);
    free(shares);
    return status;
}

static isocast_fitted_status status_of(const fitter *f, size_t j, bool moves, bool alike) {
    if (!moves) {
        return f->before[j].assumed ? ISOCAST_FITTED_ASSUMED : ISOCAST_FITTED_SILENT;
    }
    if (f->value[j] > f->before[j].min) {
        return f->value[j] < f->before[j].max ? ISOCAST_FITTED_OK : ISOCAST_FITTED_MOST;
    }
    return alike                  ? ISOCAST_FITTED_ALIKE
           : f->before[j].min > 0 ? ISOCAST_FITTED_LEAST
                                  : ISOCAST_FITTED_CONTRADICTED;
}

static isocast_status finish(fitter *f, unsigned alike, isocast_algorithm *algorithm,
                             isocast_joint_fit *fit) {
    double *covariance = calloc(f->count * f->count, sizeof *covariance);
    fit->points = calloc(f->n, sizeof *fit->points);
    if (covariance == NULL || fit->points == NULL) {
        free(covariance);
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < f->n; i++) {
        const isocast_validation_point *point = f->points[i];
        fit->points[i] = (isocast_fitted_point){
            point->system, f->v->systems[point->system].system->p, point->N, point->T, f->T[i]};
    }
    double median = find_errors(f);
    unsigned used = 0;
    size_t from = f->n / 4;
    for (size_t i = from; i < f->n - from; i++) {
        fit->off += f->trial[i] / (double)(f->n - 2 * from);
    }
    for (size_t j = 0; j < f->count; j++) {
        isocast_fitted_number *number = &fit->numbers[j];
        number->value = f->value[j];
        bool moves = false;
        for (size_t i = 0; i < f->n; i++) {
            double slope = f->slopes[i * f->count + j];
            moves = moves || slope != 0;
            number->share += slope * f->value[j] / (double)f->n;
        }
        number->status = status_of(f, j, moves, (alike & bit(j)) != 0);
        used |= number->status == ISOCAST_FITTED_OK ? bit(j) : 0;
        if (number->status == ISOCAST_FITTED_ASSUMED) {
            isocast_requirement *r = &algorithm->requirements[f->requirements[j]];
            isocast_requirement_assume(r);
            f->value[j] = number->value = r->fallback;
            covariance[j * f->count + j] = r->error * r->error;
        }
    }
    double free_sizes = (double)f->n - (double)__builtin_popcount(used);
    fit->scatter = free_sizes > 0 ? 1.4826 * median * sqrt((double)f->n / free_sizes) : NAN;
    for (size_t j = 0; j < f->count; j++) {
        f->values[f->parameters[j]] = f->value[j];
    }
    isocast_status status = isocast_model_with_parameters(f->model, f->values, &f->fitted);
    status = status == ISOCAST_OK ? find_covariance(f, fit->scatter, used, covariance) : status;
    status = status == ISOCAST_OK ? find_trend(f, fit) : status;
    status = status == ISOCAST_OK ? put(f, covariance, algorithm, fit) : status;
    free(covariance);
    return status;
}

/* Which points are fitted to. */
static void choose(fitter *f, double p_most, isocast_joint_fit *fit) {
    fit->p_least = INFINITY;
    size_t n = 0;
    for (size_t i = 0; i < f->v->point_count; i++) {
        const isocast_validation_point *point = &f->v->points[i];
        double p = f->v->systems[point->system].system->p;
        fit->p_least = fmin(fit->p_least, p);
        if (!isnan(p_most) && p > p_most) {
            fit->left++;
        } else if (point->valid) {
            f->points[n++] = point;
            fit->p = fmax(fit->p, p);
        }
    }
    fit->sizes = f->n = n;
}

static isocast_status allocate(fitter *f) {
    size_t n = f->v->point_count + 1;
    const isocast_machine *machine = isocast_model_machine(f->model);
    f->points = calloc(n, sizeof *f->points);
    f->values = calloc(machine->parameter_count + 1, sizeof *f->values);
    f->T = calloc(3 * n + n * f->count, sizeof *f->T);
    if (f->points == NULL || f->values == NULL || f->T == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    f->error = f->T + n;
    f->trial = f->error + n;
    f->slopes = f->trial + n;
    for (size_t i = 0; i < machine->parameter_count; i++) {
        f->values[i] = machine->parameters[i].value;
    }
    return ISOCAST_OK;
}

static double kept_inside(const fitter *f, size_t j, double value) {
    return fmin(fmax(value, f->before[j].min), f->before[j].max);
}

/* Whether the file has a value of a number. */
static bool is_known(const fitter *f, size_t j) {
    return !isnan(f->before[j].fallback) && !f->before[j].assumed;
}

/* What the numbers have, or where each comes nearest by itself, which gets a share below. */
static isocast_status find_start(fitter *f, double *nearest) {
    const isocast_machine *machine = isocast_model_machine(f->model);
    for (size_t j = 0; j < f->count; j++) {
        const isocast_requirement *r = &f->before[j];
        f->parameters[j] = isocast_machine_parameter(machine, r->name);
        f->value[j] = is_known(f, j) ? kept_inside(f, j, r->fallback) : r->min;
    }
    isocast_status status = ISOCAST_OK;
    for (size_t j = 0; status == ISOCAST_OK && j < f->count; j++) {
        nearest[j] = f->value[j];
        status = is_known(f, j) && f->value[j] > 0 ? ISOCAST_OK : scan(f, j, &nearest[j]);
    }
    return status;
}

/* What a start has of the value at which a number alone comes nearest: the same of all in the first
 * three, and then of each another one, evenly spread. */
static double share_of(const fitter *f, size_t start, size_t j) {
    const double same[] = {1 / (double)f->count, 0.5, 1};
    double part = (double)(start * f->count + j) * (sqrt(5) - 1) / 2;
    return start < sizeof same / sizeof *same ? same[start] : 1.5 * (part - floor(part));
}

/* Fits from several starts, as formulas with max and min have several places to which no small step
 * is better; `best` gets what is nearest to the runs. */
static isocast_status try_starts(fitter *f, const double *nearest, double *best, unsigned *alike,
                                 const char **failure) {
    double least = INFINITY;
    size_t starts = f->count > 1 ? STARTS : 1;
    isocast_status status = ISOCAST_OK;
    for (size_t s = 0; status == ISOCAST_OK && s < starts; s++) {
        unsigned of_start = 0;
        const char *failed = NULL;
        for (size_t j = 0; j < f->count; j++) {
            bool has = is_known(f, j) && nearest[j] > 0;
            f->value[j] = nearest[j] == 0
                              ? kept_inside(f, j, 1)
                              : kept_inside(f, j, nearest[j] * (has ? 1 : share_of(f, s, j)));
        }
        status = iterate(f, &of_start, &failed);
        double off = loss(f->T, f, loss_floor);
        if (status == ISOCAST_OK && failed == NULL && off < least * (1 - agreed)) {
            least = off;
            memcpy(best, f->value, f->count * sizeof *best);
            *alike = of_start;
        }
        *failure = least < INFINITY ? NULL : failed;
    }
    return status;
}

/* The starts are tried on some of the points, spread over all, and the best is gone on with. */
static isocast_status fit_from_starts(fitter *f, unsigned *alike, const char **failure) {
    double nearest[ISOCAST_JOINT_FIT_MAX];
    double best[ISOCAST_JOINT_FIT_MAX];
    const isocast_validation_point *some[STARTED_BY];
    const isocast_validation_point **all = f->points;
    size_t n = f->n;
    size_t stride = (n + STARTED_BY - 1) / STARTED_BY;
    isocast_status status = find_start(f, nearest);
    if (status != ISOCAST_OK) {
        return status;
    }
    f->n = 0;
    for (size_t i = 0; i < n; i += stride) {
        some[f->n++] = all[i];
    }
    f->points = some;
    status = try_starts(f, nearest, best, alike, failure);
    f->points = all;
    f->n = n;
    if (status == ISOCAST_OK && *failure == NULL) {
        memcpy(f->value, best, f->count * sizeof *best);
        status = stride > 1 ? iterate(f, alike, failure) : compute(f, f->value, 1, f->T, f->slopes);
    }
    return status;
}

static isocast_status run(fitter *f, double p_most, isocast_algorithm *algorithm,
                          isocast_joint_fit *fit) {
    unsigned alike = 0;
    isocast_status status = allocate(f);
    if (status != ISOCAST_OK) {
        return status;
    }
    choose(f, p_most, fit);
    if (f->n == 0) {
        return ISOCAST_OK;
    }
    status = fit_from_starts(f, &alike, &fit->failure);
    return status == ISOCAST_OK && fit->failure == NULL ? finish(f, alike, algorithm, fit) : status;
}

static isocast_status fit_to(isocast_algorithm *algorithm, const isocast_machine *machine,
                             const isocast_runs *runs, const char *rows, double p_most,
                             isocast_diagnostics *diagnostics, isocast_joint_fit *fit) {
    fitter f = {0};
    for (size_t i = 0; i < algorithm->requirement_count; i++) {
        isocast_requirement *r = &algorithm->requirements[i];
        if (r->open && f.count < ISOCAST_JOINT_FIT_MAX) {
            f.before[f.count] = *r;
            fit->numbers[f.count] =
                (isocast_fitted_number){.name = r->name, .error = NAN, .dimension = r->dimension};
            f.requirements[f.count++] = i;
            /* What is fitted has no error of the machine's own. */
            r->fallback = isnan(r->fallback) ? 1 : r->fallback;
            r->error = NAN;
            r->assumed = false;
        }
    }
    fit->count = f.count;
    isocast_model *model = NULL;
    isocast_status status = isocast_model_create(algorithm, machine, diagnostics, &model);
    f.model = model;
    if (status == ISOCAST_OK) {
        status = isocast_validate_times(f.model, runs, rows, ISOCAST_METRIC_ISOSPEED_E, diagnostics,
                                        &f.v);
    }
    if (status == ISOCAST_OK) {
        status = run(&f, p_most, algorithm, fit);
    }
    bool fitted = status == ISOCAST_OK && fit->sizes > 0 && fit->failure == NULL;
    for (size_t j = 0; j < f.count && !fitted; j++) {
        algorithm->requirements[f.requirements[j]] = f.before[j];
    }
    isocast_validation_free(f.v);
    isocast_model_free(f.fitted);
    isocast_model_free(model);
    free(f.points);
    free(f.values);
    free(f.T);
    return status;
}

isocast_status isocast_joint_fit_make(isocast_algorithm *algorithm, const isocast_machine *machine,
                                      const isocast_runs *runs, const char *rows, double p_most,
                                      isocast_diagnostics *diagnostics, isocast_joint_fit **out) {
    size_t open = 0;
    for (size_t i = 0; i < algorithm->requirement_count; i++) {
        open += algorithm->requirements[i].open;
    }
    if (open == 0 || open > ISOCAST_JOINT_FIT_MAX) {
        isocast_diagnostics_add_file(
            diagnostics, ISOCAST_ERROR, algorithm->tree->source->name,
            open == 0 ? "write fit: true at what runs are to say: parameters: {launch: {fit: true, "
                        "unit: s}}"
                      : "give some of them a default",
            open == 0 ? "leaves no parameter open"
                      : "leaves more than 24 parameters open, which is too many for one fit");
        return ISOCAST_INVALID;
    }
    isocast_joint_fit *fit = calloc(1, sizeof *fit);
    isocast_fitted_number *numbers = calloc(open, sizeof *numbers);
    isocast_status status = ISOCAST_NO_MEMORY;
    if (fit != NULL && numbers != NULL) {
        *fit = (isocast_joint_fit){.numbers = numbers};
        status = fit_to(algorithm, machine, runs, rows, p_most, diagnostics, fit);
    }
    if (status != ISOCAST_OK) {
        free(fit != NULL ? fit->points : NULL);
        free(fit);
        free(numbers);
        return status;
    }
    *out = fit;
    return ISOCAST_OK;
}

void isocast_joint_fit_free(isocast_joint_fit *fit) {
    if (fit != NULL) {
        free(fit->numbers);
        free(fit->points);
        free(fit);
    }
}
