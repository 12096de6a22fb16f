#include "computing.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "exponents.h"
#include "law_growth.h"
#include "stretches.h"

/* What is known of the computing of all records. */
typedef struct runs {
    double *values;                        /* [count], s: calm times */
    double *sets;                          /* [count], B: memory of a process */
    double *ratios;                        /* [count] */
    bool *counts;                          /* [count]: the run tells how computing grows */
    bool *tells;                           /* [count]: and how long it takes */
    const isocast_compute_seen *computing; /* [count] */
    size_t count;
} runs;

static isocast_status runs_create(size_t count, const isocast_compute_seen *computing, runs *out) {
    *out = (runs){.values = calloc(count, sizeof *out->values),
                  .sets = calloc(count, sizeof *out->sets),
                  .ratios = calloc(count, sizeof *out->ratios),
                  .counts = calloc(count, sizeof *out->counts),
                  .tells = calloc(count, sizeof *out->tells),
                  .computing = computing,
                  .count = count};
    bool enough = out->values != NULL && out->sets != NULL && out->ratios != NULL &&
                  out->counts != NULL && out->tells != NULL;
    return enough ? ISOCAST_OK : ISOCAST_NO_MEMORY;
}

static void runs_free(runs *c) {
    free(c->values);
    free(c->sets);
    free(c->ratios);
    free(c->counts);
    free(c->tells);
}

/* Terms of a law in which p is, or is not. */
static void keep_terms(const isocast_law *from, bool with_p, isocast_law *out) {
    *out = (isocast_law){.guard = from->guard};
    for (size_t i = 0; i < from->term_count; i++) {
        bool has_p = from->terms[i].process != 0;
        for (size_t k = 0; k < ISOCAST_MONOMIAL_FACTORS; k++) {
            size_t factor = from->terms[i].factors[k];
            bool of_size =
                isocast_law_size_factors[factor].is_smooth || isocast_law_is_exponential(factor);
            has_p = has_p || !of_size;
        }
        if (has_p == with_p) {
            out->terms[out->term_count] = from->terms[i];
            out->numerators[out->term_count] = from->numerators[i];
            out->denominators[out->term_count] = from->denominators[i];
            out->term_count++;
        }
    }
    out->known = out->term_count > 0;
}

/* Of the longest computing: shorter ones count by their error over this, as what they take beside
 * the work, and the errors of the clock, are not short. */
static const double floor_share = 0.1;

static const double shared_most = 2; /* what sharing processors and caches adds, of the work */

enum { TWO_TERMS_LEAST = 8, ALONE_LEAST = 6 }; /* runs: fewer do not tell a part from noise */

static void scale(isocast_law *law, double by) {
    for (size_t i = 0; i < law->term_count; i++) {
        law->numerators[i] *= by;
    }
}

/* What the records have of computing beside what the laws say: other programs, shared processors
 * and caches make of it what they may make of another run. ratios: [count], sorted. */
static void find_spread(isocast_derived *d, const double *ratios, size_t count, double middle) {
    enum { RUNS_LEAST = 8 };
    static const double seldom = 0.1;
    if (count >= RUNS_LEAST) {
        double most = gsl_stats_quantile_from_sorted_data(ratios, 1, count, 1 - seldom);
        double least = gsl_stats_quantile_from_sorted_data(ratios, 1, count, seldom);
        d->slower = fmax(0, most / middle - 1);
        d->faster = fmax(0, 1 - least / middle);
    }
}

/* How much more than the mean a process computes over all runs with as many processes: noise makes
 * another one of them busy in each run. */
