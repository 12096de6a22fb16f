/* The keys 'recorded' and 'held_out' of an algorithm file that was derived from records: where its
 * formulas were made, and how far they were off where they were not. */
#ifndef ISOCAST_ALGORITHM_RECORDED_H
#define ISOCAST_ALGORITHM_RECORDED_H

#include "algorithm.h"
#include "model/yaml/schema.h"

/* Reads both where the file has them; the sizes are read already. */
void isocast_algorithm_read_recorded(isocast_reader *reader, const isocast_tree_node *root,
                                     isocast_algorithm *algorithm);

/* Appends where a point is beyond the records, such as "p = 64 is above all recorded p (4 at
 * most)". other_sizes: [size_count - 1], NULL where there are none. Nothing where it is not, or
 * nothing was recorded. */
void isocast_recorded_put_beyond(const isocast_algorithm *algorithm, double p, double N,
                                 const double *other_sizes, isocast_buffer *out);

/* Whether the work is counted in nanoseconds of the recorded machine, whose speed is not known. */
bool isocast_recorded_speed_is_unknown(const isocast_algorithm *algorithm);

#endif
