/* Laws of collective operations whose algorithm is reported: which steps are taken, and which bytes
 * pass. */
#include <math.h>

#include "fit_basis.h"
#include "fit_law.h"

static double halvings(const fit_point *at) {
    return log2(at->p);
}

static double halvings_and_others(const fit_point *at) {
    return log2(at->p) + at->p - 1;
}

static double blocks_bytes(const fit_point *at) {
    return at->m * (at->p - 1) / at->p;
}

static double twice_blocks_bytes(const fit_point *at) {
    return 2 * blocks_bytes(at);
}

/* Volumes that share links more, the more processes there are. */
static double tree_contention(const fit_point *at) {
    return fit_basis_tree_bytes(at) * log2(at->p);
}

static double blocks_contention(const fit_point *at) {
    return blocks_bytes(at) * log2(at->p);
}

static double twice_blocks_contention(const fit_point *at) {
    return twice_blocks_bytes(at) * log2(at->p);
}

static double others_contention(const fit_point *at) {
    return fit_basis_others_bytes(at) * log2(at->p);
}

/* A start for each process in the place of the steps would be another shape's law: the ring's. */
#define PROCESSES                                                                                  \
    { "process", fit_basis_others, 1U << FIT_SHAPE_STEPS }

static const fit_term tree_terms[] = {
    {"step", fit_basis_tree_steps, 0},
    {"byte", fit_basis_tree_bytes, 0},
    {"start", fit_basis_one, 0},
    {"contention", tree_contention, 0},
    PROCESSES,
};

static const fit_term halving_terms[] = {
    {"step", halvings, 0},
    {"byte", blocks_bytes, 0},
    {"start", fit_basis_one, 0},
    {"contention", blocks_contention, 0},
    PROCESSES,
};

static const fit_term ring_terms[] = {
    {"step", fit_basis_others, 0},
    {"byte", blocks_bytes, 0},
    {"start", fit_basis_one, 0},
    {"contention", blocks_contention, 0},
};

static const fit_term scatter_ring_terms[] = {
    {"step", halvings_and_others, 0},
    {"byte", twice_blocks_bytes, 0},
    {"start", fit_basis_one, 0},
    {"contention", twice_blocks_contention, 0},
    PROCESSES,
};

static const fit_term linear_terms[] = {
    {"step", fit_basis_others, 0},
    {"byte", fit_basis_others_bytes, 0},
    {"start", fit_basis_one, 0},
    {"contention", others_contention, 0},
};

static const fit_term message_terms[] = {
    {"step", fit_basis_one, 0},
    {"byte", fit_basis_bytes, 0},
};

enum { STARTS = 1 << FIT_SHAPE_STEPS | 1 << FIT_SHAPE_START | 1 << FIT_SHAPE_PROCESSES };

#define LAW(shape, terms)                                                                          \
    { shape, terms, sizeof(terms) / sizeof((terms)[0]), STARTS }

const fit_law fit_shape_laws[FIT_SHAPES] = {
    [FIT_SHAPE_TREE] = LAW("tree", tree_terms),
    [FIT_SHAPE_HALVING] = LAW("halving and doubling", halving_terms),
    [FIT_SHAPE_RING] = LAW("ring", ring_terms),
    [FIT_SHAPE_SCATTER_RING] = LAW("scatter and ring", scatter_ring_terms),
    [FIT_SHAPE_LINEAR] = LAW("one after the other", linear_terms),
    [FIT_SHAPE_MESSAGE] = LAW("message", message_terms),
};
