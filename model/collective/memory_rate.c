#include "memory_rate.h"

#include <math.h>

static const double small_change = 0.01; /* of a rate, that counts as none */

/* The share of accesses that a cache answers which drops what it holds at random, where data of
 * `times` its size are gone through again and again: what was used is still there after the misses
 * of one round, each of which drops one of all lines. The least h with h = exp(-(1 - h) times). */
static double share_of_hits(double times) {
    enum { STEPS = 40 };
    double h = times > 1 ? 0 : 1;
    for (int i = 0; times > 1 && i < STEPS; i++) {
        double kept = exp((h - 1) * times);
        h += (kept - h) / (1 - times * kept);
    }
    return h;
}

bool isocast_memory_rate_take(isocast_memory_rate *m, double more) {
    m->in_hand += more;
    double hits = share_of_hits(m->in_hand / m->cache);
    double rate = 1 / (hits / m->cached + (1 - hits) / m->memory);
    if (fabs(rate - m->rate) <= small_change * m->rate) {
        return false;
    }
    m->rate = rate;
    return true;
}

double isocast_in_hand_call(isocast_in_hand *hand, double bytes, bool waits) {
    hand->posted += waits ? 0 : bytes;
    hand->before = waits ? 0 : hand->before;
    return waits ? hand->posted + bytes : fmax(hand->before, hand->posted);
}

void isocast_in_hand_wait(isocast_in_hand *hand) {
    hand->before = hand->posted > 0 ? hand->posted : hand->before;
    hand->posted = 0;
}
