#include "ways.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "call_form.h"
#include "model/base/array.h"

const derive_grid isocast_derive_grids[] = {
    {0, {NULL}, {0}},
    {2, {"y", "x"}, {ISOCAST_ROWS, ISOCAST_COLUMNS}},
    {2, {"x", "y"}, {ISOCAST_COLUMNS, ISOCAST_ROWS}},
    {3, {"z", "y", "x"}, {ISOCAST_DEPTH, ISOCAST_HEIGHT, ISOCAST_WIDTH}},
    {3, {"x", "y", "z"}, {ISOCAST_WIDTH, ISOCAST_HEIGHT, ISOCAST_DEPTH}},
};
const size_t isocast_derive_grid_count = sizeof isocast_derive_grids / sizeof *isocast_derive_grids;

static size_t side_of(const isocast_law_point *at, isocast_side side) {
    return (size_t)lround(isocast_law_side(at, side));
}

static size_t processes_of(const derive_flow *flow, size_t slot) {
    return flow->derived->records[flow->slots[slot].record]->process_count;
}

size_t isocast_derive_grid_place(const derive_flow *flow, const derive_grid *grid, size_t axis,
                                 size_t slot, size_t *extent) {
    const isocast_law_point *at = &flow->derived->points[flow->slots[slot].record];
    size_t stride = 1;
    for (size_t i = grid->count; i-- > axis + 1;) {
        stride *= side_of(at, grid->extents[i]);
    }
    *extent = side_of(at, grid->extents[axis]);
    return *extent > 0 && stride > 0 ? flow->slots[slot].process / stride % *extent : 0;
}

long isocast_derive_way_partner(const derive_flow *flow, const derive_grid *grid,
                                const derive_way *way, size_t slot, int sign) {
    long p = (long)processes_of(flow, slot);
    long rank = (long)flow->slots[slot].process;
    if (way->to_one) {
        long one = way->by[0] < 0 ? p + way->by[0] : way->by[0];
        return sign > 0 && one != rank ? one : DERIVE_NOBODY;
    }
    if (way->pairs) {
        return (rank ^ 1) < p ? rank ^ 1 : DERIVE_NOBODY;
    }
    if (way->of_ranks) {
        long there = rank + (long)sign * way->by[0];
        there = way->wraps ? ((there % p) + p) % p : there;
        return there >= 0 && there < p && there != rank ? there : DERIVE_NOBODY;
    }
    long there = 0;
    for (size_t i = 0; i < grid->count; i++) {
        size_t extent;
        long at =
            (long)isocast_derive_grid_place(flow, grid, i, slot, &extent) + (long)sign * way->by[i];
        long around = ((at % (long)extent) + (long)extent) % (long)extent;
        if (around != at && !way->wraps) {
            return DERIVE_NOBODY;
        }
        there = there * (long)extent + around;
    }
    return there != rank ? there : DERIVE_NOBODY;
}

/* ---- rows ---- */

static long process_of(const isocast_record_communicator *c, long rank, bool *known) {
    if (rank == ISOCAST_RECORD_PROC_NULL) {
        return DERIVE_NOBODY;
    }
    if (rank == ISOCAST_RECORD_ANY) {
        return DERIVE_ANYBODY;
    }
    bool is = c != NULL && c->remote_size == 0 && rank >= 0 && (size_t)rank < c->size;
    *known = *known && is;
    return is ? (long)c->members[rank] : DERIVE_NOBODY;
}

static isocast_status add_row(derive_rows *rows, derive_row row, size_t process) {
    row.to = row.to == (long)process ? DERIVE_NOBODY : row.to;
    row.from = row.from == (long)process ? DERIVE_NOBODY : row.from;
    return ISOCAST_ARRAY_ADD(rows->items, rows->count, rows->capacity, row) ? ISOCAST_OK
                                                                            : ISOCAST_NO_MEMORY;
}

