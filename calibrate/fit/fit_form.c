#include "fit_form.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/samples/median.h"
#include "fit_switches.h"
#include "model/spec/range_name.h"

void fit_form_row(fit_shape shape, const fit_timing *at, double *row) {
    for (int term = 0; term < FIT_SHAPE_TERMS; term++) {
        row[term] = fit_shape_value(shape, (fit_shape_term)term, at->p, at->m) / at->seconds;
    }
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
        fit_form_row(form->shape, &t->items[k], row);
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

/* Forecasts of the last numbers of processes by one shape: the sum of squared
 * ln(forecast/measured); infinite where nothing can be fitted, NAN where memory is short. errors:
 * relative ones are appended, shape [2 times the points]. */
static double forecast(const fit_timings *t, fit_shape shape, double *errors, size_t *count) {
    double squares = 0;
    for (size_t left_out = 1; left_out <= 2 && t->p_count >= 2 + left_out; left_out++) {
        fit_timings known = fit_timings_without_last(t, left_out);
        fit_form form;
        /* Sizes that only the largest p have stay among the sizes, without points: harmless. */
        double score = fit_switches_choose(&known, shape, &form);
        if (!isfinite(score)) {
            return score;
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

bool fit_form_choose(const fit_timings *t, bool message, fit_form *out, bool *found) {
    double *errors = malloc((2 * t->count + 1) * sizeof *errors);
    bool memory = errors != NULL;
    double best = INFINITY;
    for (int shape = 0; memory && t->count > 0 && shape < FIT_SHAPES; shape++) {
        fit_form form;
        if ((shape == FIT_SHAPE_MESSAGE) != message) {
            continue;
        }
        double score = fit_switches_choose(t, (fit_shape)shape, &form);
        size_t count = 0;
        double squares = isfinite(score) ? forecast(t, (fit_shape)shape, errors, &count) : 0;
        memory = !isnan(score) && !isnan(squares);
        if (count > 0) {
            score += fit_switches_criterion(squares, count, 0);
            form.validated = median_of(errors, count);
            form.validated_count = count;
        }
        if (score < best) {
            best = score;
            *out = form;
        }
    }
    free(errors);
    *found = isfinite(best);
    if (*found) {
        note_errors(t, out);
    }
    return memory;
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
    double to = range + 1 < form->count ? form->ranges[range + 1].m_from : INFINITY;
    isocast_range_name(prefix, range == 0 ? 0 : form->ranges[range].m_from, to, out, most);
    size_t length = strlen(out);
    snprintf(out + length, most - length, "_%s", fit_shape_term_name(term));
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
