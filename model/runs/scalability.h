/* Scalability psi computed from measured runs, route 1 of [CSW 3.5]: a trend line of what a metric
 * holds, such as the speed-efficiency E(N), on each system gives the N that a wanted value needs;
 * psi is read off there as the metric says. Also psi alone from a list of such N. Formats nothing.
 */
#ifndef ISOCAST_SCALABILITY_H
#define ISOCAST_SCALABILITY_H

#include "model/spec/system.h"
#include "model/spec/work.h"
#include "runs_sizes.h"
#include "set_times.h"

/* Places of a trend line at which it is reported, evenly spaced in ln N over the sizes measured. */
enum { ISOCAST_TREND_PLACES = 61 };

/* One system. NAN marks what is not known. */
typedef struct isocast_scalability_row {
    char *system;             /* with the further sizes where the runs have several: "C2 (K = 8)" */
    double *other_sizes;      /* [size_count - 1] of the algorithm */
    size_t other_sizes_group; /* the same for rows with the same ones */
    double p;
    double C;       /* flop/s; where the metric or a psi needs it, or the runs say so */
    double R_f;     /* performance reference factor; NAN where the metric does not ask for it */
    double T;       /* s, at N: what the value that is held makes of it; NAN in a list */
    double T_alone; /* s, T(W,1) at N; where the metric asks for it */
    double N;       /* where the trend line reaches the wanted E, the smallest; or as listed */
    double N_low, N_high;    /* 90 % interval from the scatter about the line */
    double W;                /* flop, at N */
    double psi;              /* to this row from the row before */
    double psi_from_base;    /* to this row from the first */
    bool has_trend;          /* `reading` was made */
    isocast_reading reading; /* every N at which E passes the wanted one, and from which line */
    size_t points;           /* sizes measured */
    double *measured_N;      /* [points], rising; NULL for a list, like the next ones */
    double *measured_E;      /* [points], medians */
    double *line_N, *line_E; /* the line that was read, [ISOCAST_TREND_PLACES]; NULL without one */
    double N_first, N_last;  /* smallest and largest N measured */
    double E_first, E_last;  /* medians measured there */
    bool oversubscribed;
    isocast_scalability_status status;
} isocast_scalability_row;

typedef struct isocast_scalability {
    isocast_metric metric;
    isocast_system_measure
        measure;       /* whether C of the rows is the sum of marked speeds, or R_f C_1 */
    double efficiency; /* what is held, in the metric's unit; NAN: the sizes were listed */
    isocast_scalability_row *rows; /* [count], by further sizes, then by the metric's size, C
                                      or R_f, the smallest first */
    size_t count;
    char *single; /* the system whose times are T(W,1), which has no row; NULL: none was needed */
    bool asked_machine; /* the machine gave C of some of them */
} isocast_scalability;

typedef struct isocast_scalability_request {
    const isocast_runs *runs;
    const isocast_work *work;
    const isocast_machine *machine; /* gives C where the runs do not; NULL: none */
    const char *algorithm; /* as in isocast_run_sizes_collect; NULL: as the runs name them */
    double efficiency;     /* wanted E; NAN: every system is listed once, with the N to take */
    int degree;            /* of the trend lines; 0: chosen, see isocast_trend_read */
    bool monotone;         /* monotone lines in place of polynomials */
    isocast_metric metric; /* 0: isospeed-e */
    isocast_system_measure measure; /* 0: C. By reference, the machine's R_f C_1 is taken for C */
    const isocast_set_table *reference; /* gives R_f by the systems' names; NULL: R_f = p */
} isocast_scalability_request;

/* Repetitions of a (system, N) count by their median. Where the runs name several algorithms, only
 * those of the work's count. T(W,1) is the time of the runs on one process at the same N, or
 * between their sizes on a straight line of ln T over ln N. Errors: INVALID with diagnostics (no
 * run, a system without C or R_f or with two, a system listed twice, no work at an N, a size that
 * the work does not take or that has no column, a T(W,1) that the runs do not show), ARGUMENT
 * (degree, an efficiency that is not above 0, runs without times where there is one or where the
 * metric reads times), NO_MEMORY.
 */
isocast_status isocast_scalability_compute(const isocast_scalability_request *request,
                                           isocast_diagnostics *diagnostics,
                                           isocast_scalability **out);

/* psi from a row to another; NAN where one of the two has no N, or their further sizes differ. */
double isocast_scalability_psi(const isocast_scalability *scalability, size_t from, size_t to);

#endif
