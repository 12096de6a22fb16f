#include "held_out.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "model/base/process_grid.h"

static const double residual_most = 1e-8;

static double error_of(const isocast_law *law, const isocast_law_point *point, double seen) {
    double value = isocast_law_value(law, point);
    double difference = fabs(value - seen);
    if (difference <= residual_most * fmax(1, fabs(seen))) {
        return 0;
    }
    return seen != 0 ? difference / fabs(seen) : 1;
}

/* The worse of calls and sizes at one record. */
static isocast_status site_error(const isocast_derived_site *site, const isocast_record *record,
                                 const isocast_law_point *point, double *error) {
    isocast_site_seen seen;
    isocast_status status = isocast_site_observe(record, &site->key, 1, &seen);
    if (status == ISOCAST_OK) {
        *error = error_of(&site->calls, point, seen.calls);
        if (seen.calls > 0) {
            double size = site->mean      ? seen.bytes / seen.calls
                          : site->several ? seen.bytes
                                          : seen.largest;
            *error = fmax(*error, error_of(&site->size, point, size));
        }
    }
    return status;
}

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
            known = known || isocast_site_key_same_place(&keys[k], &laws->sites[s].key);
        }
        *unknown += !known;
    }
    free(keys);
    return status;
}

/* Parts of one site are one. */
static void count_places(const isocast_derived *laws, isocast_held_out *h) {
    for (size_t s = 0; s < laws->site_count; s++) {
        if (!isocast_derived_site_sends(&laws->sites[s]) ||
            isocast_derived_site_is_further_part(laws, s)) {
            continue;
        }
        bool exact = true;
        for (size_t k = s; k < laws->site_count; k++) {
            exact =
                exact && (!(laws->sites[k].held_out > 0) ||
                          !isocast_site_key_same_place(&laws->sites[s].key, &laws->sites[k].key));
        }
        h->sites++;
        h->exact += exact;
    }
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
    for (size_t s = 0; s < laws->site_count && status == ISOCAST_OK; s++) {
        if (!isocast_derived_site_sends(&laws->sites[s])) {
            continue;
        }
        double worst = 0;
        for (size_t r = 0; r < count && status == ISOCAST_OK; r++) {
            double error = 0;
            status = site_error(&laws->sites[s], records[r], &points[r], &error);
            worst = fmax(worst, error);
        }
        laws->sites[s].held_out = worst;
    }
    for (size_t s = 0; s < laws->site_count; s++) {
        if (laws->sites[s].held_out > h.worst) {
            h.worst = laws->sites[s].held_out;
            h.worst_site = s;
        }
    }
    count_places(laws, &h);
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
