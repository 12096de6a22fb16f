#include "fit_growth.h"

#include <math.h>

#include "model/base/moments.h"

static const struct {
    unsigned functions; /* bit f: function f */
    size_t points_least;
} kinds[FIT_GROWTH_KINDS] = {
    [FIT_GROWTH_KIND_NONE] = {1U << FIT_GROWTH_ONE, 1},
    [FIT_GROWTH_KIND_LOG] = {1U << FIT_GROWTH_ONE | 1U << FIT_GROWTH_LOG, 2},
    [FIT_GROWTH_KIND_ROOT] = {1U << FIT_GROWTH_ONE | 1U << FIT_GROWTH_ROOT, 2},
    [FIT_GROWTH_KIND_LINEAR] = {1U << FIT_GROWTH_ONE | 1U << FIT_GROWTH_LINEAR, 2},
    [FIT_GROWTH_KIND_OUTSIDE] = {1U << FIT_GROWTH_ONE | 1U << FIT_GROWTH_OUTSIDE, 2},
    [FIT_GROWTH_KIND_LINEAR_ROOT] = {1U << FIT_GROWTH_ONE | 1U << FIT_GROWTH_LINEAR_ROOT, 2},
    [FIT_GROWTH_KIND_SQUARE] = {1U << FIT_GROWTH_ONE | 1U << FIT_GROWTH_SQUARE, 2},
    [FIT_GROWTH_KIND_LOG_LINEAR] = {1U << FIT_GROWTH_ONE | 1U << FIT_GROWTH_LOG |
                                        1U << FIT_GROWTH_LINEAR,
                                    3},
};

static double fit_growth_value(fit_growth_function function, double per_node, double p) {
    switch (function) {
    case FIT_GROWTH_ONE:
        return 1;
    case FIT_GROWTH_LOG:
        return log2(p);
    case FIT_GROWTH_FOURTH_ROOT:
        return sqrt(sqrt(p));
    case FIT_GROWTH_ROOT:
        return sqrt(p);
    case FIT_GROWTH_LINEAR:
        return p;
    case FIT_GROWTH_OUTSIDE:
        return fmax(p - per_node, 0);
    case FIT_GROWTH_LINEAR_ROOT:
        return p * sqrt(p);
    case FIT_GROWTH_SQUARE:
        return p * p;
    case FIT_GROWTH_FUNCTIONS:
        break;
    }
    return 0;
}

double fit_growth_time(const fit_growth *growth, double p) {
    double seconds = 0;
    for (int f = 0; f < FIT_GROWTH_FUNCTIONS; f++) {
        if (growth->coefficient[f] > 0) {
            seconds += growth->coefficient[f] *
                       fit_growth_value((fit_growth_function)f, growth->per_node, p);
        }
    }
    return seconds;
}

void fit_growth_put_factor(fit_growth_function function, double per_node, isocast_buffer *out) {
    static const char *const factors[FIT_GROWTH_FUNCTIONS] = {[FIT_GROWTH_ONE] = "1",
                                                              [FIT_GROWTH_LOG] = "log2(p)",
                                                              [FIT_GROWTH_FOURTH_ROOT] = "p^0.25",
                                                              [FIT_GROWTH_ROOT] = "p^0.5",
                                                              [FIT_GROWTH_LINEAR] = "p",
                                                              [FIT_GROWTH_LINEAR_ROOT] = "p^1.5",
                                                              [FIT_GROWTH_SQUARE] = "p^2"};
    if (function == FIT_GROWTH_OUTSIDE) {
        isocast_buffer_puts(out, per_node > 1 ? "(p - p_node)" : "(p - 1)");
    } else {
        isocast_buffer_puts(out, factors[function]);
    }
}

static void add_point(isocast_moments *moments, double per_node, const fit_growth_point *point,
                      double share) {
    double weight = share * (point->between ? 0.5 : 1);
    double row[FIT_GROWTH_FUNCTIONS];
    for (int f = 0; f < FIT_GROWTH_FUNCTIONS; f++) {
        row[f] =
            weight * fit_growth_value((fit_growth_function)f, per_node, point->p) / point->seconds;
    }
    isocast_moments_add(moments, row, weight);
}

bool fit_growth_fit(fit_growth_kind kind, double per_node, const fit_growth_point *points,
                    size_t count, fit_growth *out) {
    if (count < kinds[kind].points_least) {
        return false;
    }
    *out = (fit_growth){.per_node = per_node};
    const fit_growth_point *last = &points[count - 1];
    if (kind == FIT_GROWTH_KIND_NONE) {
        out->coefficient[FIT_GROWTH_ONE] = last->seconds;
        return true;
    }
    isocast_moments moments = {.terms = FIT_GROWTH_FUNCTIONS};
    for (size_t k = 0; k < count; k++) {
        add_point(&moments, per_node, &points[k], points[k].p / last->p);
    }
    double squares = 0;
    return isocast_moments_nonnegative(&moments, kinds[kind].functions, out->coefficient, &squares);
}

bool fit_growth_follow(double per_node, const fit_growth_point *points, size_t count,
                       size_t measured, fit_growth *out) {
    isocast_moments moments = {.terms = FIT_GROWTH_FUNCTIONS};
    for (size_t k = 0; k < count; k++) {
        add_point(&moments, per_node, &points[k],
                  k < measured ? points[k].p / points[measured - 1].p : 1);
    }
    double squares = 0;
    *out = (fit_growth){.per_node = per_node};
    return isocast_moments_nonnegative(&moments, (1U << FIT_GROWTH_FUNCTIONS) - 1, out->coefficient,
                                       &squares);
}
