/* Words of a program's command line that are the sides of its grid of processes. */
#ifndef ISOCAST_DERIVE_SIDE_WORDS_H
#define ISOCAST_DERIVE_SIDE_WORDS_H

#include "model/record/record.h"

enum { ISOCAST_SIDES_MOST = 3 };

/* Arguments, from 0, without the program. The one that is longest in most records is the last. */
typedef struct isocast_side_words {
    size_t arguments[ISOCAST_SIDES_MOST];
    size_t count; /* 2 or 3; 0: there are none */
} isocast_side_words;

/* Finds two or three numbers that differ between records and whose product is p in each of them.
 * A number that is 1 everywhere is the third one where it stands in one row with two others.
 * Numbers for which `taken` says so are none. records: [count]; taken: [argument_count]. */
isocast_side_words isocast_side_words_find(isocast_record *const *records, size_t count,
                                           const bool *taken);

/* Whether they are sides of as many processes as a record has. */
bool isocast_side_words_fit(const isocast_side_words *words, isocast_record *record);

#endif
