/* Whether an input moves the ends of a program's sums, and so how many terms these have. Evaluates
 * nothing. */
#ifndef ISOCAST_SUM_ENDS_H
#define ISOCAST_SUM_ENDS_H

#include "program.h"

/* *out is true where an end of any sum hangs on the input, by its index. Errors: NO_MEMORY. */
isocast_status isocast_program_sum_ends_use(const isocast_program *program, size_t input,
                                            bool *out);

#endif
