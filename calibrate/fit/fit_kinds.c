#include "fit_kinds.h"

#include "fit_called.h"
#include "fit_law.h"
#include "model/base/known_operation.h"

/* A broadcast by an algorithm of its own. */
static fit_kind kind_of_row(const isocast_collective_choice *row) {
    static const struct {
        void (*algorithm)(const isocast_collective_part *p);
        fit_kind kind;
    } kinds[] = {{isocast_collective_bcast_low_digit, FIT_KIND_TREE},
                 {isocast_collective_bcast_low_digit_at_once, FIT_KIND_TREE},
                 {isocast_collective_bcast_high_bit, FIT_KIND_TREE},
                 {isocast_collective_bcast_scatter_doubling, FIT_KIND_DOUBLING},
                 {isocast_collective_bcast_scatter_ring, FIT_KIND_RING},
                 {isocast_collective_bcast_by_leaders, FIT_KIND_RELAY},
                 {isocast_collective_bcast_root_node_first, FIT_KIND_RELAY}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (row != NULL && row->algorithm == kinds[i].algorithm) {
            return kinds[i].kind;
        }
    }
    return FIT_KIND_OTHER;
}

fit_kind fit_kind_of(const char *name) {
    static const fit_kind kinds[] = {[ISOCAST_OPERATION_COLLECTIVE] = FIT_KIND_OTHER,
                                     /* Where no other algorithm of it was seen. */
                                     [ISOCAST_OPERATION_BROADCAST] = FIT_KIND_TREE,
                                     [ISOCAST_OPERATION_MESSAGE] = FIT_KIND_SINGLE,
                                     [ISOCAST_OPERATION_SHIFT] = FIT_KIND_SINGLE,
                                     [ISOCAST_OPERATION_WORK] = FIT_KIND_WORK};
    _Static_assert(sizeof kinds / sizeof kinds[0] == ISOCAST_OPERATION_KINDS,
                   "every kind of operation has terms");
    const isocast_known_operation *known = isocast_known_operation_find(name);
    return known != NULL ? kinds[known->kind] : kind_of_row(fit_called_row_of(name));
}

static unsigned mask_of(const fit_operation_term *terms, size_t count) {
    unsigned mask = 0;
    for (size_t i = 0; i < count; i++) {
        mask |= 1U << terms[i];
    }
    return mask;
}

const fit_law *fit_facts_law(const fit_facts *facts) {
    return facts->kind == FIT_KIND_RELAY ? &fit_relay_law : &fit_operation_law;
}

#define ALLOW(condition, ...)                                                                      \
    allowed |=                                                                                     \
        (condition)                                                                                \
            ? mask_of((const fit_operation_term[]){__VA_ARGS__},                                   \
                      sizeof((fit_operation_term[]){__VA_ARGS__}) / sizeof(fit_operation_term))    \
            : 0

/* Which terms the points can distinguish, and the algorithm of an operation has. Under three counts
 * of processes nothing can be learnt of the growth with p: collectives take the steps of a binomial
 * tree. */
unsigned fit_allowed_terms(const fit_facts *facts) {
    unsigned allowed = 0;
    bool learnt = facts->learnt;
    bool varied = facts->varied && learnt;
    switch (facts->kind) {
    case FIT_KIND_WORK: /* fit_table.h */
        break;
    case FIT_KIND_SINGLE:
        ALLOW(true, FIT_TERM_CONSTANT, FIT_TERM_BYTES);
        break;
    case FIT_KIND_RELAY: /* the first terms hold always, the others where growth is learnt */
        return (1U << (learnt ? fit_relay_law.count : FIT_RELAY_FIRST)) - 1;
    case FIT_KIND_TREE:
        ALLOW(true, FIT_TERM_STEPS, FIT_TERM_STEP_BYTES);
        ALLOW(learnt, FIT_TERM_CONSTANT, FIT_TERM_BYTES, FIT_TERM_DEPTH, FIT_TERM_DEPTH_BYTES);
        ALLOW(learnt && !facts->irregular, FIT_TERM_VOLUME_BYTES);
        /* Two on one node spare a step, and one of them the other's message. */
        ALLOW(learnt && facts->irregular, FIT_TERM_NODE_VOLUME_BYTES, FIT_TERM_SPREAD,
              FIT_TERM_SPREAD_BYTES);
        ALLOW(varied, FIT_TERM_NODE_DEPTH, FIT_TERM_NODE_DEPTH_BYTES, FIT_TERM_NODE_VOLUME_BYTES);
        break;
    case FIT_KIND_DOUBLING:
        ALLOW(true, FIT_TERM_STEPS, FIT_TERM_BYTES);
        ALLOW(learnt, FIT_TERM_CONSTANT);
        ALLOW(varied, FIT_TERM_NODE_DEPTH);
        break;
    case FIT_KIND_RING:
        ALLOW(true, FIT_TERM_STEPS, FIT_TERM_BYTES);
        ALLOW(!facts->messages, FIT_TERM_PROCESSES);
        break;
    case FIT_KIND_OTHER:
        ALLOW(true, FIT_TERM_STEPS, FIT_TERM_STEP_BYTES);
        ALLOW(learnt, FIT_TERM_CONSTANT, FIT_TERM_BYTES, FIT_TERM_PROCESSES,
              FIT_TERM_PROCESS_BYTES);
        ALLOW(varied, FIT_TERM_NODE_DEPTH);
        ALLOW(learnt && facts->shared, FIT_TERM_CROSSING_BYTES);
        break;
    }
    return allowed;
}
#undef ALLOW
