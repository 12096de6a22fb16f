/* Lines other than that of constant efficiency through the same T(N, system): fixed size, fixed
 * size, work or memory per process, memory and time [SN; GGKK 5.4 to 5.7]. Gives N, T, speedup,
 * cost and overhead along a list of systems; formats nothing. */
#ifndef ISOCAST_SCALING_LINE_H
#define ISOCAST_SCALING_LINE_H

#include <isocast/scaling.h>

#include "prediction.h"

/* What is the same on every system (isocast_line): its name on the command line, the unit of its
 * level. */
#define ISOCAST_LINE_LIST(X)                                                                       \
    X(SIZE, "size", "")                                                                            \
    X(SIZE_PER_PROCESS, "size-per-process", "")                                                    \
    X(WORK_PER_PROCESS, "work-per-process", "flop")                                                \
    X(MEMORY_PER_PROCESS, "memory-per-process", "B")                                               \
    X(MEMORY, "memory", "B")                                                                       \
    X(TIME, "time", "s")

enum { ISOCAST_LINE_COUNT = ISOCAST_LINE_TIME + 1 };

/* "work-per-process". */
const char *isocast_line_word(isocast_line line);
/* SI unit of its level; "" for a count. */
const char *isocast_line_unit(isocast_line line);

typedef struct isocast_scaling_request {
    isocast_line line;
    /* The N, N per process, flop per process, B per process or s that is held; NAN: that of the
     * base at N. Not used for MEMORY, where N fills the memory that each system has. */
    double level;
    const isocast_system *base;           /* NULL: none */
    double N;                             /* at the base; NAN: none */
    const double *other_sizes;            /* [size_count - 1], or NULL */
    const isocast_system *const *systems; /* [system_count] */
    size_t system_count;
    isocast_effort *effort; /* like in isocast_prediction_request */
    double interval_level;  /* of the intervals of T and E, like its level */
} isocast_scaling_request;

/* One system on the line. NAN marks what is not known or does not apply. */
typedef struct isocast_scaling_row {
    isocast_prediction
        *at; /* the system at N, as its one row; NULL where the line has no N there */
    char *system;
    double p;
    double C;          /* flop/s */
    double equivalent; /* processes like process 0 with the same marked speed: C/C_j; p where all
                          are alike */
    double N;
    double T_alone;        /* T_c of process 0 alone at N, s */
    double speedup;        /* T_alone/T */
    double efficiency;     /* speedup over `equivalent` */
    double scaled_speedup; /* speed W/T over that of the base (the first row where there is none) */
    double serial_fraction;    /* Karp and Flatt: (1/S - 1/p)/(1 - 1/p), with p as `equivalent` */
    double overhead;           /* total, over all processes: `equivalent` T - T_alone, s */
    double cost;               /* p T, s */
    bool complete;             /* proved: N is the largest on the line, or the line has none */
    isocast_row_status status; /* UNREACHABLE: the line has no N */
    char *note;                /* one sentence; NULL for none */
} isocast_scaling_row;

struct isocast_scaling {
    const isocast_model *model;
    isocast_line line;
    double level; /* that is held; NAN for MEMORY */
    bool has_base;
    isocast_scaling_row base; /* valid where has_base */
    size_t row_count;
    isocast_scaling_row *rows; /* [row_count] */
};

/* The row of `at`, which holds W, T, E, terms, memory; NULL where there is none. */
const isocast_prediction_row *isocast_scaling_point(const isocast_scaling_row *row);

/* The level of the intervals of T and E; NAN where no row has one. */
double isocast_scaling_interval_level(const isocast_scaling *scaling);

/* N is the largest with at most the level, except where N itself is given by it. Errors: ARGUMENT
 * (a line without what it needs: a level, or a base and N; MEMORY_PER_PROCESS, MEMORY of an
 * algorithm without memory), DOMAIN (the base has no such level), NO_MEMORY. Free with
 * isocast_scaling_free(). */
isocast_status isocast_scale(const isocast_model *model, const isocast_scaling_request *request,
                             isocast_scaling **out);
/* One row that is not on the line, of which nothing but a name and a note is known; takes over
 * both, which fail it where they are NULL. Errors: NO_MEMORY. */
isocast_status isocast_scaling_of_none(const isocast_model *model, char *system, char *note,
                                       isocast_scaling **out);

#endif
