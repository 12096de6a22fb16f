#include "terms.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "rounds.h"

static bool sizes_are_alike(const isocast_derived_site *a, const isocast_derived_site *b) {
    return isocast_law_same(&a->size, &b->size) && isocast_law_same(&a->among, &b->among) &&
           isocast_law_same(&a->stride, &b->stride) && a->everybody == b->everybody &&
           a->follow == b->follow && !a->several && !b->several && a->roots == b->roots &&
           !isocast_derived_roots_change(a);
}

static bool are_alike(const isocast_derived_site *a, const isocast_derived_site *b) {
    return a->key.operation == b->key.operation && a->key.site->function[0] != '\0' &&
           strcmp(a->key.site->function, b->key.site->function) == 0 &&
           strcmp(a->key.site->file, b->key.site->file) == 0 && sizes_are_alike(a, b);
}

static isocast_status add_site(isocast_derived *d, size_t term, size_t site) {
    isocast_derived_term *t = &d->terms[term];
    size_t *sites = realloc(t->sites, (t->count + 1) * sizeof *sites);
    if (sites == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    t->sites = sites;
    t->sites[t->count++] = site;
    d->sites[site].term = term;
    return ISOCAST_OK;
}

static isocast_status place_site(isocast_derived *d, size_t site, size_t *capacity) {
    for (size_t t = 0; t < d->term_count; t++) {
        if (are_alike(&d->sites[d->terms[t].sites[0]], &d->sites[site])) {
            return add_site(d, t, site);
        }
    }
    if (!isocast_array_grow((void **)&d->terms, d->term_count, capacity, sizeof *d->terms)) {
        return ISOCAST_NO_MEMORY;
    }
    d->terms[d->term_count++] = (isocast_derived_term){.counts_in = SIZE_MAX};
    return add_site(d, d->term_count - 1, site);
}

static bool gives(const isocast_law *law, const isocast_derived *d, const double *values) {
    for (size_t r = 0; r < d->record_count; r++) {
        if (fabs(isocast_law_value(law, &d->points[r]) - values[r]) > 1e-8 * fmax(1, values[r])) {
            return false;
        }
    }
    return true;
}

static bool have_same_axes(const isocast_derived *d, const isocast_derived_term *term) {
    bool same = true;
    for (size_t i = 1; i < term->count; i++) {
        same = same && d->sites[term->sites[i]].axes == d->sites[term->sites[0]].axes;
    }
    return same;
}

/* Neighbours on both sides of a line of processes: two inside of it, one at its ends. A grid of 2 x
 * 2 does not tell that from one neighbour, so it is tried first. Then as often as all sites alone,
 * which is a ring. Laws of other kinds are found from the values alone. */
static isocast_status fit_together(derive_fitter *fitter, const double *calls,
                                   const isocast_derived *d, isocast_derived_term *term) {
    const isocast_derived_site *site = &d->sites[term->sites[0]];
    isocast_law line = site->calls;
    isocast_law ring = line;
    bool alike = line.exact && line.term_count > 0;
    for (size_t i = 0; i < line.term_count; i++) {
        alike = alike && line.terms[i].process == 0;
    }
    for (size_t i = 1; i < term->count; i++) {
        alike = alike && isocast_law_same(&line, &d->sites[term->sites[i]].calls);
    }
    for (size_t i = 0; i < line.term_count; i++) {
        ring.numerators[i] *= (double)term->count;
        line.terms[i].process = (unsigned char)isocast_law_neighbours(line.guard, site->dimensions);
    }
    line.guard = ISOCAST_GUARD_NONE;
    if (alike && term->count == 2 && line.terms[0].process != 0 && gives(&line, d, calls)) {
        term->calls = line;
        return ISOCAST_OK;
    }
    if (alike && gives(&ring, d, calls)) {
        term->calls = ring;
        return ISOCAST_OK;
    }
    isocast_favoured_side favoured = isocast_derived_site_favours(site);
    if (favoured >= ISOCAST_FAVOURED_CUBE) {
        favoured = isocast_favoured_along(have_same_axes(d, term) ? site->axes : 0, false);
    }
    return isocast_derive_fitter_fit(fitter, calls, NULL, favoured, &term->calls);
}

/* Receives of one length begin rounds as often as the others of their places do. */
static isocast_status fit_share_of_rounds(const isocast_derived *d, derive_fitter *fitter,
                                          const isocast_site_key *keys,
                                          isocast_derived_term *term) {
    double *rounds = calloc(d->record_count, sizeof *rounds);
    isocast_site_key *whole = calloc(term->count, sizeof *whole);
    isocast_status status = rounds != NULL && whole != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    for (size_t i = 0; i < term->count && status == ISOCAST_OK; i++) {
        whole[i] = keys[i];
        whole[i].rank = 0;
    }
    for (size_t r = 0; r < d->record_count && status == ISOCAST_OK; r++) {
        isocast_site_seen own;
        isocast_site_seen all;
        status = isocast_rounds_observe(d->records[r], whole, term->count, &rounds[r]);
        status = status == ISOCAST_OK ? isocast_site_observe(d->records[r], keys, term->count, &own)
                                      : status;
        status = status == ISOCAST_OK
                     ? isocast_site_observe(d->records[r], whole, term->count, &all)
                     : status;
        if (status == ISOCAST_OK && all.calls > 0) {
            rounds[r] *= own.calls / all.calls;
        }
    }
    if (status == ISOCAST_OK) {
        status =
            isocast_derive_fitter_fit(fitter, rounds, NULL, ISOCAST_FAVOURED_NONE, &term->rounds);
    }
    free(rounds);
    free(whole);
    return status;
}

static isocast_status fit_rounds(const isocast_derived *d, derive_fitter *fitter,
                                 const isocast_site_key *keys, isocast_derived_term *term) {
    if (keys[0].rank > 0) {
        return fit_share_of_rounds(d, fitter, keys, term);
    }
    if (isocast_derived_site_is_further_part(d, term->sites[0])) {
        /* They are under way with the messages of the first part. */
        term->rounds = (isocast_law){.known = true, .exact = true};
        return ISOCAST_OK;
    }
    double *rounds = calloc(d->record_count, sizeof *rounds);
    isocast_status status = rounds != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    for (size_t r = 0; r < d->record_count && status == ISOCAST_OK; r++) {
        status = isocast_rounds_observe(d->records[r], keys, term->count, &rounds[r]);
    }
    if (status == ISOCAST_OK) {
        const isocast_derived_site *site = &d->sites[term->sites[0]];
        isocast_favoured_side favoured =
            site->dimensions > 1 ? isocast_derived_site_favours(site) : ISOCAST_FAVOURED_NONE;
        /* Shares are parts of messages, not of counts. */
        favoured = favoured > ISOCAST_FAVOURED_CUBE ? ISOCAST_FAVOURED_CUBE : favoured;
        status = isocast_derive_fitter_fit(fitter, rounds, NULL, favoured, &term->rounds);
    }
    free(rounds);
    return status;
}

static isocast_status count_together(isocast_derived *d, derive_fitter *fitter,
                                     isocast_derived_term *term) {
    term->calls = d->sites[term->sites[0]].calls;
    isocast_site_key *keys = calloc(term->count, sizeof *keys);
    double *calls = calloc(d->record_count, sizeof *calls);
    isocast_status status = keys != NULL && calls != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    for (size_t i = 0; i < term->count && status == ISOCAST_OK; i++) {
        keys[i] = d->sites[term->sites[i]].key;
    }
    if (status == ISOCAST_OK && isocast_has_rounds(keys[0].operation)) {
        status = fit_rounds(d, fitter, keys, term);
    }
    bool several = term->count > 1;
    for (size_t r = 0; several && r < d->record_count && status == ISOCAST_OK; r++) {
        isocast_site_seen seen;
        status = isocast_site_observe(d->records[r], keys, term->count, &seen);
        calls[r] = status == ISOCAST_OK ? seen.calls : 0;
    }
    if (several && status == ISOCAST_OK) {
        status = fit_together(fitter, calls, d, term);
    }
    free(keys);
    free(calls);
    return status;
}

isocast_status isocast_derive_terms_make(isocast_derived *derived, derive_fitter *fitter) {
    size_t capacity = 0;
    isocast_status status = ISOCAST_OK;
    for (size_t s = 0; s < derived->site_count && status == ISOCAST_OK; s++) {
        const isocast_derived_site *site = &derived->sites[s];
        bool is_called = site->calls.known && site->calls.term_count > 0;
        if (isocast_derived_site_sends(site) && is_called) {
            status = place_site(derived, s, &capacity);
        }
    }
    for (size_t t = 0; t < derived->term_count && status == ISOCAST_OK; t++) {
        status = count_together(derived, fitter, &derived->terms[t]);
    }
    return status;
}
