/* Comma-separated lists with ranges, as command lines give them: "100,200", "200..1600*2",
 * "100..500+100". Splits and counts; what an item means is the caller's. */
#ifndef ISOCAST_LIST_H
#define ISOCAST_LIST_H

#include "diagnostic.h"

enum { ISOCAST_LIST_MAX = 100000 };

/* An item of a list: a text as it stands, or one number of a range. */
typedef struct isocast_list_item {
    isocast_span span;
    bool is_number; /* the item is a number, or comes from a range */
    double number;
} isocast_list_item;

/* Splits the whole source at its commas and expands no range: no item is a number. Errors, shape
 * and ownership as below. */
isocast_status isocast_list_entries(const isocast_source *source, isocast_diagnostics *diagnostics,
                                    isocast_list_item **out, size_t *count);

/* The numbers of a range: `from` to at most `to`, each `step` more than the one before, or `step`
 * times as much where `by_factor`. */
typedef struct isocast_list_range {
    double from, to, step;
    bool by_factor;
} isocast_list_range;

/* How many numbers it has; 0 where it never reaches its end. */
double isocast_list_range_count(const isocast_list_range *range);
/* Its k-th number, from 0 on. */
double isocast_list_range_at(const isocast_list_range *range, double k);

/* Splits the whole source. Errors, each with a diagnostic: INVALID (an empty item, a range that
 * does not end, too many items), NO_MEMORY. Free the array (shape [*count]) with free(). */
isocast_status isocast_list_split(const isocast_source *source, isocast_diagnostics *diagnostics,
                                  isocast_list_item **out, size_t *count);

#endif
