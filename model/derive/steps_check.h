/* A derived program against records: whether its processes meet, and what each site of them calls,
 * how often, with which messages and roots. */
#ifndef ISOCAST_DERIVE_STEPS_CHECK_H
#define ISOCAST_DERIVE_STEPS_CHECK_H

#include "step.h"

/* Rehearses the steps with the p and sizes of records, shape [count], whatever they are made from.
 * fits: [site_count], of the sites that send. A record with more calls than are gone through is not
 * compared. *culprit gets the step by which processes do not go together; NULL where they do, or
 * where it is not known: then out->problem says what is wrong, if anything is. Errors: NO_MEMORY.
 */
isocast_status isocast_derive_steps_compare(const isocast_derived *derived,
                                            isocast_record *const *records, size_t count,
                                            isocast_site_fit *fits, isocast_rehearsed *out,
                                            derive_step **culprit);

/* The same with the records of the steps: sets `here` of all sites, and derived->rehearsed. A step
 * by which processes would wait for ever, there or on other numbers of processes, is left out, and
 * is one of the doubts. Errors: NO_MEMORY. */
isocast_status isocast_derive_steps_check(isocast_derived *derived);

#endif
