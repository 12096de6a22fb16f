/* Parts that are dealt out by speed on nodes of several classes: how long messages are beside the
 * mean. Measures nothing. */
#ifndef FIT_MIX_H
#define FIT_MIX_H

#include "fit_replay.h"

/* Lengths over the mean of a mix that grows as a whole, the longest first. Where there are more of
 * them than sizes, those in the middle have one size. */
typedef struct fit_mix {
    double ratios[FIT_SIZES_MAX]; /* [count] */
    size_t count;
} fit_mix;

/* False where an operation has no such parts, or all processors have one speed. */
bool fit_mix_find(const char *name, const fit_network_map *map, fit_mix *out);

/* How much longer messages are on these processes than on a mix that grows as a whole: the mean of
 * few of them is another one. 1 where all are alike. speeds: shape [processes]. */
double fit_mix_scale(const char *name, const fit_network_map *map, const double *speeds,
                     size_t processes);

#endif
