/* Parts of a time as texts, and the longest of several. Private to model/schedule. */
#ifndef ISOCAST_SCHEDULE_TIMES_PARTS_H
#define ISOCAST_SCHEDULE_TIMES_PARTS_H

#include "times_state.h"

/* What one process may be the slowest at: the first, the middle or the last along some axes. */
enum { ISOCAST_TIMES_VARIANTS_MOST = 64 };

/* The parts of a time, each a sum as a text: 0 is work. NULL: nothing. */
typedef struct isocast_times_parts {
    char **texts; /* [part_count] */
} isocast_times_parts;

/* What some processes do, where a condition holds; NULL: it does for some of them in any case. */
typedef struct isocast_times_variant {
    char *condition;
    isocast_times_parts sums;
} isocast_times_variant;

/* What different processes do at once in a step. */
typedef struct isocast_times_choice {
    isocast_times_variant variants[ISOCAST_TIMES_VARIANTS_MOST];
    size_t count;
    const isocast_step *step;
} isocast_times_choice;

/* Adds variants for a step, once the places of the process are chosen. */
typedef void (*isocast_times_choice_maker)(isocast_times_maker *m, isocast_times_choice *c);

/* A buffer's text; NULL where memory is short or it is too long, which the maker notes. */
char *isocast_times_take(isocast_times_maker *m, isocast_buffer *buffer);

/* Frees a buffer that was read, and notes where memory was short for it. */
void isocast_times_end(isocast_times_maker *m, isocast_buffer *buffer);

isocast_times_parts isocast_times_parts_begin(isocast_times_maker *m);
void isocast_times_parts_free(const isocast_times_maker *m, isocast_times_parts *p);

/* Adds a text, which is taken over, to a part; NULL adds nothing. */
void isocast_times_add(isocast_times_maker *m, isocast_times_parts *p, size_t part, char *text);

/* Adds all parts of another, which ends. */
void isocast_times_add_all(isocast_times_maker *m, isocast_times_parts *p,
                           isocast_times_parts *other);

/* Puts a text around each part: BEFORE part BEHIND. */
void isocast_times_wrap(isocast_times_maker *m, isocast_times_parts *p, const char *before,
                        const char *behind);

/* All parts as one sum; NULL where there is none. */
char *isocast_times_total(isocast_times_maker *m, const isocast_times_parts *p);

/* Whether a name is the rank, or a place along an axis; and along which (NONE: the ranks). */
bool isocast_times_is_place(const isocast_times_maker *m, size_t local);
size_t isocast_times_axis(const isocast_times_maker *m, size_t local);

/* The first, the middle or the last place (0, 1, 2), as a text. */
char *isocast_times_place(isocast_times_maker *m, size_t local, size_t which);

/* The places that are not chosen yet in a step's own condition, or in all of it, as a list over the
 * names, to be freed; NULL: none. */
bool *isocast_times_open_places(isocast_times_maker *m, const isocast_step *step,
                                bool condition_only);

/* Takes off the chains that are still to be filled, from `first` on. */
void isocast_times_drop_fills(isocast_times_maker *m, size_t first);

/* A further variant; NULL where there are too many, which the maker notes. */
isocast_times_variant *isocast_times_variant_of(isocast_times_maker *m, isocast_times_choice *c);

/* Calls `make` for each choice of the open places. */
void isocast_times_choose(isocast_times_maker *m, isocast_times_choice *c, const bool *open,
                          size_t from, isocast_times_choice_maker make);

/* Adds the longest of the variants, which end: the work of the one with most of it, and to `part`
 * what is left. */
void isocast_times_add_longest(isocast_times_maker *m, isocast_times_choice *c, size_t part,
                               isocast_times_parts *out);

/* What a sendrecv takes whose partners depend on the rank alone, on nodes of several processes: its
 * messages stay on a node, or as many leave it at once as their partners are away. False of others,
 * of which nothing is put. */
bool isocast_times_put_sendrecv(isocast_times_maker *m, const isocast_step *step,
                                isocast_buffer *out);

/* What the messages of a chain along an axis take, of all processes where it is NONE. Where each
 * goes to the next place, those that stay on a node are distinguished. */
void isocast_times_put_chain(isocast_times_maker *m, size_t axis, bool to_next, const char *bytes,
                             isocast_buffer *out);

#endif
