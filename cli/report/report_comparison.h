/* The parts of a prediction against the phases of runs, as reports and as JSON. */
#ifndef CLI_REPORT_COMPARISON_H
#define CLI_REPORT_COMPARISON_H

#include <jansson.h>

#include "cli/output/render.h"
#include "model/runs/comparison.h"

/* The reports: every point part by part, and the parts over all points with the verdict. Shape
 * [COMPARISON_REPORTS]; free each. */
enum { COMPARISON_REPORTS = 2 };
void cli_report_comparison(const isocast_comparison *comparison, const char *runs_name,
                           cli_report *reports[COMPARISON_REPORTS]);

/* {"schema": "isocast.comparison/1", ...}; takes the provenance over. NULL where memory is short.
 */
json_t *cli_json_comparison(const isocast_comparison *comparison, const char *runs_name,
                            json_t *provenance);

#endif
