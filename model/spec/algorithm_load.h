/* Algorithm files: one is read, and checked as a whole. */
#ifndef ISOCAST_ALGORITHM_LOAD_H
#define ISOCAST_ALGORITHM_LOAD_H

#include "algorithm.h"

/* Loads an algorithm file and checks all of it that needs no machine. Errors, each with
 * diagnostics: IO, INVALID, NO_MEMORY. */
ISOCAST_API isocast_status isocast_algorithm_load(const char *path,
                                                  isocast_diagnostics *diagnostics,
                                                  isocast_algorithm **out);

#endif
