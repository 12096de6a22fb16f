/* Call sites: how often they are called, with which messages; where processes wait; whether records
 * have the messages of their sizes. */
#ifndef ISOCAST_DERIVE_SITES_H
#define ISOCAST_DERIVE_SITES_H

#include "derived.h"

/* Appends the sites of a record that are not among keys yet. The array is the caller's (free()).
 * Errors: NO_MEMORY. */
isocast_status isocast_site_keys_add(const isocast_record *record, isocast_site_key **keys,
                                     size_t *count, size_t *capacity);

/* Whether the work grows with p, as the sizes are those of a process. */
bool isocast_derived_work_has_p(const isocast_derived *derived);

/* Whether the steps have all calls of a site, with their sizes and roots, in all its records. */
bool isocast_derived_site_is_exact(const isocast_derived_site *site);

/* Whether steps made without some records have something else of it there. */
bool isocast_derived_site_is_off_there(const isocast_derived_site *site);

/* Whether a site sends messages. */
bool isocast_derived_site_sends(const isocast_derived_site *site);

/* Whether processes wait at a site for one-sided messages, and no step stands for that. */
bool isocast_derived_site_synchronizes(const isocast_derived_site *site);

/* Sets the sites. Errors: NO_MEMORY. */
isocast_status isocast_derive_sites_find(isocast_derived *derived);

/* A size that is an exponent, as counts and messages show, may be one in the computing, too: notes
 * that in the fitter. Errors: NO_MEMORY. */
isocast_status isocast_derive_exponents_note(const isocast_derived *derived);

/* Refuses records with the same words and as many processes as another one, but with messages of
 * other sizes at most of the places that send more than a few numbers: the program has its sizes
 * from somewhere else. records: [count]. Errors: NO_MEMORY. */
isocast_status isocast_mixed_records_refuse(isocast_record *const *records, size_t count,
                                            isocast_diagnostics *diagnostics);

/* A record counts the calls of each root and size, and keeps no order: where sizes shrink from call
 * to call, or shares of the calls are uneven, these show it. */

/* Sets `roots` of all sites. Errors: NO_MEMORY. */
isocast_status isocast_derive_root_order_find(isocast_derived *derived);

/* The smallest message of a site and the step, exact laws where the sizes of its calls differ by
 * equal steps in all records, as the rows of an elimination get shorter; else they stay as they
 * are. Errors: NO_MEMORY. */
isocast_status isocast_derive_size_steps_find(const isocast_derived *derived, size_t site,
                                              isocast_law *least, isocast_law *step);

#endif
