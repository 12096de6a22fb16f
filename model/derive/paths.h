/* Which callers distinguish the sites of a program. A function that several others call makes calls
 * of MPI that have little to do with each other: they are sites of their own, by what called it. */
#ifndef ISOCAST_DERIVE_PATHS_H
#define ISOCAST_DERIVE_PATHS_H

#include "model/record/record.h"

/* Cuts the paths of all sites to what distinguishes them: to nothing where a place has one path in
 * all records, or where processes of one collective call come to it by different ones; and all of
 * them to so few callers that a program has no more sites than steps are made for. Places that have
 * no callers in one record, as in those of older versions, have none in the others. Errors:
 * NO_MEMORY. */
isocast_status isocast_derive_paths_align(isocast_record *const *records, size_t count,
                                          isocast_record *const *others, size_t other_count);

#endif
