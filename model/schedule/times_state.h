/* Formulas of times on their way. Private to model/schedule. */
#ifndef ISOCAST_SCHEDULE_TIMES_STATE_H
#define ISOCAST_SCHEDULE_TIMES_STATE_H

#include "run_state.h"
#include "times.h"

/* What filling a chain of processes takes, once for all that passes through it. */
typedef struct isocast_times_fill {
    char *text;
    size_t part;
} isocast_times_fill;

typedef struct isocast_times_maker {
    const isocast_schedule *schedule;
    isocast_schedule_names names;
    isocast_diagnostics *diagnostics;
    /* [local_count]: what a process, a place or a counter is written as; NULL: a counter as itself,
     * a place not chosen yet. */
    const char **values;
    const isocast_step *ended; /* a broadcast that a barrier ends; NULL: none */
    /* A loop in which one process deals out or collects messages, each turn with another process;
     * NULL: none. And the message that follows with the same one. */
    const isocast_step *deal, *next;
    bool whole;         /* shares of whole items, the largest */
    const char **parts; /* [part_count]: names; 0 is work */
    size_t part_count;
    isocast_times_fill *fills; /* [fill_count], still to be added */
    size_t fill_count, fill_room;
    size_t looked; /* steps looked at */
    isocast_status status;
} isocast_times_maker;

/* Appends the text of an expression, with all names of the program replaced. */
void isocast_times_put(isocast_times_maker *m, size_t formula, isocast_buffer *out);

/* The same of a part of a formula. */
void isocast_times_put_node(isocast_times_maker *m, size_t formula,
                            const isocast_formula_node *node, isocast_buffer *out);

/* As a text of its own, NULL where memory is short: to be freed. */
char *isocast_times_text(isocast_times_maker *m, size_t formula);

/* The local that a name is in a formula; NONE. */
size_t isocast_times_local(const isocast_times_maker *m, size_t formula, const char *name);

/* Processes along an axis, of all where it is NONE; and from one place to the next. */
void isocast_times_put_extent(isocast_times_maker *m, size_t axis, isocast_buffer *out);
void isocast_times_put_stride(isocast_times_maker *m, size_t axis, isocast_buffer *out);

/* How many of a group take part, and how many of them a node has; the latter not of all. */
void isocast_times_put_size(isocast_times_maker *m, const isocast_group *group,
                            isocast_buffer *out);
void isocast_times_put_share(isocast_times_maker *m, const isocast_group *group,
                             isocast_buffer *out);

/* Notes that the program is too long to make formulas of. */
void isocast_times_give_up(isocast_times_maker *m, isocast_span span);

#endif
