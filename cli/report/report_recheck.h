/* Whether a machine file still describes a machine, as a report. */
#ifndef CLI_REPORT_RECHECK_H
#define CLI_REPORT_RECHECK_H

#include "calibrate/campaign/recheck.h"
#include "cli/output/render.h"

/* A row for each point, and the verdict below. Free with cli_report_free(). */
cli_report *cli_report_recheck(const campaign_recheck *r, const isocast_machine *machine);

#endif
