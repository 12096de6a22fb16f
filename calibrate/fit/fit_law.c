#include "fit_law.h"

#include <math.h>

#include "model/base/binomial.h"

/* Functions of p and m. Rounding must not make 3.0000000001 of log2(8). */
static double one(const fit_point *at) {
    (void)at;
    return 1;
}

static double tree_steps(const fit_point *at) {
    return ceil(log2(at->p) - 1e-9);
}

static double depth(const fit_point *at) {
    return floor(log2(at->p) + 1e-9);
}

static double node_depth(const fit_point *at) {
    return floor(log2(at->nodes) + 1e-9);
}

static double halvings(const fit_point *at) {
    return log2(at->p);
}

static double others(const fit_point *at) {
    return at->p - 1;
}

static double halvings_and_others(const fit_point *at) {
    return log2(at->p) + at->p - 1;
}

static double spread(const fit_point *at) {
    return at->nodes == at->p;
}

static double remote(const fit_point *at) {
    return at->p - at->p_node;
}

static double bytes(const fit_point *at) {
    return at->m;
}

static double tree_bytes(const fit_point *at) {
    return at->m * tree_steps(at);
}

static double others_bytes(const fit_point *at) {
    return at->m * (at->p - 1);
}

static double blocks_bytes(const fit_point *at) {
    return at->m * (at->p - 1) / at->p;
}

static double twice_blocks_bytes(const fit_point *at) {
    return 2 * blocks_bytes(at);
}

static double depth_bytes(const fit_point *at) {
    return at->m * depth(at);
}

static double volume_bytes(const fit_point *at) {
    return at->m * isocast_binomial_volume(at->p);
}

static double spread_bytes(const fit_point *at) {
    return at->m * spread(at);
}

static double node_depth_bytes(const fit_point *at) {
    return at->m * node_depth(at);
}

static double node_volume_bytes(const fit_point *at) {
    return at->m * isocast_binomial_volume(at->nodes);
}

static double remote_bytes(const fit_point *at) {
    return at->m * remote(at);
}

static double crossing_bytes(const fit_point *at) {
    return at->m / at->p * at->p_node * remote(at);
}

static double messages(const fit_point *at) {
    return (at->p - 1) * at->message;
}

/* Volumes that share links more, the more processes there are. */
static double tree_contention(const fit_point *at) {
    return tree_bytes(at) * log2(at->p);
}

static double blocks_contention(const fit_point *at) {
    return blocks_bytes(at) * log2(at->p);
}

static double twice_blocks_contention(const fit_point *at) {
    return twice_blocks_bytes(at) * log2(at->p);
}

static double others_contention(const fit_point *at) {
    return others_bytes(at) * log2(at->p);
}

static const fit_term operation_terms[FIT_OPERATION_TERMS] = {
    [FIT_TERM_CONSTANT] = {"start", "", "s", one, 0},
    [FIT_TERM_STEPS] = {"step", "*ceil(log2(p))", "s", tree_steps, 0},
    [FIT_TERM_PROCESSES] = {"process", "*(p - 1)", "s", others, 0},
    [FIT_TERM_BYTES] = {"byte", "*m", "s/B", bytes, 0},
    [FIT_TERM_STEP_BYTES] = {"step_byte", "*m*ceil(log2(p))", "s/B", tree_bytes, 0},
    [FIT_TERM_PROCESS_BYTES] = {"process_byte", "*m*(p - 1)", "s/B", others_bytes, 0},
    [FIT_TERM_DEPTH] = {"depth", "*floor(log2(p))", "s", depth, 0},
    [FIT_TERM_DEPTH_BYTES] = {"depth_byte", "*m*floor(log2(p))", "s/B", depth_bytes, 0},
    [FIT_TERM_VOLUME_BYTES] = {"volume_byte", "*m*binomial_volume(p)", "s/B", volume_bytes, 0},
    [FIT_TERM_SPREAD] = {"spread", "*if(nodes == p, 1, 0)", "s", spread, 0},
    [FIT_TERM_SPREAD_BYTES] = {"spread_byte", "*m*if(nodes == p, 1, 0)", "s/B", spread_bytes, 0},
    [FIT_TERM_NODE_DEPTH] = {"node_depth", "*floor(log2(nodes))", "s", node_depth, 0},
    [FIT_TERM_NODE_DEPTH_BYTES] = {"node_depth_byte", "*m*floor(log2(nodes))", "s/B",
                                   node_depth_bytes, 0},
    [FIT_TERM_NODE_VOLUME_BYTES] = {"node_volume_byte", "*m*binomial_volume(nodes)", "s/B",
                                    node_volume_bytes, 0},
    [FIT_TERM_REMOTE] = {"remote", "*(p - p_node)", "s", remote, 0},
    [FIT_TERM_REMOTE_BYTES] = {"remote_byte", "*m*(p - p_node)", "s/B", remote_bytes, 0},
    [FIT_TERM_CROSSING_BYTES] = {"crossing_byte", "*m/p*p_node*(p - p_node)", "s/B", crossing_bytes,
                                 0},
    [FIT_TERM_MESSAGES] = {"messages", "*(p - 1)*(T_send(m/p) + T_recv(m/p))", "", messages, 0},
};

