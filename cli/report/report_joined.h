/* Forecasts by an algorithm whose open numbers were fitted to runs: rows of T, the numbers, and
 * their JSON. */
#ifndef CLI_REPORT_JOINED_H
#define CLI_REPORT_JOINED_H

#include "cli/output/fields.h"
#include "model/runs/joined.h"
#include "subject.h"

typedef struct cli_joined_view {
    cli_subject subject;
    const isocast_joint_fit *fit;
    const isocast_joined *joined;
} cli_joined_view;

/* The forecasts, and the numbers. */
cli_reports_maker cli_reports_of_joined;

/* What was fitted to what, in sentences. */
void cli_joint_fit_put(const isocast_joint_fit *fit, const isocast_algorithm *algorithm,
                       isocast_buffer *out);

#endif
