/* Runs carried over to another machine, as a report and as JSON. */
#ifndef CLI_REPORT_TRANSFER_H
#define CLI_REPORT_TRANSFER_H

#include <jansson.h>

#include "cli/output/render.h"
#include "model/runs/transfer.h"

/* What was computed of what. */
typedef struct cli_transfer_view {
    const isocast_transfer *transfer;
    const isocast_transfer_request *request;
    const isocast_algorithm *algorithm; /* NULL: none was asked for */
    const char *runs_name, *from_path, *to_path;
} cli_transfer_view;

/* "ok", "beyond-nodes". */
const char *cli_transfer_status_name(isocast_transfer_status status);

/* What share of a node's time is taken as bound by memory, and why: one sentence. */
void cli_transfer_why(const isocast_transfer *transfer, isocast_buffer *out);

/* Free it. */
cli_report *cli_report_of_transfer(const cli_transfer_view *view);

/* {"schema": "isocast.transfer/1", ...}; takes the command line over. NULL where memory is short.
 */
json_t *cli_json_transfer(const cli_transfer_view *view, json_t *command);

#endif
