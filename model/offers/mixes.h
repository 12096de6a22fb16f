/* The mixes of an offer inside a budget: which there are, and what they cost. Evaluates no model.
 */
#ifndef ISOCAST_MIXES_H
#define ISOCAST_MIXES_H

#include "offer.h"

/* Appends a mix; nodes: shape [class_count], copied. Errors: NO_MEMORY. */
isocast_status isocast_mixes_add(const isocast_offers_request *request, const isocast_offer *offer,
                                 const double *nodes, isocast_mixes *mixes);
void isocast_mixes_free(isocast_mixes *mixes);

/* The nodes of a mix, [class_count]. */
const double *isocast_mixes_nodes(const isocast_mixes *mixes, size_t index);

/* What counts against the budget for so many nodes; NAN where a price that is needed is missing. */
double isocast_mix_spent(const isocast_offers_request *request, const isocast_offer *offer,
                         const double *nodes);

/* The most nodes of a class that go with the others inside the budget and the offer's count; -1
 * where the others alone exceed it. No price is below 0, so what is spent never falls as nodes are
 * added: the answer is found by bisection. nodes[class_index] is not looked at. */
double isocast_mixes_most(const isocast_offers_request *request, const isocast_offer *offer,
                          const double *nodes, size_t class_index);

/* Appends every mix inside the budget, in the order of a number whose first digit is the last
 * class; or none, and *all false, where there are more than `most`. A class is cut off at the
 * first count that exceeds the budget, as more nodes never cost less. Errors: NO_MEMORY. */
isocast_status isocast_mixes_enumerate(const isocast_offers_request *request,
                                       const isocast_offer *offer, size_t most,
                                       isocast_mixes *mixes, bool *all);

/* The mix as a system of its machine, "16x4", "fat:32x2+thin:16x9", which predict takes, too.
 * Errors: NO_MEMORY, INVALID (more processes than a system may have). */
isocast_status isocast_mix_system(const isocast_offer *offer, const double *nodes,
                                  isocast_system **out);

#endif
