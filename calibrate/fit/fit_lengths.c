#include "fit_lengths.h"

#include <math.h>
#include <string.h>

#include "fit_sizes.h"

const double fit_saving_ratios[FIT_SAVINGS] = {1.0 / 8, 1.0 / 4, 1.0 / 2, 1,  2,  4,
                                               8,       16,      32,      64, 128};
/* What a replay at a place is asked with. */
typedef struct question {
    const fit_lengths_place *at;
    fit_sizes sizes;
    double members;         /* processes of each call */
    fit_replay_rules rules; /* without times */
} question;

static double replay(const question *q, fit_replay_rules rules) {
    return fit_pattern_length(q->at->map, q->at->pattern, &q->at->placement, rules);
}

/* Bytes of a message of a size over those of the longest one. */
static double over_longest(const question *q, size_t size) {
    const fit_size *own = &q->sizes.items[size];
    const fit_size *longest = &q->sizes.items[0];
    return own->share(q->members) / longest->share(q->members);
}

/* What the operation takes where messages have this latency, and the longest takes this time. */
static double length_at(const question *q, double latency, double bytes) {
    fit_replay_rules rules = q->rules;
    for (size_t k = 0; k < q->sizes.count; k++) {
        rules.latency[k] = latency;
        rules.bytes[k] = bytes * over_longest(q, k);
    }
    return replay(q, rules);
}

/* The same where only messages of one size take any time, by their own bytes. */
static double part_at(const question *q, size_t size, double latency, double bytes) {
    fit_replay_rules rules = q->rules;
    rules.latency[size] = latency;
    rules.bytes[size] = bytes;
    return replay(q, rules);
}

/* The parts of a length that messages of each size have: their own ones, so that all of them
 * together make up the whole. parts: shape [sizes]; for bytes those of latencies before. */
static void part_length(const question *q, double whole, bool bytes, double *parts) {
    double sum = 0;
    for (size_t k = 0; k < q->sizes.count; k++) {
        double weight = bytes ? over_longest(q, k) : 1;
        /* What has no latencies has no messages. */
        parts[k] = !bytes || parts[k] > 0 ? part_at(q, k, bytes ? 0 : 1, bytes ? 1 : 0) : 0;
        sum += weight * parts[k];
    }
    for (size_t k = 0; k < q->sizes.count; k++) {
        bool counts = !bytes || over_longest(q, k) > 0;
        parts[k] *= sum > 0 && counts ? whole / sum : 1;
    }
}

void fit_lengths_find(const fit_lengths_place *at, fit_lengths *out) {
    int members = fit_axis_members(at->pattern.axis, (int)at->placement.processes);
    question q = {at, fit_sizes_of(at->pattern.name), members, {.m = at->m}};
    double longest = fit_size_bytes(&q.sizes.items[0], at->m, members);
    q.rules.eager = longest < at->map->eager_limit;
    *out = (fit_lengths){.links = {0}};
    double links = length_at(&q, 1, 0);
    double loads = length_at(&q, 0, 1);
    part_length(&q, links, false, out->links);
    memcpy(out->loads, out->links, sizeof out->loads);
    part_length(&q, loads, true, out->loads);
    bool cut = false;
    for (size_t k = 1; k < q.sizes.count; k++) {
        cut = cut || (out->links[k] > 0 && over_longest(&q, k) > 0);
    }
    int last = (cut ? FIT_SAVINGS : FIT_SAVINGS_WHOLE) - 1;
    for (int i = 0; i < FIT_SAVINGS; i++) {
        double ratio = fit_saving_ratios[i];
        bool beyond = i > 0 && fit_saving_ratios[i - 1] >= at->ratio_most;
        bool below = i < last && fit_saving_ratios[i + 1] <= at->ratio_least;
        bool known = i > last || beyond || below;
        out->savings[i] = !known     ? links + ratio * loads - length_at(&q, 1, ratio)
                          : i > last ? out->savings[last]
                                     : 0;
    }
}

/* Straight lines through points, from 0 at 0 where the first is beyond, and constant beyond the
 * last. shapes: [count]. */
static double on_lines(const double *x, const double *y, int count, double at) {
    if (at <= x[0]) {
        return x[0] > 0 ? y[0] * at / x[0] : y[0];
    }
    for (int i = 1; i < count; i++) {
        if (at <= x[i]) {
            return y[i - 1] + (y[i] - y[i - 1]) * (at - x[i - 1]) / (x[i] - x[i - 1]);
        }
    }
    return y[count - 1];
}

double fit_lengths_saving(const double savings[FIT_SAVINGS], double ratio) {
    return on_lines(fit_saving_ratios, savings, FIT_SAVINGS, ratio);
}
