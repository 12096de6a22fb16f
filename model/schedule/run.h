/* A schedule run through: names get their values, and each process its actions, one after the
 * other. Nothing is enumerated; what is kept is where each is in the loops. Sends nothing and takes
 * no time: that is what executes the actions.
 *
 *     isocast_schedule_run_create(...)          once for all processes
 *     isocast_actions_create(run, rank, &actions)  for each
 *     while (isocast_actions_next(actions, diagnostics, &action) == ISOCAST_OK &&
 *            action.kind != ISOCAST_ACTION_END)
 */
#ifndef ISOCAST_SCHEDULE_RUN_H
#define ISOCAST_SCHEDULE_RUN_H

#include "model/base/effort.h"
#include "schedule.h"

/* Actions and turns of loops that one process may take: more are a slip. */
#define ISOCAST_ACTIONS_MOST 1e9

typedef struct isocast_schedule_run isocast_schedule_run;
typedef struct isocast_actions isocast_actions;

/* What a run is about. All is borrowed, and must outlive the run. */
typedef struct isocast_schedule_request {
    const isocast_schedule *schedule;
    const isocast_scope *scope; /* of the formulas; its inputs are columns of `inputs` */
    const double *inputs;       /* [input_count], SI: sizes, p, ... */
    size_t input_count;
    int processes;
    const double *speeds; /* marked speed of each process, [processes]; NULL: all alike */
    /* Actions and turns of loops after which the actions of a process end; 0: more than
     * ISOCAST_ACTIONS_MOST are a mistake of the file. */
    double most;
    /* Takes what formulas cost; once it is spent, actions are over. NULL: each formula may take
     * what a question may. */
    isocast_effort *effort;
} isocast_schedule_request;

/* Errors: INVALID with diagnostics (a grid that p does not fill, a share that is no whole number),
 * NO_MEMORY. */
isocast_status isocast_schedule_run_create(const isocast_schedule_request *request,
                                           isocast_diagnostics *diagnostics,
                                           isocast_schedule_run **out);
void isocast_schedule_run_free(isocast_schedule_run *run);

/* The groups of a schedule, for communicators: `colour` is the same for all of one group and no
 * other, `place` the process's rank in it, `size` how many it has. Group 0 is all processes. */
typedef struct isocast_group_place {
    int colour, place, size;
} isocast_group_place;
isocast_group_place isocast_schedule_run_place(const isocast_schedule_run *run, size_t group,
                                               int rank);

/* The process at a place of the group that `rank` is in. */
int isocast_schedule_run_member(const isocast_schedule_run *run, size_t group, int rank, int place);

typedef enum isocast_action_kind {
    ISOCAST_ACTION_END, /* the process has done all */
    ISOCAST_ACTION_WORK,
    ISOCAST_ACTION_COPY,
    ISOCAST_ACTION_SEND,
    ISOCAST_ACTION_PUT, /* nobody receives it */
    ISOCAST_ACTION_RECEIVE,
    ISOCAST_ACTION_SENDRECV, /* `to` or `from` may be NOBODY */
    ISOCAST_ACTION_COLLECTIVE,
    ISOCAST_ACTION_FINISH /* waits for all that was started under `handle` */
} isocast_action_kind;

enum { ISOCAST_ACTION_NOBODY = -1, ISOCAST_ACTION_ANYBODY = -2 };

typedef struct isocast_action {
    isocast_action_kind kind;
    const isocast_step *step; /* NULL at END */
    double flop;              /* WORK */
    double bytes;             /* of the message, or what the collective operation counts, which is
                                 the largest part where each pair has its own */
    /* RECEIVE of a pass with `receive: ahead`: of the message that comes next from the same
     * process, and is expected as soon as this one is there; below 0: none is. */
    double next_bytes;
    int to, from; /* ranks among all, or NOBODY, ANYBODY */
    int tag;      /* of the message */
    isocast_collective collective;
    size_t group;  /* COLLECTIVE: index among the schedule's groups */
    int root;      /* its place in the group */
    size_t handle; /* FINISH, and what goes on until then without waiting; else NONE */
} isocast_action;

/* Errors: NO_MEMORY. */
isocast_status isocast_actions_create(const isocast_schedule_run *run, int rank,
                                      isocast_actions **out);
void isocast_actions_free(isocast_actions *actions);

/* The next action of the process. Errors: INVALID with a diagnostic (a root or a partner out of
 * range, negative bytes, a loop that does not end), NO_MEMORY. */
isocast_status isocast_actions_next(isocast_actions *actions, isocast_diagnostics *diagnostics,
                                    isocast_action *out);

/* Whether they ended as they were more than the request allows. */
bool isocast_actions_are_over(const isocast_actions *actions);

/* `bytes` of the action that came last, as the process at a place of its group counts them: for the
 * v-forms, where each has its own. NaN where they have no value. */
double isocast_actions_bytes_of(isocast_actions *actions, const isocast_action *action, int place);

/* Likewise of an operation in which each pair has its own bytes: what this process sends to a
 * place, or gets from it. */
double isocast_actions_bytes_between(isocast_actions *actions, const isocast_action *action,
                                     int place, bool sends);

/* Says from whom the message came that was received from anybody: `sender` in formulas. */
void isocast_actions_set_sender(isocast_actions *actions, int rank);

#endif
