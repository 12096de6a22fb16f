/* A computed scalability as a report and as JSON. */
#ifndef CLI_REPORT_SCALABILITY_H
#define CLI_REPORT_SCALABILITY_H

#include "cli/output/render.h"
#include "model/runs/scalability.h"
#include "model/runs/set_times.h"
#include "subject.h"

/* Times and reference factors of processor sets as a report and as JSON. */

/* Of an isocast_set_table; the subject is the command line, and a matrix where one is asked for:
 * that, or a row for each set. */
size_t cli_reports_of_sets(const void *view, bool csv, cli_report **reports);

/* Of an isocast_scalability; the subject's machine is that which was asked for marked speeds, NULL:
 * none. A row for each system; or, where the subject has a matrix, that. */
size_t cli_reports_of_scalability(const void *view, bool csv, cli_report **reports);

#endif
