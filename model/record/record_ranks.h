/* Lists of ranks, as communicators of records have them: "0-3 8-14/2". */
#ifndef ISOCAST_RECORD_RANKS_H
#define ISOCAST_RECORD_RANKS_H

#include <stddef.h>

typedef enum isocast_record_ranks {
    ISOCAST_RECORD_RANKS_GOOD,
    ISOCAST_RECORD_RANKS_NO_LIST,  /* the text is none, or has a rank that is not below the limit */
    ISOCAST_RECORD_RANKS_TOO_MANY, /* more ranks than asked for */
    ISOCAST_RECORD_RANKS_NO_MEMORY
} isocast_record_ranks;

/* Reads numbers parted by blanks, each below `limit`; "first-last/step" stands for several. *ranks
 * becomes the ranks in their order, *count, at most `most` of them, also where the text is no list:
 * what stands before the mistake. The caller frees *ranks. */
isocast_record_ranks isocast_record_ranks_read(const char *text, size_t limit, size_t most,
                                               size_t **ranks, size_t *count);

#endif
