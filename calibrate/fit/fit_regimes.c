#include "fit_regimes.h"

#include <gsl/gsl_matrix.h>
#include <gsl/gsl_vector.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/binomial.h"
#include "model/base/least_squares.h"
#include "model/base/numerics.h"

double fit_term_value(fit_term term, const fit_point *at) {
    double p = at->p;
    double m = at->m;
    double steps = ceil(log2(p) - 1e-9);
    double depth = floor(log2(p) + 1e-9);
    double node_depth = floor(log2(at->nodes) + 1e-9);
    switch (term) {
    case FIT_TERM_CONSTANT:
        return 1;
    case FIT_TERM_STEPS:
        return steps;
    case FIT_TERM_PROCESSES:
        return p - 1;
    case FIT_TERM_BYTES:
        return m;
    case FIT_TERM_STEP_BYTES:
        return m * steps;
    case FIT_TERM_PROCESS_BYTES:
        return m * (p - 1);
    case FIT_TERM_DEPTH:
        return depth;
    case FIT_TERM_DEPTH_BYTES:
        return m * depth;
    case FIT_TERM_VOLUME_BYTES:
        return m * isocast_binomial_volume(p);
    case FIT_TERM_SPREAD:
        return at->nodes == p;
    case FIT_TERM_SPREAD_BYTES:
        return at->nodes == p ? m : 0;
    case FIT_TERM_NODE_DEPTH:
        return node_depth;
    case FIT_TERM_NODE_DEPTH_BYTES:
        return m * node_depth;
    case FIT_TERM_NODE_VOLUME_BYTES:
        return m * isocast_binomial_volume(at->nodes);
    case FIT_TERM_REMOTE:
        return at->p - at->p_node;
    case FIT_TERM_REMOTE_BYTES:
        return m * (at->p - at->p_node);
    case FIT_TERM_CROSSING_BYTES:
        return m / at->p * at->p_node * (at->p - at->p_node);
    case FIT_TERM_MESSAGES:
        return (p - 1) * at->message;
    case FIT_TERMS:
        break;
    }
    return 0;
}

/* What the terms must make up, relative to the measured time and weighted. */
static double unknown_share(const fit_point *at) {
    return (1 - at->known / at->seconds) * at->weight;
}

/* Akaike's criterion for small samples, from the sum of squared relative errors. Errors below a
 * thousandth are taken as a thousandth: better than that no timing is. */
static double score_of(double squares, size_t points, size_t parameters) {
    double n = (double)points;
    double k = (double)parameters + 1;
    if (n - k - 1 <= 0) {
        return INFINITY;
    }
    return n * log(fmax(squares / n, 1e-6)) + 2 * k + 2 * k * (k + 1) / (n - k - 1);
}

/* Least squares on one subset of terms. False where a coefficient comes out negative, or memory is
 * short, which sets *no_memory. */
