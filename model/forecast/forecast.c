#include "forecast.h"

#include <math.h>
#include <stdlib.h>

#include "model/base/median.h"

const char *const isocast_forecast_status_words[ISOCAST_FORECAST_STATUS_COUNT + 1] = {
#define ISOCAST_FORECAST_WORD(name, word) [ISOCAST_FORECAST_##name] = word,
    ISOCAST_FORECAST_STATUS_LIST(ISOCAST_FORECAST_WORD)
#undef ISOCAST_FORECAST_WORD
};

/* How much a forecaster counts where T falls in proportion to 1/p, and where it does not. Round
 * numbers: settings near them forecast alike. */
static const struct {
    double falling, flat;
} believed[ISOCAST_FORECASTER_COUNT] = {
#define ISOCAST_FORECASTER_WEIGHT(name, falling, flat)                                             \
    [ISOCAST_FORECASTER_##name] = {falling, flat},
    ISOCAST_FORECASTERS(ISOCAST_FORECASTER_WEIGHT)
#undef ISOCAST_FORECASTER_WEIGHT
};

/* T falls where its exponent over the last two steps is below the first of these, wholly where it
 * is below the second. */
static const double falls_from = -0.05;
static const double falls_wholly = -0.30;

/* In validation an error is at most so many times the band's half, and older ones count less by
 * each step. */
static const double held_most = 3;
static const double older_counts = 0.7;

/* The band: what the forecasters differ by widens that of the library, and both grow, or the lower
 * half shrinks, by how the bands of the validation held, after so many that held as they should. */
static const double difference_counts = 0.5;
static const double held_imagined = 4;

/* A doubling pays where T falls to less than this. */
static const double pays = 0.95;

/* What was learnt from the first `count` points. */
typedef struct learnt {
    isocast_curve_fit *library;
    isocast_plain plain;
    double weights[ISOCAST_FORECASTER_COUNT];
    double inflation;
} learnt;

struct isocast_forecast {
    isocast_point points[ISOCAST_POINTS_MAX];
    size_t count;
    double ideal;
    learnt all; /* of all points, where there are two or more */
    isocast_left_out left_out[ISOCAST_POINTS_MAX * ISOCAST_POINTS_MAX / 2];
    size_t left_out_count;
    isocast_outlook outlook; /* of enough points */
};

/* Forecasts of points by those before. */
typedef struct validation {
    double middle[ISOCAST_POINTS_MAX], half[ISOCAST_POINTS_MAX]; /* of the band, in ln T */
} validation;

/* The exponent of T over the last two steps, as a number from 0 (flat) to 1 (falling). */
static double falling_of(const isocast_point *points, size_t count) {
    const isocast_point *from = &points[count > 2 ? count - 3 : 0];
    const isocast_point *to = &points[count - 1];
    double exponent = log(to->T / from->T) / log(to->p / from->p);
    return fmin(fmax((exponent - falls_from) / (falls_wholly - falls_from), 0), 1);
}

static void weigh_forecasters(const isocast_point *points, size_t count, double *weights) {
    double falling = falling_of(points, count);
    for (size_t f = 0; f < ISOCAST_FORECASTER_COUNT; f++) {
        weights[f] = falling * believed[f].falling + (1 - falling) * believed[f].flat;
    }
}

/* How much wider bands must be, by those that were made before. */
static double inflation_of(const isocast_point *points, size_t count, const validation *before) {
    double sum = held_imagined;
    double total = held_imagined;
    for (size_t j = 2; j < count; j++) {
        for (size_t t = j; t < count; t++) {
            double off = (log(points[t].T) - before[j].middle[t]) / before[j].half[t];
            double deviation = ISOCAST_BAND_REACH * fmin(fmax(off, -held_most), held_most);
            double counts = pow(older_counts, (double)(count - 1 - t));
            sum += counts * deviation * deviation;
            total += counts;
        }
    }
    return sqrt(sum / total);
}

/* ln T: the middle, and the band without and with its inflation. */
typedef struct combined {
    double middle, half_below, half_above;
} combined;

/* What all say of p. */
static combined combine(const learnt *l, double p) {
    isocast_band band = isocast_curve_fit_at(l->library, p);
    isocast_weighed values[ISOCAST_FORECASTER_COUNT];
    size_t count = 0;
    double total = 0;
    for (size_t f = 0; f < ISOCAST_FORECASTER_COUNT; f++) {
        double T = f == ISOCAST_FORECASTER_LIBRARY
                       ? band.T
                       : isocast_plain_time(&l->plain, (isocast_forecaster)f, p);
        if (l->weights[f] > 0 && T > 0 && isfinite(T)) {
            values[count++] = (isocast_weighed){log(T), l->weights[f]};
            total += l->weights[f];
        }
    }
    double middle = isocast_weighed_median(values, count);
    double variance = 0;
    for (size_t i = 0; i < count; i++) {
        double off = values[i].value - middle;
        variance += values[i].weight * off * off / total;
    }
    double differ = difference_counts * ISOCAST_BAND_REACH * ISOCAST_BAND_REACH * variance;
    double below = log(band.T / band.low);
    double above = log(band.high / band.T);
    return (combined){middle, sqrt(below * below + differ), sqrt(above * above + differ)};
}

/* Bands that held do not make the upper half narrower: what T a term adds that grows with p, and is
 * small within the runs, no earlier band could show. */
static isocast_band band_of(const learnt *l, const combined *c) {
    return (isocast_band){.T = exp(c->middle),
                          .low = exp(c->middle - c->half_below * l->inflation),
                          .high = exp(c->middle + c->half_above * fmax(l->inflation, 1))};
}

/* Learns from the first `count` points. validations: shape [ISOCAST_POINTS_MAX]; [count] is filled
 * and those before are read. */
static isocast_status learn(isocast_forecast *forecast, size_t count, validation *validations,
                            learnt *out) {
    const isocast_point *points = forecast->points;
    isocast_status status = isocast_curve_fit_make(points, count, &out->library);
    if (status != ISOCAST_OK) {
        return status;
    }
    isocast_plain_learn(points, count, &out->plain);
    weigh_forecasters(points, count, out->weights);
    out->inflation = inflation_of(points, count, validations);
    for (size_t t = count; t < forecast->count; t++) {
        combined c = combine(out, points[t].p);
        validations[count].middle[t] = c.middle;
        validations[count].half[t] = (c.half_below + c.half_above) / 2;
        isocast_left_out *left = &forecast->left_out[forecast->left_out_count++];
        *left = (isocast_left_out){.p_known = points[count - 1].p,
                                   .p = points[t].p,
                                   .measured = points[t].T,
                                   .forecast = band_of(out, &c)};
        for (int r = 0; r < ISOCAST_RIVAL_COUNT; r++) {
            left->rivals[r] =
                isocast_rival_time(&out->plain, (isocast_rival)r, forecast->ideal, points[t].p);
        }
    }
    return ISOCAST_OK;
}

size_t isocast_points_thin(const isocast_point *points, size_t count, size_t most,
                           isocast_point *out) {
    double from = log(points[0].p);
    double part = (log(points[count - 1].p) - from) / (double)(most - 1) * (1 + ISOCAST_SAME);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        bool last_of_part = i + 1 == count || floor((log(points[i].p) - from) / part) <
                                                  floor((log(points[i + 1].p) - from) / part);
        if (count <= most || last_of_part) {
            out[kept++] = points[i];
        }
    }
    return kept;
}

