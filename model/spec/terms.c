#include "terms.h"

#include <math.h>
#include <string.h>

#include "model/base/binomial.h"

/* What numbers are multiplied with. Rounding must not make 3.0000000001 of log2(8). */
#define VALUE(name, ...)                                                                           \
    static double name(const isocast_term_point *at) {                                             \
        return __VA_ARGS__;                                                                        \
    }
VALUE(steps, ceil(log2(at->p) - 1e-9))
VALUE(others, at->p - 1)
VALUE(depth, floor(log2(at->p) + 1e-9))
VALUE(volume, isocast_binomial_volume(at->p))
VALUE(spread, at->nodes == at->p)
VALUE(node_steps, ceil(log2(at->nodes) - 1e-9))
VALUE(node_depth, floor(log2(at->nodes) + 1e-9))
VALUE(node_volume, isocast_binomial_volume(at->nodes))
VALUE(crossing_bytes, at->m * at->p_node * (at->p - at->p_node))
VALUE(handover, (at->p - at->p_node) / at->p)
VALUE(inside, ceil(log2(at->p / at->nodes) - 1e-9))
VALUE(halvings, log2(at->p))
VALUE(halvings_and_others, log2(at->p) + at->p - 1)
VALUE(blocks_bytes, (at->p - 1) * at->m / at->p)
VALUE(twice_blocks_bytes, 2 * blocks_bytes(at))
/* Volumes that share links more, the more processes there are. */
VALUE(steps_contention, steps(at) * at->m * log2(at->p))
VALUE(blocks_contention, blocks_bytes(at) * log2(at->p))
VALUE(twice_blocks_contention, twice_blocks_bytes(at) * log2(at->p))
VALUE(others_contention, others(at) * at->m * log2(at->p))

static double one(const isocast_term_point *at) {
    (void)at;
    return 1;
}

double isocast_term_value(const isocast_law_term *term, const isocast_term_point *at) {
    return (term->times_m ? at->m : 1) * term->value(at);
}

/* Terms in s, in s/B with m apart, and in s/B with m in the value. */
#define TIME(key, factor, value)                                                                   \
    { key, factor, "s", value, false }
#define RATE(key, factor, value)                                                                   \
    { key, factor, "s/B", value, true }
#define VOLUME(key, factor, value)                                                                 \
    { key, factor, "s/B", value, false }

/* L = ceil(log2 p) steps of a tree, D = floor(log2 p); binomial_volume() is explained in
 * model/base/binomial.h. */

static const isocast_law_term plain_terms[] = {
    TIME("start", "", one),
    TIME("step", "*ceil(log2(p))", steps),
    TIME("process", "*(p - 1)", others),
    RATE("byte", "*m", one),
    RATE("step_byte", "*m*ceil(log2(p))", steps),
    RATE("process_byte", "*m*(p - 1)", others),
    TIME("depth", "*floor(log2(p))", depth),
    RATE("depth_byte", "*m*floor(log2(p))", depth),
    RATE("volume_byte", "*m*binomial_volume(p)", volume),
    TIME("spread", "*if(nodes == p, 1, 0)", spread),
    RATE("spread_byte", "*m*if(nodes == p, 1, 0)", spread),
    TIME("node_depth", "*floor(log2(nodes))", node_depth),
    RATE("node_depth_byte", "*m*floor(log2(nodes))", node_depth),
    RATE("node_volume_byte", "*m*binomial_volume(nodes)", node_volume),
    VOLUME("crossing_byte", "*m*p_node*(p - p_node)", crossing_bytes),
    TIME("node_step", "*ceil(log2(nodes))", node_steps),
    RATE("node_step_byte", "*m*ceil(log2(nodes))", node_steps),
    TIME("handover", "*(p - p_node)/p", handover),
    RATE("handover_byte", "*m*(p - p_node)/p", handover),
    TIME("inside", "*ceil(log2(p/nodes))", inside),
    RATE("inside_byte", "*m*ceil(log2(p/nodes))", inside),
};

_Static_assert(sizeof plain_terms / sizeof plain_terms[0] <= ISOCAST_SHAPE_TERMS_MAX,
               "a machine file may have any of the terms");

static const isocast_law_term tree_terms[] = {
    TIME("step", "*ceil(log2(p))", steps),
    RATE("byte", "*m*ceil(log2(p))", steps),
    TIME("start", "", one),
    VOLUME("contention", "*m*ceil(log2(p))*log2(p)", steps_contention),
    TIME("process", "*(p - 1)", others),
};

static const isocast_law_term halving_terms[] = {
    TIME("step", "*log2(p)", halvings),
    VOLUME("byte", "*m*(p - 1)/p", blocks_bytes),
    TIME("start", "", one),
    VOLUME("contention", "*m*(p - 1)/p*log2(p)", blocks_contention),
    TIME("process", "*(p - 1)", others),
};

static const isocast_law_term ring_terms[] = {
    TIME("step", "*(p - 1)", others),
    VOLUME("byte", "*m*(p - 1)/p", blocks_bytes),
    TIME("start", "", one),
    VOLUME("contention", "*m*(p - 1)/p*log2(p)", blocks_contention),
};

static const isocast_law_term scatter_ring_terms[] = {
    TIME("step", "*(log2(p) + p - 1)", halvings_and_others),
    VOLUME("byte", "*2*m*(p - 1)/p", twice_blocks_bytes),
    TIME("start", "", one),
    VOLUME("contention", "*2*m*(p - 1)/p*log2(p)", twice_blocks_contention),
    TIME("process", "*(p - 1)", others),
};

static const isocast_law_term linear_terms[] = {
    TIME("step", "*(p - 1)", others),
    RATE("byte", "*m*(p - 1)", others),
    TIME("start", "", one),
    VOLUME("contention", "*m*(p - 1)*log2(p)", others_contention),
};

static const isocast_law_term message_terms[] = {
    TIME("step", "", one),
    RATE("byte", "*m", one),
};

#define LIST(shape, terms)                                                                         \
    { shape, terms, sizeof terms / sizeof terms[0] }

const isocast_term_list isocast_term_lists[ISOCAST_SHAPES] = {
    LIST("", plain_terms),
    LIST("tree", tree_terms),
    LIST("halving and doubling", halving_terms),
    LIST("ring", ring_terms),
    LIST("scatter and ring", scatter_ring_terms),
    LIST("one after the other", linear_terms),
    LIST("message", message_terms),
};

const isocast_term_list *isocast_terms_of(const char *shape) {
    for (size_t i = 0; i < ISOCAST_SHAPES; i++) {
        if (strcmp(isocast_term_lists[i].shape, shape) == 0) {
            return &isocast_term_lists[i];
        }
    }
    return NULL;
}

const isocast_law_term *isocast_term_find(const isocast_term_list *list, const char *key) {
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->terms[i].key, key) == 0) {
            return &list->terms[i];
        }
    }
    return NULL;
}
