/* The law of an operation at the places where it was measured: terms and ranges of the message
 * size, chosen and solved for. */
#ifndef FIT_CHOSEN_H
#define FIT_CHOSEN_H

#include "fit_correction.h"
#include "fit_kinds.h"
#include "fit_request.h"

/* The points of one placement, and what is chosen for them. Start from {0}. */
typedef struct fit_chosen {
    fit_facts facts;
    fit_point *points; /* [count], sorted by size */
    size_t count;
    fit_ranges ranges;
    fit_correction (*corrections)[2]; /* [FIT_RANGES_MAX]; without counts where there are none */
} fit_chosen;

/* items: shape [count]. Free it also after a failure. Errors: NUMERIC (nothing fits), NO_MEMORY. */
isocast_status fit_chosen_find(const fit_request *request, const fit_summary *items, size_t count,
                               fit_chosen *out);
/* The same from those of the items that have p_most processes at most; `whole` is of all of them.
 * Where too few counts of processes are left to choose by, its terms are those of `whole`: a law
 * whose growth is assumed is another one, whose errors say nothing of it. */
isocast_status fit_chosen_of_fewer(const fit_request *request, const fit_summary *items,
                                   size_t count, const fit_chosen *whole, double p_most,
                                   fit_chosen *out);
void fit_chosen_free(fit_chosen *chosen);

#endif
