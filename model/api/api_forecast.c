#include <isocast/forecast.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "api.h"
#include "model/forecast/forecast.h"

static bool is_positive(double value) {
    return isfinite(value) && value > 0;
}

isocast_status isocast_forecast_create(const double *p, const double *T, size_t count, double ideal,
                                       isocast_forecast **out) {
    if (p == NULL || T == NULL || count == 0 || out == NULL || isinf(ideal)) {
        return ISOCAST_ARGUMENT;
    }
    isocast_api_call call;
    isocast_api_enter(&call, NULL);
    isocast_point *points = calloc(count, sizeof *points);
    isocast_status status = points == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    for (size_t i = 0; status == ISOCAST_OK && i < count; i++) {
        bool rises = i == 0 || p[i] > p[i - 1];
        status = is_positive(p[i]) && is_positive(T[i]) && rises ? status : ISOCAST_ARGUMENT;
        points[i] = (isocast_point){.p = p[i], .T = T[i]};
    }
    if (status == ISOCAST_OK) {
        status = isocast_forecast_make(points, count, ideal, out);
    }
    free(points);
    return isocast_api_leave(&call, status);
}

isocast_forecast_status isocast_forecast_status_at(const isocast_forecast *forecast, double p) {
    return is_positive(p) ? isocast_forecast_at(forecast, p).status : ISOCAST_FORECAST_BELOW;
}

double isocast_forecast_number(const isocast_forecast *forecast, double p,
                               isocast_forecast_quantity quantity) {
    if (!is_positive(p)) {
        return NAN;
    }
    switch (quantity) {
    case ISOCAST_FORECAST_T:
        return isocast_forecast_at(forecast, p).T;
    case ISOCAST_FORECAST_LOW:
        return isocast_forecast_at(forecast, p).low;
    case ISOCAST_FORECAST_HIGH:
        return isocast_forecast_at(forecast, p).high;
    case ISOCAST_FORECAST_IDEAL:
        return isocast_forecast_rival(forecast, ISOCAST_RIVAL_IDEAL, p);
    case ISOCAST_FORECAST_POWER:
        return isocast_forecast_rival(forecast, ISOCAST_RIVAL_POWER, p);
    case ISOCAST_FORECAST_FIVE:
        return isocast_forecast_rival(forecast, ISOCAST_RIVAL_FIVE, p);
    case ISOCAST_FORECAST_AMDAHL:
        return isocast_forecast_rival(forecast, ISOCAST_RIVAL_AMDAHL, p);
    }
    return NAN;
}

double isocast_forecast_limit(const isocast_forecast *forecast, isocast_forecast_limit_kind kind) {
    const isocast_outlook *outlook = isocast_forecast_outlook(forecast);
    switch (kind) {
    case ISOCAST_FORECAST_HORIZON:
        return outlook->horizon;
    case ISOCAST_FORECAST_STOP:
        return outlook->stop;
    case ISOCAST_FORECAST_STOP_LOW:
        return outlook->stop_low;
    case ISOCAST_FORECAST_STOP_HIGH:
        return outlook->stop_high;
    }
    return NAN;
}
