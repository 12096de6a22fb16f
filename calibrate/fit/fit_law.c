#include "fit_law.h"

const isocast_law_term *fit_law_term(const fit_law *law, size_t term) {
    return &law->list->terms[law->rows != NULL ? law->rows[term] : term];
}

const fit_law fit_operation_law = {.list = &isocast_term_lists[0], .count = FIT_OPERATION_TERMS};

static const unsigned char relay_terms[] = {
    FIT_TERM_NODE_STEPS,   FIT_TERM_NODE_VOLUME_BYTES, FIT_TERM_INSIDE,
    FIT_TERM_INSIDE_BYTES, FIT_TERM_CONSTANT,          FIT_TERM_STEPS,
    FIT_TERM_HANDOVER,     FIT_TERM_HANDOVER_BYTES,    FIT_TERM_NODE_STEP_BYTES,
    FIT_TERM_NODE_DEPTH,   FIT_TERM_NODE_DEPTH_BYTES};

const fit_law fit_relay_law = {
    .list = &isocast_term_lists[0], .rows = relay_terms, .count = sizeof relay_terms};

enum { STARTS = 1 << FIT_SHAPE_STEPS | 1 << FIT_SHAPE_START | 1 << FIT_SHAPE_PROCESSES };

/* A start for each process in the place of the steps would be another shape's law: the ring's. */
#define LAW(shape, terms)                                                                          \
    [shape] = {.list = &isocast_term_lists[1 + (shape)],                                           \
               .count = (terms),                                                                   \
               .starts = STARTS,                                                                   \
               .behind_first = 1U << FIT_SHAPE_PROCESSES}

const fit_law fit_shape_laws[FIT_SHAPES] = {
    LAW(FIT_SHAPE_TREE, 5),         LAW(FIT_SHAPE_HALVING, 5), LAW(FIT_SHAPE_RING, 4),
    LAW(FIT_SHAPE_SCATTER_RING, 5), LAW(FIT_SHAPE_LINEAR, 4),  LAW(FIT_SHAPE_MESSAGE, 2)};
