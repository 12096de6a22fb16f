/* Forecasts as formulas in a file: as text, LaTeX or Python, by the ending of its name. */
#ifndef CLI_FORECAST_FORMULAS_H
#define CLI_FORECAST_FORMULAS_H

#include "report_forecast.h"
#include "report_joined.h"

/* The forecast of each series, and what stands beside it. */
void cli_forecast_formulas(const cli_forecast_view *view, const char *path, isocast_buffer *out);

/* T of a joined forecast by each of its sizes: through what the fit says of the runs of that size,
 * and the rows. A size with T at fewer than two p has none. */
void cli_joined_formulas(const cli_joined_view *view, const char *path, isocast_buffer *out);

#endif
