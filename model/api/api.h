/* What each public function does first and last. Private to the room. */
#ifndef ISOCAST_API_CALL_H
#define ISOCAST_API_CALL_H

#include <locale.h>
#include <stddef.h>

#include "model/base/diagnostic.h"

/* A call of a public function. */
typedef struct isocast_api_call {
    isocast_diagnostics *diagnostics; /* the caller's list, or `unheard`; never NULL */
    isocast_diagnostics unheard;
    locale_t before;
} isocast_api_call;

/* Turns GSL's aborting error handler off, and takes care that numbers are read and written with a
 * point in this thread, whatever locale the program has set. `diagnostics` may be NULL. The call
 * must stay where it is until it is left. */
void isocast_api_enter(isocast_api_call *call, isocast_diagnostics *diagnostics);

/* Puts the locale back. Gives the status that the function comes back with: the one it is given, or
 * NO_MEMORY where memory was too short for a diagnostic. */
isocast_status isocast_api_leave(isocast_api_call *call, isocast_status status);

/* Where in a record the number of a quantity is; 0 stands for one that it has not. */
#define ISOCAST_API_PLACE(type, member) (offsetof(type, member) + 1)
/* The number at places[quantity], [count]; NAN where there is none, or no record. */
double isocast_api_number(const void *record, const size_t *places, size_t count,
                          unsigned quantity);

#endif
