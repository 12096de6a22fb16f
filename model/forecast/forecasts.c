#include "forecasts.h"

#include <math.h>
#include <stdlib.h>

#include "model/base/median.h"

/* The exponent of T in N: scatters by as much at least, and drifts as p grows e times beyond the p
 * that both N were run on, since what is not shared has another exponent; and as N does. */
static const double exponent_scatter = 0.02;
static const double exponent_drift_p = 0.3;
static const double exponent_drift_N = 0.1;
/* Of runs whose scatter is not known. */
static const double run_scatter = 0.02;

/* ln T and the halves of its band. */
typedef struct estimate {
    double log_T, below, above;
} estimate;

/* The exponent of T in N between two series of one group: the median over the p that both ran.
 * False where there is no such p. */
static bool exponent_between(const isocast_series *a, const isocast_series *b, double p,
                             double *exponent, double *variance) {
    double found[ISOCAST_POINTS_MAX];
    size_t count = 0;
    double nearest = INFINITY;
    size_t k = 0;
    for (size_t i = 0; i < a->count && count < ISOCAST_POINTS_MAX; i++) {
        while (k < b->count && b->points[k].p < a->points[i].p * (1 - ISOCAST_SAME)) {
            k++;
        }
        if (k < b->count &&
            fabs(b->points[k].p - a->points[i].p) <= ISOCAST_SAME * a->points[i].p) {
            found[count++] = log(b->points[k].T / a->points[i].T) / log(b->N / a->N);
            nearest = fmin(nearest, fabs(log(p / a->points[i].p)));
        }
    }
    if (count == 0) {
        return false;
    }
    *exponent = isocast_median(found, count);
    double squares = exponent_scatter * exponent_scatter;
    for (size_t i = 0; i < count; i++) {
        squares += (found[i] - *exponent) * (found[i] - *exponent);
    }
    *variance = squares / (double)count * (1 + 1 / (double)count) +
                exponent_drift_p * exponent_drift_p * nearest * nearest;
    return true;
}

static bool is_of_group(const isocast_series *series, size_t group) {
    return series->group == group && !isnan(series->N);
}

/* The two series of a group whose N are nearest to one, NULL where there are fewer: the first is
 * the nearest. */
static void find_nearest(const isocast_series_list *list, size_t group, double N,
                         const isocast_series **nearest) {
    nearest[0] = nearest[1] = NULL;
    for (size_t i = 0; i < list->count; i++) {
        const isocast_series *s = &list->series[i];
        double distance = fabs(log(s->N / N));
        if (!is_of_group(s, group)) {
            continue;
        }
        if (nearest[0] == NULL || distance < fabs(log(nearest[0]->N / N))) {
            nearest[1] = nearest[0];
            nearest[0] = s;
        } else if (nearest[1] == NULL || distance < fabs(log(nearest[1]->N / N))) {
            nearest[1] = s;
        }
    }
}

/* What a series says of T at p; of a point that was run, by its scatter. */
static bool estimate_at(const isocast_forecasts *f, const isocast_series *s, double p,
                        estimate *out) {
    isocast_forecast_value value = isocast_forecast_at(f->of[s - f->list->series], p);
    double scatter = ISOCAST_BAND_REACH * (isnan(s->sd_launches) ? run_scatter : s->sd_launches);
    *out = (estimate){log(value.T), isnan(value.low) ? scatter : log(value.T / value.low),
                      isnan(value.high) ? scatter : log(value.high / value.T)};
    return !isnan(value.T);
}

/* T at (p, N): of the series of N, or by those of other N and the exponent of T in N, whichever has
 * the narrowest band. */
