/* What was learnt of an operation from timings, as a machine file has it. */
#ifndef FIT_RESULT_TEXT_H
#define FIT_RESULT_TEXT_H

#include "fit_result.h"

/* Appends the keys of the operation that state its time, each line with so many blanks before it.
 */
void fit_result_put(const fit_result *result, size_t indent, isocast_buffer *out);

#endif
