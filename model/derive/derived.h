/* Laws of what a program sends and computes, in its sizes and p. Finds none (derive.h), writes no
 * file (derived_text.h). */
#ifndef ISOCAST_DERIVED_H
#define ISOCAST_DERIVED_H

#include "candidates.h"
#include "observe.h"
#include "size_words.h"

/* Which process is the root of a site's collectives. */
typedef enum isocast_derived_roots {
    ISOCAST_ROOTS_FIRST,       /* process 0, or none, or it is not known */
    ISOCAST_ROOTS_OTHER,       /* one that is not process 0 */
    ISOCAST_ROOTS_ANY,         /* it changes in no order that is known */
    ISOCAST_ROOTS_STAY,        /* it is one process for many calls, then the next one */
    ISOCAST_ROOTS_EACH,        /* it is the next process with each call */
    ISOCAST_ROOTS_EACH_PERHAPS /* likewise, or it stays: the records do not tell */
} isocast_derived_roots;

typedef struct isocast_derived_site {
    isocast_site_key key;
    isocast_law calls; /* of the process with most of them */
    /* B: the largest message; where `several`, all messages of a process, or with `mean` their
     * mean. */
    isocast_law size;
    bool several;       /* messages of a process have different sizes */
    bool mean;          /* how many there are has no exact law, and their mean has a nearer one */
    isocast_law among;  /* processes of the communicator */
    isocast_law stride; /* between their ranks */
    size_t dimensions;  /* of the grid that processes stand in here, 2 or 3; else it is not known */
    unsigned axes;      /* of three dimensions, along which all of its messages go; 0: several */
    bool one_way;       /* along these; not to the neighbours on both sides */
    bool whole_sizes;   /* others show that sizes are those of a process: they have no shares */
    bool line;          /* messages are along a line or a ring of processes (lines.h) */
    /* Messages are to the next process of so many that follow each other, which are a side of a
     * grid of two dimensions: "rows" or "columns"; NULL: they are not. */
    const char *follow;
    bool everybody;   /* the communicator is all of the processes */
    bool under_way;   /* while the process computes (under_way.h) */
    double waiting;   /* share of T that messages do not explain, largest of runs; NAN: unknown */
    double waiting_p; /* number of processes of that run */
    /* Relative error of calls or sizes at records that the laws compared were not made from, the
     * worst one; 0: exact there; NAN: nothing was compared. */
    double held_out;
    size_t term; /* index of its term; SIZE_MAX: none */
    /* B: messages differ by equal steps from the smallest one on, both exact (size_steps.h). */
    bool stepped;
    isocast_law least, step;
    isocast_derived_roots roots;
    /* Where roots change: how many of the calls are waited for by all, how many come before one of
     * the next root, and how many before one of the same root. */
    isocast_law alone, next_root, same_root;
    /* Each call follows one of this site, with the same root, and all wait behind it; NULL: none.
     */
    const struct isocast_derived_site *hides;
} isocast_derived_site;

/* Sites of one function whose calls are alike. */
typedef struct isocast_derived_term {
    size_t *sites; /* [count], indices */
    size_t count;
    isocast_law calls; /* of all of them, on the process with most */
    /* Rounds of messages under way together of which these have the first receive, likewise; not
     * known where they are no receives that are waited for later. */
    isocast_law rounds;
    /* Each process sends to all others, one after the other: how often it does so. Not known where
     * that is not so. The other term of the two, of sends beside receives, counts there. */
    isocast_law turns;
    size_t counts_in; /* index of a term with turns; SIZE_MAX: it counts itself */
} isocast_derived_term;

/* A pipeline: each process receives from the one before it and sends to the next one. */
typedef struct isocast_derived_pipeline {
    size_t receive, send; /* sites */
    isocast_law sweeps;   /* how often it begins anew, and so fills at most */
    /* How often it fills, as the calls wait for each other; or by how many steps the longest chain
     * of them is longer than those of one process. Of either that is exact the first counts. */
    isocast_law fills, steps;
    double share; /* of the computing that is in it, at the last run with several processes */
} isocast_derived_pipeline;

/* A collective that follows another one of the same root, both from it or to it (one_root.h). */
typedef struct isocast_derived_row {
    size_t before, after; /* sites; may be the same */
    bool to_root;         /* messages go to the root; else from it */
    /* How often, on the process that does so most. First, exact: in turns of a loop that come
     * behind anything but such calls; again, exact: in all other turns; both together. */
    isocast_law first, again, count;
    bool is_back;     /* it begins a further turn of a loop */
    bool pairs_alone; /* several rows lead to the call which leaves others waiting */
    /* The row that leads to the call which leaves others waiting here: who was late before that is
     * late still. SIZE_MAX: all are in time there, or several rows lead to it. */
    size_t carried;
} isocast_derived_row;

/* Computing between two sites. */
typedef struct isocast_derived_stretch {
    const isocast_record_site *from, *to;
    isocast_law time; /* s, processor time of all processes, in sizes alone */
    double share;     /* of all computing, at the run with most of it */
    bool is_even;     /* it takes much the same each time: its shortest time tells of all */
} isocast_derived_stretch;

/* Calls that ask for messages, where how often hangs on time (asks.h). Shares of the computing of a
 * process, the largest in the records. */
typedef struct isocast_derived_asks {
    bool known;
    size_t site; /* the first one */
    double late; /* by which messages may be found late */
    double idle; /* that may be asking alone */
} isocast_derived_asks;

/* How laws do at records that they were not made from. */
typedef struct isocast_held_out {
    size_t records;
    double p_least, p_most;
    double p_grids;    /* the one of which most grids can be made */
    size_t sites;      /* that were seen there or in the laws' records */
    size_t exact;      /* whose calls and sizes are exact at all of them */
    double worst;      /* relative error of calls or sizes of the others, where they were seen */
    size_t worst_site; /* index of it; SIZE_MAX: none */
    size_t unknown;    /* sites that are only there */
    double work_error; /* relative, mean */
} isocast_held_out;

