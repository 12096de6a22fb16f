/* An isoefficiency function as reports (tables, Markdown, CSV) and as JSON ("isocast.growth/1" of
 * docs/result-schema.json). */
#ifndef CLI_REPORT_GROWTH_H
#define CLI_REPORT_GROWTH_H

#include "cli/output/render.h"
#include "model/solve/isoefficiency.h"
#include "subject.h"

/* W', costs and overheads of each system, as processor-time; for people, what each part and each
 * bound needs, and in sentences what follows. The result is an isocast_isoefficiency. */
size_t cli_reports_of_growth(const void *view, bool csv, cli_report **reports);

#endif
