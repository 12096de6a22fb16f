/* Forecasts that commands write: what each is made of, its reports (results.h), and its files. */
#ifndef CLI_FORECAST_RESULTS_H
#define CLI_FORECAST_RESULTS_H

#include "cli/output/fields.h"
#include "model/forecast/forecasts.h"
#include "model/forecast/laws.h"
#include "model/forecast/next.h"
#include "report_joined.h"

/* Forecasts from runs. */
typedef struct cli_forecast_view {
    cli_subject subject;
    const isocast_forecasts *forecasts;
    const isocast_laws *laws;     /* of each series; NULL: not asked for */
    const isocast_next_run *next; /* [next_count]; NULL: not asked for */
    size_t next_count;
} cli_forecast_view;

/* The forecasts, the series, and the laws and the next runs where they are asked for. */
cli_reports_maker cli_reports_of_forecast;

/* What keeps a series apart from the others, [list->key_count]: "solve"; empty where there is one.
 */
void cli_forecast_put_keys(const isocast_series_list *list, const char *const *keys,
                           isocast_buffer *out);

/* What a series is called: "solve, N = 100". */
void cli_forecast_series_name(const cli_forecast_view *view, const isocast_series *series,
                              isocast_buffer *out);

/* Forecasts as formulas in a file: as text, LaTeX or Python, by the ending of its name. That of
 * each series, and what stands beside it. */
void cli_forecast_formulas(const cli_forecast_view *view, const char *path, isocast_buffer *out);

/* T of a joined forecast by each of its sizes: through what the fit says of the runs of that size,
 * and the rows. A size with T at fewer than two p has none. */
void cli_joined_formulas(const cli_joined_view *view, const char *path, isocast_buffer *out);

/* Runs in the formats of Extra-P 4: its text format, or JSON Lines by a name that ends in .jsonl.
 * False where the text format cannot have them, as not all regions were run at the same points. */
bool cli_forecast_extra_p(const cli_forecast_view *view, const char *path, isocast_buffer *out);

#endif
