#include "derive.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "asks.h"
#include "computing.h"
#include "fitter.h"
#include "held_out.h"
#include "held_point.h"
#include "mixed.h"
#include "model/base/numerics.h"
#include "root_order.h"
#include "sites.h"
#include "size_steps.h"
#include "stretches.h"

/* Values at all records. */
typedef struct columns {
    double *values;                  /* [count] */
    isocast_compute_seen *computing; /* [count] */
} columns;

static isocast_status columns_create(size_t count, columns *out) {
    *out = (columns){.values = calloc(count, sizeof *out->values),
                     .computing = calloc(count, sizeof *out->computing)};
    return out->values != NULL && out->computing != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
}

static void columns_free(columns *c) {
    free(c->values);
    free(c->computing);
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
        d->sites[i] = (isocast_derived_site){.key = keys[i], .waiting = NAN, .held_out = NAN};
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
        status = fit_memory(d, &c, &fitter);
    }
    if (status == ISOCAST_OK) {
        status = isocast_derive_computing_fit(d, c.computing, &fitter);
    }
    if (status == ISOCAST_OK) {
        status = isocast_derive_size_steps_find(d, &fitter);
    }
    if (status == ISOCAST_OK) {
        status = isocast_derive_root_order_find(d);
    }
    if (status == ISOCAST_OK) {
        status = isocast_derive_asks_find(d);
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

/* Whether the program has made a grid of several processes along three sides. */
static bool has_cube(const isocast_derived *d) {
    bool has = false;
    for (size_t r = 0; r < d->record_count; r++) {
        for (size_t c = 0; c < d->records[r]->communicator_count; c++) {
            const isocast_record_communicator *grid = &d->records[r]->communicators[c];
            bool cube = grid->dimension_count == 3;
            for (size_t i = 0; i < grid->dimension_count; i++) {
                cube = cube && grid->dimensions[i] > 1;
            }
            has = has || cube;
        }
    }
    return has;
}

/* Whether a site that sends to some others is not exact, where they may be in two dimensions. */
static bool may_have_shape(const isocast_derived *d) {
    bool may = false;
    for (size_t s = 0; s < d->site_count && !d->on_line && !has_cube(d); s++) {
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

isocast_status isocast_derive_without_point(const isocast_derived *derived, double processors,
                                            const isocast_law_point *at, isocast_record **sorted,
                                            isocast_held_point *point, isocast_derived **out) {
    size_t others;
    isocast_status status =
        isocast_held_point_split(derived, processors, at, sorted, &others, point);
    return status == ISOCAST_OK && others > 0 ? derive_from(sorted, others, &derived->sizes, out)
                                              : status;
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
        if (status == ISOCAST_OK) {
            status = isocast_held_point_compare(without, sorted + kept, d->record_count - kept,
                                                &d->held_computing);
        }
    } else if (status == ISOCAST_OK) {
        status = isocast_derive_without_point(d, 0, NULL, sorted, &d->held_computing, &without);
        size_t others = without != NULL ? without->record_count : 0;
        if (status == ISOCAST_OK && others > 0) {
            status = isocast_held_point_compare(without, sorted + others, d->record_count - others,
                                                &d->held_computing);
        }
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
    if (status == ISOCAST_OK && other_count > 0) {
        status = isocast_held_point_compare(d, others, other_count, &d->held_computing);
    }
    if (status != ISOCAST_OK) {
        isocast_derived_free(d);
        return status;
    }
    *out = d;
    return ISOCAST_OK;
}