/* Both neighbours along each axis of a Cartesian communicator. */
static isocast_status add_neighbours(const isocast_record_communicator *c, size_t process,
                                     derive_row row, derive_rows *rows) {
    size_t rank = isocast_record_rank(c, process);
    isocast_status status = ISOCAST_OK;
    size_t stride = 1;
    for (size_t i = c->dimension_count; i-- > 0 && status == ISOCAST_OK;) {
        long extent = (long)c->dimensions[i];
        long at = (long)(rank / stride) % extent;
        for (long by = -1; by <= 1 && status == ISOCAST_OK; by += 2) {
            long there = c->periodic[i] ? (at + by + extent) % extent : at + by;
            if (there >= 0 && there < extent) {
                size_t partner = rank - (size_t)at * stride + (size_t)there * stride;
                row.to = partner < c->size ? (long)c->members[partner] : DERIVE_NOBODY;
                status = add_row(rows, row, process);
            }
        }
        stride *= c->dimensions[i];
    }
    return status;
}

/* The messages of a place between two processes, one-sided ones and those to neighbours of a
 * Cartesian grid. Errors: NO_MEMORY. */
static isocast_status find_rows(const derive_flow *flow, size_t place, derive_rows *out) {
    *out = (derive_rows){.known = true};
    isocast_status status = ISOCAST_OK;
    for (size_t r = 0; r < flow->derived->record_count; r++) {
        const isocast_record *record = flow->derived->records[r];
        for (size_t i = 0; i < record->call_count && status == ISOCAST_OK; i++) {
            const isocast_record_call *call = &record->calls[i];
            if (flow->place_of[r][call->site] != place) {
                continue;
            }
            /* A window is taken for one of all processes. */
            size_t of = call->communicator != SIZE_MAX ? call->communicator : 0;
            const isocast_record_communicator *c =
                of < record->communicator_count ? &record->communicators[of] : NULL;
            isocast_record_class kind = isocast_record_operation_find(call->operation)->kind;
            derive_row row = {.slot = flow->first_slot[r] + call->process,
                              .call = i,
                              .to = DERIVE_NOBODY,
                              .from = DERIVE_NOBODY,
                              .sent = kind == ISOCAST_RECORD_NEIGHBOUR
                                          ? isocast_call_message(record, call)
                                          : call->bytes,
                              .received = call->bytes,
                              .calls = call->calls};
            out->known = out->known && !call->merged;
            for (size_t k = 0; c != NULL && k < c->dimension_count; k++) {
                out->around = out->around || c->periodic[k];
            }
            if (kind == ISOCAST_RECORD_NEIGHBOUR) {
                bool grid = c != NULL && c->dimension_count > 0;
                out->known = out->known && grid;
                out->sends = true;
                status = grid ? add_neighbours(c, call->process, row, out) : ISOCAST_OK;
                continue;
            }
            bool gets = call->operation == ISOCAST_RECORD_OPERATION_Get ||
                        call->operation == ISOCAST_RECORD_OPERATION_Rget;
            bool receives = kind == ISOCAST_RECORD_RECEIVE || gets;
            bool sends = !receives;
            if (sends) {
                row.to = process_of(c, call->partner, &out->known);
            }
            if (receives || kind == ISOCAST_RECORD_EXCHANGE) {
                row.from = process_of(c, receives ? call->partner : call->source, &out->known);
                row.received = receives ? call->bytes : call->received;
            }
            out->sends = out->sends || sends;
            out->receives = out->receives || receives || kind == ISOCAST_RECORD_EXCHANGE;
            status = add_row(out, row, call->process);
        }
    }
    return status;
}

/* ---- covers ---- */

bool isocast_derive_way_has(const derive_flow *flow, const derive_grid *grid, const derive_way *way,
                            const derive_rows *rows, const derive_row *row) {
    bool has = row->to != DERIVE_NOBODY || row->from != DERIVE_NOBODY;
    if (rows->sends) {
        has = has && row->to == isocast_derive_way_partner(flow, grid, way, row->slot, 1);
    }
    if (rows->receives) {
        has = has && row->from == isocast_derive_way_partner(flow, grid, way, row->slot,
                                                             way->to_one ? 1 : -1);
    }
    return has;
}

/* Whether each process that calls has the partner of that way, where there is one; *missing: how
 * many have one by that way, and never call. */