static bool fit_subset(const fit_point *points, size_t count, const fit_term *terms,
                       size_t term_count, fit_regime *out, double *squares, bool *no_memory) {
    isocast_numerics_prepare();
    gsl_matrix *design = gsl_matrix_alloc(count, term_count);
    gsl_vector *observed = gsl_vector_alloc(count);
    gsl_vector *coefficients = gsl_vector_alloc(term_count);
    gsl_matrix *covariance = gsl_matrix_alloc(term_count, term_count);
    /* Divided by the measured time, so that errors are relative; columns scaled to one size, as
     * bytes and constants are far apart. */
    double scale[FIT_TERMS] = {0};
    bool good = design != NULL && observed != NULL && coefficients != NULL && covariance != NULL;
    *no_memory = *no_memory || !good;
    for (size_t k = 0; good && k < count; k++) {
        for (size_t j = 0; j < term_count; j++) {
            double value =
                fit_term_value(terms[j], &points[k]) / points[k].seconds * points[k].weight;
            gsl_matrix_set(design, k, j, value);
            scale[j] = fmax(scale[j], fabs(value));
        }
        gsl_vector_set(observed, k, unknown_share(&points[k]));
    }
    for (size_t j = 0; good && j < term_count; j++) {
        gsl_vector_view column = gsl_matrix_column(design, j);
        good = scale[j] > 0;
        gsl_vector_scale(&column.vector, good ? 1 / scale[j] : 1);
    }
    if (good) {
        size_t rank = 0;
        isocast_status status = isocast_least_squares(design, observed, 1e-10, coefficients,
                                                      covariance, squares, &rank);
        *no_memory = *no_memory || status == ISOCAST_NO_MEMORY;
        good = status == ISOCAST_OK && rank == term_count;
    }
    memset(out, 0, sizeof *out);
    for (size_t j = 0; good && j < term_count; j++) {
        double value = gsl_vector_get(coefficients, j);
        good = value >= 0 && isfinite(value);
        out->used[terms[j]] = true;
        out->coefficient[terms[j]] = value / scale[j];
        for (size_t i = 0; i < term_count; i++) {
            /* As many points as terms leave no scatter to learn an error from. */
            double element_value = gsl_matrix_get(covariance, j, i) / (scale[j] * scale[i]);
            out->covariance[terms[j]][terms[i]] = isfinite(element_value) ? element_value : 0;
        }
    }
    gsl_matrix_free(covariance);
    gsl_vector_free(coefficients);
    gsl_vector_free(observed);
    gsl_matrix_free(design);
    return good;
}

/* Sums of products of one range's columns, relative to the measured times: a least-squares fit of
 * any terms follows from them. */
typedef struct moments {
    double products[FIT_TERMS][FIT_TERMS];
    double with_observed[FIT_TERMS]; /* each column times the observation */
    double observed;                 /* the observation squared */
    double count;
} moments;

static void moments_add(moments *sums, const fit_point *point, const double scale[FIT_TERMS]) {
    double row[FIT_TERMS];
    double observed = unknown_share(point);
    for (int a = 0; a < FIT_TERMS; a++) {
        double value =
            fit_term_value((fit_term)a, point) / point->seconds * point->weight / scale[a];
        /* A term without a value here is not among the allowed. */
        row[a] = isfinite(value) ? value : 0;
    }
    for (int a = 0; a < FIT_TERMS; a++) {
        for (int b = 0; b < FIT_TERMS; b++) {
            sums->products[a][b] += row[a] * row[b];
        }
        sums->with_observed[a] += row[a] * observed;
    }
    sums->observed += observed * observed;
    sums->count++;
}

/* Solves a symmetric system in place by Cholesky's method; false where it is singular, which GSL's
 * own would end the program over. */
static bool solve(double matrix[FIT_TERMS][FIT_TERMS], double *right, size_t count) {
    static const double least_pivot = 1e-9;
    for (size_t i = 0; i < count; i++) {
        double diagonal = matrix[i][i];
        for (size_t k = 0; k <= i; k++) {
            double sum = matrix[i][k];
            for (size_t l = 0; l < k; l++) {
                sum -= matrix[i][l] * matrix[k][l];
            }
            if (k == i) {
                if (!(sum > least_pivot * diagonal)) {
                    return false;
                }
                matrix[i][i] = sqrt(sum);
            } else {
                matrix[i][k] = sum / matrix[k][k];
            }
        }
        for (size_t l = 0; l < i; l++) {
            right[i] -= matrix[i][l] * right[l];
        }
        right[i] /= matrix[i][i];
    }
    for (size_t i = count; i-- > 0;) {
        for (size_t l = i + 1; l < count; l++) {
            right[i] -= matrix[l][i] * right[l];
        }
        right[i] /= matrix[i][i];
    }
    return true;
}

/* Sum of squared relative errors of the best fit with some terms; infinite where a coefficient
 * comes out negative or the terms cannot be told apart. */
