/* The fast way of a batch: conditions whose work and times are sums of powers of N (powers.h), with
 * one root by Descartes' rule of signs (power_roots.h). It either gives what the reference path
 * gives, or leaves a condition to it. Private to batch.c. */
#ifndef ISOCAST_BATCH_POWERS_H
#define ISOCAST_BATCH_POWERS_H

#include "batch.h"

typedef struct isocast_batch_powers isocast_batch_powers;

/* *out is NULL where the request's model and metric have no such way. Errors: NO_MEMORY. */
isocast_status isocast_batch_powers_create(const isocast_batch_request *request,
                                           isocast_batch_powers **out);
/* NULL is allowed. */
void isocast_batch_powers_free(isocast_batch_powers *powers);

/* What one thread needs to work; free with free(). NULL without memory. */
typedef struct isocast_batch_desk isocast_batch_desk;
isocast_batch_desk *isocast_batch_desk_create(const isocast_batch_powers *powers);
void isocast_batch_desk_free(isocast_batch_desk *desk);

/* Solves conditions number `first` to first + count - 1, at most ISOCAST_BATCH_BLOCK, and puts
 * their results; solved[k]: that of first + k is done. Errors: NO_MEMORY. */
isocast_status isocast_batch_powers_solve(const isocast_batch_powers *powers,
                                          isocast_batch_desk *desk,
                                          const isocast_batch_results *results, size_t first,
                                          size_t count, isocast_effort *effort, bool *solved);

#endif
