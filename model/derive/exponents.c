#include "exponents.h"

#include <math.h>
#include <stdlib.h>

#include "derived_words.h"
#include "law_growth.h"

/* What n ln(sum of squares) may be worse by: as odds 50 to 1. */
static const double odds = 8;
/* Of computed values, relative. */
static const double rounding = 1e-6;
/* Where no runs show it. */
static const double noise_unknown = 0.05;
/* Laws whose growth differs by less are one. */
static const double alike = 1.01;
/* Work that does not grow with the sizes is none: a law of less than the first power stays away. */
static const double growth_least = 2 / 1.01;
/* Work is at most the square of the memory that it works on, and the cube of a size that memory
 * does not depend on: more needs proof. */
static const double memory_power = 2;
static const double free_growth = 8;
static const double memory_grows = 1.2; /* from here on memory depends on a size */
/* A factor of T_c far beyond the records that is worth a line. */
static const double factor_least = 1.5;
/* It is taken at so many times the largest recorded sizes. */
enum { FAR = 10 };

/* The most processes, and of these the largest sizes. */
static isocast_law_point largest_point(const isocast_derived *d) {
    isocast_law_point largest = d->points[0];
    for (size_t r = 1; r < d->record_count; r++) {
        for (size_t i = 0; i < ISOCAST_DERIVE_SIZES_MAX; i++) {
            largest.sizes[i] = fmax(largest.sizes[i], d->points[r].sizes[i]);
        }
        if (d->points[r].p > largest.p) {
            largest.p = d->points[r].p;
            largest.rows = d->points[r].rows;
            largest.depth = d->points[r].depth;
            largest.height = d->points[r].height;
        }
    }
    return largest;
}

/* Root mean square, relative. count: runs. */
static double error_of(const isocast_derived *d, const derive_computing_runs *runs,
                       const isocast_law *law, size_t *count) {
    double squares = 0;
    *count = 0;
    for (size_t r = 0; r < d->record_count; r++) {
        if (runs->counts[r]) {
            double error = (isocast_law_value(law, &d->points[r]) - runs->values[r]) /
                           fmax(runs->values[r], runs->least);
            squares += error * error;
            (*count)++;
        }
    }
    return sqrt(squares / fmax(1, (double)*count));
}

/* Takes their means over the runs of the same sizes, or of the same p, off the logs, shape
 * [record_count]. Gives how many such groups there are. */
static size_t take_means_off(const isocast_derived *d, bool sizes, double *logs) {
    size_t groups = 0;
    for (size_t r = 0; r < d->record_count; r++) {
        double sum = 0;
        double count = 0;
        bool is_first = true;
        for (int pass = 0; pass < 2; pass++) {
            for (size_t k = 0; k < d->record_count && is_first; k++) {
                bool same = sizes ? isocast_law_same_sizes(&d->points[k], &d->points[r])
                                  : d->points[k].p == d->points[r].p;
                is_first = !same || k >= r;
                sum += same && pass == 0 ? logs[k] : 0;
                count += same && pass == 0;
                logs[k] -= same && pass == 1 ? sum / count : 0;
            }
        }
        groups += is_first;
    }
    return groups;
}

/* What is left of all runs where their sizes and p, each by itself, are taken off: noise, relative,
 * of the mean of the runs of the same sizes. */