static double squares_of(const moments *sums, const fit_term *terms, size_t count) {
    double matrix[FIT_TERMS][FIT_TERMS];
    double solution[FIT_TERMS];
    for (size_t a = 0; a < count; a++) {
        for (size_t b = 0; b < count; b++) {
            matrix[a][b] = sums->products[terms[a]][terms[b]];
        }
        solution[a] = sums->with_observed[terms[a]];
    }
    if (!solve(matrix, solution, count)) {
        return INFINITY;
    }
    double explained = 0;
    for (size_t a = 0; a < count; a++) {
        if (solution[a] < 0) {
            return INFINITY;
        }
        explained += solution[a] * sums->with_observed[terms[a]];
    }
    return fmax(sums->observed - explained, 0);
}

static size_t terms_of(unsigned subset, fit_term terms[FIT_TERMS]) {
    size_t count = 0;
    for (unsigned term = 0; term < FIT_TERMS; term++) {
        if ((subset >> term & 1) != 0) {
            terms[count++] = (fit_term)term;
        }
    }
    return count;
}

/* The best fit of a range by its number of terms. */
typedef struct range_fit {
    double squares[FIT_TERMS + 1]; /* infinite where there is none */
    unsigned subset[FIT_TERMS + 1];
} range_fit;

static void fit_all_subsets(const moments *sums, unsigned allowed, range_fit *out) {
    for (size_t q = 0; q <= FIT_TERMS; q++) {
        out->squares[q] = INFINITY;
        out->subset[q] = 0;
    }
    for (unsigned subset = allowed; subset > 0; subset = (subset - 1) & allowed) {
        fit_term terms[FIT_TERMS];
        size_t count = terms_of(subset, terms);
        double squares = (double)count <= sums->count ? squares_of(sums, terms, count) : INFINITY;
        if (squares < out->squares[count]) {
            out->squares[count] = squares;
            out->subset[count] = subset;
        }
    }
}

/* Where regimes may begin, and how many of them there are at most. */
enum { BORDERS_MOST = 32, PARAMETERS_MOST = 60 };

typedef struct borders {
    size_t
        first[BORDERS_MOST + 1]; /* [count + 1] indices into the points; the last is their number */
    size_t count;
} borders;

/* A size that a regime may begin with. */
typedef struct border {
    size_t first; /* of its points */
    double jump;  /* how far the times there are from the line through the two sizes before */
} border;

static int by_jump(const void *left, const void *right) {
    const border *a = left;
    const border *b = right;
    return (a->jump < b->jump) - (a->jump > b->jump);
}

static int by_place(const void *left, const void *right) {
    const border *a = left;
    const border *b = right;
    return (a->first > b->first) - (a->first < b->first);
}

static bool same_processes(const fit_point *a, const fit_point *b) {
    return a->p == b->p && a->nodes == b->nodes;
}

/* Relative distance of a point from the line through the two sizes before it on the same processes;
 * 0 where there are not so many. */
static double jump_at(const fit_point *points, size_t at) {
    const fit_point *before[2] = {NULL, NULL};
    for (size_t k = at, found = 0; k-- > 0 && found < 2;) {
        if (same_processes(&points[k], &points[at]) &&
            (found == 0 || points[k].size < before[0]->size)) {
            before[found++] = &points[k];
        }
    }
    if (before[1] == NULL) {
        return 0;
    }
    double share = (points[at].size - before[0]->size) / (before[0]->size - before[1]->size);
    double line = before[0]->seconds + share * (before[0]->seconds - before[1]->seconds);
    return fabs(line / points[at].seconds - 1) / fmax(share, 1);
}

/* The sizes that stand out most, where there are too many to try all. */
static bool find_borders(const fit_point *points, size_t count, borders *out) {
    border *all = malloc((count + 1) * sizeof *all);
    size_t sizes = 0;
    if (all == NULL) {
        return false;
    }
    for (size_t k = 0; k < count; k++) {
        if (k == 0 || points[k].size > points[k - 1].size) {
            all[sizes++] = (border){.first = k};
        }
        double jump = jump_at(points, k);
        all[sizes - 1].jump = fmax(all[sizes - 1].jump, jump);
    }
    all[0].jump = INFINITY;
    if (sizes > BORDERS_MOST) {
        qsort(all, sizes, sizeof *all, by_jump);
        sizes = BORDERS_MOST;
        qsort(all, sizes, sizeof *all, by_place);
    }
    out->count = sizes;
    for (size_t k = 0; k < sizes; k++) {
        out->first[k] = all[k].first;
    }
    out->first[sizes] = count;
    free(all);
    return true;
}

