#include "fit_correction.h"

#include <math.h>

/* The place of a count in the list, new or not; FIT_COUNTS_MAX where there is no room. */
static size_t place_of(fit_correction *correction, double p) {
    size_t k = 0;
    while (k < correction->counts && correction->count_measured[k] < p) {
        k++;
    }
    if (k < correction->counts && correction->count_measured[k] == p) {
        return k;
    }
    if (correction->counts == FIT_COUNTS_MAX) {
        return FIT_COUNTS_MAX;
    }
    for (size_t l = correction->counts++; l > k; l--) {
        correction->count_measured[l] = correction->count_measured[l - 1];
    }
    correction->count_measured[k] = p;
    return k;
}

static bool shares_nodes(const fit_point *at) {
    return at->nodes < at->p;
}

/* Means of what is missed over the points of one range and sharing. */
static void correct(const fit_ranges *f, size_t r, bool shared, const fit_point *points,
                    size_t count, double noise, fit_correction *out) {
    static const double worth_reporting = 0.002;
    double sums[FIT_COUNTS_MAX] = {0};
    double points_of[FIT_COUNTS_MAX] = {0};
    out->counts = 0;
    for (size_t pass = 0; pass < 2; pass++) {
        /* First the counts are listed, so that none moves while means are made. */
        for (size_t k = 0; k < count; k++) {
            bool own = shares_nodes(&points[k]) == shared && fit_ranges_at(f, points[k].m) == r;
            size_t place = own ? place_of(out, points[k].p) : FIT_COUNTS_MAX;
            double seconds = own ? fit_ranges_terms(f, &points[k]) : 0;
            if (pass == 1 && place < FIT_COUNTS_MAX && seconds > 0) {
                sums[place] += points[k].seconds / seconds;
                points_of[place]++;
            }
        }
    }
    double squares = 0;
    for (size_t k = 0; k < out->counts; k++) {
        out->ratio[k] = points_of[k] > 0 ? sums[k] / points_of[k] : 1;
        squares += pow(out->ratio[k] - 1, 2);
    }
    double missed = fmax(squares / fmax((double)out->counts, 1) - noise, 0);
    double kept = missed > 0 ? missed / (missed + noise) : 0;
    double largest = 0;
    for (size_t k = 0; k < out->counts; k++) {
        out->ratio[k] = 1 + kept * (out->ratio[k] - 1);
        largest = fmax(largest, fabs(out->ratio[k] - 1));
    }
    out->counts = largest > worth_reporting ? out->counts : 0;
    out->variance = out->counts > 0 ? kept * noise : 0;
}

void fit_corrections_learn(const fit_ranges *f, const fit_point *points, size_t count, double noise,
                           fit_correction corrections[FIT_RANGES_MAX][2]) {
    for (size_t r = 0; r < f->count; r++) {
        correct(f, r, false, points, count, noise, &corrections[r][0]);
        correct(f, r, true, points, count, noise, &corrections[r][1]);
    }
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

double fit_corrected_time(const fit_ranges *f, fit_correction corrections[FIT_RANGES_MAX][2],
                          const fit_point *at) {
    const fit_correction *own = &corrections[fit_ranges_at(f, at->m)][shares_nodes(at)];
    return at->known + fit_ranges_terms(f, at) * ratio_at(own, at->p);
}
