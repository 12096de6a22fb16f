#include "one_root.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "root_order.h"
#include "row_loops.h"

/* What one process calls at a place of the record. */
typedef struct place {
    bool called;
    derive_direction
        way; /* DERIVE_NEITHER: there are other calls, several roots or several communicators */
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
    bool *entered; /* [site], behind anything but such a row, in some record */
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
        derive_direction way = call->merged || call->communicator == SIZE_MAX || call->partner < 0
                                   ? DERIVE_NEITHER
                                   : isocast_derive_direction_of(call->operation);
        bool same = first || (at->way == way && at->communicator == call->communicator &&
                              at->root == call->partner);
        at->called = true;
        at->way = same ? way : DERIVE_NEITHER;
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
    return from->way != DERIVE_NEITHER && from->way == to->way && from->root == to->root &&
           from->communicator == to->communicator;
}

static void note_order(const isocast_record *record, const view *v, order *o) {
    for (size_t i = 0; i < record->compute_count; i++) {
        const isocast_record_compute *way = &record->computes[i];
        size_t from = v->sites[way->from];
        size_t to = v->sites[way->to];
        if (to == SIZE_MAX || way->times <= 0) {
            continue;
        }
        bool apart = from == SIZE_MAX || !is_same_root(record, v, way);
        o->entered[to] = o->entered[to] || apart;
        if (from != SIZE_MAX) {
            size_t at = from * o->site_count + to;
            o->follows[at] = true;
            o->apart[at] = o->apart[at] || apart;
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
        if (v.sites[call->site] == SIZE_MAX &&
            isocast_derive_direction_of(call->operation) != DERIVE_NEITHER) {
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

/* Which calls follow each other so, sorted by the first one. */
typedef struct pairs {
    derive_follow *follows; /* [count] */
    double *numbers;        /* of all of them: what they point to */
    size_t count;
} pairs;

static void pairs_free(pairs *p) {
    free(p->follows);
    free(p->numbers);
}

static isocast_status pairs_create(const isocast_derived *d, const view *views, const order *o,
                                   pairs *out) {
    size_t all = o->site_count * o->site_count;
    size_t processes = 0;
    pairs p = {0};
    for (size_t i = 0; i < all; i++) {
        p.count += o->follows[i] && !o->apart[i];
    }
    for (size_t r = 0; r < d->record_count; r++) {
        size_t own = d->records[r]->process_count;
        processes = own > processes ? own : processes;
    }
    p.follows = calloc(p.count + 1, sizeof *p.follows);
    p.numbers = calloc(2 * p.count * d->record_count + processes + 1, sizeof *p.numbers);
    if (p.follows == NULL || p.numbers == NULL) {
        pairs_free(&p);
        return ISOCAST_NO_MEMORY;
    }
    double *times = p.numbers + 2 * p.count * d->record_count;
    size_t at = 0;
    for (size_t i = 0; i < all; i++) {
        if (o->follows[i] && !o->apart[i]) {
            derive_follow *follow = &p.follows[at];
            follow->before = i / o->site_count;
            follow->after = i % o->site_count;
            follow->counts = p.numbers + 2 * at * d->record_count;
            follow->again = follow->counts + d->record_count;
            for (size_t r = 0; r < d->record_count; r++) {
                follow->counts[r] =
                    count_ways(d->records[r], &views[r], follow->before, follow->after, times);
            }
            at++;
        }
    }
    *out = p;
    return ISOCAST_OK;
}

/* Whether a law of how often is one that can be written. */
static bool tells(const isocast_law *law) {
    return law->known && law->exact;
}

/* With further turns of loops apart where both numbers have exact laws, else with all as one. */
static isocast_status fit_row(derive_fitter *fitter, const derive_follow *follow,
                              size_t record_count, isocast_derived_row *row) {
    double *first = malloc((record_count + 1) * sizeof *first);
    bool whole = true;
    if (first == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t r = 0; r < record_count; r++) {
        first[r] = follow->counts[r] - follow->again[r];
        whole = whole && first[r] >= 0;
    }
    isocast_status status =
        isocast_derive_fitter_fit(fitter, follow->counts, NULL, ISOCAST_FAVOURED_NONE, &row->count);
    if (status == ISOCAST_OK) {
        status = isocast_derive_fitter_fit(fitter, first, NULL, ISOCAST_FAVOURED_NONE, &row->first);
    }
    if (status == ISOCAST_OK) {
        status = isocast_derive_fitter_fit(fitter, follow->again, NULL, ISOCAST_FAVOURED_NONE,
                                           &row->again);
    }
    if (status == ISOCAST_OK && !(whole && tells(&row->first) && tells(&row->again))) {
        row->again = (isocast_law){.known = true, .exact = true};
        row->first = row->count;
    }
    free(first);
    return status;
}

/* Whose lateness goes on into a row: what alone leads to the call that leaves the root free, as
 * often as that one is in the row. Loops that go back are left out, so that none leads to itself.
 */
static void find_carried(const isocast_derived *d, isocast_derived_row *row) {
    size_t leaving = isocast_derived_row_leaving(row);
    size_t ways = 0;
    row->carried = SIZE_MAX;
    for (size_t i = 0; i < d->row_count; i++) {
        const isocast_derived_row *other = &d->rows[i];
        if (isocast_derived_row_waiting(other) == leaving && !other->is_back) {
            ways++;
            row->carried = isocast_law_same(&other->first, &row->first) ? i : SIZE_MAX;
        }
    }
    row->pairs_alone = ways > 1;
    row->carried = ways == 1 && row->first.term_count > 0 ? row->carried : SIZE_MAX;
}

/* Two calls of one root, which changes from pair to pair, behind which all wait. */
static void add_changing(isocast_derived *d, size_t site) {
    const isocast_derived_site *after = &d->sites[site];
    if (after->hides != NULL && isocast_derived_roots_change(after) && tells(&after->calls)) {
        d->rows[d->row_count++] = (isocast_derived_row){
            .before = (size_t)(after->hides - d->sites),
            .after = site,
            .to_root = isocast_derive_direction_of(after->key.operation) == DERIVE_TO_ROOT,
            .first = after->calls,
            .count = after->calls,
            .again = {.known = true, .exact = true}};
    }
}

static isocast_status make_rows(isocast_derived *d, derive_fitter *fitter, const pairs *p) {
    isocast_status status = ISOCAST_OK;
    d->rows = calloc(p->count + d->site_count + 1, sizeof *d->rows);
    if (d->rows == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < p->count && status == ISOCAST_OK; i++) {
        const derive_follow *follow = &p->follows[i];
        isocast_derived_row row = {
            .before = follow->before,
            .after = follow->after,
            .to_root = isocast_derive_direction_of(d->sites[follow->after].key.operation) ==
                       DERIVE_TO_ROOT,
            .is_back = follow->is_back};
        status = fit_row(fitter, follow, d->record_count, &row);
        if (status == ISOCAST_OK && tells(&row.first) &&
            row.first.term_count + row.again.term_count > 0) {
            d->rows[d->row_count++] = row;
        }
    }
    for (size_t i = 0; i < d->site_count && status == ISOCAST_OK; i++) {
        add_changing(d, i);
    }
    for (size_t i = 0; i < d->row_count; i++) {
        find_carried(d, &d->rows[i]);
    }
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
               .entered = calloc(sites + 1, sizeof *o.entered),
               .site_count = sites};
    bool enough = views != NULL && o.follows != NULL && o.apart != NULL && o.entered != NULL;
    isocast_status status = enough ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    for (size_t r = 0; r < derived->record_count && status == ISOCAST_OK; r++) {
        status = view_create(derived, derived->records[r], &views[r]);
        if (status == ISOCAST_OK) {
            note_order(derived->records[r], &views[r], &o);
        }
    }
    pairs p = {0};
    if (status == ISOCAST_OK) {
        status = pairs_create(derived, views, &o, &p);
    }
    if (status == ISOCAST_OK) {
        status = isocast_derive_row_loops_find(p.follows, p.count, o.entered, sites,
                                               derived->record_count);
    }
    if (status == ISOCAST_OK) {
        status = make_rows(derived, fitter, &p);
    }
    for (size_t r = 0; views != NULL && r < derived->record_count; r++) {
        view_free(&views[r]);
    }
    free(views);
    free(o.follows);
    free(o.apart);
    free(o.entered);
    pairs_free(&p);
    return status;
}
