/* How launches of the probe share a budget: how many there are, in which order, and how long each
 * takes. Reads no clock and starts nothing. */
#ifndef CAMPAIGN_SCHEDULE_H
#define CAMPAIGN_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>

/* Launches on each of several numbers of processes, in turn. Start from {0} with what is above the
 * line. */
typedef struct campaign_schedule {
    size_t process_count; /* numbers of processes */
    double budget;        /* s, of the whole command */
    size_t launches; /* launches on each number of processes; 0: as many as there is time for */
    double extent;   /* how much is measured, of all that is usual; 0: all of it */

    size_t *finished; /* [process_count], launches on each */
    double *
        extra; /* [process_count], s that a launch takes besides measuring and planning: the mean */
    double suite;    /* s left for marked speeds; the caller takes off what they took */
    size_t rounds;   /* launches planned on each */
    double deadline; /* s, when the last launch is to end */
} campaign_schedule;

/* The time that a launch gets, in s. */
typedef struct campaign_schedule_share {
    double seconds;     /* for measuring */
    double planning;    /* s that planning transforms may take before that */
    double suite;       /* s that marked speeds may take before that */
    double suite_first; /* s that one of them may take, where that is more */
} campaign_schedule_share;

/* Plans the launches of a command that was started at `started` and has spent so many seconds
 * before; launches that were finished then are put into `finished` by the caller. False where
 * memory is short; free it all the same. */
bool campaign_schedule_make(campaign_schedule *s, double started, double spent);
void campaign_schedule_free(campaign_schedule *s);

/* The index of the number of processes that is next; process_count where no launch is left. */
size_t campaign_schedule_next(const campaign_schedule *s);

/* The share that the next launch on number i of processes gets of the time that is left at `now`.
 */
campaign_schedule_share campaign_schedule_take(const campaign_schedule *s, size_t i, double now);

/* Notes a launch that was given `share` and took so many seconds, `planned` of them for planning
 * and marked speeds.
 * Where launches end early, as all medians are known, more of them use the rest; where starting
 * them takes long, there are fewer, but two. True where all numbers of processes have had as many
 * launches. */
bool campaign_schedule_finish(campaign_schedule *s, size_t i, campaign_schedule_share share,
                              double took, double planned, double now);

#endif
