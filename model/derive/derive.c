#include "derive.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fitter.h"
#include "held_out.h"
#include "mixed.h"
#include "model/base/numerics.h"
#include "one_root.h"
#include "pipelines.h"
#include "sites.h"
#include "stretches.h"
#include "terms.h"
#include "turns.h"

/* Values at all records. */
typedef struct columns {
    double *values;                  /* [count] */
    isocast_compute_seen *computing; /* [count] */
    bool *counts;                    /* [count]: the run tells how computing grows */
    bool *tells;                     /* [count]: and how long it takes */
    size_t count;
} columns;

static isocast_status columns_create(size_t count, columns *out) {
    *out = (columns){.count = count,
                     .values = calloc(count, sizeof *out->values),
                     .computing = calloc(count, sizeof *out->computing),
                     .counts = calloc(count, sizeof *out->counts),
                     .tells = calloc(count, sizeof *out->tells)};
    bool enough =
        out->values != NULL && out->computing != NULL && out->counts != NULL && out->tells != NULL;
    return enough ? ISOCAST_OK : ISOCAST_NO_MEMORY;
}

static void columns_free(columns *c) {
    free(c->values);
    free(c->computing);
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

static void scale(isocast_law *law, double by) {
    for (size_t i = 0; i < law->term_count; i++) {
        law->numerators[i] *= by;
    }
}

/* The laws are those of calm times; they get the length that the computing had, by the median of
 * the runs, and their error there. */
static isocast_status scale_work(isocast_derived *d, columns *c) {
    double *ratios = c->values;
    size_t count = 0;
    for (size_t r = 0; r < d->record_count; r++) {
        double law = isocast_law_value(&d->work, &d->points[r]) +
                     isocast_law_value(&d->extra, &d->points[r]);
        if (c->tells[r] && law > 0 && c->computing[r].all > 0) {
            ratios[count++] = c->computing[r].all / law;
        }
    }
    if (count == 0) {
        return ISOCAST_OK;
    }
    gsl_sort(ratios, 1, count);
    double middle = gsl_stats_median_from_sorted_data(ratios, 1, count);
    double squares = 0;
    for (size_t i = 0; i < count; i++) {
        squares += (middle / ratios[i] - 1) * (middle / ratios[i] - 1);
    }
    scale(&d->work, middle);
    scale(&d->extra, middle);
    d->work_error = sqrt(squares / (double)count);
    return ISOCAST_OK;
}

/* The longest computing of the runs that count, s. */
static double most_of(const columns *c) {
    double most = 0;
    for (size_t r = 0; r < c->count; r++) {
        most = c->tells[r] ? fmax(most, c->computing[r].all) : most;
    }
    return most;
}

static bool same_sizes(const isocast_law_point *a, const isocast_law_point *b) {
    bool same = true;
    for (size_t i = 0; i < ISOCAST_DERIVE_SIZES_MAX; i++) {
        same = same && a->sizes[i] == b->sizes[i];
    }
    return same;
}

/* Whether runs whose processes had a processor each are there at all sizes, but not all of the
 * runs. */
static bool some_are_alone(const isocast_derived *d, const columns *c) {
    bool all = true;
    bool covered = true;
    for (size_t r = 0; r < d->record_count; r++) {
        bool found = false;
        for (size_t k = 0; k < d->record_count; k++) {
            found = found || (c->computing[k].alone && same_sizes(&d->points[r], &d->points[k]));
        }
        all = all && c->computing[r].alone;
        covered = covered && found;
    }
    return covered && !all;
}

/* Which runs tell of computing. Where processes share processors, those do whose calm times are not
 * much longer than in the calmest run of the same sizes whose processes did not. */
static size_t note_counting(isocast_derived *d, columns *c, bool choose) {
    static const double longer_most = 1.25;
    size_t count = 0;
    d->work_runs = 0;
    for (size_t r = 0; r < d->record_count; r++) {
        double least = INFINITY;
        for (size_t k = 0; k < d->record_count; k++) {
            bool alike = c->computing[k].alone && same_sizes(&d->points[r], &d->points[k]);
            least = alike ? fmin(least, c->values[k]) : least;
        }
        c->tells[r] = !choose || c->computing[r].alone;
        c->counts[r] = c->tells[r] || c->values[r] <= longer_most * least;
        count += c->counts[r];
        d->work_runs += c->tells[r];
    }
    return count;
}

/* Whether more processes make so much more computing as sharing processors does not. */
static bool is_much(const isocast_derived *d, const isocast_law *work, const isocast_law *extra) {
    static const double shared_most = 2; /* what sharing processors and caches adds, of the work */
    bool is = false;
    for (size_t r = 0; r < d->record_count; r++) {
        double value = isocast_law_value(work, &d->points[r]);
        is = is || isocast_law_value(extra, &d->points[r]) > shared_most * value;
    }
    return is;
}

/* Work is what the computing of all processes comes to by the sizes alone, in calm times. What p
 * adds is told apart where it makes the error a third less or better, and where the noise does not
 * make that. Where processes share processors, and their caches, computing takes longer: then those
 * runs count where they did not. */
static isocast_status fit_work(isocast_derived *d, columns *c, derive_fitter *fitter) {
    isocast_status status;
    double most = 0;
    for (size_t r = 0; r < d->record_count; r++) {
        c->values[r] = isocast_derive_calm_time(d, d->records[r]);
        d->alone += c->computing[r].alone && d->points[r].p > 1;
        if (c->computing[r].all > most) {
            most = c->computing[r].all;
            d->imbalance = c->computing[r].most * d->points[r].p / most;
        }
    }
    isocast_law alone = {0};
    isocast_law both = {0};
    status = isocast_law_fit_nearest(&fitter->candidates, c->values, 2, ISOCAST_LAW_SIZES,
                                     floor_share * most, &alone);
    if (status == ISOCAST_OK) {
        status = isocast_law_fit_nearest(&fitter->candidates, c->values, 2, ISOCAST_LAW_ANY,
                                         floor_share * most, &both);
    }
    if (status != ISOCAST_OK) {
        return status;
    }
    isocast_law work;
    isocast_law extra;
    keep_terms(&both, false, &work);
    keep_terms(&both, true, &extra);
    bool apart = work.known && extra.known && both.guard == ISOCAST_GUARD_NONE &&
                 isocast_law_is_told(alone.mean_error, both.mean_error, c->count);
    d->work = apart ? work : alone;
    d->extra = apart ? extra : (isocast_law){0};
    bool choose = some_are_alone(d, c) && !(apart && is_much(d, &work, &extra));
    size_t counting = note_counting(d, c, choose);
    if (choose) {
        enum { TWO_TERMS_LEAST = 8 }; /* runs: fewer do not tell a second term from noise */
        d->extra = (isocast_law){0};
        status = isocast_derive_fitter_nearest(
            fitter, c->values, c->counts, counting < TWO_TERMS_LEAST ? 1 : 2, ISOCAST_LAW_SIZES,
            floor_share * most_of(c), &d->work);
    }
    return status == ISOCAST_OK ? scale_work(d, c) : status;
}

static isocast_status observe_computing(const isocast_derived *d, columns *c) {
    isocast_status status = ISOCAST_OK;
    for (size_t r = 0; r < d->record_count && status == ISOCAST_OK; r++) {
        status = isocast_compute_observe(d->records[r], &c->computing[r]);
    }
    return status;
}

/* A size that is a logarithm, as its messages tell, is one in the computing, too. */
static void note_exponents(const isocast_derived *d, isocast_candidates *candidates) {
    for (size_t s = 0; s < d->site_count; s++) {
        const isocast_derived_site *site = &d->sites[s];
        for (size_t i = 0; i < ISOCAST_DERIVE_SIZES_MAX; i++) {
            bool told = (site->calls.exact && isocast_law_has_exponent(&site->calls, i)) ||
                        (site->size.exact && isocast_law_has_exponent(&site->size, i));
            candidates->exponents[i] = candidates->exponents[i] || told;
        }
    }
}

static const double memory_error_most = 0.1;

/* The memory of a process, where it grows with a size. */
static isocast_status fit_memory(isocast_derived *d, columns *c, derive_fitter *fitter) {
    for (size_t r = 0; r < d->record_count; r++) {
        c->values[r] = c->computing[r].memory;
        if (!(c->values[r] > 0)) {
            return ISOCAST_OK;
        }
    }
    isocast_law law = {0};
    isocast_status status =
        isocast_law_fit_nearest(&fitter->candidates, c->values, 2, ISOCAST_LAW_SHARES, 0, &law);
    bool grows = false;
    for (size_t i = 0; status == ISOCAST_OK && i < law.term_count; i++) {
        grows = grows || law.terms[i].factors[0] != 0;
    }
    if (grows && law.guard == ISOCAST_GUARD_NONE && law.mean_error <= memory_error_most) {
        d->memory = law;
    }
    return status;
}

static isocast_status find_sites(isocast_derived *d) {
    isocast_site_key *keys = NULL;
    size_t capacity = 0;
    size_t count = 0;
    isocast_status status = ISOCAST_OK;
    for (size_t r = 0; r < d->record_count && status == ISOCAST_OK; r++) {
        status = isocast_site_keys_add(d->records[r], &keys, &count, &capacity);
    }
    if (status == ISOCAST_OK) {
        d->sites = calloc(count > 0 ? count : 1, sizeof *d->sites);
        status = d->sites != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < count && status == ISOCAST_OK; i++) {
        d->sites[i] = (isocast_derived_site){
            .key = keys[i], .waiting = NAN, .held_out = NAN, .term = SIZE_MAX};
        d->site_count++;
    }
    free(keys);
    return status;
}

/* Laws of all that the records say. */
static isocast_status derive_from(isocast_record *const *records, size_t count,
                                  const isocast_size_words *sizes, isocast_derived **out) {
    isocast_derived *d = calloc(1, sizeof *d);
    columns c = {0};
    derive_fitter fitter = {0};
    isocast_status status = d != NULL ? columns_create(count, &c) : ISOCAST_NO_MEMORY;
    if (status == ISOCAST_OK) {
        d->records = records;
        d->record_count = count;
        d->sizes = *sizes;
        d->points = calloc(count, sizeof *d->points);
        status = d->points != NULL ? find_sites(d) : ISOCAST_NO_MEMORY;
    }
    if (status == ISOCAST_OK) {
        for (size_t r = 0; r < count; r++) {
            isocast_size_words_point(sizes, records[r], &d->points[r]);
        }
        status = isocast_derive_fitter_create(d->points, count, sizes->count, ISOCAST_FAVOURED_NONE,
                                              &fitter);
    }
    if (status == ISOCAST_OK) {
        status = observe_computing(d, &c);
    }
    if (status == ISOCAST_OK) {
        status = isocast_derive_sites_fit(d, c.computing, &fitter);
    }
    if (status == ISOCAST_OK) {
        note_exponents(d, &fitter.candidates);
        status = isocast_derive_stretches_find(d, c.computing, &fitter);
    }
    if (status == ISOCAST_OK) {
        status = fit_work(d, &c, &fitter);
    }
    if (status == ISOCAST_OK) {
        status = fit_memory(d, &c, &fitter);
    }
    if (status == ISOCAST_OK) {
        status = isocast_derive_one_root_find(d, &fitter);
    }
    if (status == ISOCAST_OK) {
        status = isocast_derive_terms_make(d, &fitter);
    }
    if (status == ISOCAST_OK) {
        status = isocast_derive_turns_find(d);
    }
    if (status == ISOCAST_OK) {
        status = isocast_derive_pipelines_find(d, &fitter);
    }
    columns_free(&c);
    isocast_derive_fitter_free(&fitter);
    if (status != ISOCAST_OK) {
        isocast_derived_free(d);
        return status;
    }
    *out = d;
    return ISOCAST_OK;
}

/* Sites whose calls and sizes are exact. */
static size_t count_exact(const isocast_derived *d, size_t *all) {
    size_t exact = 0;
    *all = 0;
    for (size_t s = 0; s < d->site_count; s++) {
        bool counts =
            isocast_derived_site_sends(&d->sites[s]) && !isocast_derived_site_is_further_part(d, s);
        *all += counts;
        exact += counts && isocast_derived_place_is_exact(d, s);
    }
    return exact;
}

/* Sets the sides of the records by a shape. */
static void tell_shape(const isocast_size_words *sizes, isocast_record *const *records,
                       size_t count) {
    for (size_t r = 0; r < count; r++) {
        isocast_law_point point;
        records[r]->side_count = 0;
        isocast_size_words_point(sizes, records[r], &point);
        isocast_shape_tell(&sizes->shape, &point, records[r]);
    }
}

/* Whether a site that sends to some others is not exact. */
static bool may_have_shape(const isocast_derived *d) {
    bool may = false;
    for (size_t s = 0; s < d->site_count; s++) {
        const isocast_derived_site *site = &d->sites[s];
        may = may || (isocast_record_is_between_two(site->key.operation) &&
                      !isocast_derived_site_is_exact(site));
    }
    return may;
}

/* Where not all sites are exact, the processes may stand in another grid than the most even one:
 * that with most exact sites is taken. *best: made without it. */
static isocast_status try_shapes(isocast_record *const *records, size_t count,
                                 isocast_derived **best) {
    size_t all;
    size_t most = count_exact(*best, &all);
    if (most == all || (*best)->sizes.sides.count > 0 || !may_have_shape(*best)) {
        return ISOCAST_OK;
    }
    isocast_shape shapes[ISOCAST_SHAPES_MOST];
    size_t shape_count = isocast_shapes_list((*best)->points, count, (*best)->sizes.count, shapes);
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < shape_count && most < all && status == ISOCAST_OK; i++) {
        isocast_size_words sizes = (*best)->sizes;
        sizes.shape = shapes[i];
        tell_shape(&sizes, records, count);
        isocast_derived *other = NULL;
        status = derive_from(records, count, &sizes, &other);
        size_t exact = status == ISOCAST_OK ? count_exact(other, &all) : 0;
        if (exact > most) {
            isocast_derived *worse = *best;
            *best = other;
            other = worse;
            most = exact;
        }
        isocast_derived_free(other);
    }
    tell_shape(&(*best)->sizes, records, count);
    return status;
}

