/* Sizes of messages between which an operation's messages are the same: at their ends senders begin
 * to wait for receivers, or the algorithm changes. */
#ifndef FIT_REGIMES_H
#define FIT_REGIMES_H

#include "fit_replay.h"

enum { FIT_REGIME_STARTS_MAX = FIT_SIZES_MAX };

/* There is one regime more than starts: regime 0 has the shortest messages. */
typedef struct fit_regimes {
    double from[FIT_REGIME_STARTS_MAX]; /* [count] B, rising: where the next regime begins */
    int count;
} fit_regimes;

/* Those of the longest message of an operation on a network. */
fit_regimes fit_regimes_of(const char *name, const fit_network_map *map);

/* The regime of a message, 0 to count. */
int fit_regime_at(const fit_regimes *regimes, double bytes);

/* A message amid a regime, B; 0 for regime 0. */
double fit_regime_middle(const fit_regimes *regimes, int regime);

#endif
