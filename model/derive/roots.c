#include "roots.h"

#include <math.h>
#include <stdlib.h>

#include "root_order.h"

/* What the records say of the roots of one site. */
typedef struct told {
    derive_root_order *orders; /* [record_count] */
    bool
        joined; /* each call has another one of the same root beside it, in the same row of calls */
} told;

/* One process in a communicator says nothing of roots. */
static bool says(const derive_root_order *o) {
    return o->told && o->among > 1;
}

static isocast_derived_roots roots_of(const told *t, size_t count) {
    bool any = false;
    bool one = true;    /* a root in each record */
    bool first = false; /* which is process 0 in some */
    bool each = true;   /* it may change with each call */
    bool stay = true;   /* it may stay for as many calls as each other one */
    bool sure = true;   /* records tell how often it changes */
    for (size_t r = 0; r < count; r++) {
        const derive_root_order *o = &t->orders[r];
        if (o->calls > 0 && !o->told) {
            return ISOCAST_ROOTS_FIRST;
        }
        if (says(o)) {
            any = true;
            one = one && o->roots == 1;
            first = first || o->root == 0;
            each = each && o->may_be_each && o->most == o->calls - 1;
            stay = stay && o->may_be_stays;
            sure = sure && o->fewest == o->most;
        }
    }
    if (one) {
        return any && !first ? ISOCAST_ROOTS_OTHER : ISOCAST_ROOTS_FIRST;
    }
    return each && sure ? ISOCAST_ROOTS_EACH
           : each       ? ISOCAST_ROOTS_EACH_PERHAPS
           : stay       ? ISOCAST_ROOTS_STAY
                        : ISOCAST_ROOTS_ANY;
}

/* How many calls count how. Of those in a row the last one is waited for; before it the root
 * changes, or stays. */
static void count_calls(const derive_root_order *o, isocast_derived_roots roots, bool joined,
                        double *alone, double *next, double *same) {
    double inside = o->calls - o->rows;
    *alone = *next = *same = 0;
    if (!(o->calls > 0)) {
        return;
    }
    if (roots == ISOCAST_ROOTS_ANY) {
        *alone = o->calls;
    } else if (joined) {
        *same = o->calls;
    } else {
        *alone = o->rows;
        *next = roots == ISOCAST_ROOTS_STAY ? fmin(o->fewest, inside) : inside;
        *same = inside - *next;
    }
}

/* Laws of runs in which several processes tell of roots. */
static isocast_status fit_site(isocast_derived *d, derive_fitter *fitter, const told *t,
                               isocast_derived_site *site) {
    size_t count = d->record_count;
    isocast_law *const laws[] = {&site->alone, &site->next_root, &site->same_root};
    double *values = calloc(3 * count + 1, sizeof *values);
    bool *known = calloc(count + 1, sizeof *known);
    bool all = true;
    isocast_status status = values != NULL && known != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    for (size_t r = 0; r < count && status == ISOCAST_OK; r++) {
        known[r] = says(&t->orders[r]);
        count_calls(&t->orders[r], site->roots, t->joined, &values[r], &values[count + r],
                    &values[2 * count + r]);
    }
    for (size_t i = 0; i < 3 && status == ISOCAST_OK; i++) {
        status = isocast_derive_fitter_fit(fitter, values + i * count, known, ISOCAST_FAVOURED_NONE,
                                           laws[i]);
        all = all && laws[i]->known;
    }
    site->roots = all ? site->roots : ISOCAST_ROOTS_FIRST;
    free(values);
    free(known);
    return status;
}

/* Of two calls of one root right behind each other the root goes on from the first one to the
 * second one, in which the next root has its turn; to the root it is the other way round. */
static void join_two(told *before, told *after, derive_direction way, size_t count) {
    if (way == DERIVE_FROM_ROOT) {
        before->joined = true;
        return;
    }
    after->joined = true;
    for (size_t r = 0; r < count; r++) {
        before->orders[r].rows = after->orders[r].rows; /* what ends a row is behind both */
    }
}

/* Whether each call ends a row. */
static bool ends_rows(const told *t, size_t count) {
    bool ends = true;
    for (size_t r = 0; r < count; r++) {
        ends = ends && t->orders[r].rows == t->orders[r].calls;
    }
    return ends;
}

/* Where all wait behind two calls of one root, both count by themselves, less what the second one
 * hides of the first one. */
static void count_alone(told *before, size_t count) {
    for (size_t r = 0; r < count; r++) {
        before->orders[r].rows = before->orders[r].calls;
    }
}

static isocast_status join(isocast_derived *d, told *all) {
    isocast_status status = ISOCAST_OK;
    for (size_t a = 0; a < d->site_count; a++) {
        derive_direction way = isocast_derive_direction_of(d->sites[a].key.operation);
        for (size_t b = 0; b < d->site_count; b++) {
            if (a == b || d->sites[a].roots < ISOCAST_ROOTS_STAY ||
                d->sites[b].roots != d->sites[a].roots || way == DERIVE_NEITHER ||
                isocast_derive_direction_of(d->sites[b].key.operation) != way) {
                continue;
            }
            bool joined = true;
            for (size_t r = 0; r < d->record_count && joined && status == ISOCAST_OK; r++) {
                status = isocast_derive_root_orders_join(d->records[r], &all[a].orders[r],
                                                         &all[b].orders[r], &joined);
            }
            if (status != ISOCAST_OK) {
                return status;
            }
            if (joined && ends_rows(&all[b], d->record_count)) {
                count_alone(&all[a], d->record_count);
                d->sites[b].hides = &d->sites[a];
            } else if (joined) {
                join_two(&all[a], &all[b], way, d->record_count);
            }
        }
    }
    return status;
}

static isocast_status observe(isocast_derived *d, told *all) {
    isocast_status status = ISOCAST_OK;
    for (size_t s = 0; s < d->site_count && status == ISOCAST_OK; s++) {
        const isocast_site_key *key = &d->sites[s].key;
        bool rooted = isocast_derive_direction_of(key->operation) != DERIVE_NEITHER;
        all[s].orders = calloc(d->record_count + 1, sizeof *all[s].orders);
        status = all[s].orders != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
        for (size_t r = 0; r < d->record_count && rooted && status == ISOCAST_OK; r++) {
            status = isocast_derive_root_order_observe(d->records[r], key, &all[s].orders[r]);
        }
        /* A part of the calls of a site is in no order that is known. */
        if (status == ISOCAST_OK && rooted && !key->is_part && key->rank == 0) {
            d->sites[s].roots = roots_of(&all[s], d->record_count);
        }
    }
    return status;
}

isocast_status isocast_derive_roots_find(isocast_derived *derived, derive_fitter *fitter) {
    told *all = calloc(derived->site_count + 1, sizeof *all);
    isocast_status status = all != NULL ? observe(derived, all) : ISOCAST_NO_MEMORY;
    if (status == ISOCAST_OK) {
        status = join(derived, all);
    }
    for (size_t s = 0; s < derived->site_count && status == ISOCAST_OK; s++) {
        isocast_derived_site *site = &derived->sites[s];
        if (isocast_derived_roots_change(site)) {
            status = fit_site(derived, fitter, &all[s], site);
        }
    }
    for (size_t s = 0; all != NULL && s < derived->site_count; s++) {
        free(all[s].orders);
    }
    free(all);
    return status;
}
