/* What a record says of one site of a program: how often, with which sizes, among how many. */
#ifndef ISOCAST_DERIVE_OBSERVE_H
#define ISOCAST_DERIVE_OBSERVE_H

#include "site_key.h"

/* Calls with MPI_PROC_NULL send nothing and do not count. Calls with neighbours count once for each
 * of them, where all get messages of one size. */
typedef struct isocast_site_seen {
    double calls;   /* of the process with most of them */
    double largest; /* B, message: m of its operation, for MPI_Alltoallv the mean of a call */
    bool several;   /* a process has messages of different sizes */
    double time;    /* s, inside of the calls, mean over processes */
    double calls_mean, moved_mean; /* over processes; B to all that the calls send to */
} isocast_site_seen;

/* What a record says of computing. Processor time, s. */
typedef struct isocast_compute_seen {
    double all;    /* of all processes */
    double most;   /* of the process with most of it */
    double T;      /* elapsed time, mean over processes */
    double memory; /* B, of the process that takes most; NAN where one does not tell */
    /* The processes had a processor each: processor time is 4/5 of the elapsed time or more. */
    bool alone;
} isocast_compute_seen;

/* Appends the sites of a record that are not among keys yet. The array is the caller's (free()).
 * Errors: NO_MEMORY. */
isocast_status isocast_site_keys_add(const isocast_record *record, isocast_site_key **keys,
                                     size_t *count, size_t *capacity);

/* Errors: NO_MEMORY. */
isocast_status isocast_site_observe(const isocast_record *record, const isocast_site_key *key,
                                    isocast_site_seen *out);

/* Errors: NO_MEMORY. */
isocast_status isocast_compute_observe(const isocast_record *record, isocast_compute_seen *out);

#endif
