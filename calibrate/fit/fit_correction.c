/* What the terms of a range miss at the counts of processes that were measured. */
#include <math.h>

#include "fit_regimes.h"

/* The place of a count in the list, new or not; FIT_COUNTS_MOST where there is no room. */
static size_t place_of(fit_correction *correction, double p) {
    size_t k = 0;
    while (k < correction->counts && correction->count_measured[k] < p) {
        k++;
    }
    if (k < correction->counts && correction->count_measured[k] == p) {
        return k;
    }
    if (correction->counts == FIT_COUNTS_MOST) {
        return FIT_COUNTS_MOST;
    }
    for (size_t l = correction->counts++; l > k; l--) {
        correction->count_measured[l] = correction->count_measured[l - 1];
    }
    correction->count_measured[k] = p;
    return k;
}

/* Means of what is missed over the points of one regime and sharing. */
static void correct(fit_regimes *f, size_t r, bool shared, const fit_point *points, size_t count) {
    static const double worth_telling = 0.002;
    fit_correction *correction = &f->regimes[r].corrections[shared];
    double sums[FIT_COUNTS_MOST] = {0};
    double points_of[FIT_COUNTS_MOST] = {0};
    correction->counts = 0;
    for (size_t pass = 0; pass < 2; pass++) {
        /* First the counts are listed, so that none moves while means are made. */
        for (size_t k = 0; k < count; k++) {
            bool own =
                (points[k].nodes < points[k].p) == shared && fit_regime_at(f, &points[k]) == r;
            size_t place = own ? place_of(correction, points[k].p) : FIT_COUNTS_MOST;
            double seconds = own ? fit_regime_terms(&f->regimes[r], &points[k]) : 0;
            if (pass == 1 && place < FIT_COUNTS_MOST && seconds > 0) {
                sums[place] += points[k].seconds / seconds;
                points_of[place]++;
            }
        }
    }
    double largest = 0;
    for (size_t k = 0; k < correction->counts; k++) {
        correction->ratio[k] = points_of[k] > 0 ? sums[k] / points_of[k] : 1;
        largest = fmax(largest, fabs(correction->ratio[k] - 1));
    }
    correction->counts = largest > worth_telling ? correction->counts : 0;
}

void fit_regimes_correct(fit_regimes *f, const fit_point *points, size_t count) {
    for (size_t r = 0; r < f->count; r++) {
        correct(f, r, false, points, count);
        correct(f, r, true, points, count);
    }
}
