/* Fitted operations for people and for programs. */
#ifndef CLI_REPORT_FIT_H
#define CLI_REPORT_FIT_H

#include <jansson.h>

#include "calibrate/fit/fit_result.h"
#include "cli/output/render.h"

/* A row an operation, the verdicts below. */
cli_report *cli_report_fit(const fit_results *results);
/* A row a coefficient, of every formula that has names for them. */
cli_report *cli_report_coefficients(const fit_results *results);
/* The whole: schema isocast.fit/1 (docs/result-schema.json), with forecasts at the numbers of
 * processes in `to` (shape [to_count]; none: 2, 4 and 8 times the largest measured); takes the
 * provenance over. NULL where memory is short. */
json_t *cli_json_fit(const fit_results *results, const double *to, size_t to_count,
                     json_t *provenance);

/* What was measured and what the formula says, a row for each launch of each (p, m): CSV. */
void cli_fit_residuals(const observations *o, const fit_results *results, isocast_buffer *out);

#endif
