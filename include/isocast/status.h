/* The outcomes of isocast's functions and of the rows in its results. Later versions add values at
 * the end of a list and change none. */
#ifndef ISOCAST_PUBLIC_STATUS_H
#define ISOCAST_PUBLIC_STATUS_H

#include <isocast/export.h>

ISOCAST_BEGIN_C

/* What a function comes back with. The diagnostics say where a problem is and how to correct it; a
 * row's own status says whether it has a solution. */
#define ISOCAST_STATUS_LIST(X)                                                                     \
    X(OK, "no error")                                                                              \
    X(INVALID, "the input has problems; the diagnostics name each of them")                        \
    X(NO_MEMORY, "out of memory")                                                                  \
    X(IO, "the system cannot read or write a file")                                                \
    X(DOMAIN, "a formula has no finite value at this point")                                       \
    X(ARGUMENT, "an argument is outside its documented range")                                     \
    X(NUMERIC, "a numerical method gave no result")                                                \
    X(PROGRAM, "a program that was started failed")                                                \
    X(INTERRUPTED, "it was asked to stop before its end")

typedef enum isocast_status {
#define ISOCAST_STATUS_ENUM(name, message) ISOCAST_##name,
    ISOCAST_STATUS_LIST(ISOCAST_STATUS_ENUM)
#undef ISOCAST_STATUS_ENUM
} isocast_status;

/* The message of a status: one clause without a full stop. Never NULL; not to be freed. */
ISOCAST_PUBLIC const char *isocast_status_message(isocast_status status);

typedef enum isocast_severity {
    ISOCAST_ERROR,  /* the input cannot be used */
    ISOCAST_WARNING /* it can be used, but may not mean what its author meant */
} isocast_severity;

/* A list of problems: isocast/diagnostics.h. */
typedef struct isocast_diagnostics isocast_diagnostics;

/* What became of a row of a prediction: whether N' was found on its system. */
#define ISOCAST_ROW_LIST(X)                                                                        \
    X(OK, "ok")                                                                                    \
    X(UNREACHABLE, "unreachable")                                                                  \
    X(BEYOND_MEMORY, "beyond-memory")                                                              \
    X(BEYOND_CONCURRENCY, "beyond-concurrency")                                                    \
    X(SEVERAL, "several")                                                                          \
    X(NOT_CONVERGED, "not-converged")                                                              \
    X(NOT_VALID, "not-valid")

typedef enum isocast_row_status {
#define ISOCAST_ROW_ENUM(name, word) ISOCAST_ROW_##name,
    ISOCAST_ROW_LIST(ISOCAST_ROW_ENUM)
#undef ISOCAST_ROW_ENUM
} isocast_row_status;

/* The word of a row's status, as every output of the command has it. Never NULL; not to be freed.
 */
ISOCAST_PUBLIC const char *isocast_row_status_word(isocast_row_status status);

ISOCAST_END_C

#endif
