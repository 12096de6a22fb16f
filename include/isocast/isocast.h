/* libisocast predicts how a parallel program scales, from analytic models. This header includes all
 * that is public. docs/reference/library.md shows its use.
 *
 * - Every number is in the SI unit that its comment says: s, flop, flop/s, B. NAN marks what is not
 *   known.
 * - A function that can fail gives an isocast_status. Its outputs come last and are set on
 *   ISOCAST_OK only, and then belong to the caller, who frees each with the function that its
 * comment names. Nothing is left to be freed after an error.
 * - The library neither prints nor ends the process, reads no environment variable and depends on
 * no folder. It turns the aborting error handler of the GNU Scientific Library off, unless the
 *   program has set one of its own.
 * - Several threads may call it at once. Handles do not change after they were made, so threads may
 *   share them; each thread has a list of diagnostics of its own.
 *
 * The interface may grow in any version. What is there keeps its meaning and its binary form as
 * long as ISOCAST_VERSION_MAJOR stays. */
#ifndef ISOCAST_H
#define ISOCAST_H

#include <isocast/diagnostics.h>
#include <isocast/files.h>
#include <isocast/forecast.h>
#include <isocast/growth.h>
#include <isocast/metric.h>
#include <isocast/prediction.h>
#include <isocast/runs.h>
#include <isocast/scaling.h>
#include <isocast/status.h>

/* The version of this header. */
#define ISOCAST_VERSION_MAJOR 1
#define ISOCAST_VERSION_MINOR 0
#define ISOCAST_VERSION_PATCH 0
/* As one number that rises: 1.0.0 is 10000. */
#define ISOCAST_VERSION_NUMBER                                                                     \
    (ISOCAST_VERSION_MAJOR * 10000 + ISOCAST_VERSION_MINOR * 100 + ISOCAST_VERSION_PATCH)

ISOCAST_BEGIN_C

/* The version of the library that the program runs with, as text ("1.0.0") and as the number above.
 * The text is not to be freed. */
ISOCAST_PUBLIC const char *isocast_version(void);
ISOCAST_PUBLIC int isocast_version_number(void);

ISOCAST_END_C

#endif
