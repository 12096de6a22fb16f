/* What a twin of a machine is worth, as a report. */
#ifndef CLI_REPORT_TWIN_H
#define CLI_REPORT_TWIN_H

#include "calibrate/campaign/twin.h"
#include "cli/output/render.h"

/* A row for each operation, one for all collectives, and in words which to use. Free with
 * cli_report_free(). */
cli_report *cli_report_twin(const campaign_twin *twin, const isocast_machine *machine);

#endif
