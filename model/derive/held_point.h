/* One point held out, a p and sizes, the largest ones: whether times that formulas made without it
 * give are those of its records. */
#ifndef ISOCAST_DERIVE_HELD_POINT_H
#define ISOCAST_DERIVE_HELD_POINT_H

#include "derived.h"

/* Moves the records of a point to the end of `sorted`, shape [count], with all records of as many
 * processes and more, if formulas can be made without these. at: the point; NULL: the largest one.
 * processors: of the machine of the records, where the largest point of several processes is wanted
 * whose processes had a processor each, alone; 0: of all points. Gives how many others
 * there are; 0, with a reason in *out, where too few are left to derive from. */
void isocast_held_point_split(const isocast_derived *derived, double processors,
                              const isocast_law_point *at, isocast_record **sorted, size_t *others,
                              isocast_held_point *out);

/* Of records that are not in `laws`: T_c at the largest p, and the largest sizes there. Errors:
 * NO_MEMORY. */
isocast_status isocast_held_point_compare(const isocast_derived *laws,
                                          isocast_record *const *records, size_t count,
                                          isocast_held_point *out);

/* T_c at a point, s, as predict gives it of the file that is written, on processors as those of the
 * records; NAN: it gives none. Errors: NO_MEMORY. */
isocast_status isocast_derive_computing_of_steps(const isocast_derived *laws,
                                                 const isocast_law_point *at, double *T_c);

#endif
