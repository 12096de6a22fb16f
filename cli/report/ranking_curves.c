#include "ranking_curves.h"

#include <math.h>

/* A curve goes on so much beyond the last thing that is to be seen on it. */
static const double curve_margin = 4;
/* Where nothing is to be seen, it is so many times as long as its begin. */
static const double curve_length = 65536;

typedef struct span {
    double from, to; /* from > to: nothing was put there yet */
} span;

static void widen(span *s, double x) {
    if (isfinite(x) && x > 0) {
        s->from = fmin(s->from, x);
        s->to = fmax(s->to, x);
    }
}

/* Sizes or numbers of processes of the rows that belong to a place. */
static void widen_to_rows(const cli_ranking_view *v, bool over_p, size_t place, span *s) {
    size_t count = v->contenders->count;
    for (size_t value = 0; value < v->value_count; value++) {
        for (size_t system = 0; system < v->contenders->system_count; system++) {
            for (size_t k = 0; (over_p ? value : system) == place && k < count; k++) {
                const isocast_prediction_row *row =
                    &v->predictions[value * count + k]->rows[system];
                widen(s, over_p ? row->p : row->N);
            }
        }
    }
}

/* Crossings, and where contenders begin or end to work; *low and *high: where the search did. */
static void widen_to_ranking(const isocast_ranking *ranking, size_t place, span *s, double *low,
                             double *high) {
    for (size_t i = 0; i < ranking->pair_count; i++) {
        const isocast_ranking_pair *pair = &ranking->pairs[i];
        for (size_t k = 0; pair->place == place && k < pair->crossings.count; k++) {
            widen(s, pair->crossings.at[k]);
        }
    }
    bool first = true;
    for (size_t i = 0; i < ranking->range_count; i++) {
        const isocast_ranking_range *range = &ranking->ranges[i];
        if (range->place == place) {
            *low = first ? range->from : *low;
            *high = range->to;
            widen(s, first ? NAN : range->from);
            first = false;
        }
    }
}

/* Rising; numbers of processes are whole, and none is there twice. Gives how many there are. */
static size_t put_places(const cli_ranking_view *v, bool over_p, size_t place,
                         double x[CLI_RANKING_CURVE_POINTS]) {
    span seen = {INFINITY, -INFINITY};
    double low = NAN;
    double high = NAN;
    widen_to_rows(v, over_p, place, &seen);
    widen_to_ranking(over_p ? v->over_p : v->over_N, place, &seen, &low, &high);
    if (isnan(low) || !(low < high)) {
        return 0;
    }
    double from = seen.from <= seen.to && !over_p ? fmax(low, seen.from / curve_margin) : low;
    double to = seen.from <= seen.to ? seen.to * curve_margin : low * curve_length;
    to = fmin(high, to);
    size_t count = 0;
    for (int i = 0; i < CLI_RANKING_CURVE_POINTS && from <= to; i++) {
        double at = from * pow(to / from, i / (double)(CLI_RANKING_CURVE_POINTS - 1));
        at = over_p ? floor(at + 0.5) : at;
        if (count == 0 || at > x[count - 1]) {
            x[count++] = at;
        }
    }
    return count;
}

static isocast_status compute(const cli_ranking_view *v, bool over_p, size_t place,
                              size_t contender, isocast_effort *effort, cli_ranking_curve *out) {
    const cli_contender *c = &v->contenders->items[contender];
    const isocast_crossing_side side = {.model = c->loaded.model,
                                        .system = over_p ? NULL : c->systems[place]};
    out->count = put_places(v, over_p, place, out->x);
    out->N = over_p ? v->values[place] : NAN;
    out->system = over_p ? NULL : c->systems[place]->name;
    out->contender = c->name;
    return isocast_ranking_times(&side, out->N, out->x, out->count, effort, out->T);
}

const cli_ranking_curve *cli_ranking_curve_make(const cli_ranking_view *view, bool over_p, size_t i,
                                                cli_ranking_curve *out) {
    size_t places = !over_p                ? view->contenders->system_count
                    : view->over_p == NULL ? 0
                                           : view->value_count;
    size_t curves = places * view->contenders->count;
    if (i >= curves || out->status != ISOCAST_OK) {
        return NULL;
    }
    out->effort = i == 0 ? isocast_effort_of(curves) : out->effort;
    isocast_effort lent = isocast_effort_lend(&out->effort, 1 / (double)(curves - i));
    out->status =
        compute(view, over_p, i / view->contenders->count, i % view->contenders->count, &lent, out);
    isocast_effort_return(&out->effort, &lent);
    return out->status == ISOCAST_OK ? out : NULL;
}
