/* Which collective operation of the library an operation calls, and what is known of its choices
 * before anything is measured (model/collective): which algorithm is taken where. */
#ifndef FIT_CALLED_H
#define FIT_CALLED_H

#include "fit_summary.h"
#include "model/base/buffer.h"
#include "model/collective/choice.h"

/* "T_bcast_barrier" calls a broadcast, "T_gather" a gather. False where none is called. */
bool fit_called_find(const char *name, isocast_collective_operation *out);

/* The library of a platform or machine, by what samples say of it; MPICH where nothing does. */
isocast_collectives fit_called_library(const char *environment);

/* The row of the library's table that holds where an item was measured. NULL where memory is
 * short, or the table says nothing. */
const isocast_collective_choice *fit_called_choice(isocast_collectives library,
                                                   isocast_collective_operation operation,
                                                   const fit_summary *item);

/* Of the operation's name, where an algorithm is fitted by itself: "_scatter_ring". */
const char *fit_called_ending(const isocast_collective_choice *row);

/* The row that a name with such an ending means; NULL where it has none. */
const isocast_collective_choice *fit_called_row_of(const char *name);

/* Appends the formula that calls NAME_scatter_ring(m, p) and the others where they are taken.
 * `seen`: rows whose algorithms were; others are like the nearest of these in the table. */
void fit_called_text(isocast_collectives library, isocast_collective_operation operation,
                     const char *name, const isocast_collective_choice *const *seen, size_t count,
                     isocast_buffer *out);

#endif
