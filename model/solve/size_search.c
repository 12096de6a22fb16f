#include "size_search.h"

#include <math.h>
#include <stdbool.h>

/* Every third step inside the bracket halves it, whatever the interpolation does. */
enum { BISECT_EVERY = 3 };

/* The largest N that fits is known well enough when the next one that does not is this much of it
 * away: the runs there are the longest of all. */
static const double edge_share = 1.0 / 32;

/* An E that is this share of the target away is none that one step of N, or noise, leaves. */
static const double near_share = 0.1;

/* The points around the target, by index; `count` where there is none. */
typedef struct bracket {
    size_t low;     /* largest N below `high` whose E is under the target */
    size_t high;    /* smallest N whose E is over the target */
    size_t since;   /* points measured after the first one over the target */
    double refused; /* smallest N that does not fit; infinite where all did */
} bracket;

static double smallest_refused(const isocast_size_search_point *points, size_t count) {
    double refused = INFINITY;
    for (size_t i = 0; i < count; i++) {
        if (isnan(points[i].E)) {
            refused = fmin(refused, points[i].N);
        }
    }
    return refused;
}

static bracket find_bracket(double target, const isocast_size_search_point *points, size_t count) {
    bracket b = {count, count, 0, smallest_refused(points, count)};
    for (size_t i = 0; i < count; i++) {
        b.since += b.high != count;
        if (points[i].E > target && points[i].N < b.refused &&
            (b.high == count || points[i].N < points[b.high].N)) {
            b.high = i;
        }
    }
    for (size_t i = 0; i < count; i++) {
        bool is_under = points[i].E <= target && points[i].N < b.refused &&
                        (b.high == count || points[i].N < points[b.high].N);
        if (is_under && (b.low == count || points[i].N > points[b.low].N)) {
            b.low = i;
        }
    }
    return b;
}

/* The point below `end` whose E is nearest to the target; `count` where none has an E. */
static size_t nearest_point(double target, double end, const isocast_size_search_point *points,
                            size_t count) {
    size_t nearest = count;
    for (size_t i = 0; i < count; i++) {
        if (!isnan(points[i].E) && points[i].N < end &&
            (nearest == count || fabs(points[i].E - target) < fabs(points[nearest].E - target))) {
            nearest = i;
        }
    }
    return nearest;
}

/* The size to measure that is next to N, from `least` to `most`; NAN where there is none. */
static double measurable(const isocast_size_search *search, double N, double least, double most) {
    if (search->nearest != NULL) {
        isocast_valid_pair pair =
            search->nearest(search->nearest_context, fmax(least, fmin(N, most)));
        pair.below = pair.below >= least ? pair.below : NAN;
        pair.above = pair.above <= most ? pair.above : NAN;
        return isocast_valid_nearer(pair, N);
    }
    if (!isocast_valid_excludes(&search->valid)) {
        return least <= most ? fmax(least, fmin(N, most)) : NAN;
    }
    return isocast_valid_nearer(isocast_valid_nearest(&search->valid, N, least, most), N);
}

/* A size strictly between; NAN where there is none. */
static double between(const isocast_size_search *search, isocast_size_search_point low,
                      isocast_size_search_point high, size_t since) {
    double N = floor((low.N + high.N) / 2);
    if (since % BISECT_EVERY != BISECT_EVERY - 1) {
        double share = (search->target - low.E) / (high.E - low.E);
        N = round(low.N * pow(high.N / low.N, share));
    }
    return measurable(search, N, low.N + 1, high.N - 1);
}

/* The next of the sizes given above N; infinite where there is none. */
static double next_given(const isocast_size_search *search, double N) {
    double next = INFINITY;
    for (size_t i = 0; i < search->size_count; i++) {
        next = search->sizes[i] > N ? fmin(next, search->sizes[i]) : next;
    }
    return next;
}

/* Beyond the largest N so far; NAN where there is nothing left to try. */
static double beyond(const isocast_size_search *search, double largest, double refused) {
    double given = next_given(search, largest);
    double most = fmin(search->most, refused - 1);
    double N = fmin(isfinite(given) ? given : 2 * largest, search->most);
    if (isfinite(refused)) {
        if (refused - largest <= fmax(1, edge_share * largest)) {
            return NAN;
        }
        N = fmin(N, largest + floor((refused - largest) / 2));
    }
    return N > largest ? measurable(search, N, largest + 1, most) : NAN;
}

/* Between the two points there is no N: the nearer one is an answer where its E is that of the
 * target but for what one step of N, or noise, leaves. */
static isocast_size_search_state state_between(const isocast_size_search *search,
                                               const isocast_size_search_point *nearer) {
    bool is_near =
        fabs(nearer->E - search->target) <= fmax(search->tolerance, near_share) * search->target;
    return is_near ? ISOCAST_SIZE_SEARCH_FOUND : ISOCAST_SIZE_SEARCH_JUMP;
}

isocast_size_search_step isocast_size_search_next(const isocast_size_search *search,
                                                  const isocast_size_search_point *points,
                                                  size_t count) {
    bracket b = find_bracket(search->target, points, count);
    isocast_size_search_step step = {ISOCAST_SIZE_SEARCH_MEASURE, NAN,
                                     nearest_point(search->target, INFINITY, points, count), b.low,
                                     b.high};
    if (count == 0) {
        step.N = search->nearest == NULL
                     ? search->first
                     : measurable(search, search->first, search->first, search->most);
        step.state = isnan(step.N) ? ISOCAST_SIZE_SEARCH_ABOVE : ISOCAST_SIZE_SEARCH_MEASURE;
    } else if (step.point != count &&
               fabs(points[step.point].E - search->target) <= search->tolerance * search->target) {
        step.state = ISOCAST_SIZE_SEARCH_FOUND;
    } else if (b.high != count && b.low == count) {
        step.state = ISOCAST_SIZE_SEARCH_BELOW;
    } else if (b.high != count) {
        step.N = between(search, points[b.low], points[b.high], b.since);
        if (isnan(step.N)) {
            bool low_is_nearer =
                search->target - points[b.low].E < points[b.high].E - search->target;
            step.point = low_is_nearer ? b.low : b.high;
            step.state = state_between(search, &points[step.point]);
        }
    } else {
        step.N = b.low == count ? NAN : beyond(search, points[b.low].N, b.refused);
        step.state = isnan(step.N) ? ISOCAST_SIZE_SEARCH_ABOVE : ISOCAST_SIZE_SEARCH_MEASURE;
        /* A size beyond the one that was refused says nothing of how far the search came. */
        step.point = nearest_point(search->target, b.refused, points, count);
    }
    if (step.state == ISOCAST_SIZE_SEARCH_FOUND) {
        step.N = points[step.point].N;
    }
    return step;
}