static bool is_valid(const derive_flow *flow, const derive_grid *grid, const derive_way *way,
                     const derive_rows *rows, bool *found, bool *calls, size_t *missing) {
    memset(found, 0, flow->slot_count);
    memset(calls, 0, flow->slot_count);
    bool any = false;
    *missing = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const derive_row *row = &rows->items[i];
        bool has = isocast_derive_way_has(flow, grid, way, rows, row);
        found[row->slot] = found[row->slot] || has;
        calls[row->slot] =
            calls[row->slot] || row->to != DERIVE_NOBODY || row->from != DERIVE_NOBODY;
        any = any || has;
    }
    for (size_t s = 0; s < flow->slot_count && any; s++) {
        bool expected =
            (rows->sends && isocast_derive_way_partner(flow, grid, way, s, 1) != DERIVE_NOBODY) ||
            (rows->receives &&
             isocast_derive_way_partner(flow, grid, way, s, way->to_one ? 1 : -1) != DERIVE_NOBODY);
        any = !calls[s] || !expected || found[s];
        *missing += expected && !calls[s];
    }
    return any;
}

/* All ways that are tried, the simplest first. */
static size_t list_ways(const derive_grid *grid, derive_way *out, size_t most) {
    static const int steps[] = {1, -1, 2, -2, 3, -3, 4, -4};
    size_t count = 0;
    for (int wraps = 0; wraps < 2; wraps++) {
        for (size_t i = 0; i < 2; i++) {
            out[count++] = (derive_way){.of_ranks = true, .wraps = wraps != 0, .by = {steps[i]}};
        }
    }
    size_t all = 1;
    for (size_t i = 0; i < grid->count; i++) {
        all *= 3;
    }
    for (size_t axes = 1; axes <= grid->count; axes++) {
        for (int wraps = 0; wraps < 2; wraps++) {
            for (size_t k = 0; k < all && count < most; k++) {
                derive_way way = {.wraps = wraps != 0};
                size_t digits = k;
                size_t along = 0;
                for (size_t i = 0; i < grid->count; i++, digits /= 3) {
                    way.by[grid->count - 1 - i] = (int)(digits % 3) - 1;
                    along += digits % 3 != 1;
                }
                if (along == axes) {
                    out[count++] = way;
                }
            }
        }
    }
    out[count++] = (derive_way){.pairs = true};
    out[count++] = (derive_way){.to_one = true, .by = {0}};
    out[count++] = (derive_way){.to_one = true, .by = {-1}};
    for (int wraps = 0; wraps < 2; wraps++) {
        for (size_t i = 2; i < sizeof steps / sizeof *steps; i++) {
            out[count++] = (derive_way){.of_ranks = true, .wraps = wraps != 0, .by = {steps[i]}};
        }
    }
    return count;
}

/* Whether a way is a line along the axes of a ring, in one direction or another: along all of them,
 * or along some, as the others may have one process. */
static bool is_line_of(const derive_way *line, const derive_way *ring) {
    bool same = !line->wraps && !line->pairs && !line->to_one && line->of_ranks == ring->of_ranks;
    for (size_t i = 0; i < DERIVE_AXES_MOST; i++) {
        same = same && (line->by[i] == 0 || abs(line->by[i]) == abs(ring->by[i]));
    }
    return same;
}

/* Along two processes a ring is a line: all that goes around it goes to one neighbour or the other
 * one. Lines are taken, where no topology says that there are rings. */
static void leave_out_rings(const derive_flow *flow, const derive_grid *grid,
                            const derive_rows *rows, const derive_way *ways, size_t count,
                            bool *valid) {
    for (size_t w = 0; w < count && !rows->around; w++) {
        bool needless = valid[w] && ways[w].wraps;
        for (size_t i = 0; i < rows->count && needless; i++) {
            const derive_row *row = &rows->items[i];
            needless = !isocast_derive_way_has(flow, grid, &ways[w], rows, row);
            for (size_t k = 0; k < count && !needless; k++) {
                needless = is_line_of(&ways[k], &ways[w]) &&
                           isocast_derive_way_has(flow, grid, &ways[k], rows, row);
            }
        }
        valid[w] = valid[w] && !needless;
    }
}

enum { WAYS_TRIED = 80, WAYS_SPARE = 24 };