static isocast_status find_imbalance(isocast_derived *d) {
    size_t most = 1;
    for (size_t r = 0; r < d->record_count; r++) {
        most = d->records[r]->process_count > most ? d->records[r]->process_count : most;
    }
    double *shares = calloc(most, sizeof *shares);
    double *times = calloc(most, sizeof *times);
    bool made = shares != NULL && times != NULL;
    d->imbalance = 1;
    for (size_t p = 1; p <= most && made; p++) {
        double told = 0;
        for (size_t r = 0; r < d->record_count; r++) {
            double all = 0;
            if (d->records[r]->process_count != p) {
                continue;
            }
            isocast_derive_calm_times(d, d->records[r], times);
            for (size_t i = 0; i < p; i++) {
                all += times[i];
            }
            for (size_t i = 0; i < p && all > 0; i++) {
                shares[i] = (told > 0 ? shares[i] : 0) + times[i] * (double)p / all;
            }
            told += all > 0;
        }
        for (size_t i = 0; i < p && told > 0; i++) {
            d->imbalance = fmax(d->imbalance, shares[i] / told);
        }
    }
    free(shares);
    free(times);
    return made ? ISOCAST_OK : ISOCAST_NO_MEMORY;
}

/* The laws are those of calm times; they get the length that the computing had, by the median of
 * the runs, and their error there. */
static void scale_work(isocast_derived *d, runs *c) {
    double *ratios = c->ratios;
    size_t count = 0;
    for (size_t r = 0; r < d->record_count; r++) {
        double law = isocast_law_value(&d->work, &d->points[r]) +
                     isocast_law_value(&d->extra, &d->points[r]);
        if (c->tells[r] && law > 0 && c->computing[r].all > 0) {
            ratios[count++] = c->computing[r].all / law;
        }
    }
    if (count == 0) {
        return;
    }
    gsl_sort(ratios, 1, count);
    double middle = gsl_stats_median_from_sorted_data(ratios, 1, count);
    find_spread(d, ratios, count, middle);
    double squares = 0;
    for (size_t i = 0; i < count; i++) {
        squares += (middle / ratios[i] - 1) * (middle / ratios[i] - 1);
    }
    d->usual = middle;
    scale(&d->work, middle);
    scale(&d->work_most, middle);
    scale(&d->extra, middle);
    d->work_error = sqrt(squares / (double)count);
}

/* The longest computing of the runs that count, s. */
static double most_of(const runs *c) {
    double most = 0;
    for (size_t r = 0; r < c->count; r++) {
        most = c->tells[r] ? fmax(most, c->computing[r].all) : most;
    }
    return most;
}

/* Whether runs whose processes had a processor each are there at all sizes, but not all of the
 * runs. */
static bool some_are_alone(const isocast_derived *d, const runs *c) {
    bool all = true;
    bool covered = true;
    for (size_t r = 0; r < d->record_count; r++) {
        bool found = false;
        for (size_t k = 0; k < d->record_count; k++) {
            found = found ||
                    (c->computing[k].alone && isocast_law_same_sizes(&d->points[r], &d->points[k]));
        }
        all = all && c->computing[r].alone;
        covered = covered && found;
    }
    return covered && !all;
}

static const double longer_most = 1.25; /* calm times of a run over those of a calm one */

/* Whether a shortest time is the clock's error: calm times are much shorter than those of the other
 * runs of the same sizes, of which there are two or more, and the computing as a whole is not. */
static bool is_too_short(const isocast_derived *d, const runs *c, size_t run) {
    double least = INFINITY;
    double least_all = INFINITY;
    size_t others = 0;
    for (size_t k = 0; k < d->record_count; k++) {
        if (k != run && isocast_law_same_sizes(&d->points[run], &d->points[k])) {
            least = fmin(least, c->values[k]);
            least_all = fmin(least_all, c->computing[k].all);
            others++;
        }
    }
    return others > 1 && longer_most * c->values[run] < least &&
           longer_most * c->computing[run].all > least_all;
}

/* Which runs tell of computing. Calm times that are much longer than those of the calmest run of
 * the same sizes do not tell how it grows: something else slowed the run, or its processes shared
 * processors or caches. `choose`: the length is that of the runs whose processes shared none. */
static size_t note_counting(isocast_derived *d, runs *c, bool choose) {
    size_t count = 0;
    d->work_runs = 0;
    for (size_t r = 0; r < d->record_count; r++) {
        double least = INFINITY;
        for (size_t k = 0; k < d->record_count; k++) {
            bool alike = isocast_law_same_sizes(&d->points[r], &d->points[k]);
            least = alike && !is_too_short(d, c, k) ? fmin(least, c->values[k]) : least;
        }
        c->tells[r] = !choose || c->computing[r].alone;
        c->counts[r] = c->values[r] <= longer_most * least && !is_too_short(d, c, r);
        count += c->counts[r];
        d->work_runs += c->tells[r];
    }
    return count;
}