static void find_by_size(const isocast_forecasts *f, size_t group, isocast_forecast_row *row) {
    const isocast_series *nearest[2];
    find_nearest(f->list, group, row->N, nearest);
    estimate best;
    double narrowest = INFINITY;
    if (row->series != NULL && estimate_at(f, row->series, row->p, &best)) {
        narrowest = best.below + best.above;
    }
    for (size_t i = 0; i < f->list->count; i++) {
        const isocast_series *s = &f->list->series[i];
        const isocast_series *other = row->series != NULL ? row->series
                                      : s == nearest[0]   ? nearest[1]
                                                          : nearest[0];
        estimate e;
        double exponent;
        double variance;
        if (!is_of_group(s, group) || s == row->series || other == NULL ||
            row->value.status == ISOCAST_FORECAST_MEASURED || !estimate_at(f, s, row->p, &e) ||
            !exponent_between(s, other, row->p, &exponent, &variance)) {
            continue;
        }
        double distance = log(row->N / s->N);
        double beyond = row->series != NULL ? 0 : exponent_drift_N * fabs(log(row->N / other->N));
        double squares = ISOCAST_BAND_REACH * ISOCAST_BAND_REACH * distance * distance *
                         (variance + beyond * beyond);
        e.below = sqrt(e.below * e.below + squares);
        e.above = sqrt(e.above * e.above + squares);
        if (e.below + e.above < narrowest) {
            narrowest = e.below + e.above;
            e.log_T += exponent * distance;
            bool wide = narrowest > log(ISOCAST_FORECAST_WIDEST);
            row->N_from = s->N;
            row->value = (isocast_forecast_value){
                wide ? ISOCAST_FORECAST_UNCERTAIN : ISOCAST_FORECAST_OK, wide ? NAN : exp(e.log_T),
                exp(e.log_T - e.below), exp(e.log_T + e.above)};
        }
    }
}

/* What the own series of a row says at its p. */
static void fill_own(const isocast_forecasts *f, isocast_forecast_row *row) {
    const isocast_forecast *forecast = f->of[row->series - f->list->series];
    row->value = isocast_forecast_at(forecast, row->p);
    for (int r = 0; r < ISOCAST_RIVAL_COUNT; r++) {
        row->rivals[r] = isocast_forecast_rival(forecast, (isocast_rival)r, row->p);
    }
}

static void fill_derived(isocast_forecast_row *row) {
    row->efficiency =
        row->series != NULL ? isocast_series_efficiency(row->series, row->p, row->value.T) : NAN;
    row->speedup = row->efficiency * row->p;
    row->cost = row->p * row->value.T;
}

/* A row at p and N; own: the series of that N, NULL where there is none in the group of `like`. */
static void add_row(isocast_forecasts *f, const isocast_series *like, const isocast_series *own,
                    double N, double p) {
    isocast_forecast_row *row = &f->rows[f->count++];
    *row = (isocast_forecast_row){.series = own,
                                  .keys = like->keys,
                                  .N = N,
                                  .p = p,
                                  .value = {ISOCAST_FORECAST_TOO_FEW, NAN, NAN, NAN},
                                  .N_from = NAN,
                                  .rivals = {NAN, NAN, NAN, NAN}};
    if (own != NULL) {
        fill_own(f, row);
    }
    if (!isnan(N)) {
        find_by_size(f, like->group, row);
    }
    fill_derived(row);
}

static void add_rows(isocast_forecasts *f, const isocast_series *like, const isocast_series *own,
                     double N, const double *p, size_t p_count) {
    for (size_t i = 0; i < p_count; i++) {
        add_row(f, like, own, N, p[i]);
    }
    for (double times = 2; p_count == 0 && own != NULL && times <= 16; times *= 2) {
        add_row(f, like, own, N, times * own->points[own->count - 1].p);
    }
}

/* The rows of a group, of which `like` is the first series, at the N that are asked for. */
static void add_group(isocast_forecasts *f, const isocast_series *like, const double *p,
                      size_t p_count, const double *N, size_t N_count) {
    for (size_t n = 0; n < N_count; n++) {
        const isocast_series *own = NULL;
        for (size_t i = 0; i < f->list->count; i++) {
            const isocast_series *s = &f->list->series[i];
            own = is_of_group(s, like->group) && fabs(s->N - N[n]) <= ISOCAST_SAME * N[n] ? s : own;
        }
        add_rows(f, like, own, N[n], p, p_count);
    }
}