static isocast_status find_noise(const isocast_derived *d, const derive_computing_runs *runs,
                                 double *noise) {
    enum { SWEEPS = 20 };
    static const double nothing = 0.01; /* of the computing that counts */
    double *logs = calloc(d->record_count, sizeof *logs);
    if (logs == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t r = 0; r < d->record_count; r++) {
        logs[r] = log(fmax(runs->values[r], nothing * runs->least));
    }
    size_t sizes = 0;
    size_t ps = 0;
    for (int i = 0; i < SWEEPS; i++) {
        sizes = take_means_off(d, true, logs);
        ps = take_means_off(d, false, logs);
    }
    double squares = 0;
    for (size_t r = 0; r < d->record_count; r++) {
        double relative = logs[r] * fmin(1, runs->values[r] / runs->least);
        squares += runs->values[r] > 0 ? relative * relative : 0;
    }
    free(logs);
    double count = (double)d->record_count;
    double left = count - (double)sizes - (double)ps + 1;
    *noise = left >= 1 ? sqrt(squares / left * (double)sizes / count) : noise_unknown;
    *noise = fmax(*noise, rounding);
    return ISOCAST_OK;
}

/* Whether the noise may make what one law is worse than the other one. */
static bool is_as_near(const isocast_derived *d, const derive_computing_runs *runs, double noise,
                       const isocast_law *law, const isocast_law *than) {
    size_t count;
    double error = fmax(error_of(d, runs, law, &count), noise);
    double other = fmax(error_of(d, runs, than, &count), noise);
    return law->known && 2 * (double)count * log(error / other) <= odds;
}

static bool has_exponent(const isocast_law *law) {
    bool has = false;
    for (size_t i = 0; i < ISOCAST_DERIVE_SIZES_MAX; i++) {
        has = has || isocast_law_has_exponent(law, i);
    }
    return has;
}

static double cost_of(const isocast_law *law) {
    double cost = 0;
    for (size_t i = 0; i < law->term_count; i++) {
        cost += law->terms[i].cost;
    }
    return cost;
}

static isocast_status fit(const derive_computing_runs *runs, derive_fitter *fitter,
                          isocast_growth_bounds bounds, isocast_law *law) {
    fitter->candidates.bounds = bounds;
    isocast_status status = isocast_derive_fitter_nearest(fitter, runs->values, runs->counts, 1,
                                                          runs->kind, runs->least, law);
    fitter->candidates.bounds = (isocast_growth_bounds){0};
    return status;
}

/* What work grows by at most where all sizes are doubled, as the memory of a process says. */
static double most_by_memory(const isocast_derived *d, const isocast_law_point *from) {
    if (!d->memory.known) {
        return INFINITY;
    }
    double most = alike;
    for (size_t i = 0; i < d->sizes.count; i++) {
        isocast_law_point to = *from;
        to.sizes[i] *= 2;
        double grows = 0;
        for (size_t k = 0; k < d->memory.term_count; k++) {
            grows = fmax(grows, isocast_monomial_value(&d->memory.terms[k], &to) /
                                    isocast_monomial_value(&d->memory.terms[k], from));
        }
        most *= grows > memory_grows ? pow(grows, memory_power) : free_growth;
    }
    return most;
}

double isocast_derive_growth_seen(const isocast_derived *derived) {
    double least = INFINITY;
    double most = 0;
    for (size_t r = 0; r < derived->record_count; r++) {
        isocast_law_point single = derived->points[r];
        single.p = 1;
        least = fmin(least, isocast_law_value(&derived->work, &single));
        most = fmax(most, isocast_law_value(&derived->work, &single));
    }
    return most > 0 ? most / least : 0;
}

/* A law that grows more than memory supports stays where the runs show it alone. */
static isocast_status bound_by_memory(isocast_derived *d, const derive_computing_runs *runs,
                                      double noise, const isocast_law_point *from,
                                      derive_fitter *fitter) {
    double most = most_by_memory(d, from);
    if (isocast_law_largest_growth(&d->work, from, true) <= most) {
        return ISOCAST_OK;
    }
    isocast_law law = {0};
    isocast_status status =
        fit(runs, fitter, (isocast_growth_bounds){.from = from, .most = most}, &law);
    size_t count;
    double error = fmax(error_of(d, runs, &law, &count), noise);
    double other = fmax(error_of(d, runs, &d->work, &count), noise);
    if (status == ISOCAST_OK && law.known && !isocast_law_is_told(error, other, count)) {
        d->work = law;
    }
    return status;
}

