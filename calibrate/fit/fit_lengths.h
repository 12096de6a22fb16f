/* How long an operation is whose messages are known: how often what a link takes of them, at one
 * place of its processes. Measures nothing. */
#ifndef FIT_LENGTHS_H
#define FIT_LENGTHS_H

#include "fit_pattern.h"

/* Short messages count latencies, long ones bytes. Between, some processes wait for the one and
 * some for the other, and all together less than for the sum of both. So much is saved where the
 * bytes of a message take so many times its latency. Lengths are the largest of sums of latencies
 * and bytes, so that they rise by straight lines over this ratio. That of the longest message is
 * large where blocks of it still wait for latencies. */
enum { FIT_SAVINGS = 11, FIT_SAVINGS_WHOLE = 7 /* where there are no blocks */ };
extern const double fit_saving_ratios[FIT_SAVINGS];

/* An operation at one place: how often what a link takes of a message, by the message's size. */
typedef struct fit_lengths {
    double links[FIT_SIZES_MAX]; /* its latency */
    double loads[FIT_SIZES_MAX]; /* the time of its bytes */
    double savings[FIT_SAVINGS]; /* what the sum of both is too much by, in latencies */
} fit_lengths;

/* At which place, with an argument of about so many bytes. */
typedef struct fit_lengths_place {
    const fit_network_map *map;
    fit_pattern pattern;
    fit_places placement;
    double m; /* B */
    /* Between which ratios savings are asked for; those at others are 0. */
    double ratio_least, ratio_most;
} fit_lengths_place;

/* NaN where memory is short, or as many processes do not do this. */
void fit_lengths_find(const fit_lengths_place *at, fit_lengths *out);

/* What is saved at any ratio: straight lines from none at 0, and no more beyond the last. */
double fit_lengths_saving(const double savings[FIT_SAVINGS], double ratio);

#endif
