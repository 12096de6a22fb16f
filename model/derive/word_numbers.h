/* Numbers in the words of a program's command line. */
#ifndef ISOCAST_DERIVE_WORD_NUMBERS_H
#define ISOCAST_DERIVE_WORD_NUMBERS_H

#include "model/record/record.h"

/* Where the number begins that a word ends with; the length of the word where it ends with none. */
size_t isocast_word_number(const char *word, double *value);

/* The number that a word ends with; 0 where there is none. */
double isocast_word_number_at(const isocast_record *record, size_t argument);

/* Whether it is 1 or more and divides the number of processes. */
bool isocast_word_divides_processes(const isocast_record *record, size_t argument);

/* Whether a number may be a side of the grid of processes, or as it: it divides p in all records,
 * and is the same in those with the same p. */
bool isocast_word_follows_processes(isocast_record *const *records, size_t count, size_t argument);

#endif
