/* A derived program against records: whether its processes meet, and what each site of them calls,
 * how often, with which messages and roots. */
#ifndef ISOCAST_DERIVE_STEPS_CHECK_H
#define ISOCAST_DERIVE_STEPS_CHECK_H

#include "step.h"

/* Rehearses the steps with the p and sizes of their records: sets `here` of all sites, and
 * derived->rehearsed. A record with more calls than are gone through is not compared. A step by
 * which processes would wait forever, there or on other numbers of processes, is left out, and is
 * one of the doubts. Errors: NO_MEMORY. */
isocast_status isocast_derive_steps_check(isocast_derived *derived);

/* The same with other records, shape [count], which fit the laws' sizes. Sets `there` of the sites.
 * Errors: NO_MEMORY. */
isocast_status isocast_derive_held_out_check(isocast_derived *laws, isocast_record *const *records,
                                             size_t count, isocast_held_out *out);

#endif
