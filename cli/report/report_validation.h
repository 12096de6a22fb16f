/* A validation as reports and as JSON. */
#ifndef CLI_REPORT_VALIDATION_H
#define CLI_REPORT_VALIDATION_H

#include <jansson.h>

#include "cli/output/render.h"
#include "model/runs/validation.h"

/* The reports: points, systems (N and psi), summary. Shape [VALIDATION_REPORTS]; free each. */
enum { VALIDATION_REPORTS = 3 };
void cli_report_validation(const isocast_validation *validation, const char *runs_name,
                           cli_report *reports[VALIDATION_REPORTS]);

/* {"schema": "isocast.validation/1", ...}; takes the provenance over. NULL where memory is short.
 */
json_t *cli_json_validation(const isocast_validation *validation, const char *runs_name,
                            json_t *provenance);

#endif
