#include "fit_form.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "median.h"

enum { TERMS_MOST = 4 /* of one range */, KINDS = 1 << FIT_SHAPE_TERMS, BLOCKS_MOST = 48 };

/* Relative errors below a thousandth are taken as a thousandth: better than that no timing is. */
static const double square_least = 1e-6;
/* A switch may lie anywhere, which costs more than a coefficient does. */
static const size_t switch_parameters = 2;
/* Sizes that a range has at least: else it follows single points. */
static const size_t sizes_least = 2;

/* Worse than any criterion. */
static const double last_resort = 1e9;

static void row_of(fit_shape shape, const fit_timing *at, double *row) {
    for (int term = 0; term < FIT_SHAPE_TERMS; term++) {
        row[term] = fit_shape_value(shape, (fit_shape_term)term, at->p, at->m) / at->seconds;
    }
}

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

static segment best_of(const fit_moments *moments, unsigned allowed) {
    segment out;
    for (size_t k = 0; k <= TERMS_MOST; k++) {
        out.squares[k] = INFINITY;
        out.terms[k] = 0;
    }
    for (unsigned subset = 1; subset < KINDS; subset++) {
        size_t size = (size_t)__builtin_popcount(subset);
        double coefficients[FIT_SHAPE_TERMS];
        double squares = 0;
        /* A start for each process instead of the steps is another shape's law: the ring's. */
        bool other = (subset >> FIT_SHAPE_PROCESSES & 1U) > (subset >> FIT_SHAPE_STEPS & 1U);
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
        row_of(shape, &t->items[k], row);
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
            *segment_at(s, begin, end) = best_of(&sum, allowed);
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
static double criterion(double squares, size_t points, size_t parameters) {
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
            double score =
                isfinite(squares) ? criterion(squares, s->t->count, parameters) : INFINITY;
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

static size_t range_of(const fit_form *form, double m) {
    size_t range = 0;
    while (range + 1 < form->count && m >= form->ranges[range + 1].m_from) {
        range++;
    }
    return range;
}

/* Sums over the points of each range. */
static void sum_ranges(const fit_timings *t, const fit_form *form,
                       fit_moments moments[FIT_FORM_RANGES_MOST]) {
    memset(moments, 0, FIT_FORM_RANGES_MOST * sizeof *moments);
    for (size_t k = 0; k < t->count; k++) {
        double row[FIT_SHAPE_TERMS];
        row_of(form->shape, &t->items[k], row);
        fit_moments_add(&moments[range_of(form, t->items[k].m)], row, FIT_SHAPE_TERMS, 1);
    }
}

bool fit_form_solve(const fit_timings *t, bool signs, fit_form *form) {
    fit_moments moments[FIT_FORM_RANGES_MOST];
    sum_ranges(t, form, moments);
    bool good = true;
    for (size_t r = 0; r < form->count && good; r++) {
        double squares = 0;
        good = fit_subset_solve(&moments[r], FIT_SHAPE_TERMS, form->ranges[r].terms, signs,
                                form->ranges[r].coefficient, &squares);
    }
    return good;
}

double fit_form_time(const fit_form *form, double p, double m) {
    const fit_form_range *range = &form->ranges[range_of(form, m)];
    double seconds = 0;
    for (int term = 0; term < FIT_SHAPE_TERMS; term++) {
        if ((range->terms >> term & 1U) != 0) {
            seconds +=
                range->coefficient[term] * fit_shape_value(form->shape, (fit_shape_term)term, p, m);
        }
    }
    return seconds;
}

/* The best ranges of one shape; its criterion, infinite where none can be fitted or memory is
 * short.
 */
static double fit_one(const fit_timings *t, fit_shape shape, fit_form *out) {
    size_t sizes = block_count(t);
    search s = {.t = t,
                .blocks = sizes,
                .segments = malloc(sizes * (sizes + 1) * sizeof *s.segments),
                .steps = malloc(((size_t)FIT_FORM_RANGES_MOST + 1) * (COEFFICIENTS + 1) *
                                (sizes + 1) * sizeof *s.steps)};
    fit_moments *moments = malloc(sizes * sizeof *moments);
    double score = INFINITY;
    *out = (fit_form){.shape = shape, .validated = NAN};
    if (s.segments != NULL && s.steps != NULL && moments != NULL) {
        sum_blocks(t, shape, moments);
        fill_segments(&s, moments);
        fill_steps(&s);
        score = choose_ranges(&s, out);
    }
    free(s.segments);
    free(s.steps);
    free(moments);
    return isfinite(score) && fit_form_solve(t, false, out) ? score : INFINITY;
}

/* The same operation without the last numbers of processes; a view, not to be freed. */
static fit_timings without_last(const fit_timings *t, size_t left_out) {
    fit_timings known = *t;
    known.p_count -= left_out;
    known.count = t->p_begin[known.p_count];
    return known;
}

/* Forecasts of the last numbers of processes by one shape: the sum of squared
 * ln(forecast/measured). errors: relative ones are appended, shape [2 times the points]. */
static double forecast(const fit_timings *t, fit_shape shape, double *errors, size_t *count) {
    double squares = 0;
    for (size_t left_out = 1; left_out <= 2 && t->p_count >= 2 + left_out; left_out++) {
        fit_timings known = without_last(t, left_out);
        fit_form form;
        /* Sizes that only the largest p have stay among the sizes, without points: harmless. */
        if (!isfinite(fit_one(&known, shape, &form))) {
            return INFINITY;
        }
        for (size_t k = known.count; k < t->count; k++) {
            double seconds = fit_form_time(&form, t->items[k].p, t->items[k].m);
            squares += pow(log(seconds / t->items[k].seconds), 2);
            errors[(*count)++] = fabs(seconds / t->items[k].seconds - 1);
        }
    }
    return squares;
}

static void note_errors(const fit_timings *t, fit_form *form) {
    for (size_t k = 0; k < t->count; k++) {
        double seconds = fit_form_time(form, t->items[k].p, t->items[k].m);
        double error = fabs(seconds / t->items[k].seconds - 1);
        form->mean_error += error / (double)t->count;
        form->max_error = fmax(form->max_error, error);
    }
    for (size_t r = 0; r < form->count; r++) {
        form->coefficient_count += (size_t)__builtin_popcount(form->ranges[r].terms);
    }
}

bool fit_form_choose(const fit_timings *t, bool message, fit_form *out) {
    double *errors = malloc((2 * t->count + 1) * sizeof *errors);
    double best = INFINITY;
    for (int shape = 0; errors != NULL && t->count > 0 && shape < FIT_SHAPES; shape++) {
        fit_form form;
        if ((shape == FIT_SHAPE_MESSAGE) != message) {
            continue;
        }
        double score = fit_one(t, (fit_shape)shape, &form);
        size_t count = 0;
        double squares = isfinite(score) ? forecast(t, (fit_shape)shape, errors, &count) : 0;
        if (count > 0) {
            score += criterion(squares, count, 0);
            form.validated = median_of(errors, count);
            form.validated_count = count;
        }
        if (score < best) {
            best = score;
            *out = form;
        }
    }
    free(errors);
    if (isfinite(best)) {
        note_errors(t, out);
    }
    return isfinite(best);
}

void fit_form_residual_covariance(const fit_timings *t, fit_form *form) {
    fit_moments moments[FIT_FORM_RANGES_MOST];
    sum_ranges(t, form, moments);
    double squares = 0;
    for (size_t k = 0; k < t->count; k++) {
        squares +=
            pow(fit_form_time(form, t->items[k].p, t->items[k].m) / t->items[k].seconds - 1, 2);
    }
    double freedom = fmax((double)t->count - (double)form->coefficient_count, 1);
    size_t index = 0;
    for (size_t r = 0; r < form->count; r++) {
        double inverse[FIT_NONNEGATIVE_MOST][FIT_NONNEGATIVE_MOST];
        unsigned terms = form->ranges[r].terms;
        fit_subset_inverse(&moments[r], FIT_SHAPE_TERMS, terms, inverse);
        size_t row = index;
        for (int a = 0; a < FIT_SHAPE_TERMS; a++) {
            size_t column = index;
            for (int b = 0; (terms >> a & 1U) != 0 && b < FIT_SHAPE_TERMS; b++) {
                if ((terms >> b & 1U) != 0) {
                    form->covariance[row][column++] = inverse[a][b] * squares / freedom;
                }
            }
            row += terms >> a & 1U;
        }
        index = row;
    }
    form->over_launches = false;
}

void fit_form_coefficient_name(const fit_form *form, const char *prefix, size_t range,
                               fit_shape_term term, char *out, size_t most) {
    isocast_buffer name = {0};
    isocast_buffer_printf(&name, "%s", prefix);
    if (form->count > 1) {
        isocast_buffer_printf(&name, "_%zu", range + 1);
    }
    isocast_buffer_printf(&name, "_%s", fit_shape_term_name(term));
    size_t length = name.text != NULL ? name.length : 0;
    length = length < most ? length : most - 1;
    memcpy(out, name.text != NULL ? name.text : "", length);
    out[length] = '\0';
    isocast_buffer_free(&name);
}

static void write_range(const fit_form *form, size_t r, const char *prefix, isocast_buffer *out) {
    const char *plus = "";
    for (int term = 0; term < FIT_SHAPE_TERMS; term++) {
        if ((form->ranges[r].terms >> term & 1U) != 0) {
            char name[160];
            fit_form_coefficient_name(form, prefix, r, (fit_shape_term)term, name, sizeof name);
            isocast_buffer_printf(out, "%s%s%s", plus, name,
                                  fit_shape_term_factor(form->shape, (fit_shape_term)term));
            plus = " + ";
        }
    }
}

void fit_form_write(const fit_form *form, const char *prefix, isocast_buffer *out) {
    for (size_t r = 0; r < form->count; r++) {
        if (r + 1 < form->count) {
            isocast_buffer_printf(out, "if(m < %.0f B, ", form->ranges[r + 1].m_from);
        }
        write_range(form, r, prefix, out);
        isocast_buffer_puts(out, r + 1 < form->count ? ", " : "");
    }
    for (size_t r = 1; r < form->count; r++) {
        isocast_buffer_puts(out, ")");
    }
}
