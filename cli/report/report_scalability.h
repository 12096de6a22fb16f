/* A computed scalability as a report and as JSON. */
#ifndef CLI_REPORT_SCALABILITY_H
#define CLI_REPORT_SCALABILITY_H

#include <jansson.h>

#include "cli/output/render.h"
#include "model/runs/scalability.h"
#include "model/solve/psi_matrix.h"

/* What was computed of what. */
typedef struct cli_scalability_view {
    const isocast_scalability *scalability;
    const isocast_algorithm *algorithm;
    const char *runs_name;
    const isocast_psi_matrix *matrix; /* psi between all pairs; NULL: not asked for */
    const isocast_machine *machine;   /* that was asked for marked speeds; NULL: none */
} cli_scalability_view;

/* "ok", "several", "below", "above", "misfit", "too-few". */
const char *cli_scalability_status_name(isocast_scalability_status status);

/* "polynomial" or "monotone"; NULL where there is no trend line. */
const char *cli_scalability_trend_name(const isocast_scalability_row *row);

/* Of the polynomial; NAN where there is none. */
double cli_scalability_degree(const isocast_scalability_row *row);

/* Root mean square leave-one-out error of E of the line that was read; NAN where there is none. */
double cli_scalability_error(const isocast_scalability_row *row);

/* What was computed, in one line. */
void cli_title_of_scalability(const cli_scalability_view *view, isocast_buffer *out);

/* Free it. */
cli_report *cli_report_of_scalability(const cli_scalability_view *view);

/* {"schema": "isocast.scalability/1", ...}; takes the provenance over. NULL where memory is short.
 */
json_t *cli_json_scalability(const cli_scalability_view *view, json_t *provenance);

#endif
