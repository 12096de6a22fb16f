/* Times and reference factors of processor sets as a report and as JSON. */
#ifndef CLI_REPORT_SETS_H
#define CLI_REPORT_SETS_H

#include <jansson.h>

#include "cli/output/render.h"
#include "model/runs/set_times.h"
#include "model/solve/psi_matrix.h"

/* A row for each set. Free it. */
cli_report *cli_report_of_sets(const isocast_set_table *table);

/* The matrix's title. */
void cli_title_of_sets(const isocast_set_table *table, isocast_buffer *out);

/* {"schema": "isocast.processor-sets/1", ...}; `matrix` is NULL where none was asked for. Takes the
 * command line over. NULL where memory is short. */
json_t *cli_json_sets(const isocast_set_table *table, const isocast_psi_matrix *matrix,
                      json_t *command);

#endif
