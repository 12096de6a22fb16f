/* An isoefficiency function as reports (tables, Markdown, CSV) and as JSON ("isocast.growth/1" of
 * docs/result-schema.json). */
#ifndef CLI_REPORT_GROWTH_H
#define CLI_REPORT_GROWTH_H

#include "cli/output/render.h"
#include "model/solve/isoefficiency.h"
#include "subject.h"

typedef struct cli_growth_view {
    cli_subject subject;
    const isocast_isoefficiency *isoefficiency;
} cli_growth_view;

/* What it says: the whole is a cli_growth_view. */
extern const isocast_table cli_growth_rows, cli_growth_parts;
isocast_item cli_growth_row_item, cli_growth_part_item;

/* W', costs and overheads of each system, as processor-time. NULL where memory is short, like the
 * next one. */
cli_report *cli_report_of_isoefficiency(const cli_growth_view *view, const double *other_sizes);
/* What each part and each bound needs, and in sentences what follows. */
cli_report *cli_report_of_growth(const cli_growth_view *view);

#endif
