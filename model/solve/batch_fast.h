/* The fast ways of a batch. Where work and times are sums of powers of N (powers.h), the root is
 * the only one by Descartes' rule of signs and is found over many conditions at once
 * (power_roots.h); else all roots are found by bands (reach_roots.h). A condition either gets what
 * the reference path gives, or is left to it. Private to batch.c. */
#ifndef ISOCAST_BATCH_FAST_H
#define ISOCAST_BATCH_FAST_H

#include "batch_request.h"

typedef struct isocast_batch_fast isocast_batch_fast;

/* *out is NULL where the request's model and metric have no such way. Errors: NO_MEMORY. */
isocast_status isocast_batch_fast_create(const isocast_batch_request *request,
                                         isocast_batch_fast **out);
/* NULL is allowed. */
void isocast_batch_fast_free(isocast_batch_fast *fast);

/* What one thread needs to work; free with free(). NULL without memory. */
typedef struct isocast_batch_desk isocast_batch_desk;
isocast_batch_desk *isocast_batch_desk_create(const isocast_batch_fast *fast);
void isocast_batch_desk_free(isocast_batch_desk *desk);

/* Solves conditions number `first` to first + count - 1, at most ISOCAST_BATCH_BLOCK, and puts
 * their results; solved[k]: that of first + k is done. Errors: NO_MEMORY. */
isocast_status isocast_batch_fast_solve(const isocast_batch_fast *fast, isocast_batch_desk *desk,
                                        const isocast_batch_results *results, size_t first,
                                        size_t count, isocast_effort *effort, bool *solved);

#endif
