/* Where the times of two algorithms, or of one on two machines, cross: every N of a range at which
 * the faster of the two changes. */
#ifndef ISOCAST_CROSSING_H
#define ISOCAST_CROSSING_H

#include "model.h"

enum {
    ISOCAST_CROSSINGS_MAX = 16,
    ISOCAST_CROSSING_PROCESSES = 20000 /* up to here every number of processes is looked at */
};

/* One of the two. */
typedef struct isocast_crossing_side {
    const isocast_model *model;
    const isocast_system *system;
    const double *other_sizes; /* like in isocast_model_points */
} isocast_crossing_side;

typedef struct isocast_crossings {
    size_t count;                      /* at most ISOCAST_CROSSINGS_MAX are kept */
    double at[ISOCAST_CROSSINGS_MAX];  /* rising */
    double T[ISOCAST_CROSSINGS_MAX];   /* s, of the first side there */
    int faster[ISOCAST_CROSSINGS_MAX]; /* side (0 or 1) that is faster beyond */
    bool more;                         /* there are more than were kept */
    bool alike;                        /* both take the same time wherever that was looked at */
    double complete_to;                /* all crossings up to here are known */
    double end;                        /* the search ended here: the range's end, or the last N
                                          at which both times are numbers */
} isocast_crossings;

/* Looks from `low` on up to `high`. That no crossing is missed is proved on intervals of N, as in
 * solver.h, up to complete_to; beyond, some may be missing. A jump of one time over the other is a
 * crossing, too. `effort` takes what it costs. Errors: NO_MEMORY. */
isocast_status isocast_crossings_find(const isocast_crossing_side sides[2], double low, double high,
                                      isocast_effort *effort, isocast_crossings *out);

/* The time of one side at N on p processes of its machine's first node class, spread over the nodes
 * as systems are; p need not be whole. `concurrency` as in isocast_model_results; NULL where not
 * wanted. Errors: NO_MEMORY. */
isocast_status isocast_crossing_time_at_p(const isocast_crossing_side *of, double N, double p,
                                          isocast_effort *effort, double *T, double *concurrency);

/* The numbers of processes that a search over p looks at. */
typedef struct isocast_crossing_processes {
    double *each; /* [count], whole, rising, at most ISOCAST_CROSSING_PROCESSES: all that count */
    size_t count;
    double most; /* whole; beyond ISOCAST_CROSSING_PROCESSES samples up to here are looked at */
} isocast_crossing_processes;

/* The same over the number of processes of one class of nodes of either side's machine, at N for
 * both. The sides' systems are left aside. A crossing is given between two numbers that are looked
 * at, as the formulas say it. */
isocast_status isocast_crossings_find_p(const isocast_crossing_side sides[2], double N,
                                        const isocast_crossing_processes *processes,
                                        isocast_effort *effort, isocast_crossings *out);

#endif