/* Ways on their way to a cover. */
typedef struct covering {
    const derive_flow *flow;
    const derive_grid *grid;
    const derive_rows *rows;
    derive_way ways[WAYS_TRIED]; /* [count] */
    bool valid[WAYS_TRIED];
    size_t missing[WAYS_TRIED];
    size_t count;
    bool *covered; /* [rows->count] */
    size_t left;   /* rows that are not covered */
} covering;

/* Messages that a way has and no other one that was taken. */
static size_t count_news(const covering *c, size_t w) {
    size_t news = 0;
    for (size_t i = 0; i < c->rows->count && c->valid[w]; i++) {
        news += !c->covered[i] &&
                isocast_derive_way_has(c->flow, c->grid, &c->ways[w], c->rows, &c->rows->items[i]);
    }
    return news;
}

static void take_way(covering *c, size_t w, derive_cover *out) {
    for (size_t i = 0; i < c->rows->count; i++) {
        bool has =
            isocast_derive_way_has(c->flow, c->grid, &c->ways[w], c->rows, &c->rows->items[i]);
        c->left -= has && !c->covered[i];
        c->covered[i] = c->covered[i] || has;
    }
    out->missing += c->missing[w];
    out->ways[out->count++] = c->ways[w];
    c->valid[w] = false;
}

/* One way that has all messages by itself, though others might send so, too. */
static bool take_one(covering *c, derive_cover *out) {
    size_t best = c->count;
    for (size_t w = 0; w < c->count; w++) {
        bool all = count_news(c, w) == c->left;
        best = all && (best == c->count || c->missing[w] < c->missing[best]) ? w : best;
    }
    if (best < c->count) {
        take_way(c, best, out);
    }
    return best < c->count;
}

/* As few as there may be, that which has most first; along the axes of a grid, or also by ranks. */
static void take_most(covering *c, bool ranks, derive_cover *out) {
    while (c->left > 0 && out->count < DERIVE_WAYS_MOST) {
        size_t best = c->count;
        size_t most = 0;
        for (size_t w = 0; w < c->count; w++) {
            bool may = !c->ways[w].pairs && (ranks || !c->ways[w].of_ranks);
            size_t news = may ? count_news(c, w) : 0;
            news -= c->missing[w] < news ? c->missing[w] : news > 0 ? news - 1 : 0;
            best = news > most ? w : best;
            most = news > most ? news : most;
        }
        if (best == c->count) {
            break;
        }
        take_way(c, best, out);
    }
}

/* What no partner has needs no way. */
static void begin_covering(covering *c) {
    c->left = 0;
    for (size_t i = 0; i < c->rows->count; i++) {
        const derive_row *row = &c->rows->items[i];
        c->covered[i] = row->to == DERIVE_NOBODY && row->from == DERIVE_NOBODY;
        c->left += !c->covered[i];
    }
}

static void find_cover(covering *c, derive_cover *out) {
    bool valid[WAYS_TRIED];
    memcpy(valid, c->valid, sizeof valid);
    begin_covering(c);
    if (c->left == 0 || take_one(c, out)) {
        return;
    }
    for (int ranks = c->grid->count == 0; ranks < 2; ranks++) {
        *out = (derive_cover){0};
        memcpy(c->valid, valid, sizeof valid);
        begin_covering(c);
        take_most(c, ranks != 0, out);
        if (c->left == 0) {
            return;
        }
    }
}

/* Errors: NO_MEMORY. */
static isocast_status find_ways_of(const derive_flow *flow, const derive_grid *grid,
                                   const derive_rows *rows, derive_cover *out) {
    isocast_pool scratch = {0};
    covering c = {.flow = flow,
                  .grid = grid,
                  .rows = rows,
                  .covered = isocast_pool_take(&scratch, rows->count, sizeof *c.covered)};
    bool *found = isocast_pool_take(&scratch, flow->slot_count, sizeof *found);
    bool *calls = isocast_pool_take(&scratch, flow->slot_count, sizeof *calls);
    *out = (derive_cover){0};
    if (!scratch.failed && rows->known) {
        c.count = list_ways(grid, c.ways, WAYS_TRIED - WAYS_SPARE);
        for (size_t w = 0; w < c.count; w++) {
            c.valid[w] = is_valid(flow, grid, &c.ways[w], rows, found, calls, &c.missing[w]);
        }
        leave_out_rings(flow, grid, rows, c.ways, c.count, c.valid);
        find_cover(&c, out);
        out->known = c.left == 0;
    }
    isocast_pool_free(&scratch);
    return scratch.failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
}

