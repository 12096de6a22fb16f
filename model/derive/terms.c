#include "terms.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"

static bool sizes_are_alike(const isocast_derived_site *a, const isocast_derived_site *b) {
    return isocast_law_same(&a->size, &b->size) && isocast_law_same(&a->among, &b->among) &&
           isocast_law_same(&a->stride, &b->stride) && a->everybody == b->everybody &&
           !a->several && !b->several;
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
    d->terms[d->term_count++] = (isocast_derived_term){0};
    return add_site(d, d->term_count - 1, site);
}

static isocast_status count_together(isocast_derived *d, derive_fitter *fitter,
                                     isocast_derived_term *term) {
    term->calls = d->sites[term->sites[0]].calls;
    if (term->count == 1) {
        return ISOCAST_OK;
    }
    isocast_site_key *keys = calloc(term->count, sizeof *keys);
    double *calls = calloc(d->record_count, sizeof *calls);
    isocast_status status = keys != NULL && calls != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    for (size_t i = 0; i < term->count && status == ISOCAST_OK; i++) {
        keys[i] = d->sites[term->sites[i]].key;
    }
    for (size_t r = 0; r < d->record_count && status == ISOCAST_OK; r++) {
        isocast_site_seen seen;
        status = isocast_site_observe(d->records[r], keys, term->count, &seen);
        calls[r] = status == ISOCAST_OK ? seen.calls : 0;
    }
    if (status == ISOCAST_OK) {
        status = derive_fitter_fit(fitter, calls, NULL, &term->calls);
    }
    free(keys);
    free(calls);
    return status;
}

isocast_status derive_terms_make(isocast_derived *derived, derive_fitter *fitter) {
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
