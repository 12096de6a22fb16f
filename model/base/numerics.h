/* What the GNU Scientific Library does when it fails: it gives back a status that the caller
 * checks, in place of ending the process, as is its default. */
#ifndef ISOCAST_NUMERICS_H
#define ISOCAST_NUMERICS_H

#include "status.h"

/* Called before anything of GSL is; safe to call often and from several threads. Changes GSL's
 * error handler, which all of a process shares, once and only where it is the default one. A
 * program that has set a handler before keeps it, and sees isocast's failures in it; one that sets
 * a handler later replaces this. */
void isocast_numerics_prepare(void);

/* What a status of GSL comes to: OK, NO_MEMORY, or NUMERIC for any other failure. */
isocast_status isocast_numerics_status(int gsl_status);

#endif
