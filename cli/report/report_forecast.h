/* Forecasts from runs: rows of T, what they rest on, the laws, and their JSON. */
#ifndef CLI_REPORT_FORECAST_H
#define CLI_REPORT_FORECAST_H

#include "cli/output/render.h"
#include "model/forecast/forecasts.h"
#include "model/forecast/laws.h"
#include "model/forecast/next.h"
#include "subject.h"

/* What was computed. */
typedef struct cli_forecast_view {
    cli_subject subject;
    const isocast_forecasts *forecasts;
    const isocast_laws *laws;     /* of each series; NULL: not asked for */
    const isocast_next_run *next; /* [next_count]; NULL: not asked for */
    size_t next_count;
} cli_forecast_view;

/* At most CLI_REPORTS_MAX reports: the forecasts, the series, and the laws and the next
 * runs where they are asked for. */
size_t cli_reports_of_forecast(const void *view, bool csv, cli_report **reports);

/* What a series is called: "solve, N = 100". */
void cli_forecast_series_name(const cli_forecast_view *view, const isocast_series *series,
                              isocast_buffer *out);

#endif
