#include "one_root.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "model/base/array.h"

/* Which way messages go. */
typedef enum direction { NEITHER, FROM_ROOT, TO_ROOT } direction;

static direction direction_of(isocast_record_operation operation) {
    switch (operation) {
    case ISOCAST_RECORD_OPERATION_Bcast:
    case ISOCAST_RECORD_OPERATION_Scatter:
    case ISOCAST_RECORD_OPERATION_Scatterv:
        return FROM_ROOT;
    case ISOCAST_RECORD_OPERATION_Reduce:
    case ISOCAST_RECORD_OPERATION_Gather:
    case ISOCAST_RECORD_OPERATION_Gatherv:
        return TO_ROOT;
    default:
        return NEITHER;
    }
}

/* What one process calls at a place of the record. */
typedef struct place {
    bool called;
    direction way; /* NEITHER: there are other calls, several roots or several communicators */
    size_t communicator;
    long root;
} place;

enum { SITES_MOST = 2048 }; /* of the laws: of programs with more no rows are told */

/* How one site of the laws follows another, in some record: [before][after]. */
typedef struct order {
    bool *follows;
    /* With another root, or another communicator. On one process or two all roots are the same by
     * chance. */
    bool *apart;
    size_t site_count;
} order;

/* The site of the laws that a call is of; SIZE_MAX: none. */
static size_t site_of(const isocast_derived *d, const isocast_record *record, size_t site,
                      isocast_record_operation operation) {
    const isocast_site_key key = {.site = &record->sites[site], .operation = operation};
    for (size_t s = 0; s < d->site_count; s++) {
        if (!d->sites[s].key.is_part && isocast_site_key_same(&d->sites[s].key, &key)) {
            return s;
        }
    }
    return SIZE_MAX;
}

static void note_calls(const isocast_record *record, place *places) {
    for (size_t i = 0; i < record->call_count; i++) {
        const isocast_record_call *call = &record->calls[i];
        place *at = &places[call->process * record->site_count + call->site];
        bool first = !at->called;
        direction way = call->merged || call->communicator == SIZE_MAX || call->partner < 0
                            ? NEITHER
                            : direction_of(call->operation);
        bool same = first || (at->way == way && at->communicator == call->communicator &&
                              at->root == call->partner);
        at->called = true;
        at->way = same ? way : NEITHER;
        at->communicator = call->communicator;
        at->root = call->partner;
    }
}

/* What the processes of one record call, and the sites of the laws by those of the record. */
typedef struct view {
    place *places; /* [process][site] */
    size_t *sites; /* [site] */
} view;

static void view_free(view *v) {
    free(v->places);
    free(v->sites);
}

/* Whether a way is from one call to another one of the same root. */
static bool is_same_root(const isocast_record *record, const view *v,
                         const isocast_record_compute *way) {
    const place *from = &v->places[way->process * record->site_count + way->from];
    const place *to = &v->places[way->process * record->site_count + way->to];
    return from->way != NEITHER && from->way == to->way && from->root == to->root &&
           from->communicator == to->communicator;
}

static void note_order(const isocast_record *record, const view *v, order *o) {
    for (size_t i = 0; i < record->compute_count; i++) {
        const isocast_record_compute *way = &record->computes[i];
        size_t from = v->sites[way->from];
        size_t to = v->sites[way->to];
        if (from != SIZE_MAX && to != SIZE_MAX && way->times > 0) {
            size_t at = from * o->site_count + to;
            o->follows[at] = true;
            o->apart[at] = o->apart[at] || !is_same_root(record, v, way);
        }
    }
}

