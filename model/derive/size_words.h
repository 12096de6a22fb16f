/* Which words of a program's command line are its sizes, and whether records belong together.
 * Derives no law. */
#ifndef ISOCAST_DERIVE_SIZE_WORDS_H
#define ISOCAST_DERIVE_SIZE_WORDS_H

#include "law.h"
#include "model/record/record.h"
#include "shapes.h"

enum {
    ISOCAST_DERIVE_NAME_MAX = 32,
    ISOCAST_DERIVE_VALUES_LEAST = 3,     /* of each size, and of p */
    ISOCAST_DERIVE_CALL_SITES_MAX = 2000 /* of a record: each is looked for in all its calls */
};

enum { ISOCAST_SIDES_MOST = 3 };

/* Words that are the sides of the grid of processes: arguments, from 0, without the program. The
 * one that is longest in most records is the last. */
typedef struct isocast_side_words {
    size_t arguments[ISOCAST_SIDES_MOST];
    size_t count; /* 2 or 3; 0: there are none */
} isocast_side_words;

typedef struct isocast_size_word {
    char name[ISOCAST_DERIVE_NAME_MAX];
    size_t argument; /* from 0, without the program */
} isocast_size_word;

typedef struct isocast_size_words {
    isocast_size_word words[ISOCAST_DERIVE_SIZES_MAX];
    size_t count;
    isocast_side_words sides; /* words that are no sizes, but sides of the grid of processes */
    isocast_shape shape;      /* where no words are sides */
} isocast_size_words;

/* Whether a text may name a size: a letter, then letters, digits and _; no name that formulas have
 * already. */
bool isocast_size_name_is_free(const char *name);

/* Finds the numbers of the command line that differ between records: those that `asked` names, in
 * its order, then the others in theirs, which are named N, M, K, L. A number that is the same
 * multiple of another size in all records is no size of its own, and neither is one that follows
 * the number of processes, or is a side of their grid, but where `asked` names it. A number may end
 * a word:
 * "--size=240".
 * records: [count]; others: [other_count], which have to fit as well but do not count as runs.
 * Errors: INVALID, with diagnostics: another program, other words, a run that did not end, too many
 * call sites, too few sizes or numbers of processes; NO_MEMORY. */
isocast_status isocast_size_words_find(isocast_record *const *records, size_t count,
                                       isocast_record *const *others, size_t other_count,
                                       const isocast_size_words *asked,
                                       isocast_diagnostics *diagnostics, isocast_size_words *out);

/* The sizes and p of a record, and the sides of its grid where they are known. */
void isocast_size_words_point(const isocast_size_words *words, const isocast_record *record,
                              isocast_law_point *out);

/* Where the number begins that a word ends with; the length of the word where it ends with none. */
size_t isocast_word_number(const char *word, double *value);

/* Whether a number may be a side of the grid of processes, or as it: it divides p in all records,
 * and is the same in those with the same p. */
bool isocast_word_follows_processes(isocast_record *const *records, size_t count, size_t argument);

#endif
