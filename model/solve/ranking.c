#include "ranking.h"

#include <math.h>
#include <stdlib.h>

#include "model/base/array.h"
#include "model/base/order.h"
#include "model/spec/rules.h"

enum { SAMPLES = 200 /* of a range, where contenders may begin or end to work */ };

/* Processes that can work are whole, up to the rounding of a formula. */
static const double rounding = 1e-9;

/* One place of a ranking. */
typedef struct rank {
    const isocast_crossing_side *contenders; /* [count] */
    size_t count;
    size_t place;
    bool over_p;
    double N; /* of a ranking over p */
    double low, high;
    isocast_effort *effort;
    isocast_ranking *ranking;
    double *borders; /* [border_count], of ranges that may differ */
    size_t border_count, border_capacity;
    isocast_status status;
} rank;

/* T of a contender at x, which is N or p; NAN where it does not work there. */
static double time_at(rank *r, size_t k, double x) {
    const isocast_crossing_side *side = &r->contenders[k];
    double T = NAN;
    double concurrency = NAN;
    isocast_status status;
    if (r->over_p) {
        status = isocast_crossing_time_at_p(side, r->N, x, r->effort, &T, &concurrency);
    } else {
        isocast_model_results results = {.T = &T, .concurrency = &concurrency};
        status = isocast_model_evaluate_at(side->model, side->system, side->other_sizes, x,
                                           r->effort, &results);
    }
    r->status = status != ISOCAST_OK ? status : r->status;
    double p = r->over_p ? x : side->system->p;
    return concurrency < p * (1 - rounding) ? NAN : T;
}

static bool works_at(rank *r, size_t k, double x) {
    return isfinite(time_at(r, k, x));
}

static void add_border(rank *r, double x) {
    if (!isocast_array_grow((void **)&r->borders, r->border_count, &r->border_capacity,
                            sizeof *r->borders)) {
        r->status = ISOCAST_NO_MEMORY;
        return;
    }
    r->borders[r->border_count++] = x;
}

/* Where a contender begins or ends to work. */
static void add_ends(rank *r, size_t k) {
    double before = r->low;
    bool worked = works_at(r, k, before);
    double step = log(r->high / r->low) / SAMPLES;
    for (size_t i = 1; i <= SAMPLES && r->status == ISOCAST_OK; i++) {
        double x = i == SAMPLES ? r->high : r->low * exp(step * (double)i);
        bool works = works_at(r, k, x);
        double low = before;
        double high = x;
        for (int n = 0; works != worked && n < 60 && high > low * (1 + 1e-14); n++) {
            double middle = sqrt(low) * sqrt(high);
            if (works_at(r, k, middle) == worked) {
                low = middle;
            } else {
                high = middle;
            }
        }
        if (works != worked) {
            add_border(r, high);
        }
        before = x;
        worked = works;
    }
}

/* Leaves out crossings of formulas that do not hold there. */
static void drop_idle(rank *r, isocast_ranking_pair *pair) {
    isocast_crossings *c = &pair->crossings;
    size_t kept = 0;
    for (size_t i = 0; i < c->count; i++) {
        if (works_at(r, pair->first, c->at[i]) && works_at(r, pair->second, c->at[i])) {
            c->at[kept] = c->at[i];
            c->T[kept] = c->T[i];
            c->faster[kept++] = c->faster[i];
        }
    }
    c->count = kept;
}

static void add_pair(rank *r, size_t first, size_t second, double share) {
    isocast_ranking_pair *pair = &r->ranking->pairs[r->ranking->pair_count];
    *pair = (isocast_ranking_pair){.place = r->place, .first = first, .second = second};
    const isocast_crossing_side sides[] = {r->contenders[first], r->contenders[second]};
    isocast_effort lent = isocast_effort_lend(r->effort, share);
    isocast_status status =
        r->over_p
            ? isocast_crossings_find_p(sides, r->N, &r->ranking->processes, &lent, &pair->crossings)
            : isocast_crossings_find(sides, r->low, r->high, &lent, &pair->crossings);
    isocast_effort_return(r->effort, &lent);
    if (status != ISOCAST_OK) {
        r->status = status;
        return;
    }
    r->ranking->pair_count++;
    drop_idle(r, pair);
    for (size_t i = 0; i < pair->crossings.count; i++) {
        add_border(r, pair->crossings.at[i]);
    }
}

