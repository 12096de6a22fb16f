#include "computing.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "flow.h"

/* ---- what records say ---- */

isocast_status isocast_compute_observe(const isocast_record *record, isocast_compute_seen *out) {
    double *processes = calloc(record->process_count + 1, sizeof *processes);
    if (processes == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    isocast_compute_seen seen = {0};
    double busy = 0;
    for (size_t i = 0; i < record->compute_count; i++) {
        processes[record->computes[i].process] += record->computes[i].time;
    }
    for (size_t i = 0; i < record->process_count; i++) {
        seen.all += processes[i];
        seen.most = fmax(seen.most, processes[i]);
        seen.T += record->processes[i].T / (double)record->process_count;
        busy += record->processes[i].cpu / (double)record->process_count;
        double memory = record->processes[i].memory;
        seen.memory = memory > 0 && !isnan(seen.memory) ? fmax(seen.memory, memory) : NAN;
    }
    seen.alone = record->process_count == 1 || busy >= 0.8 * seen.T;
    free(processes);
    *out = seen;
    return ISOCAST_OK;
}

isocast_law_point isocast_derive_largest_point(const isocast_derived *d) {
    isocast_law_point largest = d->points[0];
    for (size_t r = 1; r < d->record_count; r++) {
        const isocast_law_point *at = &d->points[r];
        isocast_law_point most = at->p > largest.p ? *at : largest;
        for (size_t i = 0; i < ISOCAST_DERIVE_SIZES_MAX; i++) {
            most.sizes[i] = fmax(largest.sizes[i], at->sizes[i]);
        }
        largest = most;
    }
    return largest;
}

/* ---- stretches, and their shortest times ---- */

void isocast_derive_calm_times(const isocast_derived *derived, const isocast_record *record,
                               double *times) {
    const derive_flow *flow = derived->flow;
    memset(times, 0, record->process_count * sizeof *times);
    for (size_t i = 0; i < record->compute_count; i++) {
        const isocast_record_compute *c = &record->computes[i];
        const isocast_site_key from = {.site = &record->sites[c->from]};
        const isocast_site_key to = {.site = &record->sites[c->to]};
        bool even = false;
        for (size_t k = 0; k < flow->stretch_count && !even; k++) {
            const derive_stretch *s = &flow->stretches[k];
            const isocast_site_key own_from = {.site = derived->sites[s->from].key.site};
            const isocast_site_key own_to = {.site = derived->sites[s->to].key.site};
            even = s->is_even && isocast_site_key_same(&from, &own_from) &&
                   isocast_site_key_same(&to, &own_to);
        }
        times[c->process] += even ? fmin(c->times * c->least, c->time) : c->time;
    }
}

/* Calm times of all records, and the laws of the stretches. calm, times: [record_count]. */
static isocast_status look_at_stretches(isocast_derived *d, double *calm, double *times) {
    const derive_flow *flow = d->flow;
    isocast_status status = ISOCAST_OK;
    size_t most = 0;
    for (size_t r = 0; r < d->record_count; r++) {
        most = d->seen[r].all > d->seen[most].all ? r : most;
        calm[r] = d->seen[r].all;
    }
    for (size_t i = 0; i < flow->stretch_count && status == ISOCAST_OK; i++) {
        derive_stretch *s = &flow->stretches[i];
        isocast_question q = {.terms = 1, .kind = ISOCAST_LAW_SIZES};
        for (size_t r = 0; r < d->record_count; r++) {
            times[r] = 0;
            for (size_t k = 0; k < d->records[r]->process_count; k++) {
                size_t slot = flow->first_slot[r] + k;
                times[r] += s->times[slot];
                double shortest = isocast_derive_stretch_shortest(s, slot);
                calm[r] -= s->is_even ? s->times[slot] - shortest : 0;
            }
            q.least = fmax(q.least, times[r] / 10);
        }
        s->share = times[most] / d->seen[most].all;
        status = isocast_fit_nearest(d->fitter, times, NULL, &q, &s->time);
    }
    return status;
}

/* ---- which runs speak of computing ---- */

typedef struct runs {
    isocast_derived *d;
    double *values;  /* [count], s: calm times */
    bool *counts;    /* [count]: the run shows how computing grows */
    bool *shows;     /* [count]: and how long it takes */
    double *scratch; /* [count] */
    size_t count;
    isocast_law_kind kind; /* of the laws that are looked for */
    double least;          /* s: errors of shorter computing are relative to it */
    double noise;          /* relative, of the mean of the runs of the same sizes */
} runs;

static const double longer_most = 1.25; /* calm times of a run over those of a calm one */

static bool alike(const runs *c, size_t a, size_t b) {
    return isocast_law_same_sizes(&c->d->points[a], &c->d->points[b]);
}

/* Whether a shortest time is the clock's error: calm times are much shorter than those of the other
 * runs of the same sizes, of which there are two or more, and the computing as a whole is not. */
static bool is_too_short(const runs *c, size_t run) {
    double least = INFINITY;
    double least_all = INFINITY;
    size_t others = 0;
    for (size_t k = 0; k < c->count; k++) {
        if (k != run && alike(c, k, run)) {
            least = fmin(least, c->values[k]);
            least_all = fmin(least_all, c->d->seen[k].all);
            others++;
        }
    }
    return others > 1 && longer_most * c->values[run] < least &&
           longer_most * c->d->seen[run].all > least_all;
}

/* Calm times that are much longer than those of the calmest run of the same sizes do not show how
 * computing grows: something else slowed the run, or its processes shared processors or caches.
 * Where runs whose processes shared none are there at all sizes, the length is theirs. */
static void note_counting(runs *c) {
    bool all = true;
    bool covered = true;
    c->d->work_runs = 0;
    for (size_t r = 0; r < c->count; r++) {
        double least = INFINITY;
        bool found = false;
        for (size_t k = 0; k < c->count; k++) {
            if (alike(c, r, k)) {
                least = is_too_short(c, k) ? least : fmin(least, c->values[k]);
                found = found || c->d->seen[k].alone;
            }
        }
        c->counts[r] = c->values[r] <= longer_most * least && !is_too_short(c, r);
        all = all && c->d->seen[r].alone;
        covered = covered && found;
    }
    for (size_t r = 0; r < c->count; r++) {
        c->shows[r] = all || !covered || c->d->seen[r].alone;
        c->d->work_runs += c->shows[r];
    }
}

/* Takes their means over the runs of the same sizes, or of the same p, off the logs. Gives how many
 * such groups there are. */
static size_t take_means_off(const runs *c, bool sizes, double *logs) {
    size_t groups = 0;
    for (size_t r = 0; r < c->count; r++) {
        double sum = 0;
        double count = 0;
        bool is_first = true;
        for (int pass = 0; pass < 2; pass++) {
            for (size_t k = 0; k < c->count && is_first; k++) {
                bool same = sizes ? alike(c, k, r) : c->d->points[k].p == c->d->points[r].p;
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

/* What is left of all runs where their sizes and p, each by itself, are taken off. */
static void find_noise(runs *c) {
    enum { SWEEPS = 20 };
    static const double nothing = 0.01;  /* of the computing that counts */
    static const double unknown = 0.05;  /* where no runs show it */
    static const double rounding = 1e-6; /* of computed values, relative */
    size_t sizes = 0;
    size_t ps = 0;
    double squares = 0;
    for (size_t r = 0; r < c->count; r++) {
        c->scratch[r] = log(fmax(c->values[r], nothing * c->least));
    }
    for (int i = 0; i < SWEEPS; i++) {
        sizes = take_means_off(c, true, c->scratch);
        ps = take_means_off(c, false, c->scratch);
    }
    for (size_t r = 0; r < c->count; r++) {
        double relative = c->scratch[r] * fmin(1, c->values[r] / c->least);
        squares += c->values[r] > 0 ? relative * relative : 0;
    }
    double left = (double)c->count - (double)sizes - (double)ps + 1;
    c->noise = left >= 1 ? sqrt(squares / left * (double)sizes / (double)c->count) : unknown;
    c->noise = fmax(c->noise, rounding);
}

/* ---- how it grows ---- */

enum { TWO_TERMS_LEAST = 8 }; /* runs: fewer do not state a part from noise */

/* What n ln(sum of squares) may be worse by: as odds 50 to 1. */
static const double odds = 8;
/* Laws whose growth differs by less are one. */
static const double apart = 1.01;
/* Work is at most the square of the memory that it works on, and the cube of a size that memory
 * does not depend on: more needs proof. */
static const double memory_power = 2;
static const double free_growth = 8;
static const double memory_grows = 1.2; /* from here on memory depends on a size */

/* Root mean square, relative, but no less than the noise. */
static double error_of(const runs *c, const isocast_law *law) {
    double squares = 0;
    double count = 0;
    for (size_t r = 0; r < c->count; r++) {
        if (c->counts[r]) {
            double error = (isocast_law_value(law, &c->d->points[r]) - c->values[r]) /
                           fmax(c->values[r], c->least);
            squares += error * error;
            count++;
        }
    }
    return fmax(sqrt(squares / fmax(1, count)), c->noise);
}

static size_t count_runs(const runs *c) {
    size_t count = 0;
    for (size_t r = 0; r < c->count; r++) {
        count += c->counts[r];
    }
    return count;
}

/* Whether the noise may make what one law is worse than the other one. */
static bool is_as_near(const runs *c, const isocast_law *law, const isocast_law *than) {
    double ratio = error_of(c, law) / error_of(c, than);
    return law->known && 2 * (double)count_runs(c) * log(ratio) <= odds;
}

static isocast_status fit(const runs *c, size_t terms, isocast_growth_bounds bounds,
                          isocast_law *law) {
    const isocast_question q = {
        .terms = terms, .kind = c->kind, .least = c->least, .bounds = bounds};
    return isocast_fit_nearest(c->d->fitter, c->values, c->counts, &q, law);
}

static double cost_of(const isocast_law *law) {
    double cost = 0;
    for (size_t i = 0; i < law->term_count; i++) {
        cost += law->terms[i].cost;
    }
    return cost;
}

/* What work grows by at most where all sizes are doubled, as the memory of a process says. */
static double most_by_memory(const isocast_derived *d, const isocast_law_point *from) {
    if (!d->memory.known) {
        return INFINITY;
    }
    double most = apart;
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

/* Looks for a law that grows less, or more, as often as the noise does not distinguish it from
 * another one: the growth falls, or rises, each time, of laws whose number is bounded. */
static isocast_status go_on(const runs *c, bool less, isocast_growth_bounds bounds,
                            const isocast_law *than, isocast_law *out) {
    isocast_status status = ISOCAST_OK;
    for (bool found = true; status == ISOCAST_OK && found;) {
        isocast_law law = {0};
        status = fit(c, 1, bounds, &law);
        found = status == ISOCAST_OK && is_as_near(c, &law, than);
        if (found) {
            double growth = isocast_law_growth(&law, bounds.from);
            *out = law;
            bounds.most = less ? growth / apart : bounds.most;
            bounds.least = less ? bounds.least : growth * apart;
            bounds.cost = less ? fmax(cost_of(&law), bounds.cost) : 0;
        }
    }
    return status;
}

/* A law that grows more than memory supports stays where the runs show it alone. Of what is left
 * the least growth that the noise allows is taken, from the first power of the sizes on. */
static isocast_status lower_growth(runs *c, double most, const isocast_law_point *from) {
    isocast_law *work = &c->d->work;
    isocast_law law = {0};
    isocast_status status = ISOCAST_OK;
    if (isocast_law_growth(work, from) > most) {
        status = fit(c, 1, (isocast_growth_bounds){.from = from, .most = most}, &law);
        bool reported =
            isocast_law_is_reported(error_of(c, &law), error_of(c, work), count_runs(c));
        *work = status == ISOCAST_OK && law.known && !reported ? law : *work;
    }
    const isocast_law nearest = *work;
    isocast_growth_bounds bounds = {.from = from, .least = 2 / apart};
    if (isocast_law_growth(work, from) >= bounds.least) {
        bounds.most = isocast_law_growth(work, from) / apart;
        bounds.cost = cost_of(work);
    }
    return status == ISOCAST_OK ? go_on(c, true, bounds, &nearest, work) : status;
}

/* The law that grows most of those which the runs do not state from the work. */
static isocast_status find_most(runs *c, double most, const isocast_law_point *from) {
    static const double factor_least = 1.5; /* that is worth a line */
    isocast_derived *d = c->d;
    const isocast_growth_bounds bounds = {
        .from = from, .least = isocast_law_growth(&d->work, from) * apart, .most = most};
    isocast_status status = go_on(c, false, bounds, &d->work, &d->work_most);
    isocast_law_point far = *from;
    for (size_t i = 0; i < ISOCAST_DERIVE_SIZES_MAX; i++) {
        far.sizes[i] *= ISOCAST_DERIVED_FAR;
    }
    d->work_factor = isocast_law_value(&d->work_most, &far) / isocast_law_value(&d->work, &far);
    d->work_most.known = d->work_factor >= factor_least;
    return status;
}

/* The work of the largest recorded sizes over that of the smallest ones; 0: there is none. */
static double growth_seen(const isocast_derived *d) {
    double least = INFINITY;
    double most = 0;
    for (size_t r = 0; r < d->record_count; r++) {
        isocast_law_point single = d->points[r];
        single.p = 1;
        least = fmin(least, isocast_law_value(&d->work, &single));
        most = fmax(most, isocast_law_value(&d->work, &single));
    }
    return most > 0 ? most / least : 0;
}

/* ---- the work ---- */

/* Of the longest computing: shorter ones count by their error over this, as what they take beside
 * the work, and the errors of the clock, are not short. */
static const double floor_share = 0.1;

static void count_all(runs *c) {
    for (size_t r = 0; r < c->count; r++) {
        c->counts[r] = true;
    }
}

static size_t terms_with_p(const isocast_law *law) {
    size_t count = 0;
    for (size_t i = 0; i < law->term_count; i++) {
        count += law->terms[i].process != 0;
    }
    return count;
}

/* Whether a law of p grows by more than sharing processors and caches adds, or, where processes
 * share none, by more than half. */
static bool grows_much(const runs *c, const isocast_law *law) {
    static const double shared_most = 2;
    static const double alone_most = 0.5;
    bool does = false;
    for (size_t r = 0; r < c->count; r++) {
        isocast_law_point single = c->d->points[r];
        single.p = 1;
        double most = c->d->seen[r].alone ? alone_most : shared_most;
        does = does || isocast_law_value(law, &c->d->points[r]) >
                           (1 + most) * isocast_law_value(law, &single);
    }
    return does;
}

/* The law of all runs where all of the computing grows with p, as the sizes are those of a process;
 * not known where it does not. A part that p adds to work of the sizes alone is none, and neither
 * is what each process does whatever the sizes are, as it starts. */
static isocast_status find_own_sizes(runs *c, const isocast_law_point *from, isocast_law *own) {
    static const double growth_least = 1.4;
    isocast_law alone = {0};
    isocast_law both = {0};
    count_all(c);
    c->kind = ISOCAST_LAW_SIZES;
    isocast_status status = fit(c, 2, (isocast_growth_bounds){0}, &alone);
    c->kind = ISOCAST_LAW_GROWING;
    status = status == ISOCAST_OK ? fit(c, 1, (isocast_growth_bounds){0}, own) : status;
    status = status == ISOCAST_OK ? fit(c, 2, (isocast_growth_bounds){0}, &both) : status;
    bool parts = c->count >= TWO_TERMS_LEAST && terms_with_p(&both) < both.term_count &&
                 isocast_law_is_reported(own->mean_error, both.mean_error, c->count);
    own->known = own->known && own->guard == ISOCAST_GUARD_NONE && terms_with_p(own) > 0 &&
                 !parts && isocast_law_growth(own, from) > growth_least && grows_much(c, own) &&
                 isocast_law_is_reported(alone.mean_error, own->mean_error, c->count);
    return status;
}

/* The laws are those of calm times; they get the length that the computing had, by the median of
 * the runs, and their error there. What the records have beside that is what other programs, shared
 * processors and caches may make of another run. */
static void scale_work(runs *c) {
    enum { SPREAD_LEAST = 8 }; /* runs */
    static const double seldom = 0.1;
    isocast_derived *d = c->d;
    double *ratios = c->scratch;
    size_t count = 0;
    for (size_t r = 0; r < c->count; r++) {
        double law = isocast_law_value(&d->work, &d->points[r]);
        if (c->shows[r] && law > 0 && d->seen[r].all > 0) {
            ratios[count++] = d->seen[r].all / law;
        }
    }
    if (count == 0) {
        return;
    }
    gsl_sort(ratios, 1, count);
    double middle = gsl_stats_median_from_sorted_data(ratios, 1, count);
    double squares = 0;
    for (size_t i = 0; i < count; i++) {
        squares += (middle / ratios[i] - 1) * (middle / ratios[i] - 1);
    }
    if (count >= SPREAD_LEAST) {
        double most = gsl_stats_quantile_from_sorted_data(ratios, 1, count, 1 - seldom);
        double least = gsl_stats_quantile_from_sorted_data(ratios, 1, count, seldom);
        d->slower = fmax(0, most / middle - 1);
        d->faster = fmax(0, 1 - least / middle);
    }
    d->usual = middle;
    d->work = isocast_law_scaled(&d->work, middle);
    d->work_most = isocast_law_scaled(&d->work_most, middle);
    d->work_error = sqrt(squares / (double)count);
}

/* Work is what the computing of all processes comes to by the sizes alone, in calm times: what p
 * adds makes runs longer than the calmest one of the same sizes. */
static isocast_status fit_work(runs *c) {
    isocast_derived *d = c->d;
    const isocast_law_point from = isocast_derive_largest_point(d);
    double longest = 0;
    for (size_t r = 0; r < c->count; r++) {
        longest = fmax(longest, d->seen[r].all);
        d->alone += d->seen[r].alone && d->points[r].p > 1;
    }
    c->least = floor_share * longest;
    isocast_law own = {0};
    isocast_status status = find_own_sizes(c, &from, &own);
    note_counting(c);
    if (own.known) {
        count_all(c);
        d->work = own;
    } else if (status == ISOCAST_OK) {
        c->kind = ISOCAST_LAW_SIZES;
        status =
            fit(c, count_runs(c) < TWO_TERMS_LEAST ? 1 : 2, (isocast_growth_bounds){0}, &d->work);
    }
    bool exponent = false;
    for (size_t i = 0; i < ISOCAST_DERIVE_SIZES_MAX; i++) {
        exponent = exponent || isocast_law_has_exponent(&d->work, i);
    }
    double most = most_by_memory(d, &from);
    d->grows = growth_seen(d);
    find_noise(c);
    bool may = d->work.known && !exponent;
    if (status == ISOCAST_OK && may) {
        status = lower_growth(c, most, &from);
    }
    if (status == ISOCAST_OK && may) {
        status = find_most(c, most, &from);
    }
    scale_work(c);
    return status;
}

/* The memory of a process, where it grows with a size. */
static isocast_status fit_memory(isocast_derived *d, double *values) {
    static const double error_most = 0.1;
    for (size_t r = 0; r < d->record_count; r++) {
        values[r] = d->seen[r].memory;
        if (!(values[r] > 0)) {
            return ISOCAST_OK;
        }
    }
    isocast_law law = {0};
    const isocast_question q = {.terms = 2, .kind = ISOCAST_LAW_SHARES};
    isocast_status status = isocast_fit_nearest(d->fitter, values, NULL, &q, &law);
    bool grows = false;
    for (size_t i = 0; i < law.term_count; i++) {
        grows = grows || law.terms[i].factors[0] != 0;
    }
    if (grows && law.guard == ISOCAST_GUARD_NONE && law.mean_error <= error_most) {
        d->memory = law;
    }
    return status;
}

isocast_status isocast_derive_computing_fit(isocast_derived *derived) {
    isocast_pool scratch = {0};
    size_t count = derived->record_count;
    runs c = {.d = derived,
              .values = isocast_pool_take(&scratch, count, sizeof *c.values),
              .counts = isocast_pool_take(&scratch, count, sizeof *c.counts),
              .shows = isocast_pool_take(&scratch, count, sizeof *c.shows),
              .scratch = isocast_pool_take(&scratch, count, sizeof *c.scratch),
              .count = count};
    isocast_status status = scratch.failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    derived->usual = 1;
    if (status == ISOCAST_OK) {
        status = look_at_stretches(derived, c.values, c.scratch);
    }
    if (status == ISOCAST_OK) {
        status = fit_memory(derived, c.scratch);
    }
    if (status == ISOCAST_OK) {
        status = fit_work(&c);
    }
    isocast_pool_free(&scratch);
    return status;
}
