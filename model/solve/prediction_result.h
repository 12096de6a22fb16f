/* What a prediction comes to: a row for each system. */
#ifndef ISOCAST_PREDICTION_RESULT_H
#define ISOCAST_PREDICTION_RESULT_H

#include "drawn_times.h"
#include "model/base/metric.h"
#include "model/spec/system.h"
#include "point_times.h"
#include "raise.h"
#include "uncertainty.h"

/* How a row moves with the machine's numbers that may be in error (uncertainty.h), to first order:
 * d ln/d number, 1/SI, each [number_count]; NULL where it is not known. */
typedef struct isocast_row_moves {
    double *of_N;     /* of N, where it was solved for; else 0 */
    double *of_read;  /* of what psi is read off (over the size, for a work), at the N that moves
                         with them */
    double *of_held;  /* of what is held, at this N */
    double ln_read;   /* of what psi is read off */
    double held_by_N; /* d ln held/d ln N, where N was solved for; else NAN */
    /* Where first order is not enough: ln N and then ln of what psi is read off, each
     * [ISOCAST_UNCERTAINTY_DRAWS]; NAN for a draw without a root. Else NULL. */
    double *draws;
    double *too_few; /* draws likewise, of which too few have a root for an interval of N */
} isocast_row_moves;

void isocast_row_moves_free(isocast_row_moves *moves);

/* NAN marks a value that is not known or does not apply; no renderer prints it as a number. */
typedef struct isocast_prediction_row {
    char *system;
    double p;
    double C;               /* flop/s */
    double N;               /* first size parameter */
    double N_low, N_high;   /* interval from the machine file's parameter errors, at its level */
    double condition;       /* |d ln N/d ln E|, E being what is held (conditioning.h); INFINITY: E
                               does not change with N; NAN: not known, or N has another reason */
    double covered;         /* share of T that depends on numbers whose errors are known */
    bool interval_left_out; /* it takes more computing than was left for the row */
    bool interval_is_rough; /* it is of first order, which is not enough for errors so large */
    double W;               /* flop */
    double T, T_c, T_o;     /* s */
    double overlap, overlap_error; /* s, of the model's correction, and its standard error */
    double T_low, T_high; /* s, interval of a run at N: errors of parameters, spread of runs, and
                             misfit of formulas (interval.h) */
    double E;             /* speed-efficiency */
    double E_low, E_high; /* interval of a run at N, likewise */
    double R_f;           /* performance reference factor */
    double T_alone;       /* s, T(W,1): T_c of process 0 alone; where the metric or a speedup needs
                             it */
    double held;          /* what the metric holds, or would hold: its value at N */
    double latency;       /* s, average overhead latency L_e; where the metric is latency */
    double S;             /* achieved speed, flop/s */
    double speedup;       /* T_alone over T; fixed N only */
    double nodes;         /* that the system uses */
    double price;         /* of these with what they need, in the machine's currency (bill.h) */
    double power;         /* W */
    double energy;        /* of a run, W s: power T */
    double cost;          /* of a run, in the machine's currency: what a second costs, times T */
    double psi;           /* to this row from the row before (the base, for the first) */
    double psi_low, psi_high; /* interval from the errors of parameters */
    double psi_from_base;     /* to this row from the base (the first row where there is no base) */
    double psi_from_base_low, psi_from_base_high; /* likewise */
    double psi_energy, psi_cost; /* as psi, of the work for a joule, or for the currency */
    isocast_row_moves moves;
    double given_W;      /* flop, as the formula gives it, also where that is no work */
    double given_T;      /* s, likewise */
    double memory;       /* B per process */
    double memory_limit; /* B per process that the system has */
    double concurrency;  /* processes that can work at N; where these are fewer than p, nothing
                            that takes all of them to work is reported: T to speedup, psi, N_low and
                            N_high are NAN */
    double *terms;       /* [term_count], s, in the algorithm's order */
    isocast_row_status status;
    isocast_solution solution; /* root list, best attainable E; unused for a fixed N */
    double sum_error;          /* largest relative error estimate of any sum() at N */
    double size;               /* flop/s, of the system: C, or R_f C_j where that was asked for */
    isocast_reference_origin reference_origin; /* of R_f */
    char
        *note; /* one sentence: why the status, what is outside the measured range; NULL for none */
    /* T with all that the algorithm states as uncertain and makes it shorter, or longer, over T;
       NAN: it states nothing, or T is not known. */
    double uncertain_low, uncertain_high;
    double p_working;    /* processes that T, T_c, T_o, the terms and the memory are computed with:
                            p, or at a given N those that can work; E counts all of them */
    double N_efficiency; /* of the raise, where N is above it because all processes can work at
                            none between; NAN else */
    isocast_raise raise; /* how N and the concurrency go together, where N was solved for */
    isocast_valid_pair valid_N; /* sizes next to N that the formulas hold for, where they do not
                                   hold for all; NAN: none, or not known */
} isocast_prediction_row;

/* A row of which nothing is known: every number is NAN. */
isocast_prediction_row isocast_prediction_row_unknown(void);

/* Whether what the algorithms of both state as uncertain may make T of the first row, over its own,
 * longer by the factor `ratio` than T of the second one. At most it may do so by *most. */
bool isocast_rows_may_differ(const isocast_prediction_row *first,
                             const isocast_prediction_row *second, double ratio, double *most);

/* What rules N': "efficiency" or "concurrency"; NULL where there is no N, or it was given. */
const char *isocast_row_ruler(const isocast_prediction_row *row);

typedef struct isocast_prediction {
    const isocast_model *model;
    bool fixed_size; /* N was given for every row: nothing was solved */
    bool has_base;
    isocast_metric metric;
    double target;               /* what is held, in the metric's unit; NAN for a fixed N */
    isocast_prediction_row base; /* valid where has_base */
    size_t row_count;
    isocast_prediction_row *rows; /* [row_count] */
    size_t term_count;
    isocast_system_measure measure;   /* of the systems' sizes */
    double level;                     /* of all intervals */
    isocast_uncertainty *uncertainty; /* of the machine; NULL where nothing is known of errors */
    isocast_point_times *times;       /* what intervals take many values from, or NULL */
    isocast_drawn_times *drawn;       /* likewise, for all draws at once */
    double sum_error;                 /* largest relative error estimate of any sum() */
} isocast_prediction;

/* What a prediction is asked for. */
typedef struct isocast_prediction_request {
    const isocast_system *base; /* NULL: none */
    double N;                   /* at the base, or for every row; NAN: none */
    const double *other_sizes;  /* [size_count - 1], or NULL */
    double efficiency; /* target, in the unit of what the metric holds; NAN: from the base, or none
                          (fixed N) */
    const isocast_system *const *systems; /* [system_count] */
    size_t system_count;
    /* Takes what the rows cost, and leaves a part for more about them; NULL: as much as a question
     * of so many rows may. A row for which nothing is left is reported as not certain or not known.
     */
    isocast_effort *effort;
    isocast_metric metric; /* what is held; 0: speed-efficiency */
    bool numbers_only;     /* without intervals and notes */
    double level;          /* of intervals, above 0 and below 1; 0: ISOCAST_LEVEL */
    bool by_reference;     /* roots by the reference path alone (isocast_solve_metric) */
} isocast_prediction_request;

/* The probability with which intervals hold what they are of, where nothing else is asked for. */
#define ISOCAST_LEVEL 0.9

#endif
