/* What is known of an allgather before it is measured: which algorithm MPICH takes where (R.
 * Thakur, R. Rabenseifner, W. Gropp, IJHPCA 19(1) 2005, section 4.1), as SimGrid does
 * (allgather__mpich of SimGrid 3.32). It goes by the bytes of all processes together. */
#ifndef FIT_GATHERING_H
#define FIT_GATHERING_H

#include <stdbool.h>

#include "model/base/buffer.h"

/* Whether an operation of this name chooses so: T_allgather and T_allgatherv. */
bool fit_gathering_is(const char *name);

/* Whether blocks of m bytes of each of p processes go in steps in which they double (Bruck's
 * algorithm where p is no power of two), else round a ring. */
bool fit_gathering_doubles(double p, double m);

/* Of the operation's name, where one of the two is fitted by itself: "_ring". */
const char *fit_gathering_ending(bool doubles);

/* Appends the formula that calls NAME_doubling(m, p) and NAME_ring(m, p) where they are taken. One
 * that was not seen is left out. seen: [0] doubling, [1] ring. */
void fit_gathering_choice(const char *name, const bool seen[2], isocast_buffer *out);

#endif
