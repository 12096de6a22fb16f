/* Runs measured on one machine, predicted on another from the data sheets of both: what T becomes
 * on as many nodes, with an interval, and the bare ratios beside it. docs/how-to/transfer.md says
 * why. Formats nothing. */
#ifndef ISOCAST_TRANSFER_H
#define ISOCAST_TRANSFER_H

#include "model/spec/platform.h"
#include "model/spec/work.h"
#include "runs.h"

/* What the time of a node goes by. A quarter of it goes by each where nothing is known. */
typedef enum isocast_transfer_kind {
    ISOCAST_TRANSFER_MEMORY,  /* the memory bandwidth of the node */
    ISOCAST_TRANSFER_CACHES,  /* processors and clock */
    ISOCAST_TRANSFER_ISSUE,   /* likewise: instructions that are no arithmetic of vectors */
    ISOCAST_TRANSFER_VECTORS, /* processors and their speed */
    ISOCAST_TRANSFER_KINDS
} isocast_transfer_kind;

/* A machine, of one node class with a memory bandwidth. */
typedef struct isocast_transfer_site {
    const isocast_machine *machine;
    const isocast_network *network; /* NULL: the file says nothing of it */
} isocast_transfer_site;

typedef enum isocast_transfer_status {
    ISOCAST_TRANSFER_OK,
    ISOCAST_TRANSFER_BEYOND /* the other machine has fewer nodes; nothing is predicted */
} isocast_transfer_status;

/* One size on one number of nodes. NAN marks what is not known. */
typedef struct isocast_transfer_row {
    const double *sizes;             /* [size_count] */
    double nodes;                    /* on both machines */
    double p_here, p;                /* processes here and there */
    double T_here;                   /* s, the median of its runs */
    double T, T_low, T_high;         /* s, there, with its 90 % interval */
    double T_by_memory, T_by_speed;  /* s, by the bare ratio of bandwidths and of speeds */
    double rest;                     /* share of T there that more nodes do not shorten */
    double W;                        /* flop, like the next ones where there is an algorithm */
    double E_here, E, E_low, E_high; /* speed-efficiency */
    double N, N_low, N_high;         /* the first size that has E_here there, on as many nodes */
    double psi;                      /* C'W/(C W') from here to there, with that size */
    isocast_transfer_status status;
} isocast_transfer_row;

struct isocast_transfer {
    isocast_transfer_row *rows; /* [count], by size, then nodes */
    size_t count;
    double *sizes; /* what the rows point into */
    size_t size_count;
    double weights[ISOCAST_TRANSFER_KINDS]; /* shares of the time of a node; their sum is 1 */
    double ratios[ISOCAST_TRANSFER_KINDS];  /* of what a full node takes, there over here */
    size_t evidence;  /* pairs of runs that show the share of memory; 0: it is a quarter */
    bool has_clock;   /* both say the frequency; else it counts as the same */
    bool has_network; /* both say latency and rate of their network; else they count as the same */
};

typedef struct isocast_transfer_request {
    const isocast_runs *runs;
    isocast_transfer_site from, to;
    const isocast_work *work; /* gives E and N'; NULL: none is asked for */
    const char *algorithm;    /* of the rows; NULL: as they name it */
} isocast_transfer_request;

/* Errors: INVALID with diagnostics (as isocast_transfer_points_read; a machine of several node
 * classes, or without memory bandwidth), ARGUMENT (runs without times), NO_MEMORY. */
isocast_status isocast_transfer_compute(const isocast_transfer_request *request,
                                        isocast_diagnostics *diagnostics, isocast_transfer **out);

#endif