/* The fits of every range from one border to another. */
typedef struct range_table {
    borders borders;
    range_fit *fits; /* [count][count + 1]: from border i up to border j */
} range_table;

static const range_fit *fit_of(const range_table *table, size_t from, size_t to) {
    return &table->fits[from * (table->borders.count + 1) + to];
}

static bool fill_table(const fit_point *points, size_t count, unsigned allowed, range_table *out) {
    double scale[FIT_TERMS];
    for (int term = 0; term < FIT_TERMS; term++) {
        scale[term] = 0;
        for (size_t k = 0; k < count; k++) {
            double value = fit_term_value((fit_term)term, &points[k]) / points[k].seconds;
            scale[term] = isfinite(value) ? fmax(scale[term], value) : scale[term];
        }
        scale[term] = scale[term] > 0 ? scale[term] : 1;
    }
    if (!find_borders(points, count, &out->borders)) {
        return false;
    }
    size_t last = out->borders.count;
    out->fits = malloc(last * (last + 1) * sizeof *out->fits);
    if (out->fits == NULL) {
        return false;
    }
    for (size_t from = 0; from < last; from++) {
        moments sums = {.count = 0};
        for (size_t to = from + 1; to <= last; to++) {
            for (size_t k = out->borders.first[to - 1]; k < out->borders.first[to]; k++) {
                moments_add(&sums, &points[k], scale);
            }
            fit_all_subsets(&sums, allowed, &out->fits[from * (last + 1) + to]);
        }
    }
    return true;
}

/* The least squares of everything before a border, with so many regimes and terms in them, and the
 * last regime that gives it. */
typedef struct step {
    double squares;
    size_t from;
    size_t terms;
} step;

typedef step steps[FIT_REGIMES_MOST + 1][BORDERS_MOST + 1][PARAMETERS_MOST + 1];

/* Sizes in a range of points. */
static bool has_two_sizes(const fit_point *points, size_t from, size_t to) {
    return points[to - 1].size > points[from].size;
}

/* A switch lies between two sizes above 0, and a regime has at least two sizes unless it is alone.
 */
static bool may_be(const range_table *table, const fit_point *points, size_t from, size_t to) {
    size_t begin = table->borders.first[from];
    bool alone = from == 0 && to == table->borders.count;
    return alone || (has_two_sizes(points, begin, table->borders.first[to]) &&
                     (from == 0 || points[begin - 1].size > 0));
}

/* R. Bellman's dynamic programming over the last regime (Commun. ACM 4, 1961). */
static void extend(const range_table *table, const fit_point *points, size_t regimes, size_t to,
                   steps *best) {
    for (size_t from = 0; from < to; from++) {
        if (!may_be(table, points, from, to)) {
            continue;
        }
        const range_fit *fit = fit_of(table, from, to);
        for (size_t q = 1; q <= FIT_TERMS; q++) {
            for (size_t before = 0; before + q <= PARAMETERS_MOST && !isinf(fit->squares[q]);
                 before++) {
                double squares = (*best)[regimes - 1][from][before].squares + fit->squares[q];
                step *here = &(*best)[regimes][to][before + q];
                if (squares < here->squares) {
                    *here = (step){squares, from, q};
                }
            }
        }
    }
}

static void find_steps(const range_table *table, const fit_point *points, steps *best) {
    for (size_t r = 0; r <= FIT_REGIMES_MOST; r++) {
        for (size_t to = 0; to <= table->borders.count; to++) {
            for (size_t q = 0; q <= PARAMETERS_MOST; q++) {
                (*best)[r][to][q] = (step){.squares = INFINITY};
            }
        }
    }
    (*best)[0][0][0].squares = 0;
    for (size_t r = 1; r <= FIT_REGIMES_MOST; r++) {
        for (size_t to = 1; to <= table->borders.count; to++) {
            extend(table, points, r, to, best);
        }
    }
}

