/* An explanation as reports (tables, Markdown, CSV) and as JSON ("isocast.explanation/1" of
 * docs/result-schema.json). */
#ifndef CLI_REPORT_EXPLANATION_H
#define CLI_REPORT_EXPLANATION_H

#include "cli/output/render.h"
#include "model/solve/explanation.h"
#include "subject.h"

/* For people the parts of T, a column for each system and, for one system, a bar; and what moves N'
 * or T, where something does. For files a row for each system and part. The result is an
 * isocast_explanation. */
size_t cli_reports_of_explanation(const void *view, bool csv, cli_report **reports);

/* What does not matter, and the factors by which it would: a row for each number of the machine; in
 * files also for those that matter. Where no system has a solution, for people the parts, which say
 * why. The result is an isocast_explanation whose factors were looked for. */
size_t cli_reports_of_idle(const void *view, bool csv, cli_report **reports);

#endif
