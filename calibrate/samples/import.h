/* Files of timings that people have: CSV with a header, and the text output of the OSU
 * micro-benchmarks, the Intel MPI Benchmarks, SKaMPI 5 and ReproMPI. Which one a file is, it states
 * itself. docs/how-to/fitting.md has the formats. Fits nothing. */
#ifndef IMPORT_H
#define IMPORT_H

#include "model/base/input.h"
#include "observations.h"

/* Adds what a file has ("-": standard input). processes: how many ran, for files that do not report
 * (OSU's and some of SKaMPI's); 0 where not known. Each file, and each run within one, is a launch
 * of its own. Problems are reported with their place. Errors: INVALID, IO, NO_MEMORY; what was read
 * until then stays. */
isocast_status import_file(const char *path, double processes, observations *out,
                           isocast_diagnostics *diagnostics);
/* The same of the rows of one system, by the column of that name, which the names of operations
 * then leave out. NULL: all rows. Text outputs speak of one system anyway. */
isocast_status import_file_of(const char *path, isocast_input_kind kind, const char *system,
                              double processes, observations *out,
                              isocast_diagnostics *diagnostics);

#endif
