#include "terms.h"

#include <string.h>

/* L = ceil(log2 p) steps of a tree, D = floor(log2 p); binomial_volume() is explained in
 * model/base/binomial.h. */

static const isocast_term plain_terms[] = {
    {"start", "", "s"},
    {"step", "*ceil(log2(p))", "s"},
    {"process", "*(p - 1)", "s"},
    {"byte", "*m", "s/B"},
    {"step_byte", "*m*ceil(log2(p))", "s/B"},
    {"process_byte", "*m*(p - 1)", "s/B"},
    {"depth", "*floor(log2(p))", "s"},
    {"depth_byte", "*m*floor(log2(p))", "s/B"},
    {"volume_byte", "*m*binomial_volume(p)", "s/B"},
    {"spread", "*if(nodes == p, 1, 0)", "s"},
    {"spread_byte", "*m*if(nodes == p, 1, 0)", "s/B"},
    {"node_depth", "*floor(log2(nodes))", "s"},
    {"node_depth_byte", "*m*floor(log2(nodes))", "s/B"},
    {"node_volume_byte", "*m*binomial_volume(nodes)", "s/B"},
    {"crossing_byte", "*m*p_node*(p - p_node)", "s/B"},
    {"node_step", "*ceil(log2(nodes))", "s"},
    {"node_step_byte", "*m*ceil(log2(nodes))", "s/B"},
    {"handover", "*(p - p_node)/p", "s"},
    {"handover_byte", "*m*(p - p_node)/p", "s/B"},
    {"inside", "*ceil(log2(p/nodes))", "s"},
    {"inside_byte", "*m*ceil(log2(p/nodes))", "s/B"},
};

_Static_assert(sizeof plain_terms / sizeof plain_terms[0] <= ISOCAST_SHAPE_TERMS_MAX,
               "a machine file may have any of the terms");

static const isocast_term tree_terms[] = {
    {"step", "*ceil(log2(p))", "s"},
    {"byte", "*m*ceil(log2(p))", "s/B"},
    {"start", "", "s"},
    {"contention", "*m*ceil(log2(p))*log2(p)", "s/B"},
    {"process", "*(p - 1)", "s"},
};

static const isocast_term halving_terms[] = {
    {"step", "*log2(p)", "s"},    {"byte", "*m*(p - 1)/p", "s/B"},
    {"start", "", "s"},           {"contention", "*m*(p - 1)/p*log2(p)", "s/B"},
    {"process", "*(p - 1)", "s"},
};

static const isocast_term ring_terms[] = {
    {"step", "*(p - 1)", "s"},
    {"byte", "*m*(p - 1)/p", "s/B"},
    {"start", "", "s"},
    {"contention", "*m*(p - 1)/p*log2(p)", "s/B"},
};

static const isocast_term scatter_ring_terms[] = {
    {"step", "*(log2(p) + p - 1)", "s"},
    {"byte", "*2*m*(p - 1)/p", "s/B"},
    {"start", "", "s"},
    {"contention", "*2*m*(p - 1)/p*log2(p)", "s/B"},
    {"process", "*(p - 1)", "s"},
};

static const isocast_term linear_terms[] = {
    {"step", "*(p - 1)", "s"},
    {"byte", "*m*(p - 1)", "s/B"},
    {"start", "", "s"},
    {"contention", "*m*(p - 1)*log2(p)", "s/B"},
};

static const isocast_term message_terms[] = {
    {"step", "", "s"},
    {"byte", "*m", "s/B"},
};

#define LIST(shape, terms)                                                                         \
    { shape, terms, sizeof terms / sizeof terms[0] }

static const isocast_term_list lists[] = {
    LIST("", plain_terms),
    LIST("tree", tree_terms),
    LIST("halving and doubling", halving_terms),
    LIST("ring", ring_terms),
    LIST("scatter and ring", scatter_ring_terms),
    LIST("one after the other", linear_terms),
    LIST("message", message_terms),
};
enum { LISTS = sizeof lists / sizeof lists[0] };

const isocast_term_list *isocast_terms_of(const char *shape) {
    for (size_t i = 0; i < LISTS; i++) {
        if (strcmp(lists[i].shape, shape) == 0) {
            return &lists[i];
        }
    }
    return NULL;
}

const isocast_term *isocast_term_find(const isocast_term_list *list, const char *key) {
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->terms[i].key, key) == 0) {
            return &list->terms[i];
        }
    }
    return NULL;
}

const isocast_term_list *isocast_terms_at(size_t index) {
    return index < LISTS ? &lists[index] : NULL;
}