void isocast_forecast_free(isocast_forecast *forecast) {
    if (forecast != NULL) {
        isocast_curve_fit_free(forecast->all.library);
        free(forecast);
    }
}

const isocast_point *isocast_forecast_points(const isocast_forecast *forecast, size_t *count) {
    *count = forecast->count;
    return forecast->points;
}

const isocast_left_out *isocast_forecast_left_out(const isocast_forecast *forecast, size_t *count) {
    *count = forecast->left_out_count;
    return forecast->left_out;
}

/* Inside the runs: what was measured, or a straight line of ln T over ln p between two of them,
 * with the library's band about it. */
static isocast_forecast_value at_measured(const isocast_forecast *forecast, double p) {
    const isocast_point *points = forecast->points;
    isocast_forecast_value value = {ISOCAST_FORECAST_MEASURED, NAN, NAN, NAN};
    size_t i = 0;
    while (i + 1 < forecast->count && points[i].p < p * (1 - ISOCAST_SAME)) {
        i++;
    }
    value.T = points[i].T;
    if (fabs(points[i].p - p) <= ISOCAST_SAME * p) {
        return value;
    }
    double part = log(p / points[i - 1].p) / log(points[i].p / points[i - 1].p);
    isocast_band band = isocast_curve_fit_at(forecast->all.library, p);
    value.status = ISOCAST_FORECAST_BETWEEN;
    value.T = points[i - 1].T * pow(points[i].T / points[i - 1].T, part);
    value.low = value.T * band.low / band.T;
    value.high = value.T * band.high / band.T;
    return value;
}

