#include "uncertainty.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "model/base/array.h"
#include "model/base/numerics.h"
#include "model/spec/marked_speed.h"

enum { DRAWS = ISOCAST_UNCERTAINTY_DRAWS, SEED = 1 };

struct isocast_uncertainty {
    const isocast_machine *machine;
    isocast_misfits misfits;
    double level;
    bool references;   /* R_f counts */
    double *of_sizes;  /* [size_count], standard errors of marked speeds, flop/s, and of R_f */
    size_t *uncertain; /* [uncertain_count], numbers that have an error */
    size_t uncertain_count;
    /* Of those, which hang together with each, itself among them: most do with a few of the same
     * operation alone. partners[starts[a]] to partners[starts[a + 1] - 1], indices of `uncertain`.
     */
    size_t *starts; /* [uncertain_count + 1] */
    size_t *partners;
    double *errors; /* [DRAWS][number_count] and then normal numbers, [DRAWS]; NULL until drawn */
    double *errors_by_number; /* [number_count][DRAWS]; NULL until asked for */
};

size_t isocast_uncertainty_size_count(const isocast_uncertainty *u) {
    return u->machine->class_count + (u->references ? u->machine->reference.count : 0);
}

size_t isocast_uncertainty_count(const isocast_uncertainty *u) {
    return u->misfits.first + 2 * u->misfits.count;
}

const isocast_misfits *isocast_uncertainty_misfits(const isocast_uncertainty *u) {
    return &u->misfits;
}

double isocast_uncertainty_of_size(const isocast_uncertainty *u, size_t index) {
    return u->of_sizes[index];
}

/* That of two sizes. R_f = n T_ref(1)/T_ref(set) of two sets have T_ref(1) in common. */
static double covariance_of_sizes(const isocast_uncertainty *u, size_t i, size_t j) {
    size_t classes = u->machine->class_count;
    if (i == j) {
        return u->of_sizes[i] * u->of_sizes[i];
    }
    if (i < classes || j < classes || u->of_sizes[i] == 0 || u->of_sizes[j] == 0) {
        return 0;
    }
    const isocast_reference_set *a = &u->machine->reference.sets[i - classes];
    const isocast_reference_set *b = &u->machine->reference.sets[j - classes];
    return a->one_class == b->one_class ? a->factor * a->error_of_one * b->factor * b->error_of_one
                                        : 0;
}

/* The covariance of two numbers, SI. */
static double covariance(const isocast_uncertainty *u, size_t i, size_t j) {
    size_t n = u->machine->parameter_count;
    if (i < n && j < n) {
        return isocast_machine_covariance(u->machine, i, j);
    }
    if (i >= u->misfits.first || j >= u->misfits.first) {
        double error = i == j ? isocast_misfit_of(&u->misfits, i) : 0;
        return error * error;
    }
    return i >= n && j >= n ? covariance_of_sizes(u, i - n, j - n) : 0;
}

/* Finds what hangs together. Errors: NO_MEMORY. */
static isocast_status find_partners(isocast_uncertainty *u) {
    size_t capacity = 0;
    size_t count = 0;
    u->starts = calloc(u->uncertain_count + 1, sizeof *u->starts);
    for (size_t a = 0; u->starts != NULL && a < u->uncertain_count; a++) {
        for (size_t b = 0; b < u->uncertain_count; b++) {
            if (covariance(u, u->uncertain[a], u->uncertain[b]) == 0) {
                continue;
            }
            if (!isocast_array_grow((void **)&u->partners, count, &capacity, sizeof *u->partners)) {
                return ISOCAST_NO_MEMORY;
            }
            u->partners[count++] = b;
        }
        u->starts[a + 1] = count;
    }
    return u->starts != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
}

