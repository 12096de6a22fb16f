/* From records of one program to laws of what it sends and computes, in its sizes and p. */
#ifndef ISOCAST_DERIVE_H
#define ISOCAST_DERIVE_H

#include "derived.h"

/* Derives from all records. What was held out (other_count may be 0) is checked only; where
 * nothing is, and there are four numbers of processes or more, laws are made once more without the
 * largest of these, and checked there. Errors: INVALID, with diagnostics; NO_MEMORY. */
isocast_status isocast_derive(isocast_record *const *records, size_t count,
                              isocast_record *const *others, size_t other_count,
                              const isocast_size_words *asked, isocast_diagnostics *diagnostics,
                              isocast_derived **out);

/* Laws without one point, a p and sizes: `at`, or the largest one where that is NULL
 * (held_point.h). *out stays as it is, and point->reason says why, where too few records are left.
 * sorted: [derived->record_count], which must outlive the laws; the point's records stand behind
 * the others. Errors: NO_MEMORY. */
isocast_status isocast_derive_without_point(const isocast_derived *derived, double processors,
                                            const isocast_law_point *at, isocast_record **sorted,
                                            isocast_held_point *point, isocast_derived **out);

void isocast_derived_free(isocast_derived *derived);

#endif
