/* The parts of a prediction against the phases of runs, as reports and as JSON. */
#ifndef CLI_REPORT_COMPARISON_H
#define CLI_REPORT_COMPARISON_H

#include "cli/output/render.h"
#include "model/runs/comparison.h"
#include "subject.h"

typedef struct cli_comparison_view {
    cli_subject subject;
    const isocast_comparison *comparison;
} cli_comparison_view;

/* What it says: the whole of cells and groups is an isocast_comparison, that of the JSON a
 * cli_comparison_view. A cell is a group, by its number, at a point. */
extern const isocast_table cli_comparison_cells, cli_comparison_groups;
isocast_item cli_comparison_point_item, cli_comparison_group_item;

/* The columns of the runs that measure a group, or "rest of T". */
const char *cli_phases_of(const isocast_comparison_group *group);

/* The reports: every point part by part, and the parts over all points with the verdict. Shape
 * [COMPARISON_REPORTS]; free each. */
enum { COMPARISON_REPORTS = 2 };
void cli_report_comparison(const cli_comparison_view *view,
                           cli_report *reports[COMPARISON_REPORTS]);

#endif
