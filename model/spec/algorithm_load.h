/* Algorithm files: one is read, and checked as a whole. */
#ifndef ISOCAST_ALGORITHM_LOAD_H
#define ISOCAST_ALGORITHM_LOAD_H

#include "algorithm.h"

/* Loads an algorithm file and checks all of it that needs no machine. Errors, each with
 * diagnostics: IO, INVALID, NO_MEMORY. */
isocast_status isocast_algorithm_load(const char *path, isocast_diagnostics *diagnostics,
                                      isocast_algorithm **out);
/* The same from a text in memory; `name` is what diagnostics call it. */
isocast_status isocast_algorithm_read_text(const char *name, const char *text, size_t length,
                                           isocast_diagnostics *diagnostics,
                                           isocast_algorithm **out);
/* The same from a source, which the algorithm takes over in every case. */
isocast_status isocast_algorithm_read(isocast_source *source, isocast_diagnostics *diagnostics,
                                      isocast_algorithm **out);

#endif
