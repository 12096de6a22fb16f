/* Arrays that the kernels work on in turn: they grow as they are needed, and what is in them holds
 * until another kernel is prepared. */
#ifndef PROBE_ARRAYS_H
#define PROBE_ARRAYS_H

#include "probe_context.h"

enum { PROBE_ARRAYS = 3 };
extern double *probe_arrays[PROBE_ARRAYS];

/* Makes room for so many numbers in an array; gives it. Ends all processes where memory is short.
 */
double *probe_arrays_room(const probe_context *context, size_t which, size_t numbers);

/* Numbers between -0.5 and 0.5. */
void probe_arrays_fill(double *numbers, size_t count);

/* Rows of this process's block of a matrix of N rows. */
size_t probe_arrays_rows(const probe_context *context, size_t N);

#endif
