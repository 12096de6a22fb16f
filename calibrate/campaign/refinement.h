/* Where in m operations switch protocol or algorithm, by the samples so far, and which sizes the
 * next launches should measure to find the place. Looks at samples alone: measures and prints
 * nothing. */
#ifndef CAMPAIGN_REFINEMENT_H
#define CAMPAIGN_REFINEMENT_H

#include "calibrate/samples/samples.h"

/* New sizes of one round of launches, and of all. */
enum { CAMPAIGN_REFINEMENT_ROUND_MAX = 3, CAMPAIGN_REFINEMENT_MAX = 12 };

/* Start from {0}. */
typedef struct campaign_refinement {
    char *sizes; /* B, rising, as the probe's option; those measured stay */
    char *note;  /* the environment's line of what was found; NULL: nothing */
} campaign_refinement;

/* `sizes`: those that every calibration measures, likewise. What else samples have was found by
 * earlier rounds, so that a calibration that goes on needs nothing else. False where there is no
 * memory, or `sizes` is no list; *out then stays. What *out had is freed. */
bool campaign_refinement_find(const samples *s, const char *sizes, campaign_refinement *out);
void campaign_refinement_free(campaign_refinement *r);

#endif