const fit_law fit_operation_law = {"", operation_terms, FIT_OPERATION_TERMS, 0};

/* A start for each process in the place of the steps would be another shape's law: the ring's. */
#define PROCESSES                                                                                  \
    { "process", "*(p - 1)", "s", others, 1U << FIT_SHAPE_STEPS }

static const fit_term tree_terms[] = {
    {"step", "*ceil(log2(p))", "s", tree_steps, 0},
    {"byte", "*m*ceil(log2(p))", "s/B", tree_bytes, 0},
    {"start", "", "s", one, 0},
    {"contention", "*m*ceil(log2(p))*log2(p)", "s/B", tree_contention, 0},
    PROCESSES,
};

static const fit_term halving_terms[] = {
    {"step", "*log2(p)", "s", halvings, 0},
    {"byte", "*m*(p - 1)/p", "s/B", blocks_bytes, 0},
    {"start", "", "s", one, 0},
    {"contention", "*m*(p - 1)/p*log2(p)", "s/B", blocks_contention, 0},
    PROCESSES,
};

static const fit_term ring_terms[] = {
    {"step", "*(p - 1)", "s", others, 0},
    {"byte", "*m*(p - 1)/p", "s/B", blocks_bytes, 0},
    {"start", "", "s", one, 0},
    {"contention", "*m*(p - 1)/p*log2(p)", "s/B", blocks_contention, 0},
};

static const fit_term scatter_ring_terms[] = {
    {"step", "*(log2(p) + p - 1)", "s", halvings_and_others, 0},
    {"byte", "*2*m*(p - 1)/p", "s/B", twice_blocks_bytes, 0},
    {"start", "", "s", one, 0},
    {"contention", "*2*m*(p - 1)/p*log2(p)", "s/B", twice_blocks_contention, 0},
    PROCESSES,
};

static const fit_term linear_terms[] = {
    {"step", "*(p - 1)", "s", others, 0},
    {"byte", "*m*(p - 1)", "s/B", others_bytes, 0},
    {"start", "", "s", one, 0},
    {"contention", "*m*(p - 1)*log2(p)", "s/B", others_contention, 0},
};

static const fit_term message_terms[] = {
    {"step", "", "s", one, 0},
    {"byte", "*m", "s/B", bytes, 0},
};

enum { STARTS = 1 << FIT_SHAPE_STEPS | 1 << FIT_SHAPE_START | 1 << FIT_SHAPE_PROCESSES };

#define LAW(name, terms)                                                                           \
    { name, terms, sizeof(terms) / sizeof((terms)[0]), STARTS }

const fit_law fit_shape_laws[FIT_SHAPES] = {
    [FIT_SHAPE_TREE] = LAW("tree", tree_terms),
    [FIT_SHAPE_HALVING] = LAW("halving and doubling", halving_terms),
    [FIT_SHAPE_RING] = LAW("ring", ring_terms),
    [FIT_SHAPE_SCATTER_RING] = LAW("scatter and ring", scatter_ring_terms),
    [FIT_SHAPE_LINEAR] = LAW("one after the other", linear_terms),
    [FIT_SHAPE_MESSAGE] = LAW("message", message_terms),
};

void fit_law_values(const fit_law *law, const fit_point *at, double *out) {
    for (size_t t = 0; t < law->count; t++) {
        out[t] = law->terms[t].value(at);
    }
}
