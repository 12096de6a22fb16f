#include "stretches.h"

#include <math.h>
#include <stdlib.h>

#include "model/base/array.h"

static const double share_least = 0.05;
/* An even stretch takes this share of its mean time, at least, when it is shortest. Loops that get
 * shorter with each step take less. */
static const double even_least = 0.4;

static bool same_place(const isocast_record_site *a, const isocast_record_site *b) {
    const isocast_site_key one = {.site = a};
    const isocast_site_key other = {.site = b};
    return isocast_site_key_same(&one, &other);
}

static double computing_of(const isocast_record *record, const isocast_derived_stretch *stretch) {
    double time = 0;
    for (size_t i = 0; i < record->compute_count; i++) {
        const isocast_record_compute *c = &record->computes[i];
        bool counts = stretch == NULL || (same_place(&record->sites[c->from], stretch->from) &&
                                          same_place(&record->sites[c->to], stretch->to));
        time += counts ? c->time : 0;
    }
    return time;
}

/* Time of a stretch, and what it comes to by the shortest time of each process. */
static void add_up(const isocast_record *record, const isocast_derived_stretch *stretch,
                   double *time, double *shortest) {
    *time = *shortest = 0;
    for (size_t i = 0; i < record->compute_count; i++) {
        const isocast_record_compute *c = &record->computes[i];
        if (same_place(&record->sites[c->from], stretch->from) &&
            same_place(&record->sites[c->to], stretch->to)) {
            *time += c->time;
            *shortest += fmin(c->times * c->least, c->time);
        }
    }
}

/* Where processes share processors, some times are long that are short elsewhere. */
static bool is_even(const isocast_derived *d, const isocast_compute_seen *computing,
                    const isocast_derived_stretch *stretch) {
    bool any_alone = false;
    for (size_t r = 0; r < d->record_count; r++) {
        any_alone = any_alone || computing[r].alone;
    }
    bool even = true;
    for (size_t r = 0; r < d->record_count && even; r++) {
        if (any_alone && !computing[r].alone) {
            continue;
        }
        double time;
        double shortest;
        add_up(d->records[r], stretch, &time, &shortest);
        even = shortest >= even_least * time;
    }
    return even;
}

double isocast_derive_calm_time(const isocast_derived *derived, const isocast_record *record) {
    double all = computing_of(record, NULL);
    for (size_t i = 0; i < derived->stretch_count; i++) {
        double time;
        double shortest;
        add_up(record, &derived->stretches[i], &time, &shortest);
        all -= derived->stretches[i].is_even ? time - shortest : 0;
    }
    return all;
}

void isocast_derive_calm_times(const isocast_derived *derived, const isocast_record *record,
                               double *times) {
    for (size_t i = 0; i < record->process_count; i++) {
        times[i] = 0;
    }
    for (size_t i = 0; i < record->compute_count; i++) {
        const isocast_record_compute *c = &record->computes[i];
        bool even = false;
        for (size_t k = 0; k < derived->stretch_count; k++) {
            const isocast_derived_stretch *s = &derived->stretches[k];
            even = even || (s->is_even && same_place(&record->sites[c->from], s->from) &&
                            same_place(&record->sites[c->to], s->to));
        }
        times[c->process] += even ? fmin(c->times * c->least, c->time) : c->time;
    }
}

static bool is_known(const isocast_derived *d, const isocast_derived_stretch *stretch) {
    for (size_t i = 0; i < d->stretch_count; i++) {
        if (same_place(d->stretches[i].from, stretch->from) &&
            same_place(d->stretches[i].to, stretch->to)) {
            return true;
        }
    }
    return false;
}

static isocast_status find(isocast_derived *d, const isocast_record *record, double all) {
    size_t capacity = 0;
    for (size_t i = 0; i < record->compute_count; i++) {
        const isocast_record_compute *c = &record->computes[i];
        isocast_derived_stretch stretch = {.from = &record->sites[c->from],
                                           .to = &record->sites[c->to]};
        /* One process has at least its share of what all have together. */
        bool may_count = c->time * (double)record->process_count >= share_least * all / 4;
        if (!may_count || is_known(d, &stretch)) {
            continue;
        }
        stretch.share = computing_of(record, &stretch) / all;
        if (stretch.share < share_least) {
            continue;
        }
        if (!isocast_array_grow((void **)&d->stretches, d->stretch_count, &capacity,
                                sizeof *d->stretches)) {
            return ISOCAST_NO_MEMORY;
        }
        d->stretches[d->stretch_count++] = stretch;
    }
    return ISOCAST_OK;
}

static int by_share(const void *a, const void *b) {
    double one = ((const isocast_derived_stretch *)a)->share;
    double other = ((const isocast_derived_stretch *)b)->share;
    return (one < other) - (one > other);
}

isocast_status isocast_derive_stretches_find(isocast_derived *derived,
                                             const isocast_compute_seen *computing,
                                             derive_fitter *fitter) {
    double *times = calloc(derived->record_count, sizeof *times);
    if (times == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    size_t most = 0;
    for (size_t r = 0; r < derived->record_count; r++) {
        times[r] = computing_of(derived->records[r], NULL);
        most = times[r] > times[most] ? r : most;
    }
    isocast_status status = ISOCAST_OK;
    if (times[most] > 0) {
        status = find(derived, derived->records[most], times[most]);
    }
    for (size_t i = 0; i < derived->stretch_count && status == ISOCAST_OK; i++) {
        double longest = 0;
        derived->stretches[i].is_even = is_even(derived, computing, &derived->stretches[i]);
        for (size_t r = 0; r < derived->record_count; r++) {
            times[r] = computing_of(derived->records[r], &derived->stretches[i]);
            longest = times[r] > longest ? times[r] : longest;
        }
        status = isocast_law_fit_nearest(&fitter->candidates, times, 1, ISOCAST_LAW_SIZES,
                                         longest / 10, &derived->stretches[i].time);
    }
    if (derived->stretch_count > 1) {
        qsort(derived->stretches, derived->stretch_count, sizeof *derived->stretches, by_share);
    }
    free(times);
    return status;
}
