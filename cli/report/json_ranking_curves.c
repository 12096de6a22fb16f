/* The times of the contenders of a ranking as curves. */
#include <math.h>

#include "cli/output/json_text.h"
#include "report_ranking.h"

/* Points of a curve, evenly spaced in ln N or ln p. */
enum { CURVE_POINTS = 81 };
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
                         double x[CURVE_POINTS]) {
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
    for (int i = 0; i < CURVE_POINTS && from <= to; i++) {
        double at = from * pow(to / from, i / (double)(CURVE_POINTS - 1));
        at = over_p ? floor(at + 0.5) : at;
        if (count == 0 || at > x[count - 1]) {
            x[count++] = at;
        }
    }
    return count;
}

static json_t *curve_object(const cli_ranking_view *v, bool over_p, size_t place, size_t contender,
                            isocast_effort *effort) {
    double x[CURVE_POINTS];
    double T[CURVE_POINTS];
    const cli_contender *c = &v->contenders->items[contender];
    const isocast_crossing_side side = {.model = c->loaded.model,
                                        .system = over_p ? NULL : c->systems[place]};
    size_t count = put_places(v, over_p, place, x);
    double N = over_p ? v->values[place] : NAN;
    if (isocast_ranking_times(&side, N, x, count, effort, T) != ISOCAST_OK) {
        return NULL;
    }
    json_t *object = json_object();
    if (over_p) {
        cli_json_set(&object, "N", cli_json_number(N));
    } else {
        cli_json_set(&object, "system", cli_json_string(c->systems[place]->name));
    }
    cli_json_set(&object, "contender", cli_json_string(c->name));
    cli_json_set(&object, over_p ? "p" : "N", cli_json_numbers(x, count));
    cli_json_set(&object, "T", cli_json_numbers(T, count));
    return object;
}

json_t *cli_json_ranking_curves(const cli_ranking_view *view, bool over_p) {
    size_t places = !over_p                ? view->contenders->system_count
                    : view->over_p == NULL ? 0
                                           : view->value_count;
    size_t curves = places * view->contenders->count;
    isocast_effort effort = isocast_effort_of(curves);
    json_t *array = json_array();
    for (size_t i = 0; i < curves; i++) {
        isocast_effort lent = isocast_effort_lend(&effort, 1 / (double)(curves - i));
        cli_json_append(&array, curve_object(view, over_p, i / view->contenders->count,
                                             i % view->contenders->count, &lent));
        isocast_effort_return(&effort, &lent);
    }
    return array;
}
