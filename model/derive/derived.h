/* Laws of what a program sends and computes, in its sizes and p. Finds none (derive.h), writes no
 * file (derived_text.h). */
#ifndef ISOCAST_DERIVED_H
#define ISOCAST_DERIVED_H

#include "law.h"
#include "model/base/pool.h"
#include "site_key.h"
#include "size_words.h"

/* What a record says of computing. Processor time, s. */
typedef struct isocast_compute_seen {
    double all;    /* of all processes */
    double most;   /* of the process with most of it */
    double T;      /* elapsed time, mean over processes */
    double memory; /* B, of the process that takes most; NAN where one does not report */
    /* The processes had a processor each: processor time is 4/5 of the elapsed time or more. */
    bool alone;
} isocast_compute_seen;

/* Which process is the root of a site's collectives. */
typedef enum isocast_derived_roots {
    ISOCAST_ROOTS_ONE,         /* one process, or none, or it is not known */
    ISOCAST_ROOTS_ANY,         /* it changes in no order that is known */
    ISOCAST_ROOTS_STAY,        /* it is one process for many calls, then the next one */
    ISOCAST_ROOTS_EACH,        /* it is the next process with each call */
    ISOCAST_ROOTS_EACH_PERHAPS /* likewise, or it stays: the records do not report */
} isocast_derived_roots;

/* How far the steps are from the calls of a site at some records, of the process with most of them
 * each: relative, the worst one. */
typedef struct isocast_site_fit {
    size_t records;     /* in which both were counted; 0: nothing is known */
    double calls, size; /* how often it is called, and the mean message */
    bool roots_differ;  /* each process is the root of as many calls where it is false */
} isocast_site_fit;

typedef struct isocast_derived_site {
    isocast_site_key key;
    double waiting;   /* share of T that messages do not explain, largest of runs; NAN: unknown */
    double waiting_p; /* number of processes of that run */
    isocast_derived_roots roots;
    bool several;           /* a process has messages of different sizes */
    bool hangs_on_time;     /* it asks for messages, and how often no law of sizes and p says */
    isocast_site_fit here;  /* at the records that the steps are made from */
    isocast_site_fit there; /* at others, by steps that were made without these */
} isocast_derived_site;

/* What a rehearsal of the steps at their records shows. */
typedef struct isocast_rehearsed {
    size_t records;                /* that were gone through to their end */
    size_t same;                   /* of these, with all calls, messages and bytes of the record */
    double calls, messages, bytes; /* how far they are off elsewhere at most, relative */
    char *problem;                 /* why nothing could be rehearsed; NULL: it could */
} isocast_rehearsed;

/* How steps do at records that they were not made from. */
typedef struct isocast_held_out {
    size_t records;
    double p_least, p_most;
    double p_grids;    /* the one of which most grids can be made */
    size_t sites;      /* that were seen there or in the steps' records */
    size_t exact;      /* whose calls and sizes are exact at all of them */
    double worst;      /* relative error of calls or sizes of the others */
    size_t worst_site; /* index of it; SIZE_MAX: none */
    size_t unknown;    /* sites that are only there */
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

enum { ISOCAST_DERIVED_FAR = 10 };

typedef struct isocast_derived {
    isocast_record *const *records; /* [record_count], the caller's, whose texts are pointed to */
    size_t record_count;
    isocast_size_words sizes;
    isocast_law_point *points;  /* [record_count] */
    isocast_compute_seen *seen; /* [record_count] */
    struct isocast_fitter *fitter;
    isocast_pool pool;           /* of what is made here, but the fitter's */
    isocast_derived_site *sites; /* [site_count] */
    size_t site_count;
    bool checked_beyond; /* other records have more processes: they check what is said of these */
    struct derive_flow *flow;
    const struct derive_grid *grid;
    struct derive_program *program; /* NULL: there are too many sites or processes for steps */
    isocast_rehearsed rehearsed;
    isocast_law work; /* s, processor time of all processes; has p where each has its own size */
    double grows;     /* the largest computing over the smallest one, by the law that is nearest */
    isocast_law work_most; /* s: grows more, and the runs do not state it from work */
    double work_factor;    /* of it over work, FAR times the largest sizes */
    double work_error;     /* relative, mean, at the runs that state their length */
    /* By which share of T_c computing was longer, and shorter, in one of ten records than the laws
     * say. */
    double slower, faster;
    double usual;     /* the usual length of computing over that of calm times */
    size_t work_runs; /* these: all, or those whose processes had a processor each */
    isocast_law
        memory;   /* B, of the process that takes most; not known where records do not report */
    size_t alone; /* runs whose processes had a processor each */
    isocast_held_out held_out;         /* records == 0: there was none */
    isocast_held_point held_computing; /* T_c: what the busiest process computes */
    isocast_held_point held_time;      /* T: set by who has a machine (held_point.h) */
} isocast_derived;

#endif
