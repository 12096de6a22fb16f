#include "held_out.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "model/base/process_grid.h"
#include "steps_check.h"

static isocast_status count_unknown(const isocast_derived *laws, isocast_record *const *records,
                                    size_t count, size_t *unknown) {
    isocast_site_key *keys = NULL;
    size_t key_count = 0;
    size_t capacity = 0;
    isocast_status status = ISOCAST_OK;
    for (size_t r = 0; r < count && status == ISOCAST_OK; r++) {
        status = isocast_site_keys_add(records[r], &keys, &key_count, &capacity);
    }
    for (size_t k = 0; k < key_count && status == ISOCAST_OK; k++) {
        const isocast_derived_site there = {.key = keys[k]};
        bool known = !isocast_derived_site_sends(&there);
        for (size_t s = 0; s < laws->site_count; s++) {
            known = known || isocast_site_key_same(&keys[k], &laws->sites[s].key);
        }
        *unknown += !known;
    }
    free(keys);
    return status;
}

/* Rehearses the steps there, and counts the sites that are exact. */
static isocast_status compare(isocast_derived *laws, isocast_record *const *records, size_t count,
                              isocast_held_out *h) {
    isocast_site_fit *fits = calloc(laws->site_count + 1, sizeof *fits);
    isocast_rehearsed rehearsed = {0};
    derive_step *culprit;
    isocast_status status =
        fits == NULL ? ISOCAST_NO_MEMORY
        : laws->program != NULL
            ? isocast_derive_steps_compare(laws, records, count, fits, &rehearsed, &culprit)
            : ISOCAST_OK;
    for (size_t s = 0; s < laws->site_count && status == ISOCAST_OK; s++) {
        isocast_derived_site *site = &laws->sites[s];
        site->there = fits[s];
        bool sends = isocast_derived_site_sends(site);
        double error = fmax(site->there.calls, site->there.size);
        h->sites += sends;
        h->exact += sends && site->there.records > 0 && !isocast_derived_site_is_off_there(site);
        h->worst_site = error > h->worst ? s : h->worst_site;
        h->worst = fmax(h->worst, error);
    }
    free(rehearsed.problem);
    free(fits);
    return status;
}

isocast_status isocast_derive_held_out_check(isocast_derived *laws, isocast_record *const *records,
                                             size_t count, isocast_held_out *out) {
    isocast_held_out h = {.records = count, .p_least = INFINITY, .worst_site = SIZE_MAX};
    isocast_law_point *points = calloc(count, sizeof *points);
    isocast_status status = points != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    for (size_t r = 0; r < count && status == ISOCAST_OK; r++) {
        isocast_size_words_point(&laws->sizes, records[r], &points[r]);
        h.p_least = fmin(h.p_least, points[r].p);
        h.p_most = fmax(h.p_most, points[r].p);
        bool more = isocast_grid_count(points[r].p, 3) + isocast_grid_count(points[r].p, 2) >
                    isocast_grid_count(h.p_grids, 3) + isocast_grid_count(h.p_grids, 2);
        h.p_grids = more ? points[r].p : h.p_grids;
        isocast_compute_seen seen;
        status = isocast_compute_observe(records[r], &seen);
        double work = isocast_law_value(&laws->work, &points[r]) +
                      (laws->extra.known ? isocast_law_value(&laws->extra, &points[r]) : 0);
        if (status == ISOCAST_OK && seen.all > 0) {
            h.work_error += fabs(work / seen.all - 1) / (double)count;
        }
    }
    if (status == ISOCAST_OK) {
        status = compare(laws, records, count, &h);
    }
    if (status == ISOCAST_OK) {
        status = count_unknown(laws, records, count, &h.unknown);
    }
    free(points);
    if (status == ISOCAST_OK) {
        h.sites += h.unknown;
        *out = h;
    }
    return status;
}