static isocast_status view_create(const isocast_derived *d, const isocast_record *record,
                                  view *out) {
    size_t all = record->process_count * record->site_count;
    view v = {.places = calloc(all + 1, sizeof *v.places),
              .sites = malloc((record->site_count + 1) * sizeof *v.sites)};
    if (v.places == NULL || v.sites == NULL) {
        view_free(&v);
        return ISOCAST_NO_MEMORY;
    }
    for (size_t s = 0; s < record->site_count; s++) {
        v.sites[s] = SIZE_MAX;
    }
    for (size_t i = 0; i < record->call_count; i++) {
        const isocast_record_call *call = &record->calls[i];
        if (v.sites[call->site] == SIZE_MAX && direction_of(call->operation) != NEITHER) {
            v.sites[call->site] = site_of(d, record, call->site, call->operation);
        }
    }
    note_calls(record, v.places);
    *out = v;
    return ISOCAST_OK;
}

/* How often one follows the other, on the process that does so most. times: [process_count]. */
static double count_ways(const isocast_record *record, const view *v, size_t before, size_t after,
                         double *times) {
    double most = 0;
    for (size_t i = 0; i < record->process_count; i++) {
        times[i] = 0;
    }
    for (size_t i = 0; i < record->compute_count; i++) {
        const isocast_record_compute *way = &record->computes[i];
        if (v->sites[way->from] == before && v->sites[way->to] == after) {
            times[way->process] += way->times;
            most = fmax(most, times[way->process]);
        }
    }
    return most;
}

static isocast_status make_row(isocast_derived *d, derive_fitter *fitter, const view *views,
                               const isocast_derived_row *asked, size_t *capacity) {
    size_t processes = 0;
    for (size_t r = 0; r < d->record_count; r++) {
        size_t p = d->records[r]->process_count;
        processes = p > processes ? p : processes;
    }
    double *times = calloc(processes + 1, sizeof *times);
    double *counts = calloc(d->record_count + 1, sizeof *counts);
    isocast_derived_row row = *asked;
    isocast_status status = times != NULL && counts != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    for (size_t r = 0; status == ISOCAST_OK && r < d->record_count; r++) {
        counts[r] = count_ways(d->records[r], &views[r], row.before, row.after, times);
    }
    if (status == ISOCAST_OK) {
        status = isocast_derive_fitter_fit(fitter, counts, NULL, ISOCAST_FAVOURED_NONE, &row.count);
    }
    if (status == ISOCAST_OK && row.count.exact && row.count.term_count > 0) {
        bool enough =
            isocast_array_grow((void **)&d->rows, d->row_count, capacity, sizeof *d->rows);
        status = enough ? ISOCAST_OK : ISOCAST_NO_MEMORY;
        if (enough) {
            d->rows[d->row_count++] = row;
        }
    }
    free(times);
    free(counts);
    return status;
}

isocast_status isocast_derive_one_root_find(isocast_derived *derived, derive_fitter *fitter) {
    size_t sites = derived->site_count;
    if (sites > SITES_MOST) {
        return ISOCAST_OK;
    }
    view *views = calloc(derived->record_count + 1, sizeof *views);
    order o = {.follows = calloc(sites * sites + 1, sizeof *o.follows),
               .apart = calloc(sites * sites + 1, sizeof *o.apart),
               .site_count = sites};
    bool enough = views != NULL && o.follows != NULL && o.apart != NULL;
    isocast_status status = enough ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    for (size_t r = 0; r < derived->record_count && status == ISOCAST_OK; r++) {
        status = view_create(derived, derived->records[r], &views[r]);
        if (status == ISOCAST_OK) {
            note_order(derived->records[r], &views[r], &o);
        }
    }
    size_t capacity = 0;
    for (size_t i = 0; i < sites * sites && status == ISOCAST_OK; i++) {
        if (o.follows[i] && !o.apart[i]) {
            const isocast_derived_row row = {
                .before = i / sites,
                .after = i % sites,
                .to_root = direction_of(derived->sites[i % sites].key.operation) == TO_ROOT};
            status = make_row(derived, fitter, views, &row, &capacity);
        }
    }
    for (size_t r = 0; views != NULL && r < derived->record_count; r++) {
        view_free(&views[r]);
    }
    free(views);
    free(o.follows);
    free(o.apart);
    return status;
}