/* Beyond the runs; *middle: T also where it is refused. */
static isocast_forecast_value ahead(const isocast_forecast *forecast, double p, double *middle) {
    combined c = combine(&forecast->all, p);
    isocast_band band = band_of(&forecast->all, &c);
    bool wide = band.high > ISOCAST_FORECAST_WIDEST * band.low;
    *middle = band.T;
    return (isocast_forecast_value){wide ? ISOCAST_FORECAST_UNCERTAIN : ISOCAST_FORECAST_OK,
                                    wide ? NAN : band.T, band.low, band.high};
}

isocast_forecast_value isocast_forecast_at(const isocast_forecast *forecast, double p) {
    const isocast_point *last = &forecast->points[forecast->count - 1];
    isocast_forecast_value value = {ISOCAST_FORECAST_OK, NAN, NAN, NAN};
    if (p < forecast->points[0].p * (1 - ISOCAST_SAME)) {
        value.status = ISOCAST_FORECAST_BELOW;
        return value;
    }
    if (p <= last->p * (1 + ISOCAST_SAME)) {
        return at_measured(forecast, p);
    }
    if (forecast->count < ISOCAST_FORECAST_POINTS_LEAST) {
        value.status = ISOCAST_FORECAST_TOO_FEW;
        return value;
    }
    if (p > ISOCAST_FORECAST_FAREST * last->p * (1 + ISOCAST_SAME)) {
        value.status = ISOCAST_FORECAST_TOO_FAR;
        return value;
    }
    double middle;
    return ahead(forecast, p, &middle);
}

double isocast_forecast_rival(const isocast_forecast *forecast, isocast_rival rival, double p) {
    return forecast->count < 2
               ? NAN
               : isocast_rival_time(&forecast->all.plain, rival, forecast->ideal, p);
}

size_t isocast_forecast_rival_terms(const isocast_forecast *forecast, isocast_rival rival,
                                    isocast_curve_term *terms, double *coefficients,
                                    double *exponent, double *p0) {
    *p0 = forecast->all.plain.p0;
    return forecast->count < 2 ? 0
                               : isocast_rival_terms(&forecast->all.plain, rival, forecast->ideal,
                                                     terms, coefficients, exponent);
}

isocast_share isocast_forecast_share(const isocast_forecast *forecast, unsigned terms) {
    return isocast_curve_fit_share(forecast->all.library, terms);
}

/* The largest p is not the fastest: notes which is. */
static bool has_stopped(const isocast_forecast *forecast, isocast_outlook *out) {
    size_t best = 0;
    for (size_t i = 1; i < forecast->count; i++) {
        best = forecast->points[i].T < forecast->points[best].T ? i : best;
    }
    if (best + 1 == forecast->count) {
        return false;
    }
    out->stop = forecast->points[best].p;
    out->stop_low = forecast->points[best > 0 ? best - 1 : 0].p;
    out->stop_high = forecast->points[best + 1].p;
    return true;
}

