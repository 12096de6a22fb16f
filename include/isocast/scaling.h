/* Strong, weak and other scaling: N, T, speedup and cost along lines on which something else than
 * the speed-efficiency is the same on every system. Sources: X.-H. Sun, L. M. Ni, J. Parallel
 * Distrib. Comput. 19 (1993) 27-37 [SN]; A. H. Karp, H. P. Flatt, Comm. ACM 33 (1990) 539-543.
 *
 * A handle does not change after it was made, so any number of threads may use it at once. */
#ifndef ISOCAST_PUBLIC_SCALING_H
#define ISOCAST_PUBLIC_SCALING_H

#include <isocast/prediction.h>

ISOCAST_BEGIN_C

/* What is the same on every system. */
typedef enum isocast_line {
    ISOCAST_LINE_SIZE,               /* N: strong scaling */
    ISOCAST_LINE_SIZE_PER_PROCESS,   /* N/p: weak scaling */
    ISOCAST_LINE_WORK_PER_PROCESS,   /* W/p, flop */
    ISOCAST_LINE_MEMORY_PER_PROCESS, /* B */
    ISOCAST_LINE_MEMORY,             /* all the memory that each system has is filled */
    ISOCAST_LINE_TIME                /* T, s: fixed-time scaling */
} isocast_line;

/* A line along a list of systems: its rows. */
typedef struct isocast_scaling isocast_scaling;

/* Which line. Start from ISOCAST_LINE_REQUEST_INIT: 0 and NULL mean "not given". The level is
 * given, or else a base and the N there; the line MEMORY needs neither. Later versions add members
 * at the end; `size` states them which ones the caller knows. */
typedef struct isocast_line_request {
    size_t size;               /* sizeof(isocast_line_request) */
    const char *systems;       /* as in isocast_request */
    const char *base;          /* one system */
    double N;                  /* the first size parameter at the base */
    double level;              /* what is held, in the unit of the line */
    const double *other_sizes; /* as in isocast_request */
    isocast_line line;
} isocast_line_request;

#define ISOCAST_LINE_REQUEST_INIT                                                                  \
    { sizeof(isocast_line_request), NULL, NULL, 0, 0, NULL, ISOCAST_LINE_SIZE }

/* Follows the line. N is the largest whose level is not above the one held. The model must outlive
 * the result; the request is copied. Free with isocast_scaling_free(). A system on which the line
 * has no N is no error: its row says so. Errors, the first two with diagnostics: INVALID (not
 * systems of this machine), ARGUMENT (a NULL; a line without what it needs; an algorithm that does
 * not say its memory on a line that holds it), DOMAIN (the base has no such level), NO_MEMORY. */
ISOCAST_PUBLIC isocast_status isocast_model_scale(const isocast_model *model,
                                                  const isocast_line_request *request,
                                                  isocast_diagnostics *diagnostics,
                                                  isocast_scaling **out);
/* NULL is allowed. */
ISOCAST_PUBLIC void isocast_scaling_free(isocast_scaling *scaling);

/* A number of a row. NAN where it is not known or does not apply. Where processors differ, counts
 * of processes are those like process 0 with the same marked speed, C/C_j. */
typedef enum isocast_scaling_quantity {
    ISOCAST_SCALING_P,               /* processes */
    ISOCAST_SCALING_C,               /* marked speed of the system, flop/s */
    ISOCAST_SCALING_N,               /* first size parameter */
    ISOCAST_SCALING_W,               /* work at N, flop */
    ISOCAST_SCALING_T,               /* time, s */
    ISOCAST_SCALING_E,               /* speed-efficiency W/(T C) */
    ISOCAST_SCALING_MEMORY,          /* bytes that a process needs */
    ISOCAST_SCALING_T_ALONE,         /* time of process 0 alone at the same N, s */
    ISOCAST_SCALING_SPEEDUP,         /* T_ALONE/T */
    ISOCAST_SCALING_EFFICIENCY,      /* speedup over the number of processes */
    ISOCAST_SCALING_SCALED_SPEEDUP,  /* W/T over that of the base, or of the first row */
    ISOCAST_SCALING_SERIAL_FRACTION, /* (1/S - 1/p)/(1 - 1/p) [Karp, Flatt] */
    ISOCAST_SCALING_OVERHEAD,        /* p T - T_ALONE, s */
    ISOCAST_SCALING_COST             /* p T, s */
} isocast_scaling_quantity;

/* Rows have an index from 0 to isocast_scaling_row_count() - 1 in the order of the request; the
 * base is ISOCAST_INDEX_BASE. Texts belong to the scaling. A row that is not there gives NULL, NAN
 * and ISOCAST_ROW_NOT_CONVERGED. */
ISOCAST_PUBLIC size_t isocast_scaling_row_count(const isocast_scaling *scaling);
ISOCAST_PUBLIC const char *isocast_scaling_system(const isocast_scaling *scaling, size_t row);
ISOCAST_PUBLIC isocast_row_status isocast_scaling_status(const isocast_scaling *scaling,
                                                         size_t row);
/* What a reader must know beside the numbers, in one sentence; NULL for nothing. */
ISOCAST_PUBLIC const char *isocast_scaling_note(const isocast_scaling *scaling, size_t row);
ISOCAST_PUBLIC double isocast_scaling_number(const isocast_scaling *scaling, size_t row,
                                             isocast_scaling_quantity quantity);
/* The level that is held, in the unit of the line; NAN for the line MEMORY. */
ISOCAST_PUBLIC double isocast_scaling_level(const isocast_scaling *scaling);

ISOCAST_END_C

#endif
