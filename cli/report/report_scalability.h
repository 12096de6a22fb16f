/* A computed scalability as a report and as JSON. */
#ifndef CLI_REPORT_SCALABILITY_H
#define CLI_REPORT_SCALABILITY_H

#include "cli/output/render.h"
#include "model/runs/scalability.h"
#include "subject.h"

/* What was computed of what. */
typedef struct cli_scalability_view {
    cli_subject subject; /* the machine is that which was asked for marked speeds; NULL: none */
    const isocast_scalability *scalability;
} cli_scalability_view;

/* What was computed, in one line. */
void cli_title_of_scalability(const cli_scalability_view *view, isocast_buffer *out);

/* Free it. */
cli_report *cli_report_of_scalability(const cli_scalability_view *view);

/* The rows, and the JSON; the whole is a cli_scalability_view. */
extern const isocast_table cli_scalability_rows;
isocast_item cli_scalability_row_item;

#endif
