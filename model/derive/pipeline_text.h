/* Pipelines as terms of an algorithm file. Finds none (pipelines.h). */
#ifndef ISOCAST_DERIVE_PIPELINE_TEXT_H
#define ISOCAST_DERIVE_PIPELINE_TEXT_H

#include "derived.h"

/* A share of the computing that counts as all. */
extern const double isocast_whole_share;

/* Terms of the overhead. names: as of isocast_law_write(). */
void isocast_put_pipelines(const isocast_derived *derived, const char *const *names,
                           isocast_buffer *out);

/* Those of which it is not known how often they fill, and other chains. head: what stands before
 * the first one; returns it, or "" where there was one. */
const char *isocast_put_uncertain_pipelines(const isocast_derived *derived, const char *head,
                                            const char *const *names, isocast_buffer *out);

#endif
