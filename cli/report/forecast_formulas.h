/* Forecasts as formulas in a file: as text, LaTeX or Python, by the ending of its name. */
#ifndef CLI_FORECAST_FORMULAS_H
#define CLI_FORECAST_FORMULAS_H

#include "report_forecast.h"

void cli_forecast_formulas(const cli_forecast_view *view, const char *path, isocast_buffer *out);

#endif