isocast_status isocast_uncertainty_create(const isocast_machine *machine,
                                          const isocast_algorithm *algorithm, bool references,
                                          double level, isocast_uncertainty **out) {
    const char *program = algorithm->kernel;
    isocast_uncertainty *u = calloc(1, sizeof *u);
    if (u == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    *u = (isocast_uncertainty){.machine = machine, .level = level, .references = references};
    size_t sizes = isocast_uncertainty_size_count(u);
    if (isocast_misfits_create(machine, algorithm->name, machine->parameter_count + sizes,
                               &u->misfits) != ISOCAST_OK) {
        isocast_uncertainty_free(u);
        return ISOCAST_NO_MEMORY;
    }
    size_t count = isocast_uncertainty_count(u);
    u->uncertain = calloc(count + 1, sizeof *u->uncertain);
    u->of_sizes = calloc(sizes + 1, sizeof *u->of_sizes);
    if (u->uncertain == NULL || u->of_sizes == NULL) {
        isocast_uncertainty_free(u);
        return ISOCAST_NO_MEMORY;
    }
    for (size_t k = 0; k < sizes; k++) {
        double error = k < machine->class_count
                           ? isocast_marked_speed_error(&machine->classes[k], program)
                           : machine->reference.sets[k - machine->class_count].error;
        u->of_sizes[k] = error > 0 ? error : 0;
    }
    for (size_t i = 0; i < count; i++) {
        if (covariance(u, i, i) > 0) {
            u->uncertain[u->uncertain_count++] = i;
        }
    }
    bool known = u->uncertain_count > 0 || machine->covariance != NULL ||
                 machine->sigma_launch > 0 || machine->sigma_within > 0;
    isocast_status status = known ? find_partners(u) : ISOCAST_OK;
    if (status != ISOCAST_OK || !known) {
        isocast_uncertainty_free(u);
        u = NULL;
    }
    if (status == ISOCAST_OK) {
        *out = u;
    }
    return status;
}

void isocast_uncertainty_free(isocast_uncertainty *u) {
    if (u != NULL) {
        isocast_misfits_free(&u->misfits);
        free(u->uncertain);
        free(u->of_sizes);
        free(u->starts);
        free(u->partners);
        free(u->errors);
        free(u->errors_by_number);
        free(u);
    }
}

double isocast_uncertainty_reach(const isocast_uncertainty *u) {
    return gsl_cdf_ugaussian_Pinv((1 + u->level) / 2);
}

double isocast_uncertainty_variance(const isocast_uncertainty *u, const double *gradient,
                                    double *direction) {
    double variance = 0;
    for (size_t i = 0; direction != NULL && i < isocast_uncertainty_count(u); i++) {
        direction[i] = 0;
    }
    for (size_t a = 0; a < u->uncertain_count; a++) {
        size_t i = u->uncertain[a];
        for (size_t at = u->starts[a]; gradient[i] != 0 && at < u->starts[a + 1]; at++) {
            size_t j = u->uncertain[u->partners[at]];
            double along = gradient[i] * covariance(u, i, j);
            variance += along * gradient[j];
            if (direction != NULL) {
                direction[j] += along;
            }
        }
    }
    /* Rounded correlations may leave a little less than nothing. */
    variance = variance < 0 ? 0 : variance;
    for (size_t b = 0; direction != NULL && b < u->uncertain_count; b++) {
        double *step = &direction[u->uncertain[b]];
        *step = variance > 0 ? *step / sqrt(variance) : 0;
    }
    return variance;
}

static double square(double x) {
    return x > 0 ? x * x : 0;
}

/* The standard deviation of a normal error whose mean size is 1. */
static double of_mean_size(void) {
    return sqrt(acos(-1) / 2);
}

static double misfit(const isocast_machine *machine, const isocast_operation *operations,
                     size_t count, const double *T_by_parameters) {
    double variance = 0;
    for (size_t k = 0; k < count; k++) {
        const isocast_operation *o = &operations[k];
        double share = o->fitted.misfit > 0 ? 0 : isocast_misfit_share(machine, o, T_by_parameters);
        double error = o->fitted.mean_error;
        variance += share != 0 && error > 0 ? square(fabs(share) * error * of_mean_size()) : 0;
    }
    return variance;
}

double isocast_uncertainty_of_runs(const isocast_uncertainty *u, const double *T_by_parameters) {
    const isocast_machine *machine = u->machine;
    return square(machine->sigma_launch) + square(machine->sigma_within) +
           misfit(machine, machine->operations, machine->operation_count, T_by_parameters) +
           misfit(machine, machine->compute, machine->compute_count, T_by_parameters);
}

/* Numbers whose errors hang together, and the factor V of their covariance V V^T. */
typedef struct component {
    size_t *members; /* [count], numbers */
    size_t count;
    gsl_matrix *factor; /* [count][count] */
} component;

/* Takes the numbers that hang together with the one that comes first among `left`, out of it;
 * *left_count goes down. */
static void take_component(const isocast_uncertainty *u, size_t *left, size_t *left_count,
                           component *out) {
    out->count = 0;
    out->members[out->count++] = left[0];
    left[0] = left[--*left_count];
    for (size_t k = 0; k < out->count; k++) {
        for (size_t i = 0; i < *left_count;) {
            if (covariance(u, out->members[k], left[i]) != 0) {
                out->members[out->count++] = left[i];
                left[i] = left[--*left_count];
            } else {
                i++;
            }
        }
    }
}

/* Of the correlations, so that numbers of any unit are alike. What rounding in the file left below
 * 0 of the eigenvalues is 0. */
static isocast_status factor_component(const isocast_uncertainty *u, component *c) {
    gsl_matrix *matrix = gsl_matrix_alloc(c->count, c->count);
    gsl_vector *values = gsl_vector_alloc(c->count);
    gsl_eigen_symmv_workspace *workspace = gsl_eigen_symmv_alloc(c->count);
    isocast_status status = ISOCAST_NO_MEMORY;
    if (matrix != NULL && values != NULL && workspace != NULL) {
        for (size_t a = 0; a < c->count; a++) {
            for (size_t b = 0; b < c->count; b++) {
                size_t i = c->members[a];
                size_t j = c->members[b];
                double scale = sqrt(covariance(u, i, i)) * sqrt(covariance(u, j, j));
                gsl_matrix_set(matrix, a, b, covariance(u, i, j) / scale);
            }
        }
        status = isocast_numerics_status(gsl_eigen_symmv(matrix, values, c->factor, workspace));
    }
    for (size_t a = 0; status == ISOCAST_OK && a < c->count; a++) {
        double error = sqrt(covariance(u, c->members[a], c->members[a]));
        for (size_t k = 0; k < c->count; k++) {
            double V = gsl_matrix_get(c->factor, a, k);
            gsl_matrix_set(c->factor, a, k, error * V * sqrt(fmax(0, gsl_vector_get(values, k))));
        }
    }
    gsl_matrix_free(matrix);
    gsl_vector_free(values);
    gsl_eigen_symmv_free(workspace);
    return status;
}

static isocast_status draw_component(const isocast_uncertainty *u, component *c, gsl_rng *generator,
                                     double *errors) {
    size_t n = isocast_uncertainty_count(u);
    double *z = malloc(c->count * sizeof *z);
    c->factor = gsl_matrix_alloc(c->count, c->count);
    isocast_status status = z == NULL || c->factor == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    if (status == ISOCAST_OK) {
        status = factor_component(u, c);
    }
    for (size_t d = 0; d < DRAWS && status == ISOCAST_OK; d += 2) {
        for (size_t k = 0; k < c->count; k++) {
            z[k] = gsl_ran_gaussian_ziggurat(generator, 1);
        }
        for (size_t a = 0; a < c->count; a++) {
            const double *row = gsl_matrix_const_ptr(c->factor, a, 0);
            double error = 0;
            for (size_t k = 0; k < c->count; k++) {
                error += row[k] * z[k];
            }
            errors[d * n + c->members[a]] = error;
            errors[(d + 1) * n + c->members[a]] = -error;
        }
    }
    free(z);
    gsl_matrix_free(c->factor);
    return status;
}

/* All components, one after the other; `errors` is zero elsewhere. */
static isocast_status draw_all(const isocast_uncertainty *u, gsl_rng *generator, double *errors) {
    size_t left_count = u->uncertain_count;
    size_t *left = malloc((left_count + 1) * sizeof *left);
    component c = {.members = malloc((left_count + 1) * sizeof *c.members)};
    isocast_status status = left == NULL || c.members == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    for (size_t i = 0; status == ISOCAST_OK && i < left_count; i++) {
        left[i] = u->uncertain[i];
    }
    while (status == ISOCAST_OK && left_count > 0) {
        take_component(u, left, &left_count, &c);
        status = draw_component(u, &c, generator, errors);
    }
    free(left);
    free(c.members);
    return status;
}

isocast_status isocast_uncertainty_draw(isocast_uncertainty *u, const double **errors,
                                        const double **normal) {
    size_t n = isocast_uncertainty_count(u);
    if (u->errors == NULL) {
        isocast_numerics_prepare();
        double *drawn = calloc(DRAWS * (n + 1), sizeof *drawn);
        gsl_rng *generator = gsl_rng_alloc(gsl_rng_mt19937);
        isocast_status status = ISOCAST_NO_MEMORY;
        if (drawn != NULL && generator != NULL) {
            gsl_rng_set(generator, SEED);
            for (size_t d = 0; d < DRAWS; d++) {
                drawn[DRAWS * n + d] = gsl_ran_gaussian_ziggurat(generator, 1);
            }
            status = draw_all(u, generator, drawn);
        }
        gsl_rng_free(generator);
        if (status != ISOCAST_OK) {
            free(drawn);
            return status;
        }
        u->errors = drawn;
    }
    *errors = u->errors;
    *normal = u->errors + DRAWS * n;
    return ISOCAST_OK;
}

isocast_status isocast_uncertainty_draw_by_number(isocast_uncertainty *u, const double **errors) {
    if (u->errors_by_number == NULL) {
        size_t n = isocast_uncertainty_count(u);
        const double *by_draw;
        const double *normal;
        isocast_status status = isocast_uncertainty_draw(u, &by_draw, &normal);
        double *by_number =
            status == ISOCAST_OK ? calloc(DRAWS * (n + 1), sizeof *by_number) : NULL;
        if (by_number == NULL) {
            return status != ISOCAST_OK ? status : ISOCAST_NO_MEMORY;
        }
        for (size_t a = 0; a < u->uncertain_count; a++) {
            size_t i = u->uncertain[a];
            for (size_t d = 0; d < DRAWS; d++) {
                by_number[i * DRAWS + d] = by_draw[d * n + i];
            }
        }
        u->errors_by_number = by_number;
    }
    *errors = u->errors_by_number;
    return ISOCAST_OK;
}

/* The share of draws that lie beyond one end of an interval. */
static double share_outside(const isocast_uncertainty *u) {
    return (1 - u->level) / 2;
}

/* Draws without a value may lie on either side. */
static bool is_lost(const isocast_uncertainty *u, size_t without) {
    return (double)without / DRAWS >= share_outside(u) / 2;
}

size_t isocast_uncertainty_lost_draws(const isocast_uncertainty *u) {
    size_t without = (size_t)(share_outside(u) / 2 * DRAWS);
    return is_lost(u, without) ? without : without + 1;
}

bool isocast_uncertainty_interval(const isocast_uncertainty *u, double *draws, double *low,
                                  double *high) {
    double outside = share_outside(u);
    size_t known = 0;
    for (size_t d = 0; d < DRAWS; d++) {
        if (!isnan(draws[d])) {
            draws[known++] = draws[d];
        }
    }
    double lost = (double)(DRAWS - known) / DRAWS;
    if (known == 0 || is_lost(u, DRAWS - known)) {
        return false;
    }
    double share = (outside - lost / 2) / (1 - lost);
    gsl_sort(draws, 1, known);
    *low = gsl_stats_quantile_from_sorted_data(draws, 1, known, share);
    *high = gsl_stats_quantile_from_sorted_data(draws, 1, known, 1 - share);
    return true;
}
