/* Times of an operation of two processes by the size of its message. */
#ifndef FIT_MESSAGE_TIMES_H
#define FIT_MESSAGE_TIMES_H

#include <stdbool.h>
#include <stddef.h>

/* Start from {0}. */
typedef struct fit_message_times {
    double *m;       /* [count] B, rising once finished */
    double *seconds; /* [count] */
    size_t count;
} fit_message_times;

/* Adds a time measured at m bytes; false where memory is short. */
bool fit_message_times_add(fit_message_times *times, double m, double seconds);
/* Sorts, and makes means where a size was measured several times. */
void fit_message_times_finish(fit_message_times *times);
/* Straight lines between the sizes measured, proportional beyond; NAN where nothing was. */
double fit_message_time(const fit_message_times *times, double m);
void fit_message_times_free(fit_message_times *times);

#endif
