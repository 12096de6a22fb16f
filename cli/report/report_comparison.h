/* The parts of a prediction against the phases of runs, as reports and as JSON. */
#ifndef CLI_REPORT_COMPARISON_H
#define CLI_REPORT_COMPARISON_H

#include "cli/output/render.h"
#include "model/runs/comparison.h"
#include "subject.h"

/* The reports: every point part by part, and the parts over all points with the verdict. The result
 * is an isocast_comparison. */
size_t cli_reports_of_comparison(const void *view, bool csv, cli_report **reports);

#endif
