/* How many processes to take for a problem of a given size: those of least time, with an efficiency
 * that is at least a limit or without (least cost-optimal time), or the most that keep the limit
 * [GGKK 5.7]. Looks at whole numbers of processes, or at a list of systems. */
#ifndef ISOCAST_LEAST_TIME_H
#define ISOCAST_LEAST_TIME_H

#include "scaling_line.h"

/* Nodes are paid for whole: a share of T that no run could show is not worth idle processors. */
#define ISOCAST_CHOICE_AS_GOOD 1e-3

typedef enum isocast_choice_goal {
    /* The least T; of the same T, the fewest processes. Of numbers of processes, one beside it that
     * fills its nodes, where T is longer there by less than ISOCAST_CHOICE_AS_GOOD. */
    ISOCAST_CHOICE_LEAST_TIME,
    ISOCAST_CHOICE_MOST /* the most processes */
} isocast_choice_goal;

typedef struct isocast_choice_request {
    isocast_choice_goal goal;
    double N;
    const double *other_sizes; /* [size_count - 1], or NULL */
    double efficiency;         /* E = W/(T C) is at least this; NAN: no limit */
    /* The systems to choose from, [system_count]; none: the numbers of processes 1, 2, ..., `most`
     * of a machine that has one node class. */
    const isocast_system *const *systems;
    size_t system_count;
    double most;
    isocast_effort *effort; /* like in isocast_prediction_request */
    double interval_level;  /* of the intervals of T and E, like its level */
} isocast_choice_request;

/* What keeps the next larger number of processes that keeps the algorithm's rules from being
 * chosen: others are left out. */
#define ISOCAST_CHOICE_LIST(X)                                                                     \
    X(TIME, "time")               /* it takes longer, or as long */                                \
    X(EFFICIENCY, "efficiency")   /* E is below the limit */                                       \
    X(CONCURRENCY, "concurrency") /* not all of its processes can work */                          \
    X(MEMORY, "memory")           /* it needs more memory than there is */                         \
    X(END, "end")                 /* it is beyond what was to be looked at */                      \
    X(NO_VALUE, "no-value")       /* the formulas have no time there */                            \
    X(RULES, "rules")             /* each breaks a rule of the algorithm */

typedef enum isocast_choice_ruler {
#define ISOCAST_CHOICE_ENUM(name, word) ISOCAST_CHOICE_BY_##name,
    ISOCAST_CHOICE_LIST(ISOCAST_CHOICE_ENUM)
#undef ISOCAST_CHOICE_ENUM
        ISOCAST_CHOICE_RULERS
} isocast_choice_ruler;

/* T and E on p processes. */
typedef struct isocast_choice_point {
    double p, T, E; /* 1, s, 1 */
} isocast_choice_point;

typedef struct isocast_choice {
    isocast_choice_goal goal;
    double efficiency;
    double N;
    double most;  /* processes of the largest system that was to be looked at */
    bool of_list; /* the systems were a list */
    /* One row: the system that is chosen, at N; or, where there is none, a row without N that has
     * the name of all of them, the reason as its status and note, and the largest p. */
    isocast_scaling *scaling;
    /* Where T is the least, s, and it was not chosen, as another fills its nodes; else NAN. */
    double least_p, least_T;
    bool found;
    /* What keeps the next larger number of processes from being chosen; where none is, what keeps
     * each of them, and ISOCAST_CHOICE_RULERS where these have several reasons. */
    isocast_choice_ruler ruler;
    bool complete; /* every one of them was looked at */
    double looked; /* how many were */
    /* Around a number of processes that was chosen, evenly spread in ln p: [point_count], as far as
     * all processes can work. The algorithm's rules of p and the memory are left aside. None where
     * systems were a list. */
    isocast_choice_point *points;
    size_t point_count;
} isocast_choice;

/* Errors: ARGUMENT (N outside the size's range; MOST without an efficiency; an efficiency that is
 * not above 0; nothing to choose from), INVALID, NO_MEMORY. Free with isocast_choice_free(). */
isocast_status isocast_choose(const isocast_model *model, const isocast_choice_request *request,
                              isocast_choice **out);
/* NULL is allowed. */
void isocast_choice_free(isocast_choice *choice);

#endif
