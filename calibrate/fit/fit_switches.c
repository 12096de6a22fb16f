#include "fit_switches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TERMS_MOST = 4 /* of one range */, KINDS = 1 << FIT_SHAPE_TERMS, BLOCKS_MOST = 48 };

/* Relative errors below a thousandth are taken as a thousandth: better than that no timing is. */
static const double square_least = 1e-6;
/* A switch may lie anywhere, which costs more than a coefficient does. */
static const size_t switch_parameters = 2;
/* Sizes that a range has at least: else it follows single points. */
static const size_t sizes_least = 2;

/* Worse than any criterion. */
static const double last_resort = 1e9;

/* The best terms of a range for each number of terms. */
typedef struct segment {
    double squares[TERMS_MOST + 1]; /* [number of terms]; infinite where there are none */
    unsigned terms[TERMS_MOST + 1];
} segment;

/* Terms that the points may have: too few counts of processes leave only the steps and the volume.
 */
static unsigned allowed_terms(const fit_timings *t) {
    unsigned few = 1U << FIT_SHAPE_STEPS | 1U << FIT_SHAPE_VOLUME;
    return t->p_count < 3 ? few : (unsigned)KINDS - 1;
}

static segment best_of(const fit_moments *moments, unsigned allowed, bool smallest) {
    segment out;
    for (size_t k = 0; k <= TERMS_MOST; k++) {
        out.squares[k] = INFINITY;
        out.terms[k] = 0;
    }
    for (unsigned subset = 1; subset < KINDS; subset++) {
        size_t size = (size_t)__builtin_popcount(subset);
        double coefficients[FIT_SHAPE_TERMS];
        double squares = 0;
        /* A start for each process instead of the steps is another shape's law: the ring's. And a
         * message of no bytes takes time. */
        bool other = (subset >> FIT_SHAPE_PROCESSES & 1U) > (subset >> FIT_SHAPE_STEPS & 1U);
        other = other || (smallest && (subset & FIT_SHAPE_STARTS) == 0);
        if ((subset & ~allowed) == 0 && !other && size <= TERMS_MOST &&
            fit_subset_solve(moments, FIT_SHAPE_TERMS, subset, false, coefficients, &squares) &&
            squares < out.squares[size] - 1e-12 * moments->y_squares) {
            out.squares[size] = squares;
            out.terms[size] = subset;
        }
    }
    return out;
}

/* Neighbouring sizes are taken together where there are more than BLOCKS_MOST: switches lie between
 * blocks of sizes. */
static size_t block_count(const fit_timings *t) {
    return t->size_count < BLOCKS_MOST ? t->size_count : BLOCKS_MOST;
}

/* The index of the first size of a block. */
static size_t block_begin(const fit_timings *t, size_t block) {
    return block * t->size_count / block_count(t);
}

/* Sums over the points of each block. moments: [block_count]. */
static void sum_blocks(const fit_timings *t, fit_shape shape, fit_moments *moments) {
    memset(moments, 0, block_count(t) * sizeof *moments);
    for (size_t k = 0; k < t->count; k++) {
        size_t block = 0;
        while (block + 1 < block_count(t) && t->sizes[block_begin(t, block + 1)] <= t->items[k].m) {
            block++;
        }
        double row[FIT_SHAPE_TERMS];
        fit_form_row(shape, &t->items[k], row);
        fit_moments_add(&moments[block], row, FIT_SHAPE_TERMS, 1);
    }
}

/* Dynamic programming over the blocks: the least squares of the first `end` blocks in so many
 * ranges with so many coefficients in all, and how it came about. */
typedef struct step {
    double squares;
    size_t begin; /* of the last range */
    size_t terms; /* number of terms of it */
} step;

typedef struct search {
    const fit_timings *t;
    segment *segments; /* [blocks][blocks + 1]: from block, up to (not with) block */
    step *steps;       /* [FIT_FORM_RANGES_MOST + 1][COEFFICIENTS + 1][blocks + 1] */
    size_t blocks;
} search;

enum { COEFFICIENTS = FIT_FORM_COEFFICIENTS_MOST };

static step *step_at(const search *s, size_t ranges, size_t coefficients, size_t end) {
    size_t width = s->blocks + 1;
    return &s->steps[(ranges * ((size_t)COEFFICIENTS + 1) + coefficients) * width + end];
}

static segment *segment_at(const search *s, size_t begin, size_t end) {
    return &s->segments[begin * (s->blocks + 1) + end];
}

static void fill_segments(search *s, const fit_moments *moments) {
    unsigned allowed = allowed_terms(s->t);
    for (size_t begin = 0; begin < s->blocks; begin++) {
        fit_moments sum = {0};
        for (size_t end = begin + 1; end <= s->blocks; end++) {
            fit_moments_join(&sum, &moments[end - 1]);
            *segment_at(s, begin, end) = best_of(&sum, allowed, begin == 0);
        }
    }
}

