/* How the processes start a call together, and whether their clocks can be trusted. */
#ifndef PROBE_CLOCK_H
#define PROBE_CLOCK_H

#include "probe_context.h"

/* Brings the processes together before a call: to one time of a common clock where there is one,
 * else by a dissemination barrier on the probe's own messages. */
void probe_synchronise(const probe_context *context);

/* In a simulation this process goes on a second of its clock later, when the others have ended the
 * call, too: what the probe sends next would meet messages that are still on their way. Else
 * nothing. */
void probe_let_others_end(const probe_context *context);

/* Estimates how far this process's clock is from that of process 0, by the round trip that took
 * least of several (F. Cristian 1989), and how long the processes need to find each other; from
 * then on probe_synchronise() lets all start at one time of the common clock. Where the clocks are
 * not known well enough, it goes on with the barrier alone. Collective. */
void probe_clock_agree(const probe_context *context);

/* Seconds since the processes agreed last; infinite where they never did. */
double probe_clock_age(void);

/* The barrier alone from here on. */
void probe_clock_forget(void);

/* Whether a common clock is used. */
bool probe_clock_is_common(void);

/* How many starts of this process came after the time agreed since the last call of this. */
size_t probe_clock_late(void);

/* MPI_Wtime against the system's steady clock: remembers both. */
typedef struct probe_clock_mark {
    double wall;   /* s, MPI_Wtime */
    double steady; /* s, CLOCK_MONOTONIC_RAW */
} probe_clock_mark;

probe_clock_mark probe_clock_now(void);

/* Seconds of the steady clock: what deadlines are held against. */
double probe_clock_steady(void);

/* Seconds by which MPI_Wtime went on since the mark more than the steady clock did; 0 where that is
 * within what clocks that are kept to time by small steps do. */
double probe_clock_jump(const probe_clock_mark *since);

#endif
