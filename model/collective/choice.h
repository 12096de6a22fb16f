/* Which algorithm a library takes: tables of rows, of which the first that fits holds. */
#ifndef ISOCAST_COLLECTIVE_CHOICE_H
#define ISOCAST_COLLECTIVE_CHOICE_H

#include "algorithm.h"

/* What must hold for a row besides its bounds. */
enum {
    COLLECTIVE_POWER_OF_TWO = 1,
    COLLECTIVE_NODES = 2,    /* more than one process on some node */
    COLLECTIVE_ORDERED = 4,  /* the operation does not commute */
    COLLECTIVE_COMMUTES = 8, /* it does */
    COLLECTIVE_LONG = 16,    /* as many elements as the largest power of two of processes, or more,
                                and an operation of MPI's own */
    COLLECTIVE_TOTAL = 32,   /* the bound of bytes is one of all processes' blocks together */
    COLLECTIVE_EQUAL = 64,   /* blocks of one length */
    COLLECTIVE_CONSECUTIVE = 128, /* each node has consecutive ranks */
    COLLECTIVE_SEVERAL = 256,     /* more than one node */
    COLLECTIVE_IN_PLACE = 512
};

typedef struct isocast_collective_choice {
    isocast_collective_operation operation;
    int below;    /* processes; 0: any number */
    size_t under; /* B of the vector or of the block of each process; 0: any length */
    int conditions;
    void (*algorithm)(const isocast_collective_part *p);
    int parameter;
} isocast_collective_choice;

typedef struct isocast_collective_choices {
    const isocast_collective_choice *rows;
    size_t count;
} isocast_collective_choices;

/* Each where its source is said. */
extern const isocast_collective_choices isocast_collective_mpich_choices;
extern const isocast_collective_choices isocast_collective_openmpi_choices;
extern const isocast_collective_choices isocast_collective_intel_choices;
extern const isocast_collective_choices isocast_collective_mvapich2_choices;
extern const isocast_collective_choices isocast_collective_cray_choices;

const isocast_collective_choices *isocast_collective_choices_of(isocast_collectives library);

/* "bcast_scatter_ring": the name of a row's algorithm. */
const char *isocast_collective_algorithm_name(const isocast_collective_choice *row);

/* Does the part of one process in an operation as its library does it. Without processes or
 * elements nothing is done, but for barriers. */
void isocast_collective_do(const isocast_collective_part *p,
                           isocast_collective_operation operation);
/* Whether anything that the library does depends on which processes share a node. */
bool isocast_collective_knows_nodes(isocast_collectives library);
/* The row that is taken; NULL: the tables say nothing, which is for operations of one process. */
const isocast_collective_choice *isocast_collective_choose(const isocast_collective_part *p,
                                                           isocast_collective_operation operation);

#endif