/* One step: the last range goes from `begin` to `end`. */
static void try_range(search *s, size_t ranges, size_t coefficients, size_t begin, size_t end) {
    const segment *last = segment_at(s, begin, end);
    step *best = step_at(s, ranges, coefficients, end);
    for (size_t k = 1; k <= TERMS_MOST && k <= coefficients; k++) {
        double before = step_at(s, ranges - 1, coefficients - k, begin)->squares;
        if (before + last->squares[k] < best->squares) {
            *best = (step){before + last->squares[k], begin, k};
        }
    }
}

static void fill_steps(search *s) {
    size_t sizes = s->blocks;
    size_t all = ((size_t)FIT_FORM_RANGES_MOST + 1) * (COEFFICIENTS + 1) * (sizes + 1);
    for (size_t k = 0; k < all; k++) {
        s->steps[k] = (step){INFINITY, 0, 0};
    }
    step_at(s, 0, 0, 0)->squares = 0;
    for (size_t ranges = 1; ranges <= FIT_FORM_RANGES_MOST; ranges++) {
        for (size_t coefficients = ranges; coefficients <= COEFFICIENTS; coefficients++) {
            for (size_t end = 1; end <= sizes; end++) {
                for (size_t begin = 0; begin < end; begin++) {
                    bool whole = begin == 0 && end == sizes;
                    if (whole || end - begin >= sizes_least) {
                        try_range(s, ranges, coefficients, begin, end);
                    }
                }
            }
        }
    }
}

/* The Bayesian criterion (Schwarz 1978) with the term for few points that Akaike's has (Hurvich,
 * Tsai 1989); infinite where the points are too few for it. */
double fit_switches_criterion(double squares, size_t points, size_t parameters) {
    double n = (double)points;
    double k = (double)parameters + 1;
    double score = n * log(fmax(squares / n, square_least)) + k * log(n);
    return parameters == 0 ? score
           : n - k - 1 > 0 ? score + 2 * k * (k + 1) / (n - k - 1)
                           : INFINITY;
}

/* Reads the ranges off the steps, last first. */
static void trace(const search *s, size_t ranges, size_t coefficients, fit_form *form) {
    size_t end = s->blocks;
    form->count = ranges;
    while (ranges > 0) {
        const step *last = step_at(s, ranges, coefficients, end);
        fit_form_range *range = &form->ranges[ranges - 1];
        *range = (fit_form_range){.m_first = s->t->sizes[block_begin(s->t, last->begin)],
                                  .terms = segment_at(s, last->begin, end)->terms[last->terms]};
        if (ranges > 1) {
            range->m_below = s->t->sizes[block_begin(s->t, last->begin) - 1];
            range->m_from = ceil(sqrt(fmax(range->m_below, 1) * range->m_first));
        }
        coefficients -= last->terms;
        end = last->begin;
        ranges--;
    }
}

static double choose_ranges(const search *s, fit_form *form) {
    double best = INFINITY;
    size_t best_ranges = 0;
    size_t best_coefficients = 0;
    for (size_t ranges = 1; ranges <= FIT_FORM_RANGES_MOST; ranges++) {
        for (size_t k = ranges; k <= COEFFICIENTS; k++) {
            double squares = step_at(s, ranges, k, s->blocks)->squares;
            size_t parameters = k + switch_parameters * (ranges - 1);
            double score = isfinite(squares)
                               ? fit_switches_criterion(squares, s->t->count, parameters)
                               : INFINITY;
            /* One coefficient can always be had, if nothing better can. */
            score = k == 1 && isfinite(squares) ? fmin(score, last_resort) : score;
            if (score < best) {
                best = score;
                best_ranges = ranges;
                best_coefficients = k;
            }
        }
    }
    if (isfinite(best)) {
        trace(s, best_ranges, best_coefficients, form);
    }
    return best;
}

double fit_switches_choose(const fit_timings *t, fit_shape shape, fit_form *out) {
    size_t sizes = block_count(t);
    search s = {.t = t,
                .blocks = sizes,
                .segments = malloc(sizes * (sizes + 1) * sizeof *s.segments),
                .steps = malloc(((size_t)FIT_FORM_RANGES_MOST + 1) * (COEFFICIENTS + 1) *
                                (sizes + 1) * sizeof *s.steps)};
    fit_moments *moments = malloc(sizes * sizeof *moments);
    double score = INFINITY;
    *out = (fit_form){.shape = shape, .validated = NAN};
    bool memory = s.segments != NULL && s.steps != NULL && moments != NULL;
    if (memory) {
        sum_blocks(t, shape, moments);
        fill_segments(&s, moments);
        fill_steps(&s);
        score = choose_ranges(&s, out);
    }
    free(s.segments);
    free(s.steps);
    free(moments);
    if (!memory) {
        return NAN;
    }
    return isfinite(score) && fit_form_solve(t, false, out) ? score : INFINITY;
}