static isocast_status add_curves(isocast_forecasts *f) {
    f->curves = calloc(f->list->count * ISOCAST_FORECAST_CURVE + 1, sizeof *f->curves);
    if (f->curves == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < f->list->count; i++) {
        const isocast_series *s = &f->list->series[i];
        double last = s->points[s->count - 1].p;
        double farthest = isocast_forecast_outlook(f->of[i])->horizon;
        for (size_t k = 0; k < f->count; k++) {
            bool known = f->rows[k].series == s && !isnan(f->rows[k].value.T);
            farthest = known ? fmax(farthest, f->rows[k].p) : farthest;
        }
        for (size_t k = 0; s->count >= ISOCAST_FORECAST_POINTS_LEAST && k < ISOCAST_FORECAST_CURVE;
             k++) {
            isocast_forecast_row *row = &f->curves[i * ISOCAST_FORECAST_CURVE + k];
            double part = (double)k / (ISOCAST_FORECAST_CURVE - 1);
            *row = (isocast_forecast_row){.series = s, .p = last * pow(farthest / last, part)};
            fill_own(f, row);
            row->value.low = k == 0 ? row->value.T : row->value.low;
            row->value.high = k == 0 ? row->value.T : row->value.high;
            fill_derived(row);
        }
    }
    return ISOCAST_OK;
}

/* The most points of a series, so that all of them take a second or two: validation goes as their
 * square. */
static size_t points_most(const isocast_series_list *list) {
    static const size_t pairs_most = 20000;
    static const size_t least = 8;
    size_t most = ISOCAST_POINTS_MAX + 1;
    size_t pairs = pairs_most + 1;
    while (pairs > pairs_most && most > least) {
        most--;
        pairs = 0;
        for (size_t i = 0; i < list->count; i++) {
            size_t count = list->series[i].count < most ? list->series[i].count : most;
            pairs += count * count / 2;
        }
    }
    return most;
}

isocast_status isocast_forecasts_make(const isocast_series_list *list, const double *p,
                                      size_t p_count, const double *N, size_t N_count, bool curves,
                                      isocast_forecasts **out) {
    enum { BY_ITSELF = 4 };
    size_t most = list->count * (p_count > 0 ? p_count : BY_ITSELF) * (N_count > 0 ? N_count : 1);
    if (p_count > ISOCAST_FORECAST_ROWS_MAX || N_count > ISOCAST_FORECAST_ROWS_MAX ||
        most > ISOCAST_FORECAST_ROWS_MAX) {
        return ISOCAST_ARGUMENT;
    }
    isocast_forecasts *f = calloc(1, sizeof *f);
    isocast_status status = f == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    if (status == ISOCAST_OK) {
        f->list = list;
        f->of = calloc(list->count + 1, sizeof(isocast_forecast *));
        f->rows = calloc(most + 1, sizeof *f->rows);
        status = f->of == NULL || f->rows == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    }
    size_t points_at_most = points_most(list);
    for (size_t i = 0; i < list->count && status == ISOCAST_OK; i++) {
        const isocast_series *s = &list->series[i];
        isocast_point points[ISOCAST_POINTS_MAX];
        size_t count = isocast_points_thin(s->points, s->count, points_at_most, points);
        status = isocast_forecast_make(points, count, isocast_series_ideal(s), &f->of[i]);
    }
    for (size_t i = 0; i < list->count && status == ISOCAST_OK; i++) {
        const isocast_series *s = &list->series[i];
        bool first = i == 0 || list->series[i - 1].group != s->group;
        if (N_count == 0) {
            add_rows(f, s, s, s->N, p, p_count);
        } else if (first) {
            add_group(f, s, p, p_count, N, N_count);
        }
    }
    if (status == ISOCAST_OK && curves) {
        status = add_curves(f);
    }
    if (status != ISOCAST_OK) {
        isocast_forecasts_free(f);
        return status;
    }
    *out = f;
    return ISOCAST_OK;
}

void isocast_forecasts_free(isocast_forecasts *forecasts) {
    if (forecasts == NULL) {
        return;
    }
    for (size_t i = 0; forecasts->of != NULL && i < forecasts->list->count; i++) {
        isocast_forecast_free(forecasts->of[i]);
    }
    free(forecasts->of);
    free(forecasts->rows);
    free(forecasts->curves);
    free(forecasts);
}