/* Efficiency against the first point. */
static double efficiency_at(const isocast_forecast *forecast, double p, double T) {
    const isocast_point *first = &forecast->points[0];
    return first->T / T * pow(p / first->p, forecast->ideal);
}

static isocast_outlook look_out(const isocast_forecast *forecast) {
    double last = forecast->points[forecast->count - 1].p;
    isocast_outlook out = {.doubling = NAN, .horizon = last, .half = NAN, .stop = NAN};
    /* Doublings. Twice the last but one of them is the farthest p. */
    enum { STEPS = 6 };
    _Static_assert(1 << STEPS == ISOCAST_FORECAST_FAREST, "the last step is the farthest p");
    double grid[STEPS + 1];
    double T[STEPS + 1];
    bool forecast_so_far = true;
    for (size_t i = 0; i <= STEPS; i++) {
        grid[i] = last * (double)(1 << i);
        double forecast_T = ahead(forecast, grid[i], &T[i]).T;
        forecast_so_far = forecast_so_far && (i == 0 || !isnan(forecast_T));
        out.horizon = forecast_so_far ? grid[i] : out.horizon;
        out.doubling =
            i == 1 ? forecast_T / forecast->points[forecast->count - 1].T - 1 : out.doubling;
    }
    for (size_t i = STEPS + 1; i-- > 0;) {
        bool below = grid[i] <= out.horizon && efficiency_at(forecast, grid[i], T[i]) < 0.5;
        out.half = below ? grid[i] : out.half;
    }
    for (size_t i = forecast->count; i-- > 0;) {
        const isocast_point *point = &forecast->points[i];
        out.half = efficiency_at(forecast, point->p, point->T) < 0.5 ? point->p : out.half;
    }
    out.stops_measured = has_stopped(forecast, &out);
    if (!out.stops_measured) {
        isocast_curve_fit_stop(forecast->all.library, grid, STEPS, pays, &out.stop_low,
                               &out.stop_high);
        for (size_t i = STEPS; i-- > 0;) {
            out.stop = T[i + 1] > pays * T[i] ? grid[i] : out.stop;
        }
        out.stop_low = fmin(out.stop_low, out.stop);
        out.stop_high = fmax(out.stop_high, out.stop);
    }
    out.stops = out.stop <= out.horizon;
    return out;
}

isocast_status isocast_forecast_make(const isocast_point *points, size_t count, double ideal,
                                     isocast_forecast **out) {
    isocast_forecast *forecast = calloc(1, sizeof *forecast);
    validation *validations = calloc(ISOCAST_POINTS_MAX + 1, sizeof *validations);
    isocast_status status = ISOCAST_OK;
    if (forecast == NULL || validations == NULL) {
        status = ISOCAST_NO_MEMORY;
    } else {
        forecast->ideal = ideal;
        count = isocast_points_thin(points, count, ISOCAST_POINTS_MAX, forecast->points);
        forecast->count = count;
    }
    for (size_t k = 2; status == ISOCAST_OK && k <= count; k++) {
        isocast_curve_fit_free(forecast->all.library);
        forecast->all.library = NULL;
        status = learn(forecast, k, validations, &forecast->all);
    }
    free(validations);
    if (status != ISOCAST_OK) {
        isocast_forecast_free(forecast);
        return status;
    }
    forecast->outlook = (isocast_outlook){.doubling = NAN,
                                          .horizon = NAN,
                                          .half = NAN,
                                          .stop = NAN,
                                          .stop_low = NAN,
                                          .stop_high = NAN};
    if (count >= ISOCAST_FORECAST_POINTS_LEAST) {
        forecast->outlook = look_out(forecast);
    }
    *out = forecast;
    return ISOCAST_OK;
}

const isocast_outlook *isocast_forecast_outlook(const isocast_forecast *forecast) {
    return &forecast->outlook;
}
