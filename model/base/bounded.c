#include "bounded.h"

#include <math.h>
#include <string.h>

static unsigned bit(size_t i) {
    return 1U << i;
}

/* The part of the way from `value` to `target` on which all stay from 0 to `range`; what hits an
 * end first gets its bit. */
static double step_inside(unsigned used, size_t count, const double *range, const double *value,
                          const double *target, unsigned *hits) {
    double share = 1;
    *hits = 0;
    for (size_t i = 0; i < count; i++) {
        bool below = target[i] <= 0;
        if ((used & bit(i)) == 0 || !(below || target[i] >= range[i])) {
            continue;
        }
        double end = below ? 0 : range[i];
        double until = fmin(fmax((value[i] - end) / (value[i] - target[i]), 0), 1);
        *hits = until < share ? bit(i) : until == share ? *hits | bit(i) : *hits;
        share = fmin(share, until);
    }
    return share;
}

/* Solves for the numbers in `used`, with the others as they are. */
static bool solve_beside(const isocast_moments_system *s, unsigned used, const double *value,
                         double *target) {
    isocast_moments_system left = *s;
    double squares;
    for (size_t k = 0; k < s->terms; k++) {
        for (size_t i = 0; (used & bit(k)) == 0 && value[k] > 0 && i < s->terms; i++) {
            left.with_y[i] -= s->products[i][k] * value[k] * s->scale[k];
        }
    }
    return isocast_moments_solve(&left, used, true, target, &squares);
}

void isocast_bounded_solve(const isocast_moments_system *s, const double *range, double *value,
                           unsigned *alike) {
    double target[ISOCAST_MOMENTS_MAX];
    unsigned used = 0;
    unsigned barred = 0;
    *alike = 0;
    memset(value, 0, s->terms * sizeof *value);
    for (size_t round = 0; round < 10 * s->terms; round++) {
        double best = 1e-12 * sqrt(s->y_squares);
        size_t next = s->terms;
        for (size_t i = 0; i < s->terms; i++) {
            double gradient = s->with_y[i];
            for (size_t k = 0; k < s->terms; k++) {
                gradient -= s->products[i][k] * value[k] * s->scale[k];
            }
            gradient = value[i] > 0 ? -gradient : gradient;
            if (((used | barred) & bit(i)) == 0 && s->scale[i] > 0 && gradient > best) {
                best = gradient;
                next = i;
            }
        }
        if (next == s->terms) {
            break;
        }
        double from = value[next];
        used |= bit(next);
        while (used != 0 && solve_beside(s, used, value, target)) {
            unsigned hits;
            double share = step_inside(used, s->terms, range, value, target, &hits);
            for (size_t i = 0; i < s->terms; i++) {
                bool below = target[i] <= 0;
                value[i] += (used & bit(i)) != 0 ? share * (target[i] - value[i]) : 0;
                value[i] = (hits & bit(i)) == 0 ? value[i] : below ? 0 : range[i];
            }
            used &= ~hits;
            if (share >= 1) {
                break;
            }
        }
        if ((used & bit(next)) != 0 && !solve_beside(s, used, value, target)) {
            used &= ~bit(next);
            value[next] = from;
            *alike |= from > 0 ? 0 : bit(next);
        }
        barred |= (used & bit(next)) == 0 && value[next] == from ? bit(next) : 0;
    }
}