/* A time at a point that the formulas compared were not made from. */
typedef struct isocast_held_point {
    bool known;
    const char *reason; /* why there is none; NULL where it is known */
    const char *on;     /* the platform whose runs it is compared with; NULL: with records */
    isocast_law_point point;
    double predicted, seen; /* s */
    double differs;         /* of several runs, the longest over the shortest less 1; else 0 */
    bool shared;            /* the processes of the run shared processors */
} isocast_held_point;

typedef struct isocast_derived {
    isocast_record *const *records; /* [record_count], the caller's, whose texts are pointed to */
    size_t record_count;
    isocast_size_words sizes;
    isocast_law_point *points;   /* [record_count] */
    isocast_derived_site *sites; /* [site_count] */
    size_t site_count;
    bool on_line; /* all messages are to the next or the last process: there is no other grid */
    isocast_derived_term *terms; /* [term_count] */
    size_t term_count;
    isocast_derived_stretch *stretches; /* [stretch_count], those of 5 % or more, largest first */
    size_t stretch_count;
    isocast_derived_pipeline *pipelines; /* [pipeline_count] */
    size_t pipeline_count;
    /* By how many calls the longest chain of calls that wait for each other is longer than those of
     * one process, but for pipelines (chains.h); not known where it is none. */
    isocast_law chain;
    bool chain_of_all;  /* it goes through all processes once, at least */
    bool chain_of_two;  /* the law holds on two processes as well, and not on more alone */
    size_t chain_site;  /* of its messages */
    bool chain_guessed; /* records do not tell the order, or partners, that it hangs on */
    bool chain_unknown; /* nor could that be guessed */
    double chain_share; /* of the computing between its calls that is on its way; NAN: not known */
    isocast_derived_asks asks;
    double under_way;          /* share of the computing that is done while sites say so */
    isocast_derived_row *rows; /* [row_count] */
    size_t row_count;
    isocast_law work; /* s, processor time of all processes; has p where each has its own size */
    double grows; /* the largest computing over the smallest one, by the law that is nearest; 0: as
                     `work` says */
    isocast_law work_most; /* s: grows more, and the runs don't tell it from work (exponents.h) */
    isocast_law extra;     /* s, what more of it there is as p grows; not known where it is none */
    isocast_law busiest; /* s, of the process that computes most; not known where shares are even */
    /* Of the calls between two processes on the one that makes most of them, the share that the one
     * makes which computes most; known where the first one computes little. */
    isocast_law served;
    double work_error; /* relative, mean, of both together, at the runs that tell their length */
    /* By which share of T_c computing was longer, and shorter, in one of ten records than the laws
     * say. */
    double slower, faster;
    double usual;       /* the usual length of computing over that of calm times */
    double work_range;  /* time per flop with most memory of a process, over that with least */
    size_t work_runs;   /* these: all, or those whose processes had a processor each */
    isocast_law memory; /* B, of the process that takes most; not known where records do not tell */
    double imbalance;   /* largest share over mean, of one process at the runs of some p */
    size_t alone;       /* runs whose processes had a processor each */
    isocast_held_out held_out;         /* records == 0: there was none */
    isocast_held_point held_computing; /* T_c: what the busiest process computes */
    isocast_held_point held_time;      /* T: set by who has a machine (held_point.h) */
} isocast_derived;

void isocast_derived_free(isocast_derived *derived);

/* Whether it is known how long a pipeline takes to fill. */
bool isocast_derived_pipeline_is_certain(const isocast_derived_pipeline *pipeline);

/* Of two calls of one root, the site of the one which it leaves early, while others wait, and of
 * the one which hides that. To the root the second call is left early, from the end on. */
size_t isocast_derived_row_leaving(const isocast_derived_row *row);
size_t isocast_derived_row_waiting(const isocast_derived_row *row);

/* Whether a formula names sides of the grid of processes of so many dimensions. */
bool isocast_derived_uses_grid(const isocast_derived *derived, int dimensions);

/* T_c by the laws, s, on processors as those of the records. */
double isocast_derived_computing(const isocast_derived *derived, const isocast_law_point *point);

/* Whether the work grows with p, as the sizes are those of a process. */
bool isocast_derived_work_has_p(const isocast_derived *derived);

/* Whether a site is a further part of one that stands before it. */
bool isocast_derived_site_is_further_part(const isocast_derived *derived, size_t site);

/* Whether calls and sizes of a site, and of all other parts of it, are exact in all its records. */
bool isocast_derived_place_is_exact(const isocast_derived *derived, size_t site);

/* Whether calls and sizes of a site are exact in all its records. */
bool isocast_derived_site_is_exact(const isocast_derived_site *site);

/* Whether the roots of a site change, so that its laws tell how its calls count. */
bool isocast_derived_roots_change(const isocast_derived_site *site);

/* What the laws of its calls are to favour. */
isocast_favoured_side isocast_derived_site_favours(const isocast_derived_site *site);

/* Whether only some of a term's receives tell how long a round is under way. */
bool isocast_derived_term_has_rounds(const isocast_derived_term *term);

/* Whether a site sends messages, so that a term stands for it. */
bool isocast_derived_site_sends(const isocast_derived_site *site);

/* Whether a site asks for messages and does not wait for them. */
bool isocast_derived_site_asks(const isocast_derived_site *site);

/* Whether processes wait at a site for one-sided messages, and no term stands for that. */
bool isocast_derived_site_synchronizes(const isocast_derived_site *site);

#endif
