/* Pipelines among the sites of a program: each process receives from the one before it, computes,
 * and sends to the next one, message after message. All processes are busy only after the first
 * message has come to the last of them, which the calls of no process tell. */
#ifndef ISOCAST_DERIVE_PIPELINES_H
#define ISOCAST_DERIVE_PIPELINES_H

#include "derived.h"
#include "fitter.h"

/* Sets the pipelines of what was derived. Its sites have their laws. Errors: NO_MEMORY. */
isocast_status isocast_derive_pipelines_find(isocast_derived *derived, derive_fitter *fitter);

#endif
