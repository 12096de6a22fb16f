/* Formulas of the time that a schedule takes, as texts of the formula language: the work of the
 * process that has most of it, and terms of what comes on top. Steps follow each other on all
 * processes, so that their times add up; a step in a loop is a sum(). Branches that different
 * processes take at once count with the longer one, and what is started and finished counts with
 * what is longer than the steps between. Computes nothing: solvers do. */
#ifndef ISOCAST_SCHEDULE_TIMES_H
#define ISOCAST_SCHEDULE_TIMES_H

#include "schedule.h"

typedef struct isocast_schedule_term {
    char *name; /* what steps say, or the words for their kinds */
    char *text; /* s */
} isocast_schedule_term;

typedef struct isocast_schedule_times {
    char *compute;                /* s; with shares as if items could be split */
    isocast_schedule_term *terms; /* [term_count]; whole items are `imbalance` */
    size_t term_count;
} isocast_schedule_times;

/* The formulas see `scope` and what a machine has: T_x(m), t_c, C_i. Errors: INVALID with
 * diagnostics (a program that is too long, an if: that processes decide differently), NO_MEMORY. */
isocast_status isocast_schedule_times_find(const isocast_schedule *schedule,
                                           const isocast_scope *scope,
                                           isocast_diagnostics *diagnostics,
                                           isocast_schedule_times *out);
void isocast_schedule_times_free(isocast_schedule_times *times);

#endif
