/* Call sites: how often they are called, with which messages; where processes wait; whether records
 * have the messages of their sizes. */
#ifndef ISOCAST_DERIVE_SITES_H
#define ISOCAST_DERIVE_SITES_H

#include "derived.h"

/* Calls with MPI_PROC_NULL send nothing and do not count. Calls with neighbours count once for each
 * of them, where all get messages of one size. */
typedef struct isocast_site_seen {
    double calls;   /* of the process with most of them */
    double largest; /* B, message: m of its operation, for MPI_Alltoallv the mean of a call */
    bool several;   /* a process has messages of different sizes */
    double time;    /* s, inside of the calls, mean over processes */
    double calls_mean, moved_mean; /* over processes; B to all that the calls send to */
} isocast_site_seen;

/* Appends the sites of a record that are not among keys yet. The array is the caller's (free()).
 * Errors: NO_MEMORY. */
isocast_status isocast_site_keys_add(const isocast_record *record, isocast_site_key **keys,
                                     size_t *count, size_t *capacity);

/* Errors: NO_MEMORY. */
isocast_status isocast_site_observe(const isocast_record *record, const isocast_site_key *key,
                                    isocast_site_seen *out);

/* Whether the work grows with p, as the sizes are those of a process. */
bool isocast_derived_work_has_p(const isocast_derived *derived);

/* Whether the steps have all calls of a site, with their sizes and roots, in all its records. */
bool isocast_derived_site_is_exact(const isocast_derived_site *site);

/* Whether steps made without some records have something else of it there. */
bool isocast_derived_site_is_off_there(const isocast_derived_site *site);

/* Whether a site sends messages. */
bool isocast_derived_site_sends(const isocast_derived_site *site);

/* Whether a site asks for messages and does not wait for them. */
bool isocast_derived_site_asks(const isocast_derived_site *site);

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

#endif
