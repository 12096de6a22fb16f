/* Where a prediction's uncertainty comes from: the part of each operation in the variance of T of
 * an algorithm, so that the next launches spend their time there. */
#ifndef CAMPAIGN_WEIGHTING_H
#define CAMPAIGN_WEIGHTING_H

#include "calibrate/samples/samples.h"
#include "selection.h"

/* The prediction whose uncertainty counts. */
typedef struct campaign_weighting {
    const isocast_algorithm *algorithm;
    const double *processes; /* [process_count] */
    size_t process_count;
    long processors; /* of the node */
} campaign_weighting;

/* Sets the weights of what is wanted to the standard deviation that it brings into ln T, by the fit
 * of the samples so far: the root of the mean over the counts of processes and some sizes. Nothing
 * falls under a twentieth of the largest, as what seems known may not be. False, with the weights
 * as they were, where the samples do not state yet. */
bool campaign_weighting_apply(const campaign_weighting *e, const samples *s, campaign_selection *w);

#endif
