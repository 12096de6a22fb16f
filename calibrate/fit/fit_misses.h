/* What the law of an operation misses: how far it is off where it was measured, and how much
 * further on more processes, which laws that are chosen from fewer of them report. What launches
 * that differ make of either does not count: the errors of coefficients have it. */
#ifndef FIT_MISSES_H
#define FIT_MISSES_H

#include "fit_chosen.h"

/* Sums over the places of an operation. Start from {0}. */
typedef struct fit_misses {
    double squares, weight; /* of ln of what the law states over what was measured */
    double noise;           /* what launches make of that, times the weight */
    size_t places;          /* counts of processes, of each part of the operation */
    bool simulated;
    double far_squares, far_weight; /* the same beyond, and the squares of ln p/p_max */
} fit_misses;

/* Adds those of a placement, whose items (shape [count]) the law was chosen for. Errors: NO_MEMORY.
 */
isocast_status fit_misses_add(const fit_request *request, const fit_summary *items, size_t count,
                              const fit_chosen *chosen, fit_misses *misses);

/* Standard deviations of ln T of the whole operation; of the drift for each unit of ln(p/p_max).
 * NAN where they are not known, or, of the misfit, where launches explain all. */
double fit_misses_misfit(const fit_misses *misses);
double fit_misses_drift(const fit_misses *misses);

/* Where too few counts of processes were measured to state an operation's drift, it is taken to be
 * the median of the others', or, simulated, what is usual where there are none. Errors: NO_MEMORY.
 */
isocast_status fit_misses_fill(bool simulated, fit *f);

#endif