/* Fits the regimes that the steps lead back through, with errors. False where that cannot be, or
 * memory is short, which sets *no_memory. */
static bool trace(const range_table *table, const fit_point *points, const steps *best,
                  size_t regimes, size_t parameters, fit_regimes *out, bool *no_memory) {
    size_t to = table->borders.count;
    out->count = regimes;
    for (size_t r = regimes; r > 0; r--) {
        const step *here = &(*best)[r][to][parameters];
        fit_term terms[FIT_TERMS];
        size_t begin = table->borders.first[here->from];
        size_t count = terms_of(fit_of(table, here->from, to)->subset[here->terms], terms);
        double squares;
        if (!fit_subset(points + begin, table->borders.first[to] - begin, terms, count,
                        &out->regimes[r - 1], &squares, no_memory)) {
            return false;
        }
        out->regimes[r - 1].size_from =
            here->from == 0 ? 0 : sqrt(points[begin - 1].size * points[begin].size);
        to = here->from;
        parameters -= here->terms;
    }
    return true;
}

bool fit_regimes_choose(const fit_point *points, size_t count, const bool allowed[FIT_TERMS],
                        fit_regimes *out) {
    unsigned permitted = 0;
    for (unsigned term = 0; term < FIT_TERMS; term++) {
        permitted |= allowed[term] ? 1u << term : 0;
    }
    range_table table = {.fits = NULL};
    steps *best = malloc(sizeof *best);
    bool found = best != NULL && count > 0 && fill_table(points, count, permitted, &table);
    out->score = INFINITY;
    if (found) {
        find_steps(&table, points, best);
        found = false;
    }
    bool no_memory = false;
    for (size_t r = 1; table.fits != NULL && r <= FIT_REGIMES_MOST; r++) {
        for (size_t q = 1; q <= PARAMETERS_MOST; q++) {
            double squares = (*best)[r][table.borders.count][q].squares;
            double score = isinf(squares) ? INFINITY : score_of(squares, count, q + r - 1);
            fit_regimes candidate = {.score = score};
            if ((score < out->score || (!found && !isinf(squares))) &&
                trace(&table, points, best, r, q, &candidate, &no_memory)) {
                *out = candidate;
                found = true;
            }
        }
    }
    free(table.fits);
    free(best);
    return found && !no_memory;
}

size_t fit_regime_at(const fit_regimes *f, const fit_point *at) {
    size_t r = f->count - 1;
    while (r > 0 && at->size < f->regimes[r].size_from) {
        r--;
    }
    return r;
}

static double ratio_at(const fit_correction *correction, double p) {
    size_t last = correction->counts - 1;
    if (correction->counts == 0 || p >= 2 * correction->count_measured[last]) {
        return 1;
    }
    if (p <= correction->count_measured[0]) {
        return correction->ratio[0];
    }
    size_t k = 0;
    while (k < last && correction->count_measured[k + 1] < p) {
        k++;
    }
    double from = correction->count_measured[k];
    double to = k < last ? correction->count_measured[k + 1] : 2 * from;
    double after = k < last ? correction->ratio[k + 1] : 1;
    return correction->ratio[k] + (p - from) / (to - from) * (after - correction->ratio[k]);
}

static bool shares_nodes(const fit_point *at) {
    return at->nodes < at->p;
}

double fit_regime_terms(const fit_regime *regime, const fit_point *at) {
    double seconds = 0;
    for (int term = 0; term < FIT_TERMS; term++) {
        /* A term that is not used may have no value here. */
        if (regime->used[term]) {
            seconds += regime->coefficient[term] * fit_term_value((fit_term)term, at);
        }
    }
    return seconds;
}

double fit_regimes_time(const fit_regimes *f, const fit_point *at) {
    const fit_regime *regime = &f->regimes[fit_regime_at(f, at)];
    const fit_correction *correction = &regime->corrections[shares_nodes(at)];
    return at->known + fit_regime_terms(regime, at) * ratio_at(correction, at->p);
}
