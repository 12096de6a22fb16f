/* What becomes of mixes: N, T and E of each, its cost and energy, and what the goal makes of them.
 */
#ifndef ISOCAST_OUTCOME_H
#define ISOCAST_OUTCOME_H

#include "mixes.h"

/* Whether a goal looks for N, so that none is given. */
bool isocast_offer_goal_is_size(isocast_offer_goal goal);

/* What is varied in place of what the machine says, for the question what would change an answer.
 * Start from isocast_variation_none(). */
typedef struct isocast_variation {
    size_t parameter;    /* index among the machine's; (size_t)-1: none */
    double value;        /* of it, SI */
    size_t class_index;  /* node class whose marked speed is varied; (size_t)-1: none */
    double speed_factor; /* 1 */
} isocast_variation;
isocast_variation isocast_variation_none(void);

/* Evaluates mixes first to last - 1 and fills N, W, T, E, status, and with these all that
 * isocast_mix_rate() does. `effort` takes what it costs. `varied` may be NULL. Errors: NO_MEMORY.
 */
isocast_status isocast_mixes_evaluate(const isocast_offers_request *request,
                                      const isocast_offer *offer, const isocast_variation *varied,
                                      isocast_effort *effort, isocast_mixes *mixes, size_t first,
                                      size_t last);

/* Cost, energy and value of a mix by its bill, N, T and E. */
void isocast_mix_rate(const isocast_offers_request *request, isocast_mix *mix);

/* Whether the first serves the goal better: its value is less; or it is the same, and less is
 * spent, or as much for fewer nodes. One that is not allowed is never better. */
bool isocast_mix_is_better(const isocast_mix *a, const isocast_mix *b);

#endif
