/* Records of runs that were not of the size that their command lines say. Finds no sizes. */
#ifndef ISOCAST_DERIVE_MIXED_H
#define ISOCAST_DERIVE_MIXED_H

#include "model/record/record.h"

/* Refuses records with the same words and as many processes as another one, but with messages of
 * other sizes at most of the places that send more than a few numbers: the program has its sizes
 * from somewhere else. records: [count]. Errors: NO_MEMORY. */
isocast_status isocast_mixed_records_refuse(isocast_record *const *records, size_t count,
                                            isocast_diagnostics *diagnostics);

#endif
