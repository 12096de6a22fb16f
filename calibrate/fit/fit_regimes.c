#include "fit_regimes.h"

#include <math.h>
#include <stdlib.h>

#include "fit_called.h"
#include "fit_kinds.h"
#include "model/base/known_operation.h"
#include "model/collective/layout.h"
#include "model/collective/listing.h"

/* Processes, where the order of borders is that of their places. */
static const double usual = 16;

/* B of an element of reductions. */
static const double element = sizeof(double);

static double power_below(double p) {
    return exp2(floor(log2(p)));
}

/* The argument at a border. */
static double argument_at(const fit_regimes *regimes, fit_border border, double p) {
    switch (border.axis) {
    case FIT_BORDER_LONGEST:
        return border.bytes / regimes->longest.share(p);
    case FIT_BORDER_BLOCK:
        return border.bytes * p;
    case FIT_BORDER_ALL:
        return border.bytes / p;
    case FIT_BORDER_ELEMENTS:
        return border.bytes * power_below(p);
    default:
        return border.bytes;
    }
}

int fit_regime_at(const fit_regimes *regimes, double m, double p) {
    int regime = 0;
    while (regime < regimes->count && m >= argument_at(regimes, regimes->borders[regime], p)) {
        regime++;
    }
    return regime;
}

void fit_regime_range(const fit_regimes *regimes, int regime, double p, double *low, double *high) {
    *low = 0;
    for (int k = 0; k < regime; k++) {
        *low = fmax(*low, argument_at(regimes, regimes->borders[k], p));
    }
    *high = regime == regimes->count ? INFINITY : argument_at(regimes, regimes->borders[regime], p);
    *high = fmax(*low, *high);
}

double fit_regime_middle(const fit_regimes *regimes, int regime, double p) {
    static const double beyond = 4;
    double low;
    double high;
    fit_regime_range(regimes, regime, p, &low, &high);
    return isinf(high) ? beyond * low : low == 0 ? high / 2 : sqrt(low * high);
}

void fit_border_put(const fit_regimes *regimes, int border, isocast_buffer *out) {
    static const char *const texts[] = {[FIT_BORDER_BLOCK] = "m/p < %.0f B",
                                        [FIT_BORDER_ARGUMENT] = "m < %.0f B",
                                        [FIT_BORDER_ALL] = "m*p < %.0f B",
                                        [FIT_BORDER_ELEMENTS] = "m < %.0f B*2^floor(log2(p))"};
    const fit_border *own = &regimes->borders[border];
    if (own->axis == FIT_BORDER_LONGEST) {
        isocast_buffer_printf(out, "%s < %.0f B", regimes->longest.text, own->bytes);
    } else {
        isocast_buffer_printf(out, texts[own->axis], own->bytes);
    }
}

typedef struct call {
    const fit_network_map *map;
    isocast_collective_operation operation;
    int p;
    isocast_collective_layout *layout;
} call;

/* Free the layout. False where memory is short. */
static bool begin(const fit_network_map *map, isocast_collective_operation operation,
                  fit_callers callers, call *out) {
    int p = callers.count;
    *out = (call){map, operation, p, NULL};
    long long *nodes = malloc((size_t)p * sizeof *nodes);
    for (int i = 0; i < p && nodes != NULL; i++) {
        nodes[i] = i * callers.stride / callers.each;
    }
    out->layout = nodes != NULL ? isocast_collective_layout_create(p, nodes) : NULL;
    free(nodes);
    return out->layout != NULL;
}

static isocast_collective_part part_of(const call *c, double m) {
    isocast_collective_part part = fit_called_part(c->map->library, c->operation, c->p, m);
    part.layout = isocast_collective_knows_nodes(c->map->library) ? c->layout : NULL;
    return part;
}

static isocast_collective_listing list(const call *c, double m, int rank) {
    isocast_collective_listing listing = {0};
    isocast_collective_part part = part_of(c, m);
    part.rank = rank;
    isocast_collective_list(&part, c->operation, &listing);
    return listing;
}

/* Whether a process sends to others, or in another order, with the one argument than with the
 * other; or, with a limit, waits for others. */
static bool differs(const call *c, double m, double other, int rank, double limit) {
    isocast_collective_listing a = list(c, m, rank);
    isocast_collective_listing b = list(c, other, rank);
    bool same = a.count == b.count && !a.failed && !b.failed;
    for (size_t i = 0; i < a.count && same; i++) {
        const isocast_collective_event *x = &a.events[i];
        const isocast_collective_event *y = &b.events[i];
        same = x->sends == y->sends && x->partner == y->partner &&
               ((double)x->bytes < limit) == ((double)y->bytes < limit);
    }
    isocast_collective_listing_free(&a);
    isocast_collective_listing_free(&b);
    return !same;
}

/* At how many numbers of processes the library does something else at a border than below. */
static int count_changes(const fit_regimes *regimes, fit_border border, const fit_network_map *map,
                         isocast_collective_operation operation) {
    static const int counts[] = {2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,
                                 13, 14, 15, 16, 17, 24, 31, 32, 33, 48, 64};
    double step = operation == COLLECTIVE_BCAST ? 1 : element;
    int changes = 0;
    for (int spread = 0; spread < (map->processors > 1 ? 2 : 1); spread++) {
        int each = spread == 0 ? map->processors : 1;
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
            int p = counts[i];
            /* Of whole elements: 2049 B are as long as 2048. */
            double m = step * ceil(argument_at(regimes, border, p) / step);
            call c;
            if (p <= each * map->nodes && begin(map, operation, (fit_callers){p, each, 1}, &c)) {
                changes += differs(&c, m - step, m, 0, 0) || differs(&c, m - step, m, 1, 0) ||
                           differs(&c, m - step, m, p - 1, 0);
                free(c.layout);
            }
        }
    }
    return changes;
}