/* Puts the records with the largest p last. Gives how many others there are; 0 where too few p
 * are left without them. sorted: [count]. */
static size_t split_off_largest(isocast_record *const *records, size_t count,
                                isocast_record **sorted) {
    size_t largest = 0;
    for (size_t r = 0; r < count; r++) {
        size_t p = records[r]->process_count;
        largest = p > largest ? p : largest;
    }
    size_t kept = 0;
    size_t different = 0;
    for (size_t r = 0; r < count; r++) {
        bool is_new = records[r]->process_count < largest;
        for (size_t k = 0; k < kept; k++) {
            is_new = is_new && sorted[k]->process_count != records[r]->process_count;
        }
        different += is_new;
        if (records[r]->process_count < largest) {
            sorted[kept++] = records[r];
        }
    }
    size_t at = kept;
    for (size_t r = 0; r < count; r++) {
        if (records[r]->process_count == largest) {
            sorted[at++] = records[r];
        }
    }
    return different >= ISOCAST_DERIVE_VALUES_LEAST ? kept : 0;
}

/* The errors of other laws of the same sites. */
static void take_held_out(isocast_derived *d, const isocast_derived *from) {
    size_t worst = d->held_out.worst_site;
    d->held_out.worst_site = SIZE_MAX;
    for (size_t s = 0; s < d->site_count; s++) {
        for (size_t k = 0; k < from->site_count; k++) {
            const isocast_derived_site *other = &from->sites[k];
            if (!isocast_site_key_same_place(&other->key, &d->sites[s].key)) {
                continue;
            }
            d->sites[s].held_out = fmax(d->sites[s].held_out, other->held_out);
            bool first = d->held_out.worst_site == SIZE_MAX;
            d->held_out.worst_site = k == worst && first ? s : d->held_out.worst_site;
        }
    }
}

