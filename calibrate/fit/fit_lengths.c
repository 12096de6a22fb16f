#include "fit_lengths.h"

#include <math.h>

#include "fit_pattern.h"
#include "fit_sizes.h"

const double fit_saving_ratios[FIT_SAVINGS] = {1.0 / 8, 1.0 / 4, 1.0 / 2, 1, 2, 4, 8};

/* What a replay at a place is asked with. */
typedef struct question {
    const fit_lengths_place *at;
    fit_sizes sizes;
    fit_replay_rules rules; /* without times */
} question;

static double replay(const question *q, fit_replay_rules rules) {
    return fit_pattern_length(q->at->map, q->at->name, &q->at->placement, rules, q->at->rounds);
}

/* Bytes of a message of a size over those of the longest one. */
static double over_longest(const question *q, size_t size) {
    double p = (double)q->at->placement.processes;
    return q->sizes.items[size].share(p) / q->sizes.items[0].share(p);
}

/* What the operation takes beside its work, where messages have this latency, the longest
 * takes this time, and processes work so long between. */
static double length_at(const question *q, double latency, double bytes, double work) {
    fit_replay_rules rules = q->rules;
    for (size_t k = 0; k < q->sizes.count; k++) {
        rules.latency[k] = latency;
        rules.bytes[k] = bytes * over_longest(q, k);
    }
    rules.work = work;
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
 * together make up the whole. parts: shape [sizes]. */
static void part_length(const question *q, double whole, bool bytes, double *parts) {
    double sum = 0;
    for (size_t k = 0; k < q->sizes.count; k++) {
        double weight = bytes ? over_longest(q, k) : 1;
        parts[k] = part_at(q, k, bytes ? 0 : 1, bytes ? 1 : 0);
        sum += weight * parts[k];
    }
    for (size_t k = 0; k < q->sizes.count; k++) {
        bool counts = !bytes || over_longest(q, k) > 0;
        parts[k] *= sum > 0 && counts ? whole / sum : 1;
    }
}

void fit_lengths_find(const fit_lengths_place *at, fit_lengths *out) {
    question q = {
        at,
        fit_sizes_of(at->name),
        {.eager = at->longest < at->map->eager_limit, .longest = at->longest},
    };
    fit_work work;
    /* Processes that wait for each other in every message do not drift apart. */
    bool works = fit_work_of(at->name, &work) && !isnan(at->map->speed) && q.rules.eager;
    *out = (fit_lengths){.links = {0}};
    double links = length_at(&q, 1, 0, 0);
    double loads = length_at(&q, 0, 1, 0);
    /* Of a message of m bytes: without any, all processes of a regular grid would stay in step. */
    static const double some = 1.0 / 64;
    double idle = works ? length_at(&q, some, 1, 0) : 0;
    part_length(&q, links, false, out->links);
    part_length(&q, loads, true, out->loads);
    for (int i = 0; i < FIT_SAVINGS; i++) {
        double ratio = fit_saving_ratios[i];
        out->savings[i] = links + ratio * loads - length_at(&q, 1, ratio, 0);
        out->working[i] = works ? idle - length_at(&q, some, 1, ratio) : 0;
    }
}

double fit_lengths_saving(const double savings[FIT_SAVINGS], double ratio) {
    double x0 = 0;
    double y0 = 0;
    for (int i = 0; i < FIT_SAVINGS; i++) {
        double x1 = fit_saving_ratios[i];
        double y1 = savings[i];
        if (ratio <= x1) {
            return y0 + (y1 - y0) * (ratio - x0) / (x1 - x0);
        }
        x0 = x1;
        y0 = y1;
    }
    return y0;
}