/* Whether more processes make so much more computing as sharing processors does not. */
static bool is_much(const isocast_derived *d, const isocast_law *work, const isocast_law *extra) {
    bool is = false;
    for (size_t r = 0; r < d->record_count; r++) {
        double value = isocast_law_value(work, &d->points[r]);
        is = is || isocast_law_value(extra, &d->points[r]) > shared_most * value;
    }
    return is;
}

static const isocast_law_point *largest_point(const derive_fitter *fitter) {
    const isocast_candidates *all = &fitter->candidates;
    size_t largest = 0;
    for (size_t r = 1; r < all->point_count; r++) {
        const isocast_law_point *most = &all->points[largest];
        bool more = all->points[r].p > most->p ||
                    (all->points[r].p == most->p && all->points[r].sizes[0] > most->sizes[0]);
        largest = more ? r : largest;
    }
    return &all->points[largest];
}

/* Exponents that only the largest sizes ask for lead far off beyond these. Where a law of the
 * smaller sizes grows less, and is as near at the largest ones, it is taken. */
static isocast_status try_smaller_sizes(isocast_derived *d, const runs *c, derive_fitter *fitter) {
    static const double near = 0.02;
    const isocast_law_point *far = largest_point(fitter);
    bool *smaller = calloc(c->count + 1, sizeof *smaller);
    if (smaller == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    double largest = 0;
    size_t count = 0;
    for (size_t r = 0; r < c->count; r++) {
        largest = c->counts[r] ? fmax(largest, d->points[r].sizes[0]) : largest;
    }
    for (size_t r = 0; r < c->count; r++) {
        smaller[r] = c->counts[r] && d->points[r].sizes[0] < largest;
        count += smaller[r];
    }
    isocast_law law = {0};
    isocast_status status =
        isocast_derive_fitter_nearest(fitter, c->values, smaller, count < TWO_TERMS_LEAST ? 1 : 2,
                                      ISOCAST_LAW_SIZES, floor_share * most_of(c), &law);
    double squares[2] = {0, 0};
    for (size_t r = 0; r < c->count && law.known; r++) {
        const isocast_law *laws[] = {&law, &d->work};
        for (size_t i = 0; i < 2 && c->counts[r] && !smaller[r]; i++) {
            double error = isocast_law_value(laws[i], &d->points[r]) / c->values[r] - 1;
            squares[i] += error * error / (double)(c->count - count);
        }
    }
    free(smaller);
    if (status == ISOCAST_OK && law.known && sqrt(squares[0]) <= sqrt(squares[1]) + near &&
        isocast_law_largest_growth(&law, far, true) <
            isocast_law_largest_growth(&d->work, far, true)) {
        d->work = law;
    }
    return status;
}

/* Whether runs whose processes share no processors have what p adds as well: the law of both is
 * twice as near there as that of the work in the length that suits it best. */
static bool alone_show(const isocast_derived *d, runs *c, const isocast_law *work,
                       const isocast_law *extra) {
    size_t count = 0;
    double squares = 0;
    bool several = false;
    for (size_t r = 0; r < c->count; r++) {
        double value = isocast_law_value(work, &d->points[r]);
        if (c->computing[r].alone && value > 0 && c->values[r] > 0) {
            double error = (value + isocast_law_value(extra, &d->points[r])) / c->values[r] - 1;
            squares += error * error;
            c->ratios[count++] = c->values[r] / value;
            several = several || d->points[r].p > 1;
        }
    }
    if (count < ALONE_LEAST || !several) {
        return false;
    }
    double both = sqrt(squares / (double)count);
    double mean = gsl_stats_mean(c->ratios, 1, count);
    return both < gsl_stats_sd(c->ratios, 1, count) / mean / 2;
}

/* Where no law is near, the time per flop may be what changes: it grows with the memory of a
 * process, as caches do not hold that any more. */
static isocast_status try_working_set(isocast_derived *d, runs *c, derive_fitter *fitter) {
    static const double near = 0.1;
    isocast_law law = {0};
    if (!d->memory.known || d->work.mean_error <= near) {
        return ISOCAST_OK;
    }
    for (size_t r = 0; r < c->count; r++) {
        c->sets[r] = c->computing[r].memory;
    }
    isocast_status status = isocast_law_fit_over_memory(&fitter->candidates, c->values, c->sets,
                                                        c->counts, &law, &d->work_range);
    /* Where that is so, the law of the work grows less, and none grows more. */
    static const double rounding = 1e-9;
    const isocast_law_point *far = largest_point(fitter);
    bool grows_less = isocast_law_largest_growth(&law, far, true) <=
                      isocast_law_largest_growth(&d->work, far, true) * (1 + rounding);
    if (status == ISOCAST_OK && law.known && law.mean_error < d->work.mean_error && grows_less) {
        d->work = law;
    } else {
        d->work_range = 1;
    }
    return status;
}

/* What each process does whatever the sizes are, as it starts, is no work: this much the work of
 * double sizes is, at least. */
static const double growth_least = 1.4;

static void count_all(const runs *c) {
    for (size_t r = 0; r < c->count; r++) {
        c->counts[r] = true;
    }
}

/* Where the sizes are those of a process, all of the computing grows with p: the part that does is
 * at least as long on one process as the other one. both: the nearest law of two terms, whatever it
 * is. */
static isocast_status fit_own_sizes(const runs *c, derive_fitter *fitter, double least,
                                    isocast_law *law, isocast_law *both) {
    isocast_law one = {0};
    isocast_law two = {0};
    count_all(c);
    isocast_status status = isocast_derive_fitter_nearest(fitter, c->values, c->counts, 1,
                                                          ISOCAST_LAW_GROWING, least, &one);
    if (status == ISOCAST_OK) {
        status = isocast_derive_fitter_nearest(fitter, c->values, c->counts, 2, ISOCAST_LAW_GROWING,
                                               least, &two);
    }
    /* What grows by another way than the rest may be other programs beside some of the runs. */
    bool told = c->count >= TWO_TERMS_LEAST && two.guard == ISOCAST_GUARD_NONE &&
                isocast_law_only_adds(&two, &one.terms[0], largest_point(fitter)) &&
                isocast_law_is_told(one.mean_error, two.mean_error, c->count);
    isocast_law found = told ? two : one;
    isocast_law shared;
    isocast_law own;
    keep_terms(&found, false, &shared);
    keep_terms(&found, true, &own);
    bool main = own.known && found.guard == ISOCAST_GUARD_NONE &&
                isocast_monomial_growth(&one.terms[0], largest_point(fitter), true) > growth_least;
    for (size_t r = 0; r < c->count && main && shared.known; r++) {
        isocast_law_point single = fitter->candidates.points[r];
        single.p = 1;
        main = isocast_law_value(&own, &single) >= isocast_law_value(&shared, &single);
    }
    found.known = main;
    *law = found;
    *both = two;
    return status;
}

/* Whether a law of p grows by more than sharing processors adds, or, where processes share none, by
 * more than half. */
static bool grows_much(const isocast_derived *d, const runs *c, const isocast_law *law) {
    static const double alone_most = 0.5;
    bool does = false;
    for (size_t r = 0; r < d->record_count; r++) {
        isocast_law_point single = d->points[r];
        single.p = 1;
        double most = c->computing[r].alone ? alone_most : shared_most;
        does = does ||
               isocast_law_value(law, &d->points[r]) > (1 + most) * isocast_law_value(law, &single);
    }
    return does;
}

static derive_computing_runs runs_of(const runs *c, isocast_law_kind kind) {
    return (derive_computing_runs){
        .values = c->values, .counts = c->counts, .kind = kind, .least = floor_share * most_of(c)};
}

static isocast_status bound_exponents(isocast_derived *d, const runs *c, isocast_law_kind kind,
                                      derive_fitter *fitter) {
    derive_computing_runs those = runs_of(c, kind);
    return isocast_derive_exponents_bound(d, &those, fitter);
}

static isocast_status doubt_exponents(isocast_derived *d, const runs *c, isocast_law_kind kind,
                                      derive_fitter *fitter) {
    derive_computing_runs those = runs_of(c, kind);
    return isocast_derive_exponents_doubt(d, &those, fitter);
}

/* Work is what the computing of all processes comes to by the sizes alone, in calm times. What p
 * adds is told apart where it makes the error a third less or better, and where the noise does not
 * make that. Where processes share processors, and their caches, computing takes longer: then those
 * runs count where they did not. */
static isocast_status fit_work(isocast_derived *d, runs *c, derive_fitter *fitter) {
    isocast_status status;
    double most = 0;
    for (size_t r = 0; r < d->record_count; r++) {
        c->values[r] = isocast_derive_calm_time(d, d->records[r]);
        d->alone += c->computing[r].alone && d->points[r].p > 1;
        most = fmax(most, c->computing[r].all);
    }
    isocast_law alone = {0};
    isocast_law both = {0};
    isocast_law own = {0};
    status = isocast_law_fit_nearest(&fitter->candidates, c->values, 2, ISOCAST_LAW_SIZES,
                                     floor_share * most, &alone);
    if (status == ISOCAST_OK) {
        status = fit_own_sizes(c, fitter, floor_share * most, &own, &both);
    }
    if (status != ISOCAST_OK) {
        return status;
    }
    isocast_law work;
    isocast_law extra;
    keep_terms(&both, false, &work);
    keep_terms(&both, true, &extra);
    bool apart = work.known && extra.known && both.guard == ISOCAST_GUARD_NONE &&
                 c->count >= TWO_TERMS_LEAST &&
                 isocast_law_is_told(alone.mean_error, both.mean_error, c->count);
    bool of_each = own.known && grows_much(d, c, &own) &&
                   isocast_law_is_told(alone.mean_error, own.mean_error, c->count) &&
                   !(apart && isocast_law_is_told(own.mean_error, both.mean_error, c->count));
    if (of_each) {
        note_counting(d, c, some_are_alone(d, c));
        count_all(c);
        d->work = own;
        status = bound_exponents(d, c, ISOCAST_LAW_GROWING, fitter);
        status = status == ISOCAST_OK ? doubt_exponents(d, c, ISOCAST_LAW_GROWING, fitter) : status;
        scale_work(d, c);
        return status;
    }
    bool shows = apart && (is_much(d, &work, &extra) || alone_show(d, c, &work, &extra));
    bool choose = some_are_alone(d, c) && !shows;
    size_t counting = note_counting(d, c, choose);
    if (apart && !choose) {
        d->work = work;
        d->extra = extra;
    } else {
        status = isocast_derive_fitter_nearest(
            fitter, c->values, c->counts, counting < TWO_TERMS_LEAST ? 1 : 2, ISOCAST_LAW_SIZES,
            floor_share * most_of(c), &d->work);
        if (status == ISOCAST_OK) {
            status = try_smaller_sizes(d, c, fitter);
        }
        if (status == ISOCAST_OK) {
            status = bound_exponents(d, c, ISOCAST_LAW_SIZES, fitter);
        }
        if (status == ISOCAST_OK) {
            status = try_working_set(d, c, fitter);
        }
        if (status == ISOCAST_OK) {
            status = doubt_exponents(d, c, ISOCAST_LAW_SIZES, fitter);
        }
    }
    if (status == ISOCAST_OK) {
        scale_work(d, c);
    }
    return status;
}

isocast_status isocast_derive_computing_fit(isocast_derived *d,
                                            const isocast_compute_seen *computing,
                                            derive_fitter *fitter) {
    runs c;
    isocast_status status = runs_create(d->record_count, computing, &c);
    d->work_range = 1;
    d->usual = 1;
    if (status == ISOCAST_OK) {
        status = fit_work(d, &c, fitter);
    }
    if (status == ISOCAST_OK) {
        status = find_imbalance(d);
    }
    runs_free(&c);
    return status;
}
