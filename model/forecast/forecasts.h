/* Forecasts of all series of a file at the p and N that are asked for. */
#ifndef ISOCAST_FORECASTS_H
#define ISOCAST_FORECASTS_H

#include "forecast.h"
#include "series.h"

/* T at one p and N. */
typedef struct isocast_forecast_row {
    const isocast_series *series; /* NULL: N is that of none */
    const char *const *keys;      /* as of series */
    double N;                     /* NAN: no size is held */
    double p;
    isocast_forecast_value value;
    double N_from;     /* N of the series that T was read off, where that is another; NAN */
    double efficiency; /* against the smallest p that was run, like the next one; NAN */
    double speedup;    /* p times that */
    double cost;       /* p T, processor s */
    double rivals[ISOCAST_RIVAL_COUNT]; /* s; of T by the series' own runs */
} isocast_forecast_row;

typedef struct isocast_forecasts {
    const isocast_series_list *list;
    isocast_forecast **of;      /* [list->count] */
    isocast_forecast_row *rows; /* [count] */
    size_t count;
    /* Each series of enough points from its largest p to the farthest that is asked for or can be
     * forecast, evenly in ln p: [list->count][ISOCAST_FORECAST_CURVE]; NULL: not asked for. */
    isocast_forecast_row *curves;
} isocast_forecasts;

enum { ISOCAST_FORECAST_ROWS_MAX = 100000, ISOCAST_FORECAST_CURVE = 25 };

/* p: shape [p_count]; none: 2, 4, 8 and 16 times the largest of each series. N: shape [N_count];
 * none: that of each series. curves: whether to make them. The list must outlive the result.
 * Errors: ARGUMENT where there would be too many rows, NO_MEMORY. */
isocast_status isocast_forecasts_make(const isocast_series_list *list, const double *p,
                                      size_t p_count, const double *N, size_t N_count, bool curves,
                                      isocast_forecasts **out);
void isocast_forecasts_free(isocast_forecasts *forecasts);

#endif
