/* The one list of what a library call can come back with. It says nothing about where or why:
 * problems in input files are told by diagnostics (diagnostic.h), the outcome of a solved row by
 * the row's own status (solution.h). */
#ifndef ISOCAST_STATUS_H
#define ISOCAST_STATUS_H

#include <stdbool.h>

#include "api.h"

#define ISOCAST_STATUS_LIST(X)                                                                     \
    X(OK, "no error")                                                                              \
    X(INVALID, "the input has problems; the diagnostics name each of them")                        \
    X(NO_MEMORY, "out of memory")                                                                  \
    X(IO, "the system cannot read or write a file")                                                \
    X(DOMAIN, "a formula has no finite value at this point")                                       \
    X(ARGUMENT, "an argument is outside its documented range")

typedef enum isocast_status {
#define ISOCAST_STATUS_ENUM(name, message) ISOCAST_##name,
    ISOCAST_STATUS_LIST(ISOCAST_STATUS_ENUM)
#undef ISOCAST_STATUS_ENUM
} isocast_status;

/* Whether the system failed, rather than the input or the caller: NO_MEMORY and IO. Reading on in
 * other files makes no sense then, and it counts more than what is wrong with an input. */
ISOCAST_API bool isocast_status_is_of_system(isocast_status status);

/* The message of a status, as one clause without a full stop; never NULL. */
ISOCAST_API const char *isocast_status_message(isocast_status status);

#endif
