/* Runs in the formats of Extra-P 4: its text format, or JSON Lines by a name that ends in .jsonl.
 */
#ifndef CLI_FORECAST_EXTRA_P_H
#define CLI_FORECAST_EXTRA_P_H

#include "report_forecast.h"

/* False where the text format cannot have them, as not all regions were run at the same points. */
bool cli_forecast_extra_p(const cli_forecast_view *view, const char *path, isocast_buffer *out);

#endif
