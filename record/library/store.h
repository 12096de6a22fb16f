/* The part of this process (record/part/part.h): the mapped file, and what finds its rows. Private
 * memory holds the indices alone. Not safe for threads by itself. */
#ifndef RECORD_STORE_H
#define RECORD_STORE_H

#include <stdbool.h>
#include <stddef.h>

#include "record/part/part.h"

/* NULL while nothing is recorded. */
extern record_part *record_store;

/* Makes and maps the file of a rank in a folder. False, with errno, where that fails. */
bool record_store_open(const char *folder, int rank, int size);

/* The site of a return address whose function was called from there, and so on: [count], from the
 * innermost on. Where there is no room for one of them, it has those alone that called that one.
 * RECORD_PART_NONE where there is no room for the site. */
uint32_t record_store_site(const void *address, const void *const *callers, uint32_t count);

/* The row of a key, or that of merged calls of the same operation, site and communicator where
 * there is no room for one more. NULL where there is room for neither. The key's site is one. */
record_part_call *record_store_call(const record_part_key *key);

/* The row of the way from one site to another one; NULL where there is no room. */
record_part_compute *record_store_compute(uint32_t from, uint32_t to);

/* The number of a communicator that is as described, with `members` [size]; it is added where there
 * is none. RECORD_PART_NONE where there is no room. */
uint32_t record_store_communicator(const record_part_communicator *like, const uint32_t *members);

#endif