/* ---- groups ---- */

/* Whether a communicator is a line of the grid along those axes. */
static bool is_group(const derive_flow *flow, const derive_grid *grid, size_t slot, unsigned axes,
                     const isocast_record_communicator *c) {
    size_t first = slot - flow->slots[slot].process;
    size_t size = 1;
    for (size_t i = 0; i < grid->count; i++) {
        size_t extent;
        size_t own = isocast_derive_grid_place(flow, grid, i, slot, &extent);
        size *= (axes & 1U << i) != 0 ? extent : 1;
        for (size_t k = 0; k < c->size && (axes & 1U << i) == 0; k++) {
            if (isocast_derive_grid_place(flow, grid, i, first + c->members[k], &extent) != own) {
                return false;
            }
        }
    }
    return size == c->size;
}

static bool is_of_axes(const derive_flow *flow, const derive_grid *grid, size_t slot, unsigned axes,
                       const isocast_record_communicator *c) {
    const isocast_record *record = flow->derived->records[flow->slots[slot].record];
    return c->remote_size == 0 &&
           (axes == 0 ? c->size == record->process_count : is_group(flow, grid, slot, axes, c));
}

/* Whether all communicators of a place in a record are along those axes. */
static bool record_fits(const derive_flow *flow, const derive_grid *grid, size_t r, size_t place,
                        bool made, unsigned axes) {
    const isocast_record *record = flow->derived->records[r];
    bool fits = true;
    for (size_t i = 0; i < record->communicator_count && made && fits; i++) {
        const isocast_record_communicator *c = &record->communicators[i];
        bool own = c->site != SIZE_MAX && flow->place_of[r][c->site] == place && c->size > 0;
        fits = !own || is_of_axes(flow, grid, flow->first_slot[r] + c->members[0], axes, c);
    }
    for (size_t i = 0; i < record->call_count && !made && fits; i++) {
        const isocast_record_call *call = &record->calls[i];
        if (flow->place_of[r][call->site] == place) {
            fits = call->communicator != SIZE_MAX &&
                   is_of_axes(flow, grid, flow->first_slot[r] + call->process, axes,
                              &record->communicators[call->communicator]);
        }
    }
    return fits;
}

unsigned isocast_derive_group_axes(const derive_flow *flow, const derive_grid *grid, size_t place,
                                   bool made, bool *known) {
    unsigned all = 1U << grid->count;
    for (unsigned axes = 0; axes < all; axes++) {
        bool fits = true;
        for (size_t r = 0; r < flow->derived->record_count && fits; r++) {
            fits = record_fits(flow, grid, r, place, made, axes);
        }
        if (fits) {
            *known = true;
            return axes;
        }
    }
    *known = false;
    return 0;
}

/* ---- partners that change ---- */

/* The one partner of a row. */
static long partner_of(const derive_rows *rows, const derive_row *row) {
    return rows->sends ? row->to : row->from;
}

static isocast_status find_changing(const derive_flow *flow, const derive_rows *rows,
                                    derive_changing *out) {
    bool hub = rows->known;
    bool last = rows->known && !rows->sends; /* the last process receives of each of the others */
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
        last = last && rank == (long)p - 1;
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
        last = last && (!calls || partners[s] == p - 1);
    }
    free(partners);
    *out = any        ? CHANGES_ANY
           : !several ? CHANGES_NOT
           : last     ? CHANGES_ANY
           : hub      ? CHANGES_HUB
           : pairs    ? CHANGES_PAIRS
           : halves   ? CHANGES_HALVES
           : all      ? CHANGES_ALL
                      : CHANGES_NOT;
    return ISOCAST_OK;
}

