/* Messages of one call site by their lengths: of a process, the longest ones there have rank 1, the
 * next shorter ones rank 2. A function that stands between a program and MPI sends different things
 * from one line, which so are told apart. Fits nothing. */
#ifndef ISOCAST_DERIVE_RANKS_H
#define ISOCAST_DERIVE_RANKS_H

#include "site_key.h"

enum { ISOCAST_RANKS_MOST = 6 /* lengths of a process that are told apart */ };

/* Ranks of calls at the places of those keys that ask for one; 0: of other calls, and where a
 * process has more lengths than are told apart. ranks: [record->call_count]. Errors: NO_MEMORY. */
isocast_status isocast_ranks_find(const isocast_record *record, const isocast_site_key *keys,
                                  size_t count, unsigned char *ranks);

/* How many lengths a process has at a place, the most of all; 0 where that is not the same in all
 * records with messages there, or more than are told apart. Errors: NO_MEMORY. */
isocast_status isocast_ranks_count(isocast_record *const *records, size_t record_count,
                                   const isocast_site_key *key, size_t *out);

#endif
