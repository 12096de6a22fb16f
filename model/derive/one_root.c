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
    double calls;
    double followers; /* of these, how many follow another one of the same way and root */
    direction way;    /* NEITHER: there are other calls, several roots or several communicators */
    size_t communicator;
    long root;
} place;

/* Sites of the laws, joined where one follows another. */
typedef struct joints {
    size_t *parents; /* [site_count] */
    bool *follows;   /* [site_count]: or is followed, in some record */
} joints;

static size_t first_of(const joints *j, size_t site) {
    while (j->parents[site] != site) {
        site = j->parents[site];
    }
    return site;
}

static void join(joints *j, size_t a, size_t b) {
    size_t one = first_of(j, a);
    size_t other = first_of(j, b);
    j->parents[one > other ? one : other] = one > other ? other : one;
    j->follows[a] = j->follows[b] = true;
}

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
        bool first = at->calls == 0;
        direction way = call->merged || call->communicator == SIZE_MAX || call->partner < 0
                            ? NEITHER
                            : direction_of(call->operation);
        bool same = first || (at->way == way && at->communicator == call->communicator &&
                              at->root == call->partner);
        at->calls += call->calls;
        at->way = same ? way : NEITHER;
        at->communicator = call->communicator;
        at->root = call->partner;
    }
}

static void note_ways(const isocast_record *record, const size_t *sites, place *places, joints *j) {
    for (size_t i = 0; i < record->compute_count; i++) {
        const isocast_record_compute *way = &record->computes[i];
        const place *from = &places[way->process * record->site_count + way->from];
        place *to = &places[way->process * record->site_count + way->to];
        bool in_row = from->way != NEITHER && from->way == to->way && from->root == to->root &&
                      from->communicator == to->communicator && sites[way->from] != SIZE_MAX &&
                      sites[way->to] != SIZE_MAX;
        if (in_row && way->times > 0) {
            to->followers += way->times;
            join(j, sites[way->from], sites[way->to]);
        }
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

static isocast_status view_create(const isocast_derived *d, const isocast_record *record, joints *j,
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
    note_ways(record, v.sites, v.places, j);
    *out = v;
    return ISOCAST_OK;
}

/* How many rows of the sites begin, on the process with most. */
static double count_begun(const isocast_record *record, const view *v, const joints *j,
                          size_t first) {
    double most = 0;
    for (size_t i = 0; i < record->process_count; i++) {
        double begun = 0;
        for (size_t s = 0; s < record->site_count; s++) {
            const place *at = &v->places[i * record->site_count + s];
            bool counts = v->sites[s] != SIZE_MAX && first_of(j, v->sites[s]) == first;
            begun += counts ? at->calls - at->followers : 0;
        }
        most = fmax(most, begun);
    }
    return most;
}

/* Formulas are made of what is exact alone. */
static bool are_exact(const isocast_derived *d, const joints *j, size_t first) {
    bool exact = true;
    for (size_t s = 0; s < d->site_count; s++) {
        exact = exact && (first_of(j, s) != first || isocast_derived_site_is_exact(&d->sites[s]));
    }
    return exact;
}

static isocast_status add_row(isocast_derived *d, const joints *j, size_t first,
                              const isocast_law *begun, size_t *capacity) {
    if (!isocast_array_grow((void **)&d->rows, d->row_count, capacity, sizeof *d->rows)) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t s = 0; s < d->site_count; s++) {
        d->sites[s].row = first_of(j, s) == first ? d->row_count : d->sites[s].row;
    }
    bool from = direction_of(d->sites[first].key.operation) == FROM_ROOT;
    d->rows[d->row_count++] = (isocast_derived_row){.begun = *begun, .is_from_root = from};
    return ISOCAST_OK;
}

static isocast_status make_rows(isocast_derived *d, derive_fitter *fitter, const view *views,
                                const joints *j, double *begun) {
    isocast_status status = ISOCAST_OK;
    size_t capacity = 0;
    for (size_t s = 0; s < d->site_count && status == ISOCAST_OK; s++) {
        if (first_of(j, s) != s || !j->follows[s] || !are_exact(d, j, s)) {
            continue;
        }
        for (size_t r = 0; r < d->record_count; r++) {
            begun[r] = count_begun(d->records[r], &views[r], j, s);
        }
        isocast_law law = {0};
        status = isocast_derive_fitter_fit(fitter, begun, NULL, ISOCAST_FAVOURED_NONE, &law);
        if (status == ISOCAST_OK && law.exact) {
            status = add_row(d, j, s, &law, &capacity);
        }
    }
    return status;
}

isocast_status isocast_derive_one_root_find(isocast_derived *derived, derive_fitter *fitter) {
    view *views = calloc(derived->record_count + 1, sizeof *views);
    double *begun = calloc(derived->record_count + 1, sizeof *begun);
    joints j = {.parents = calloc(derived->site_count + 1, sizeof *j.parents),
                .follows = calloc(derived->site_count + 1, sizeof *j.follows)};
    bool enough = views != NULL && begun != NULL && j.parents != NULL && j.follows != NULL;
    isocast_status status = enough ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    for (size_t s = 0; s < derived->site_count && status == ISOCAST_OK; s++) {
        j.parents[s] = s;
    }
    for (size_t r = 0; r < derived->record_count && status == ISOCAST_OK; r++) {
        status = view_create(derived, derived->records[r], &j, &views[r]);
    }
    if (status == ISOCAST_OK) {
        status = make_rows(derived, fitter, views, &j, begun);
    }
    for (size_t r = 0; views != NULL && r < derived->record_count; r++) {
        view_free(&views[r]);
    }
    free(views);
    free(begun);
    free(j.parents);
    free(j.follows);
    return status;
}