/* Whom the messages of rows go to, each slot: how many, and bytes. False where one is not known. */
static bool count_received(const derive_flow *flow, const derive_rows *rows, double *calls,
                           double *bytes) {
    bool known = rows->known && rows->count > 0;
    for (size_t i = 0; i < rows->count && known; i++) {
        const derive_row *row = &rows->items[i];
        size_t first = flow->first_slot[flow->slots[row->slot].record];
        known = row->to >= 0;
        if (known) {
            calls[first + (size_t)row->to] += row->calls;
            bytes[first + (size_t)row->to] += row->calls * row->sent;
        }
    }
    return known;
}

/* Rows of the receivers in place of those of the senders. `own`: the receives, of whoever sends. */
static isocast_status turn_rows(const derive_flow *flow, const derive_rows *sent,
                                derive_rows *own) {
    derive_rows turned = {.known = true, .receives = true, .around = own->around};
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < sent->count && status == ISOCAST_OK; i++) {
        const derive_row *row = &sent->items[i];
        size_t first = flow->first_slot[flow->slots[row->slot].record];
        derive_row back = {.slot = first + (size_t)row->to,
                           .to = DERIVE_NOBODY,
                           .from = (long)flow->slots[row->slot].process,
                           .received = row->sent,
                           .calls = row->calls};
        for (size_t k = 0; k < own->count; k++) {
            back.call = own->items[k].slot == back.slot ? own->items[k].call : back.call;
        }
        status = add_row(&turned, back, (size_t)row->to);
    }
    derive_rows *unused = status == ISOCAST_OK ? own : &turned;
    free(unused->items);
    if (status == ISOCAST_OK) {
        *own = turned;
    }
    return status;
}

/* Receives of whoever sends, where each process receives as many messages and bytes as one place
 * sends to it: they are of these senders. Those of one process alone stay, as it serves whoever
 * asks. */
static isocast_status name_senders(const derive_flow *flow, derive_rows *rows) {
    bool any = rows->receives && !rows->sends && rows->count > 0;
    bool several = false;
    for (size_t i = 0; i < rows->count; i++) {
        any = any && rows->items[i].from == DERIVE_ANYBODY;
        several = several || flow->slots[rows->items[i].slot].process !=
                                 flow->slots[rows->items[0].slot].process;
    }
    isocast_pool scratch = {0};
    size_t count = flow->slot_count;
    double *due = isocast_pool_take(&scratch, 2 * count, sizeof *due);
    double *sent = isocast_pool_take(&scratch, 2 * count, sizeof *sent);
    isocast_status status = scratch.failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    for (size_t i = 0; i < rows->count && status == ISOCAST_OK; i++) {
        due[rows->items[i].slot] += rows->items[i].calls;
        due[count + rows->items[i].slot] += rows->items[i].calls * rows->items[i].received;
    }
    for (size_t place = 0; place < flow->place_count && any && several && status == ISOCAST_OK;
         place++) {
        isocast_record_operation operation = flow->derived->sites[place].key.operation;
        derive_rows others = {0};
        if (isocast_record_operation_find(operation)->kind == ISOCAST_RECORD_SEND) {
            memset(sent, 0, 2 * count * sizeof *sent);
            status = find_rows(flow, place, &others);
            if (status == ISOCAST_OK && count_received(flow, &others, sent, sent + count) &&
                memcmp(sent, due, 2 * count * sizeof *sent) == 0) {
                status = turn_rows(flow, &others, rows);
                any = false;
            }
        }
        free(others.items);
    }
    isocast_pool_free(&scratch);
    return status;
}

isocast_status isocast_derive_partners_find(const derive_flow *flow, const derive_grid *grid,
                                            size_t place, derive_partners *out) {
    *out = (derive_partners){0};
    isocast_status status = find_rows(flow, place, &out->rows);
    if (status == ISOCAST_OK) {
        status = name_senders(flow, &out->rows);
    }
    if (status == ISOCAST_OK) {
        status = find_ways_of(flow, grid, &out->rows, &out->cover);
    }
    if (status == ISOCAST_OK) {
        status = find_changing(flow, &out->rows, &out->how);
    }
    out->stay = out->cover.known && out->how != CHANGES_HUB && out->how != CHANGES_HALVES &&
                out->how != CHANGES_ANY;
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