ISOCAST_ORDER_BY(rising, double, *x)

static size_t fastest_at(rank *r, double x) {
    size_t fastest = r->count;
    double least = INFINITY;
    for (size_t k = 0; k < r->count; k++) {
        double T = time_at(r, k, x);
        if (T < least) {
            least = T;
            fastest = k;
        }
    }
    return fastest;
}

static void add_range(rank *r, double from, double to, size_t fastest) {
    isocast_ranking *all = r->ranking;
    isocast_ranking_range *last = all->range_count > 0 ? &all->ranges[all->range_count - 1] : NULL;
    if (last != NULL && last->place == r->place && last->fastest == fastest) {
        last->to = to;
        return;
    }
    if (!isocast_array_grow((void **)&all->ranges, all->range_count, &all->range_capacity,
                            sizeof *all->ranges)) {
        r->status = ISOCAST_NO_MEMORY;
        return;
    }
    all->ranges[all->range_count++] = (isocast_ranking_range){r->place, from, to, fastest};
}

/* Where in a range it is looked which contender is fastest: at the number of processes that counts
 * next to its middle, or at the middle itself. */
static double look_between(const rank *r, double from, double to) {
    double middle = sqrt(from) * sqrt(to);
    const isocast_crossing_processes *all = &r->ranking->processes;
    double nearest = middle;
    double distance = INFINITY;
    for (size_t i = 0; r->over_p && i < all->count; i++) {
        double p = all->each[i];
        if (p >= from && p <= to && fabs(p - middle) < distance) {
            nearest = p;
            distance = fabs(p - middle);
        }
    }
    return nearest;
}

static void rank_place(rank *r, size_t places_left) {
    size_t pairs = r->count * (r->count - 1) / 2;
    size_t left = pairs * places_left + 1;
    for (size_t first = 0; first < r->count; first++) {
        for (size_t second = first + 1; second < r->count && r->status == ISOCAST_OK; second++) {
            add_pair(r, first, second, 1 / (double)left--);
        }
    }
    add_border(r, r->low);
    add_border(r, r->high);
    for (size_t k = 0; k < r->count && r->status == ISOCAST_OK; k++) {
        add_ends(r, k);
    }
    qsort(r->borders, r->border_count, sizeof *r->borders, rising);
    for (size_t i = 0; i + 1 < r->border_count && r->status == ISOCAST_OK; i++) {
        double from = r->borders[i];
        double to = r->borders[i + 1];
        if (to > from * (1 + 1e-12)) {
            add_range(r, from, to, fastest_at(r, look_between(r, from, to)));
        }
    }
    free(r->borders);
}

/* Room for all pairs. */
static bool prepare(isocast_ranking *ranking, size_t count, size_t places) {
    ranking->pairs = calloc(places * count * count / 2 + 1, sizeof *ranking->pairs);
    return ranking->pairs != NULL;
}

/* The contenders whose rules the system keeps; shape of out: [count], of which *kept are used, and
 * of index, their places among all. */
static isocast_status keep_valid(const isocast_crossing_side *all, size_t count,
                                 isocast_crossing_side *out, size_t *index, size_t *kept) {
    *kept = 0;
    for (size_t k = 0; k < count; k++) {
        const isocast_rules_point point = {NAN, all[k].other_sizes, all[k].system->p};
        const char *broken;
        isocast_status status =
            isocast_rules_broken(isocast_model_algorithm(all[k].model), false, &point, &broken);
        if (status != ISOCAST_OK) {
            return status;
        }
        if (broken == NULL) {
            index[*kept] = k;
            out[(*kept)++] = all[k];
        }
    }
    return ISOCAST_OK;
}

/* Numbers of the contenders that were kept become numbers among all. */
static void renumber(isocast_ranking *ranking, size_t first_pair, size_t first_range,
                     const size_t *index, size_t kept, size_t count) {
    for (size_t i = first_pair; i < ranking->pair_count; i++) {
        ranking->pairs[i].first = index[ranking->pairs[i].first];
        ranking->pairs[i].second = index[ranking->pairs[i].second];
    }
    for (size_t i = first_range; i < ranking->range_count; i++) {
        size_t fastest = ranking->ranges[i].fastest;
        ranking->ranges[i].fastest = fastest == kept ? count : index[fastest];
    }
}

