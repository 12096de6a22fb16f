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

#endif
