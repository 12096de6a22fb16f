#include <math.h>
#include <stdlib.h>

#include "ways.h"

bool isocast_derive_is_message(isocast_record_operation operation) {
    isocast_record_class kind = isocast_record_operation_find(operation)->kind;
    return kind == ISOCAST_RECORD_SEND || kind == ISOCAST_RECORD_RECEIVE ||
           kind == ISOCAST_RECORD_EXCHANGE || kind == ISOCAST_RECORD_ONE_SIDED ||
           kind == ISOCAST_RECORD_NEIGHBOUR;
}

bool isocast_derive_is_wait(isocast_record_operation operation) {
    return operation == ISOCAST_RECORD_OPERATION_Wait ||
           operation == ISOCAST_RECORD_OPERATION_Waitall ||
           operation == ISOCAST_RECORD_OPERATION_Waitany ||
           operation == ISOCAST_RECORD_OPERATION_Waitsome;
}

/* The one partner of a row. */
static long partner_of(const derive_rows *rows, const derive_row *row) {
    return rows->sends ? row->to : row->from;
}

static isocast_status find_changing(const derive_flow *flow, const derive_rows *rows,
                                    derive_changing *out) {
    bool hub = rows->known;
    bool any = false;
    bool pairs = rows->known;
    bool both = rows->sends && rows->receives;
    bool halves = rows->known && both;
    bool all = rows->known;
    size_t *partners = calloc(flow->slot_count + 1, sizeof *partners);
    if (partners == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < rows->count; i++) {
        const derive_row *row = &rows->items[i];
        long other = partner_of(rows, row);
        long rank = (long)flow->slots[row->slot].process;
        any = any || row->from == DERIVE_ANYBODY;
        if (other == DERIVE_NOBODY) {
            continue;
        }
        size_t p = flow->derived->records[flow->slots[row->slot].record]->process_count;
        long apart = labs(other - rank);
        partners[row->slot]++;
        hub = hub && rank == 0;
        pairs = pairs && apart == 1 && (!both || row->to == row->from);
        halves = halves && (other ^ rank) > 0 && ((other ^ rank) & ((other ^ rank) - 1)) == 0 &&
                 (p & (p - 1)) == 0 && (!both || row->to == row->from);
        all = all && (!both || ((row->to - rank) % (long)p + (long)p) % (long)p ==
                                   ((rank - row->from) % (long)p + (long)p) % (long)p);
    }
    bool several = false;
    for (size_t s = 0; s < flow->slot_count; s++) {
        size_t p = flow->derived->records[flow->slots[s].record]->process_count;
        several = several || partners[s] > 1;
        bool calls = partners[s] > 0;
        all = all && (p == 1 || partners[s] >= p - 1);
        halves = halves && (!calls || (size_t)1 << partners[s] == p);
        hub = hub && (!calls || partners[s] == p - 1);
    }
    free(partners);
    *out = any        ? CHANGES_ANY
           : !several ? CHANGES_NOT
           : hub      ? CHANGES_HUB
           : pairs    ? CHANGES_PAIRS
           : halves   ? CHANGES_HALVES
           : all      ? CHANGES_ALL
                      : CHANGES_NOT;
    return ISOCAST_OK;
}

isocast_status isocast_derive_partners_find(const derive_flow *flow, const derive_grid *grid,
                                            size_t place, derive_partners *out) {
    *out = (derive_partners){0};
    isocast_status status = isocast_derive_rows_of_calls(flow, place, &out->rows);
    if (status == ISOCAST_OK) {
        status = isocast_derive_cover_find(flow, grid, &out->rows, &out->cover);
    }
    if (status == ISOCAST_OK) {
        status = find_changing(flow, &out->rows, &out->how);
    }
    out->stay = out->cover.known && out->how != CHANGES_HUB && out->how != CHANGES_HALVES;
    return status;
}

void isocast_derive_partners_free(derive_partners *partners) {
    free(partners->rows.items);
    partners->rows = (derive_rows){0};
}

/* ---- grids ---- */

/* Places of which something is between some processes, twice, or of messages that go the ways of
 * one numbering of the processes; and all of these, twice. */
static isocast_status count_fits(const isocast_derived *d, const derive_grid *grid, size_t *fits,
                                 size_t *all) {
    isocast_status status = ISOCAST_OK;
    *fits = *all = 0;
    for (size_t place = 0; place < d->site_count && status == ISOCAST_OK; place++) {
        isocast_record_operation operation = d->sites[place].key.operation;
        if (isocast_derive_is_message(operation)) {
            derive_partners partners;
            status = isocast_derive_partners_find(d->flow, grid, place, &partners);
            bool whole = (partners.cover.known && partners.cover.missing == 0) ||
                         partners.how != CHANGES_NOT;
            *fits += whole ? 2 : partners.cover.known;
            *all += 2;
            isocast_derive_partners_free(&partners);
        } else if (isocast_record_is_of_all(operation)) {
            bool along;
            isocast_derive_group_axes(d->flow, grid, place, false, &along);
            *fits += along ? 2 : 0;
            *all += 2;
        }
    }
    return status;
}

static void take_points(isocast_derived *d) {
    for (size_t r = 0; r < d->record_count; r++) {
        isocast_size_words_point(&d->sizes, d->records[r], &d->points[r]);
    }
}

/* The numbering by which most fits, by the sides that the points have; the simplest first. */
static isocast_status find_numbering(const isocast_derived *d, const derive_grid **best,
                                     size_t *most, size_t *all) {
    isocast_status status = ISOCAST_OK;
    for (size_t g = 0; g < isocast_derive_grid_count && status == ISOCAST_OK; g++) {
        size_t fits;
        status = count_fits(d, &isocast_derive_grids[g], &fits, all);
        if (status == ISOCAST_OK && (fits > *most || *best == NULL)) {
            *best = &isocast_derive_grids[g];
            *most = fits;
        }
    }
    return status;
}

isocast_status isocast_derive_grid_choose(isocast_derived *derived, bool choose) {
    const derive_grid *best = NULL;
    size_t most = 0;
    size_t all = 0;
    isocast_status status = find_numbering(derived, &best, &most, &all);
    isocast_shape shapes[ISOCAST_SHAPES_MOST];
    isocast_shape shape = derived->sizes.shape;
    size_t count = choose && derived->sizes.sides.count == 0
                       ? isocast_shapes_list(derived->points, derived->record_count,
                                             derived->sizes.count, shapes)
                       : 0;
    for (size_t i = 0; i < count && most < all && status == ISOCAST_OK; i++) {
        const derive_grid *grid = NULL;
        size_t fits = 0;
        derived->sizes.shape = shapes[i];
        take_points(derived);
        status = find_numbering(derived, &grid, &fits, &all);
        if (fits > most && status == ISOCAST_OK) {
            best = grid;
            most = fits;
            shape = shapes[i];
        }
    }
    derived->sizes.shape = shape;
    derived->grid = best;
    take_points(derived);
    return status;
}