isocast_status isocast_ranking_over_N(const isocast_crossing_side *contenders, size_t count,
                                      size_t places, double low, double high,
                                      isocast_effort *effort, isocast_ranking *out) {
    isocast_ranking ranking = {0};
    isocast_crossing_side *valid = calloc(count + 1, sizeof *valid);
    size_t *index = calloc(count + 1, sizeof *index);
    bool ready = valid != NULL && index != NULL && prepare(&ranking, count, places);
    isocast_status status = ready ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    for (size_t place = 0; place < places && status == ISOCAST_OK; place++) {
        size_t kept = 0;
        size_t first_pair = ranking.pair_count;
        size_t first_range = ranking.range_count;
        status = keep_valid(contenders + place * count, count, valid, index, &kept);
        if (status == ISOCAST_OK) {
            rank r = {.contenders = valid,
                      .count = kept,
                      .place = place,
                      .low = low,
                      .high = high,
                      .effort = effort,
                      .ranking = &ranking};
            rank_place(&r, places - place);
            renumber(&ranking, first_pair, first_range, index, kept, count);
            status = r.status;
        }
    }
    free(valid);
    free(index);
    if (status != ISOCAST_OK) {
        isocast_ranking_free(&ranking);
        return status;
    }
    *out = ranking;
    return ISOCAST_OK;
}

/* The numbers of processes up to `most` that keep the rules of all contenders. */
static isocast_status list_processes(const isocast_crossing_side *contenders, size_t count,
                                     double most, isocast_crossing_processes *out) {
    size_t all = (size_t)fmin(floor(most), ISOCAST_CROSSING_PROCESSES);
    bool *kept = malloc(all + 1);
    *out = (isocast_crossing_processes){.each = malloc((all + 1) * sizeof *out->each),
                                        .most = floor(most)};
    isocast_status status = kept != NULL && out->each != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    for (size_t i = 0; status == ISOCAST_OK && i < all; i++) {
        out->each[i] = (double)(i + 1);
        kept[i] = true;
    }
    for (size_t k = 0; status == ISOCAST_OK && k < count; k++) {
        status = isocast_rules_sift_p(isocast_model_algorithm(contenders[k].model),
                                      contenders[k].other_sizes, out->each, all, kept);
    }
    for (size_t i = 0; status == ISOCAST_OK && i < all; i++) {
        if (kept[i]) {
            out->each[out->count++] = out->each[i];
        }
    }
    free(kept);
    return status;
}

isocast_status isocast_ranking_over_p(const isocast_crossing_side *contenders, size_t count,
                                      const double *N, size_t places, double most,
                                      isocast_effort *effort, isocast_ranking *out) {
    isocast_ranking ranking = {0};
    isocast_status status = prepare(&ranking, count, places) ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    if (status == ISOCAST_OK) {
        status = list_processes(contenders, count, most, &ranking.processes);
    }
    bool any = ranking.processes.count > 0 || most > ISOCAST_CROSSING_PROCESSES;
    for (size_t place = 0; any && place < places && status == ISOCAST_OK; place++) {
        rank r = {.contenders = contenders,
                  .count = count,
                  .place = place,
                  .over_p = true,
                  .N = N[place],
                  .low = 1,
                  .high = most,
                  .effort = effort,
                  .ranking = &ranking};
        rank_place(&r, places - place);
        status = r.status;
    }
    if (status != ISOCAST_OK) {
        isocast_ranking_free(&ranking);
        return status;
    }
    *out = ranking;
    return ISOCAST_OK;
}

isocast_status isocast_ranking_times(const isocast_crossing_side *contender, double N,
                                     const double *x, size_t count, isocast_effort *effort,
                                     double *T) {
    rank r = {.contenders = contender, .count = 1, .over_p = !isnan(N), .N = N, .effort = effort};
    isocast_crossing_side valid;
    size_t index;
    size_t kept = 1;
    isocast_status status = r.over_p ? ISOCAST_OK : keep_valid(contender, 1, &valid, &index, &kept);
    for (size_t i = 0; i < count && status == ISOCAST_OK; i++) {
        double time = kept > 0 ? time_at(&r, 0, x[i]) : NAN;
        T[i] = isfinite(time) ? time : NAN;
        status = r.status;
    }
    return status;
}

void isocast_ranking_free(isocast_ranking *ranking) {
    free(ranking->pairs);
    free(ranking->ranges);
    free(ranking->processes.each);
    *ranking = (isocast_ranking){0};
}
