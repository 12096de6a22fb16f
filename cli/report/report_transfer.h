/* Runs carried over to another machine, as a report and as JSON. */
#ifndef CLI_REPORT_TRANSFER_H
#define CLI_REPORT_TRANSFER_H

#include "cli/output/render.h"
#include "model/runs/transfer.h"
#include "subject.h"

/* What was computed of what. */
typedef struct cli_transfer_view {
    cli_subject subject; /* the algorithm is NULL where none was asked for */
    const isocast_transfer *transfer;
    const isocast_transfer_request *request;
    const char *from_path, *to_path;
} cli_transfer_view;

/* One report. */
size_t cli_reports_of_transfer(const void *view, bool csv, cli_report **reports);

#endif
