#include "fit_pace.h"

#include <math.h>
#include <stdlib.h>

#include "calibrate/samples/median.h"
#include "model/base/array.h"
#include "model/base/order.h"

/* Two stretches differ where their medians do by more than this, and by so many standard errors:
 * the best of all places is taken, so it is more than for one place. */
static const double difference_least = 0.03;
static const double errors_least = 3.5;
/* Launches of a stretch at least. */
enum { STRETCH_MIN = 4 };
/* Of normal variates: the standard error of the median over that of the mean, and the sd over the
 * mean distance from the median; both are the root of pi/2. */
static const double median_error = 1.2533;
static const double distance_sd = 1.2533;

/* Launches begin ... end - 1, by their places. */
typedef struct stretch {
    size_t begin, end;
} stretch;

bool fit_pace_add(fit_pace *pace, unsigned launch, double value) {
    return ISOCAST_ARRAY_ADD(pace->effects, pace->count, pace->capacity,
                             (fit_pace_effect){launch, value});
}

ISOCAST_ORDER_BY(by_launch, fit_pace_effect, x->launch)

/* Of the kernels of each launch the median. scratch: shape [count]. */
static void join_kernels(fit_pace *pace, double *scratch) {
    size_t launches = 0;
    for (size_t begin = 0; begin < pace->count;) {
        size_t end = begin;
        while (end < pace->count && pace->effects[end].launch == pace->effects[begin].launch) {
            scratch[end - begin] = pace->effects[end].value;
            end++;
        }
        pace->effects[launches++] =
            (fit_pace_effect){pace->effects[begin].launch, isocast_median(scratch, end - begin)};
        begin = end;
    }
    pace->count = launches;
}

static double median_in(const fit_pace *pace, stretch s, double *scratch) {
    for (size_t k = s.begin; k < s.end; k++) {
        scratch[k - s.begin] = pace->effects[k].value;
    }
    return isocast_median(scratch, s.end - s.begin);
}

/* Sum of the distances of a stretch's launches from their median. */
static double distances_in(const fit_pace *pace, stretch s, double *scratch) {
    double middle = median_in(pace, s, scratch);
    double sum = 0;
    for (size_t k = s.begin; k < s.end; k++) {
        sum += fabs(pace->effects[k].value - middle);
    }
    return sum;
}

/* Where a stretch is best parted, so that launches are nearest to the medians of the parts; its end
 * where the parts are alike. */
static size_t part(const fit_pace *pace, stretch s, double *scratch) {
    size_t best = s.end;
    double least = INFINITY;
    for (size_t at = s.begin + STRETCH_MIN; at + STRETCH_MIN <= s.end; at++) {
        double sum = distances_in(pace, (stretch){s.begin, at}, scratch) +
                     distances_in(pace, (stretch){at, s.end}, scratch);
        if (sum < least) {
            least = sum;
            best = at;
        }
    }
    if (best == s.end) {
        return s.end;
    }
    double sd = distance_sd * least / (double)(s.end - s.begin);
    double counts = 1 / (double)(best - s.begin) + 1 / (double)(s.end - best);
    double difference = fabs(median_in(pace, (stretch){best, s.end}, scratch) -
                             median_in(pace, (stretch){s.begin, best}, scratch));
    bool differ = difference > difference_least &&
                  difference > errors_least * median_error * sd * sqrt(counts);
    return differ ? best : s.end;
}

/* Marks where stretches begin; begins: shape [count]. */
static void part_all(const fit_pace *pace, stretch s, bool *begins, double *scratch) {
    size_t at = part(pace, s, scratch);
    if (at < s.end) {
        begins[at] = true;
        part_all(pace, (stretch){s.begin, at}, begins, scratch);
        part_all(pace, (stretch){at, s.end}, begins, scratch);
    }
}

/* Speeds are reported as parts of that of the fastest stretch: what slows a machine for a while is
 * not its own, and nothing makes it faster than it is. */
static void describe(fit_pace *pace, const bool *begins, double *scratch) {
    fit_speed *speed = &pace->speed;
    double fastest = INFINITY;
    double slowest = -INFINITY;
    for (size_t begin = 0; begin < pace->count;) {
        size_t end = begin + 1;
        while (end < pace->count && !begins[end]) {
            end++;
        }
        double middle = median_in(pace, (stretch){begin, end}, scratch);
        if (middle < fastest) {
            fastest = middle;
            speed->first = pace->effects[begin].launch;
            speed->last = pace->effects[end - 1].launch;
            speed->spread = distance_sd * distances_in(pace, (stretch){begin, end}, scratch) /
                            (double)(end - begin);
        }
        slowest = fmax(slowest, middle);
        speed->changed = speed->changed || end < pace->count;
        begin = end;
    }
    speed->launches = pace->count;
    size_t quarter = (pace->count + 3) / 4;
    stretch start = {0, quarter};
    stretch end = {pace->count - quarter, pace->count};
    speed->at_start = exp(fastest - median_in(pace, start, scratch));
    speed->at_end = exp(fastest - median_in(pace, end, scratch));
    speed->slowest = exp(fastest - slowest);
}

bool fit_pace_finish(fit_pace *pace) {
    double *scratch = malloc((pace->count + 1) * sizeof *scratch);
    bool *begins = calloc(pace->count + 1, sizeof *begins);
    bool complete = scratch != NULL && begins != NULL;
    if (complete && pace->count > 0) {
        qsort(pace->effects, pace->count, sizeof *pace->effects, by_launch);
        join_kernels(pace, scratch);
        part_all(pace, (stretch){0, pace->count}, begins, scratch);
        describe(pace, begins, scratch);
    }
    free(scratch);
    free(begins);
    return complete;
}

bool fit_pace_holds(const fit_pace *pace, unsigned launch) {
    return launch >= pace->speed.first && launch <= pace->speed.last;
}

void fit_pace_free(fit_pace *pace) {
    free(pace->effects);
    *pace = (fit_pace){0};
}
