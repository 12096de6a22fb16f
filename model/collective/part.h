/* One process's part in a collective operation, and what its algorithm may do: begin to send and to
 * receive blocks of elements, wait, copy and reduce. What an algorithm does never depends on the
 * data, so that the same function moves data in a simulated program (record/simulated) and lists
 * its messages without any (tests/collectives). No MPI here, and no memory but what the carrier
 * has. */
#ifndef ISOCAST_COLLECTIVE_PART_H
#define ISOCAST_COLLECTIVE_PART_H

#include <stdbool.h>
#include <stddef.h>

#include "library.h"

/* Where elements are. */
typedef enum isocast_collective_buffer {
    COLLECTIVE_OUTPUT, /* before: what this process has, at its place; after: the result */
    COLLECTIVE_INPUT,  /* what this process sends to each in alltoall */
    COLLECTIVE_SPARE,  /* as long as the longer of output and input */
    COLLECTIVE_SECOND, /* another one, and another */
    COLLECTIVE_KEPT,
    COLLECTIVE_NOTICE, /* some bytes, whatever the elements are */
    COLLECTIVE_BUFFERS
} isocast_collective_buffer;

enum { COLLECTIVE_NOTICE_BYTES = 16, COLLECTIVE_ANY = -1 /* receives from whoever sends */ };

typedef struct isocast_collective_block {
    isocast_collective_buffer buffer;
    size_t at, count; /* elements */
} isocast_collective_block;

/* What carries messages. Processes are ranks of the communicator. */
typedef struct isocast_collective_carrier {
    int (*start)(void *self, bool sends, int process,
                 isocast_collective_block block); /* a number to wait for */
    void (*wait)(void *self, int started);
    /* NULL, as the next one: only messages count. */
    void (*copy)(void *self, isocast_collective_block to, isocast_collective_block from);
    /* into = other op into where the other comes first, else into op other. */
    void (*reduce)(void *self, isocast_collective_block into, isocast_collective_block other,
                   bool other_first);
} isocast_collective_carrier;

/* Which processes of a communicator share a node. */
typedef struct isocast_collective_layout {
    int size, nodes;
    const int *node;    /* size: node of each rank, numbered by their first ranks */
    const int *local;   /* size: its number among those of its node */
    const int *begins;  /* nodes + 1: where the ranks of each node begin in `ranks` */
    const int *ranks;   /* size: by node */
    const int *leaders; /* nodes: the first rank of each */
} isocast_collective_layout;

typedef struct isocast_collective_part isocast_collective_part;

struct isocast_collective_part {
    const isocast_collective_carrier *carrier;
    void *self; /* the carrier's */
    int size, rank, root;
    const int *ranks;        /* size: of the communicator; NULL: the same numbers */
    size_t count;            /* elements: of the whole vector, or of each process's block */
    const size_t *starts;    /* size + 1: where each process's block begins; NULL: each has count.
                                Gather and scatter: from the root on */
    const size_t *sent;      /* size + 1: the same in the input */
    size_t unit;             /* B of an element */
    bool commutes, built_in; /* of a reduction */
    bool in_place;           /* of an alltoall: what comes has the place of what is sent */
    const isocast_collective_layout *layout; /* NULL: each process has a node of its own */
    isocast_collective_buffer vector;        /* what is broadcast */
    int parameter;                           /* of the algorithm: fan-out, radix */
    isocast_collectives library;
    /* Does what the library does for an operation on a part, for algorithms that are made of such.
     */
    void (*as_library)(const isocast_collective_part *p, isocast_collective_operation operation);
};

static inline isocast_collective_block isocast_collective_piece(isocast_collective_buffer buffer,
                                                                size_t at, size_t count) {
    return (isocast_collective_block){buffer, at, count};
}

static inline int isocast_collective_start(const isocast_collective_part *p, bool sends,
                                           int process, isocast_collective_block block) {
    int rank = p->ranks != NULL && process >= 0 ? p->ranks[process] : process;
    return p->carrier->start(p->self, sends, rank, block);
}

static inline void isocast_collective_wait(const isocast_collective_part *p, int started) {
    p->carrier->wait(p->self, started);
}

static inline void isocast_collective_send(const isocast_collective_part *p, int to,
                                           isocast_collective_block block) {
    isocast_collective_wait(p, isocast_collective_start(p, true, to, block));
}

static inline void isocast_collective_receive(const isocast_collective_part *p, int from,
                                              isocast_collective_block block) {
    isocast_collective_wait(p, isocast_collective_start(p, false, from, block));
}

static inline void isocast_collective_exchange(const isocast_collective_part *p, int to,
                                               isocast_collective_block sent, int from,
                                               isocast_collective_block got) {
    int receiving = isocast_collective_start(p, false, from, got);
    int sending = isocast_collective_start(p, true, to, sent);
    isocast_collective_wait(p, sending);
    isocast_collective_wait(p, receiving);
}

static inline void isocast_collective_copy(const isocast_collective_part *p,
                                           isocast_collective_block to,
                                           isocast_collective_block from) {
    if (p->carrier->copy != NULL) {
        p->carrier->copy(p->self, to, from);
    }
}

static inline void isocast_collective_reduce(const isocast_collective_part *p,
                                             isocast_collective_block into,
                                             isocast_collective_block other, bool other_first) {
    if (p->carrier->reduce != NULL) {
        p->carrier->reduce(p->self, into, other, other_first);
    }
}

/* Where the block of a process begins; `process` may be size: the end of all. */
static inline size_t isocast_collective_start_of(const isocast_collective_part *p, int process) {
    return p->starts != NULL ? p->starts[process] : p->count * (size_t)process;
}

static inline size_t isocast_collective_total(const isocast_collective_part *p) {
    return isocast_collective_start_of(p, p->size);
}

/* The blocks of the processes from one to another. */
static inline isocast_collective_block isocast_collective_blocks(const isocast_collective_part *p,
                                                                 isocast_collective_buffer buffer,
                                                                 int from, int to) {
    size_t at = isocast_collective_start_of(p, from);
    return isocast_collective_piece(buffer, at, isocast_collective_start_of(p, to) - at);
}

static inline int isocast_collective_turn(const isocast_collective_part *p, int rank) {
    return (rank % p->size + p->size) % p->size;
}

/* The largest power of two that is at most n. */
static inline int isocast_collective_power_below(int n) {
    int power = 1;
    while (power <= n / 2) {
        power *= 2;
    }
    return power;
}

#endif
