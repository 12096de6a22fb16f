/* Measured runs of a program, a prediction held against them, and the scalability that they show.
 * docs/how-to/scalability.md and docs/how-to/validation.md state the method.
 *
 * A handle does not change after it was made, so any number of threads may use it at once. */
#ifndef ISOCAST_PUBLIC_RUNS_H
#define ISOCAST_PUBLIC_RUNS_H

#include <isocast/prediction.h>

ISOCAST_BEGIN_C

/* Rows with the columns system, N and T (seconds) at least; T may be missing in a list of sizes.
 * Further sizes of an algorithm are columns of their names; where they differ among the rows,
 * systems are named with them: "C2 (K = 8)". */
typedef struct isocast_runs isocast_runs;
/* A prediction held against runs. */
typedef struct isocast_validation isocast_validation;
/* Scalability from runs alone. */
typedef struct isocast_scalability isocast_scalability;
/* Runs of one machine, predicted on another. */
typedef struct isocast_transfer isocast_transfer;

/* Loads a CSV file (RFC 4180), or such text in memory: `length` bytes, which need no NUL at the end
 * and are copied. `name` is what diagnostics call the text. `diagnostics` may be NULL. Free with
 * isocast_runs_free(). Errors: INVALID with diagnostics, IO, NO_MEMORY, ARGUMENT (a NULL). */
ISOCAST_PUBLIC isocast_status isocast_runs_load_file(const char *path,
                                                     isocast_diagnostics *diagnostics,
                                                     isocast_runs **out);
ISOCAST_PUBLIC isocast_status isocast_runs_load_text(const char *name, const char *text,
                                                     size_t length,
                                                     isocast_diagnostics *diagnostics,
                                                     isocast_runs **out);
/* NULL is allowed. */
ISOCAST_PUBLIC void isocast_runs_free(isocast_runs *runs);
ISOCAST_PUBLIC size_t isocast_runs_count(const isocast_runs *runs);

/* Holds the model's predictions against runs. algorithm: the rows to compare, by their column
 * algorithm; NULL: those of the model's algorithm, or all where they name one algorithm alone.
 * efficiency: the E at which N and psi are compared; 0: one that all systems pass once. The model
 * and the runs must outlive the validation. Free with isocast_validation_free(). Errors: INVALID
 * with diagnostics (no row of this algorithm, runs without times, a size that the algorithm does
 * not take, a system that the machine does not have), NO_MEMORY, ARGUMENT (a NULL that is not
 * allowed, efficiency below 0 or not finite). */
ISOCAST_PUBLIC isocast_status isocast_model_validate(const isocast_model *model,
                                                     const isocast_runs *runs,
                                                     const char *algorithm, double efficiency,
                                                     isocast_diagnostics *diagnostics,
                                                     isocast_validation **out);
/* NULL is allowed. */
ISOCAST_PUBLIC void isocast_validation_free(isocast_validation *validation);
/* The E at which N and psi are compared; NAN where the systems have none in common. */
ISOCAST_PUBLIC double isocast_validation_efficiency(const isocast_validation *validation);

/* Points, one for each system and size: measured (the median of its runs), predicted, and the
 * relative error, predicted/measured - 1. Quantities: N, T (s) and E; of N only the measured one.
 * An index that is not there gives NULL and NAN, and so does a quantity that is not compared. */
ISOCAST_PUBLIC size_t isocast_validation_point_count(const isocast_validation *validation);
ISOCAST_PUBLIC const char *isocast_validation_point_system(const isocast_validation *validation,
                                                           size_t point);
ISOCAST_PUBLIC double isocast_validation_point_measured(const isocast_validation *validation,
                                                        size_t point, isocast_quantity quantity);
ISOCAST_PUBLIC double isocast_validation_point_predicted(const isocast_validation *validation,
                                                         size_t point, isocast_quantity quantity);
ISOCAST_PUBLIC double isocast_validation_point_error(const isocast_validation *validation,
                                                     size_t point, isocast_quantity quantity);

/* Systems: the N at which the runs and the prediction pass the efficiency, and psi from the system
 * before. Quantities: N and PSI; otherwise as above. */
ISOCAST_PUBLIC size_t isocast_validation_system_count(const isocast_validation *validation);
ISOCAST_PUBLIC const char *isocast_validation_system_name(const isocast_validation *validation,
                                                          size_t system);
ISOCAST_PUBLIC double isocast_validation_system_measured(const isocast_validation *validation,
                                                         size_t system, isocast_quantity quantity);
ISOCAST_PUBLIC double isocast_validation_system_predicted(const isocast_validation *validation,
                                                          size_t system, isocast_quantity quantity);
ISOCAST_PUBLIC double isocast_validation_system_error(const isocast_validation *validation,
                                                      size_t system, isocast_quantity quantity);

/* Over all of them: mean and maximum of the absolute relative errors, mean of the signed ones, and
 * how many there are. Quantities: T, E, N and PSI. NAN where nothing was compared. */
ISOCAST_PUBLIC double isocast_validation_mean_error(const isocast_validation *validation,
                                                    isocast_quantity quantity);
ISOCAST_PUBLIC double isocast_validation_max_error(const isocast_validation *validation,
                                                   isocast_quantity quantity);
ISOCAST_PUBLIC double isocast_validation_bias(const isocast_validation *validation,
                                              isocast_quantity quantity);
