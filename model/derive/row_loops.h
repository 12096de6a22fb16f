/* Loops in what follows what: of calls in a row, which ones come again and again without another
 * call between, and how often. Knows nothing of laws; writes nothing. */
#ifndef ISOCAST_DERIVE_ROW_LOOPS_H
#define ISOCAST_DERIVE_ROW_LOOPS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/base/status.h"

/* One call follows another. */
typedef struct derive_follow {
    size_t before, after; /* sites; may be the same */
    double *counts;       /* [record_count], how often */
    double *again;        /* [record_count], how often of these in a further turn of a loop */
    bool is_back;         /* it begins a further turn */
} derive_follow;

/* Sets `again` and `is_back`. Only loops of calls that follow each other in one way alone count:
 * elsewhere `again` is 0. follows: [count], sorted by `before`; entered: [site_count], which calls
 * come behind anything else, too. Errors: NO_MEMORY. */
isocast_status isocast_derive_row_loops_find(derive_follow *follows, size_t count,
                                             const bool *entered, size_t site_count,
                                             size_t record_count);

#endif
