/* What a time may be the sum of: terms in p and m. A law is a list of terms that go together, of
 * those that machine files may have (model/spec/terms.h). */
#ifndef FIT_LAW_H
#define FIT_LAW_H

#include "fit_point.h"
#include "model/spec/terms.h"

/* Terms that the points cannot distinguish: the first ones are taken first. */
typedef struct fit_law {
    const isocast_term_list *list;
    const unsigned char *rows; /* [count], of the list; NULL: its first ones */
    size_t count;
    /* Terms that a message of no bytes takes, too: the smallest sizes have one of them, else a
     * message would take no time. 0: does not matter. */
    unsigned starts;
    unsigned behind_first; /* terms that are only where the first one is, too */
} fit_law;

const isocast_law_term *fit_law_term(const fit_law *law, size_t term);

enum { FIT_LAW_TERMS_MAX = 32 };

/* The terms of calibrated operations, whose algorithm is known or does not matter; which of them
 * one may have is reported by its kind (fit_kinds.h). L = ceil(log2 p) steps of a tree, D =
 * floor(log2 p) what a message passes in it, n nodes, k processes on the node of process 0. */
typedef enum fit_operation_term {
    FIT_TERM_CONSTANT,          /* 1 */
    FIT_TERM_STEPS,             /* L */
    FIT_TERM_PROCESSES,         /* p - 1 */
    FIT_TERM_BYTES,             /* m */
    FIT_TERM_STEP_BYTES,        /* m L */
    FIT_TERM_PROCESS_BYTES,     /* m (p - 1) */
    FIT_TERM_DEPTH,             /* D */
    FIT_TERM_DEPTH_BYTES,       /* m D */
    FIT_TERM_VOLUME_BYTES,      /* m V(p), see binomial.h */
    FIT_TERM_SPREAD,            /* 1 where each process has a node, else 0 */
    FIT_TERM_SPREAD_BYTES,      /* m likewise */
    FIT_TERM_NODE_DEPTH,        /* floor(log2 n) */
    FIT_TERM_NODE_DEPTH_BYTES,  /* m floor(log2 n) */
    FIT_TERM_NODE_VOLUME_BYTES, /* m V(n) */
    FIT_TERM_CROSSING_BYTES,    /* m k (p - k), of each for each, that leaves a node */
    FIT_OPERATION_TERMS,
    /* Of a broadcast over nodes that have as many processes each: a message from the root to
     * process 0, a tree of the nodes, and one inside each. A barrier may follow. */
    FIT_TERM_NODE_STEPS = FIT_OPERATION_TERMS, /* ceil(log2 n) */
    FIT_TERM_NODE_STEP_BYTES,                  /* m likewise */
    FIT_TERM_HANDOVER,       /* (p - k)/p, roots that are on another node than process 0 */
    FIT_TERM_HANDOVER_BYTES, /* m likewise */
    FIT_TERM_INSIDE,         /* ceil(log2(p/n)): steps inside a node */
    FIT_TERM_INSIDE_BYTES    /* m likewise */
} fit_operation_term;

extern const fit_law fit_operation_law;

/* The law of such a broadcast; its first terms hold where no growth is learnt, either. */
enum { FIT_RELAY_FIRST = 4 };
extern const fit_law fit_relay_law;

/* What algorithms of collective operations cost: steps S and volume V in p and m, in T = alpha S +
 * beta V + a + beta_c V log2 p + delta (p-1). Sources: R. Thakur, R. Rabenseifner, W. Gropp,
 * IJHPCA 19(1) 2005; J. Bruck et al., IEEE TPDS 8(11) 1997. */
typedef enum fit_shape {
    FIT_SHAPE_TREE,    /* S = ceil(log2 p), V = m ceil(log2 p): binomial tree, Bruck, doubling */
    FIT_SHAPE_HALVING, /* S = log2 p, V = m (p-1)/p: Rabenseifner, gather and scatter by a tree */
    FIT_SHAPE_RING,    /* S = p-1, V = m (p-1)/p: ring, pairwise exchange */
    FIT_SHAPE_SCATTER_RING, /* S = log2 p + p-1, V = 2 m (p-1)/p: scatter and allgather */
    FIT_SHAPE_LINEAR,       /* S = p-1, V = m (p-1): one process sends to or receives from all */
    FIT_SHAPE_MESSAGE,      /* S = 1, V = m: between two processes */
    FIT_SHAPES
} fit_shape;

/* The terms of each shape, as many of them as it has. */
typedef enum fit_shape_term {
    FIT_SHAPE_STEPS,      /* alpha, s */
    FIT_SHAPE_VOLUME,     /* beta, s/B */
    FIT_SHAPE_START,      /* a, s */
    FIT_SHAPE_CONTENTION, /* beta_c, s/B */
    FIT_SHAPE_PROCESSES   /* delta, s */
} fit_shape_term;

extern const fit_law fit_shape_laws[FIT_SHAPES];

#endif