isocast_status isocast_derive_exponents_bound(isocast_derived *derived,
                                              const derive_computing_runs *runs,
                                              derive_fitter *fitter) {
    if (!derived->work.known || has_exponent(&derived->work)) {
        return ISOCAST_OK;
    }
    isocast_law_point from = largest_point(derived);
    derived->grows = isocast_derive_growth_seen(derived);
    double noise;
    isocast_status status = find_noise(derived, runs, &noise);
    if (status == ISOCAST_OK) {
        status = bound_by_memory(derived, runs, noise, &from, fitter);
    }
    /* From the first power on, which a law of less gives way to, the least growth is looked for. */
    isocast_law nearest = derived->work;
    double growth = isocast_law_largest_growth(&derived->work, &from, true);
    isocast_growth_bounds bounds = {.from = &from, .least = growth_least};
    if (growth >= growth_least) {
        bounds.most = growth / alike;
        bounds.cost = cost_of(&nearest);
    }
    bool found = true;
    while (status == ISOCAST_OK && found) {
        isocast_law law = {0};
        status = fit(runs, fitter, bounds, &law);
        found = status == ISOCAST_OK && is_as_near(derived, runs, noise, &law, &nearest);
        if (found) {
            derived->work = law;
            bounds.most = isocast_law_largest_growth(&law, &from, true) / alike;
            bounds.cost = fmax(cost_of(&law), bounds.cost);
        }
    }
    return status;
}

/* Of work_most over work, FAR times the largest recorded sizes. */
static double factor_of(const isocast_derived *derived) {
    isocast_law_point far = largest_point(derived);
    for (size_t i = 0; i < ISOCAST_DERIVE_SIZES_MAX; i++) {
        far.sizes[i] *= FAR;
    }
    return isocast_law_value(&derived->work_most, &far) / isocast_law_value(&derived->work, &far);
}

isocast_status isocast_derive_exponents_doubt(isocast_derived *derived,
                                              const derive_computing_runs *runs,
                                              derive_fitter *fitter) {
    if (!derived->work.known || has_exponent(&derived->work)) {
        return ISOCAST_OK;
    }
    isocast_law_point from = largest_point(derived);
    isocast_growth_bounds upper = {
        .from = &from,
        .least = isocast_law_largest_growth(&derived->work, &from, true) * alike,
        .most = most_by_memory(derived, &from)};
    isocast_law law = {.known = true};
    double noise;
    isocast_status status = find_noise(derived, runs, &noise);
    while (status == ISOCAST_OK &&
           law.known) { /* the growth rises each time, of laws whose number is bounded */
        law = (isocast_law){0};
        status = fit(runs, fitter, upper, &law);
        if (status == ISOCAST_OK && is_as_near(derived, runs, noise, &law, &derived->work)) {
            derived->work_most = law;
            upper.least = isocast_law_largest_growth(&law, &from, true) * alike;
        } else {
            law.known = false;
        }
    }
    if (!(factor_of(derived) >= factor_least)) {
        derived->work_most = (isocast_law){0};
    }
    return status;
}

const char *isocast_put_uncertain_growth(const isocast_derived *derived, double speed,
                                         const char *head, const char *const *names,
                                         isocast_buffer *out) {
    if (!derived->work_most.known) {
        return head;
    }
    isocast_law most;
    isocast_law_scaled(&derived->work_most, speed, &most);
    isocast_buffer_printf(out,
                          "%s  # The recorded sizes are too few, or too near each other, to tell "
                          "the growth of the work from this one,\n  # which is %.2g times as much "
                          "at %d times the largest sizes.\n  growth-of-work: (",
                          head, factor_of(derived), FAR);
    isocast_law_write(&most, names, "flop", false, out);
    isocast_buffer_puts(out, " - W)*t_c/p\n");
    return "";
}
