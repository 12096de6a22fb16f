/* Names of operations: in formulas and in files every one starts with T_, and nothing else does.
 * Which operations there are is not said here. */
#ifndef ISOCAST_OPERATION_NAME_H
#define ISOCAST_OPERATION_NAME_H

#include <stdbool.h>
#include <stddef.h>

#define ISOCAST_OPERATION_PREFIX "T_"

/* Whether a name is one of an operation. */
bool isocast_operation_is_name(const char *name);

/* The same for the first `length` bytes of a text, which need not end there. */
bool isocast_operation_starts(const char *text, size_t length);

/* "bcast" of "T_bcast": a part of the name that it is given. */
const char *isocast_operation_stem(const char *name);

#endif