static isocast_status check_without_largest(isocast_derived *d) {
    isocast_record **sorted = calloc(d->record_count, sizeof *sorted);
    isocast_derived *without = NULL;
    if (sorted == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    size_t kept = split_off_largest(d->records, d->record_count, sorted);
    isocast_status status = ISOCAST_OK;
    if (kept > 0) {
        status = derive_from(sorted, kept, &d->sizes, &without);
    }
    if (without != NULL) {
        status = isocast_derive_held_out_check(without, sorted + kept, d->record_count - kept,
                                               &d->held_out);
        take_held_out(d, without);
    }
    isocast_derived_free(without);
    free(sorted);
    return status;
}

isocast_status isocast_derive(isocast_record *const *records, size_t count,
                              isocast_record *const *others, size_t other_count,
                              const isocast_size_words *asked, isocast_diagnostics *diagnostics,
                              isocast_derived **out) {
    isocast_size_words sizes;
    isocast_numerics_prepare();
    isocast_status status =
        isocast_size_words_find(records, count, others, other_count, asked, diagnostics, &sizes);
    isocast_derived *d = NULL;
    size_t errors = diagnostics->errors;
    if (status == ISOCAST_OK) {
        status = isocast_mixed_records_refuse(records, count, diagnostics);
    }
    if (status == ISOCAST_OK && diagnostics->errors > errors) {
        status = ISOCAST_INVALID;
    }
    if (status == ISOCAST_OK) {
        status = derive_from(records, count, &sizes, &d);
    }
    if (status == ISOCAST_OK) {
        status = try_shapes(records, count, &d);
    }
    if (status == ISOCAST_OK && d->sizes.shape.rule != ISOCAST_SHAPE_UNTOLD) {
        tell_shape(&d->sizes, others, other_count);
    }
    if (status == ISOCAST_OK) {
        status = other_count > 0
                     ? isocast_derive_held_out_check(d, others, other_count, &d->held_out)
                     : check_without_largest(d);
    }
    if (status != ISOCAST_OK) {
        isocast_derived_free(d);
        return status;
    }
    *out = d;
    return ISOCAST_OK;
}
