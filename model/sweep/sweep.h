/* A sweep: at each point of a design, an algorithm on each system for each target (or size), row by
 * row. The rows are cut into blocks of a fixed number, and any block is computed by its number
 * alone. A row is what isocast_batch_solve() gives. Formats nothing, writes nothing. */
#ifndef ISOCAST_SWEEP_H
#define ISOCAST_SWEEP_H

#include "model/solve/batch.h"
#include "sweep_request.h"

/* Immutable once created: several threads may compute blocks, each with a worker of its own. */
typedef struct isocast_sweep isocast_sweep;

/* The request and all that it points to must outlive the sweep. Errors: ARGUMENT (more than
 * ISOCAST_SWEEP_ROWS_MAX rows, or none), NO_MEMORY. */
isocast_status isocast_sweep_create(const isocast_sweep_request *request, isocast_sweep **out);
void isocast_sweep_free(isocast_sweep *sweep);

#define ISOCAST_SWEEP_ROWS_MAX 1e10

/* How many rows a request has, also where these are too many. From row to row the system changes
 * first, then the target, then the point. */
double isocast_sweep_rows_of(const isocast_sweep_request *request);
double isocast_sweep_rows(const isocast_sweep *sweep);
/* Rows of a block; the last block may have fewer. */
enum { ISOCAST_SWEEP_BLOCK = 4 * ISOCAST_BATCH_BLOCK };
double isocast_sweep_blocks(const isocast_sweep *sweep);
const isocast_sweep_request *isocast_sweep_request_of(const isocast_sweep *sweep);
/* Whether a property of node classes varies, so that C is not the same in all rows of a system. */
bool isocast_sweep_varies_systems(const isocast_sweep *sweep);

/* The rows of one block. NAN marks what is not known or does not apply. */
typedef struct isocast_sweep_records {
    double first; /* number of its first row, from 0 on */
    size_t count;
    double *const *values; /* [axis_count][count], SI */
    size_t *system;        /* [count], index among the request's systems; like all below */
    size_t *target;        /* index among the request's targets or N */
    double *C;             /* flop/s; NAN where the machine cannot hold the system */
    isocast_batch_results results;
    double *psi; /* to this system from the one before it in the list, at the same point and target;
                    NAN for the first, where N is given, and where the metric has none */
    double *nodes;  /* that the system uses */
    double *price;  /* of these with what they need, in the machine's currency (bill.h) */
    double *power;  /* W */
    double *energy; /* of a run, W s */
    double *cost;   /* of a run, in the machine's currency */
} isocast_sweep_records;

/* What one thread needs to compute blocks. */
typedef struct isocast_sweep_worker isocast_sweep_worker;
/* Errors: NO_MEMORY. The sweep must outlive it. */
isocast_status isocast_sweep_worker_create(const isocast_sweep *sweep, isocast_sweep_worker **out);
void isocast_sweep_worker_free(isocast_sweep_worker *worker);

/* Computes a block; *out stands in the worker until its next call. Errors: NO_MEMORY. */
isocast_status isocast_sweep_compute(isocast_sweep_worker *worker, double block,
                                     isocast_sweep_records *out);

#endif