ISOCAST_PUBLIC size_t isocast_validation_error_count(const isocast_validation *validation,
                                                     isocast_quantity quantity);

/* What became of a system whose scalability was read from runs. */
typedef enum isocast_scalability_status {
    ISOCAST_SCALABILITY_OK,
    ISOCAST_SCALABILITY_SEVERAL, /* E passes the wanted one at several N; N is the smallest */
    ISOCAST_SCALABILITY_BELOW,   /* E is over the wanted one at every N measured */
    ISOCAST_SCALABILITY_ABOVE,   /* E is under the wanted one at every N measured */
    ISOCAST_SCALABILITY_MISFIT,  /* the degree asked for does not pass it where the points do */
    ISOCAST_SCALABILITY_TOO_FEW  /* fewer sizes than the trend line needs */
} isocast_scalability_status;

/* Reads scalability psi from runs: a trend line of E(N) on each system gives the N that
 * `efficiency` needs [CSW 3.5, route 1]. efficiency 0: every system is listed once, with the N to
 * take. W is the algorithm's; its other formulas are not used. C comes from the runs, or else from
 * `machine`, which may be NULL. name: the rows that count, as in isocast_model_validate(). Nothing
 * must outlive the result. Free with isocast_scalability_free(). Errors: INVALID with diagnostics
 * (no run, a system without C or with two, no work at an N, a size without a column),
 * NO_MEMORY, ARGUMENT (a NULL that is not allowed, efficiency below 0 or not finite, runs without
 * times where there is one). */
ISOCAST_PUBLIC isocast_status isocast_runs_scale(const isocast_runs *runs,
                                                 const isocast_algorithm *algorithm,
                                                 const isocast_machine *machine, const char *name,
                                                 double efficiency,
                                                 isocast_diagnostics *diagnostics,
                                                 isocast_scalability **out);
/* NULL is allowed. */
ISOCAST_PUBLIC void isocast_scalability_free(isocast_scalability *scalability);

/* Rows, one for each system, by rising C. Quantities: P, C, N, N_LOW, N_HIGH (90 % interval from
 * the scatter about the line), W, PSI (from the row before) and PSI_FROM_BASE (from the first row).
 * An index that is not there gives NULL, NAN and ISOCAST_SCALABILITY_TOO_FEW. */
ISOCAST_PUBLIC size_t isocast_scalability_row_count(const isocast_scalability *scalability);
ISOCAST_PUBLIC const char *isocast_scalability_system(const isocast_scalability *scalability,
                                                      size_t row);
ISOCAST_PUBLIC isocast_scalability_status
isocast_scalability_row_status(const isocast_scalability *scalability, size_t row);
ISOCAST_PUBLIC double isocast_scalability_number(const isocast_scalability *scalability, size_t row,
                                                 isocast_quantity quantity);

/* Takes runs to another machine by the data sheets of both; docs/how-to/transfer.md shows how.
 * from, to: the two, each as a platform or, where that is NULL, as a machine. algorithm: gives W;
 * NULL: none. name: as above. Nothing must outlive the result. Free with isocast_transfer_free().
 * Errors: INVALID with diagnostics (rows without p, more processes than there are processors, nodes
 * that are not all alike, a node class without memory bandwidth), NO_MEMORY, ARGUMENT (a NULL that
 * is not allowed, runs without times). */
typedef struct isocast_transfer_end {
    const isocast_platform *platform;
    const isocast_machine *machine;
} isocast_transfer_end;
ISOCAST_PUBLIC isocast_status
isocast_runs_transfer(const isocast_runs *runs, isocast_transfer_end from, isocast_transfer_end to,
                      const isocast_algorithm *algorithm, const char *name,
                      isocast_diagnostics *diagnostics, isocast_transfer **out);
/* NULL is allowed. */
ISOCAST_PUBLIC void isocast_transfer_free(isocast_transfer *transfer);

/* Rows, one for each size and number of nodes that was run. Measured quantities: P, N, T and, with
 * an algorithm, W and E. Predicted on as many nodes there: P, N, T, T_LOW, T_HIGH (90 % interval)
 * and, with an algorithm, W, E, E_LOW, E_HIGH and PSI, from here to there with the size at which E
 * there is E here. NAN for what is not known, and where the other machine has fewer nodes. */
ISOCAST_PUBLIC size_t isocast_transfer_row_count(const isocast_transfer *transfer);
ISOCAST_PUBLIC double isocast_transfer_nodes(const isocast_transfer *transfer, size_t row);
ISOCAST_PUBLIC double isocast_transfer_measured(const isocast_transfer *transfer, size_t row,
                                                isocast_quantity quantity);
ISOCAST_PUBLIC double isocast_transfer_predicted(const isocast_transfer *transfer, size_t row,
                                                 isocast_quantity quantity);
/* The size at which E there is E here, and the ends of its 90 % interval: N, N_LOW and N_HIGH. */
ISOCAST_PUBLIC double isocast_transfer_size(const isocast_transfer *transfer, size_t row,
                                            isocast_quantity quantity);
/* T by the bare ratio of memory bandwidths, and by that of speeds, s. */
ISOCAST_PUBLIC double isocast_transfer_by_memory(const isocast_transfer *transfer, size_t row);
ISOCAST_PUBLIC double isocast_transfer_by_speed(const isocast_transfer *transfer, size_t row);

ISOCAST_END_C

#endif