/* Borders with what changes at them. */
typedef struct found {
    fit_border border;
    int changes;
} found;

/* Takes a border once. Borders may be next to each other: programs like to send 512 KiB, which is
 * above the one and below the other. */
static size_t put(found *all, size_t count, found own) {
    for (size_t k = 0; k < count; k++) {
        if (all[k].border.axis == own.border.axis && all[k].border.bytes == own.border.bytes) {
            all[k].changes = all[k].changes > own.changes ? all[k].changes : own.changes;
            return count;
        }
    }
    all[count] = own;
    return count + 1;
}

static void add(fit_regimes *regimes, fit_border border, double p) {
    int k = regimes->count++;
    double m = argument_at(regimes, border, p);
    for (; k > 0 && argument_at(regimes, regimes->borders[k - 1], p) > m; k--) {
        regimes->borders[k] = regimes->borders[k - 1];
    }
    regimes->borders[k] = border;
}

/* Whether an operation may do what rows of another one say: a sum that all get ends with a
 * broadcast on some platforms. */
static bool does(isocast_collective_operation operation, isocast_collective_operation other) {
    return operation == other || (operation == COLLECTIVE_ALLREDUCE &&
                                  (other == COLLECTIVE_REDUCE || other == COLLECTIVE_BCAST));
}

enum { BORDERS_LEFT = 4 }; /* for those of blocks */

static void add_library(const char *name, const fit_network_map *map, fit_regimes *regimes) {
    isocast_collective_operation operation;
    const isocast_collective_choices *table = isocast_collective_choices_of(map->library);
    found *all = malloc((2 * table->count + 1) * sizeof *all);
    size_t count = 0;
    if (all == NULL || !fit_called_find(name, &operation)) {
        free(all);
        return;
    }
    for (size_t i = 0; i < table->count; i++) {
        const isocast_collective_choice *row = &table->rows[i];
        bool total = (row->conditions & COLLECTIVE_TOTAL) != 0;
        fit_border borders[2] = {{total ? FIT_BORDER_ALL : FIT_BORDER_ARGUMENT, (double)row->under},
                                 {FIT_BORDER_ELEMENTS, element}};
        bool has[2] = {row->under > 0, (row->conditions & COLLECTIVE_LONG) != 0};
        for (int k = 0; k < 2 && does(operation, row->operation); k++) {
            int changes = has[k] ? count_changes(regimes, borders[k], map, operation) : 0;
            if (changes > 0) {
                count = put(all, count, (found){borders[k], changes});
            }
        }
    }
    for (; count > 0 && regimes->count < FIT_BORDERS_MAX - BORDERS_LEFT; count--) {
        size_t most = 0;
        for (size_t k = 1; k < count; k++) {
            most = all[k].changes > all[most].changes ? k : most;
        }
        add(regimes, all[most].border, usual);
        all[most] = all[count - 1];
    }
    free(all);
}

fit_regimes fit_regimes_of(const char *name, const fit_network_map *map) {
    fit_sizes sizes = fit_sizes_of(name);
    fit_regimes regimes = {.longest = sizes.items[0]};
    const isocast_known_operation *known = isocast_known_operation_find(name);
    if (known != NULL && known->argument == ISOCAST_ARGUMENT_NONE) {
        return regimes; /* its messages have one size */
    }
    isocast_collective_operation called;
    add(&regimes, (fit_border){FIT_BORDER_LONGEST, map->eager_limit}, 1);
    add_library(name, map, &regimes);
    /* A vector is cut into blocks, of which up to half of all go in one message. */
    enum { BLOCKS_MOST = 8 };
    bool cut = sizes.count > 1 && fit_called_find(name, &called);
    for (int blocks = 1; blocks <= BLOCKS_MOST && cut; blocks *= 2) {
        add(&regimes, (fit_border){FIT_BORDER_BLOCK, map->eager_limit / blocks}, usual);
    }
    return regimes;
}

bool fit_regime_is_heavy(const char *name, const fit_network_map *map, double m, int each) {
    enum { PROCESSES = 64, FEW = 32 };
    isocast_collective_operation operation;
    call c;
    bool heavy = false;
    if (fit_called_find(name, &operation) &&
        begin(map, operation, (fit_callers){PROCESSES, each, 1}, &c)) {
        isocast_collective_listing listing = list(&c, m, PROCESSES / 2);
        heavy = listing.count > FEW;
        isocast_collective_listing_free(&listing);
        free(c.layout);
    }
    return heavy;
}

bool fit_regime_is_alike(const char *name, const fit_network_map *map, double m, double other,
                         fit_callers callers) {
    isocast_collective_operation operation;
    call c;
    bool alike = fit_called_find(name, &operation) && begin(map, operation, callers, &c);
    if (alike) {
        for (int rank = 0; rank < c.p && alike; rank++) {
            alike = !differs(&c, m, other, rank, map->eager_limit);
        }
        free(c.layout);
    }
    return alike;
}

bool fit_regime_turns(const char *name, const fit_network_map *map, double m, int p, int each) {
    isocast_collective_operation operation;
    const isocast_collective_choice *rows[2] = {NULL, NULL};
    for (int k = 0; k < 2 && fit_called_find(name, &operation) && p > 2; k++) {
        call c;
        if (begin(map, operation, (fit_callers){p - k, each, 1}, &c)) {
            isocast_collective_part part = part_of(&c, m);
            rows[k] = isocast_collective_choose(&part, operation);
        }
        free(c.layout);
    }
    return rows[0] != rows[1];
}
