/* Runs in the formats of other programs as a table of runs, with the columns p, T and what else
 * they have:
 *     Extra-P 4       its text format, and JSON Lines
 *     hyperfine       --export-json (each of the times is a run) and --export-csv
 *     ReFrame         performance logs, and run reports in JSON
 *     Benchpark       what `ramble workspace analyze --formats json` writes
 *     Caliper         records in JSON: a list of objects, or columns, data and nodes
 * Names are those of the files, but for a few (run_table.c): processes are p, the value is T. */
#ifndef ISOCAST_RUN_FILES_H
#define ISOCAST_RUN_FILES_H

#include "model/base/csv.h"

/* Whether a source is in one of them, by how it begins. */
bool isocast_run_file_recognise(const isocast_source *source);

/* Each value is a row, whose fields have the places of what they come from. Errors: INVALID, with
 * diagnostics; NO_MEMORY. */
isocast_status isocast_run_file_read(const isocast_source *source, isocast_diagnostics *diagnostics,
                                     isocast_csv *out);

#endif
