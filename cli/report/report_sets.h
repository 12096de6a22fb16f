/* Times and reference factors of processor sets as a report and as JSON. */
#ifndef CLI_REPORT_SETS_H
#define CLI_REPORT_SETS_H

#include "cli/output/render.h"
#include "model/runs/set_times.h"
#include "subject.h"

typedef struct cli_sets_view {
    cli_subject subject; /* the command line and the matrix */
    const isocast_set_table *table;
} cli_sets_view;

/* A row for each set. Free it. */
cli_report *cli_report_of_sets(const cli_sets_view *view);

/* The formula that psi was computed by. */
const char *cli_psi_of_sets(const isocast_set_table *table);

/* The matrix's title. */
void cli_title_of_sets(const isocast_set_table *table, isocast_buffer *out);

#endif
