/* Arguments of an operation between which its messages are the same: at their ends senders begin to
 * wait for receivers, or the library takes another algorithm. */
#ifndef FIT_REGIMES_H
#define FIT_REGIMES_H

#include "fit_sizes.h"
#include "model/base/buffer.h"

enum { FIT_BORDERS_MAX = 12 };

/* What has so many bytes at a border. */
typedef enum fit_border_axis {
    FIT_BORDER_LONGEST, /* the longest message */
    FIT_BORDER_BLOCK,   /* a block of it, for each process */
    FIT_BORDER_ARGUMENT,
    FIT_BORDER_ALL,     /* the blocks of all processes */
    FIT_BORDER_ELEMENTS /* one for each of the largest power of two of processes */
} fit_border_axis;

typedef struct fit_border {
    fit_border_axis axis;
    double bytes;
} fit_border;

/* There is one regime more than borders: regime k is below border k, and no other one before. */
typedef struct fit_regimes {
    fit_size longest;                    /* message */
    fit_border borders[FIT_BORDERS_MAX]; /* [count] */
    int count;
} fit_regimes;

/* Those of an operation on a network. Where the library has more borders than there is room for,
 * those at which most changes. */
fit_regimes fit_regimes_of(const char *name, const fit_network_map *map);

/* The regime of m bytes on p processes, 0 to count. */
int fit_regime_at(const fit_regimes *regimes, double m, double p);

/* Between which arguments a regime is on p processes, B; it may have none there. */
void fit_regime_range(const fit_regimes *regimes, int regime, double p, double *low, double *high);

/* An argument amid a regime, B. */
double fit_regime_middle(const fit_regimes *regimes, int regime, double p);

/* "m*p < 524288 B": what holds below a border. */
void fit_border_put(const fit_regimes *regimes, int border, isocast_buffer *out);

/* Whether an operation sends about as many messages as there are processes, or more, from each of
 * them, with so many processes on a node. */
bool fit_regime_is_heavy(const char *name, const fit_network_map *map, double m, int each);

/* Who calls: so many ranks, each `stride` after the one before, with so many ranks on a node. */
typedef struct fit_callers {
    int count, each, stride;
} fit_callers;

/* Whether the processes of a call send to the same others in the same order with two arguments, and
 * wait for the same of them. False where that is not known. */
bool fit_regime_is_alike(const char *name, const fit_network_map *map, double m, double other,
                         fit_callers callers);

/* Whether the library takes another algorithm on p processes than on one less. */
bool fit_regime_turns(const char *name, const fit_network_map *map, double m, int p, int each);

#endif
