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

enum { SITES_MOST = 2048 }; /* of the laws: of programs with more no rows are told */

/* Sites of the laws, joined where one follows another. */
typedef struct joints {
    size_t *parents; /* [site_count] */
    bool *follows;   /* [site_count]: or is followed, in some record */
    /* [site_count][site_count]: the second one follows the first one with another root, or another
     * communicator, in some record. On one process or two all roots are the same by chance. */
    bool *apart;
    size_t site_count;
} joints;

static isocast_status joints_create(size_t site_count, joints *out) {
    joints j = {.parents = calloc(site_count + 1, sizeof *j.parents),
                .follows = calloc(site_count + 1, sizeof *j.follows),
                .apart = calloc(site_count * site_count + 1, sizeof *j.apart),
                .site_count = site_count};
    bool enough = j.parents != NULL && j.follows != NULL && j.apart != NULL;
    for (size_t s = 0; enough && s < site_count; s++) {
        j.parents[s] = s;
    }
    *out = j;
    return enough ? ISOCAST_OK : ISOCAST_NO_MEMORY;
}

static void joints_free(joints *j) {
    free(j->parents);
    free(j->follows);
    free(j->apart);
}

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

static void note_apart(const isocast_record *record, const view *v, joints *j) {
    for (size_t i = 0; i < record->compute_count; i++) {
        const isocast_record_compute *way = &record->computes[i];
        size_t from = v->sites[way->from];
        size_t to = v->sites[way->to];
        if (from != SIZE_MAX && to != SIZE_MAX && !is_same_root(record, v, way)) {
            j->apart[from * j->site_count + to] = true;
        }
    }
}

static void note_ways(const isocast_record *record, const view *v, joints *j) {
    for (size_t i = 0; i < record->compute_count; i++) {
        const isocast_record_compute *way = &record->computes[i];
        size_t from = v->sites[way->from];
        size_t to = v->sites[way->to];
        if (from != SIZE_MAX && to != SIZE_MAX && !j->apart[from * j->site_count + to] &&
            way->times > 0) {
            v->places[way->process * record->site_count + way->to].followers += way->times;
            join(j, from, to);
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
    if (derived->site_count > SITES_MOST) {
        return ISOCAST_OK;
    }
    view *views = calloc(derived->record_count + 1, sizeof *views);
    double *begun = calloc(derived->record_count + 1, sizeof *begun);
    joints j;
    isocast_status status = joints_create(derived->site_count, &j);
    status = views != NULL && begun != NULL ? status : ISOCAST_NO_MEMORY;
    for (size_t r = 0; r < derived->record_count && status == ISOCAST_OK; r++) {
        status = view_create(derived, derived->records[r], &views[r]);
        if (status == ISOCAST_OK) {
            note_apart(derived->records[r], &views[r], &j);
        }
    }
    for (size_t r = 0; r < derived->record_count && status == ISOCAST_OK; r++) {
        note_ways(derived->records[r], &views[r], &j);
    }
    if (status == ISOCAST_OK) {
        status = make_rows(derived, fitter, views, &j, begun);
    }
    for (size_t r = 0; views != NULL && r < derived->record_count; r++) {
        view_free(&views[r]);
    }
    free(views);
    free(begun);
    joints_free(&j);
    return status;
}
