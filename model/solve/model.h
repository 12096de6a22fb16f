/* An algorithm on a machine: all formulas bound and compiled. Immutable and thread-safe after
 * creation; evaluates, solves nothing (solver.h). The algorithm and the machine must outlive it. */
#ifndef ISOCAST_MODEL_H
#define ISOCAST_MODEL_H

#include <isocast/prediction.h>

#include "model/formula/enclosure.h"
#include "model/spec/algorithm.h"
#include "model/spec/binding.h"
#include "model/spec/correction.h"
#include "model/spec/machine.h"
#include "model/spec/system.h"

/* Binds the two; the machine's operations and parameters are looked up and checked where the
 * algorithm uses them. Errors, each with diagnostics in either file: INVALID, NO_MEMORY. */
isocast_status isocast_model_create(const isocast_algorithm *algorithm,
                                    const isocast_machine *machine,
                                    isocast_diagnostics *diagnostics, isocast_model **out);
/* The same with a further term, which the algorithm that isocast_model_algorithm() gives has. NULL:
 * none. */
isocast_status isocast_model_create_corrected(const isocast_algorithm *algorithm,
                                              const isocast_machine *machine,
                                              const isocast_correction *correction,
                                              isocast_diagnostics *diagnostics,
                                              isocast_model **out);
/* Its index among the overhead terms; their count where there is none. */
size_t isocast_model_correction(const isocast_model *model);
/* What an error of it comes to at N, s: where all its numbers are larger by their standard errors.
 * Errors: NO_MEMORY. */
isocast_status isocast_model_correction_error(const isocast_model *model,
                                              const isocast_system *system, double N,
                                              const double *other_sizes, double *out);
/* The same model with values of its own for the machine's parameters, [parameter_count] in its
 * order; isocast_model_machine() still gives the machine's. `model` must outlive it. Free it with
 * isocast_model_free(). Errors: NO_MEMORY. */
isocast_status isocast_model_with_parameters(const isocast_model *model, const double *parameters,
                                             isocast_model **out);
/* The values that the model computes with; shape [parameter_count]. */
const double *isocast_model_parameters(const isocast_model *model);
const isocast_algorithm *isocast_model_algorithm(const isocast_model *model);
const isocast_machine *isocast_model_machine(const isocast_model *model);
/* What the names in the algorithm's formulas stand for. */
const isocast_binding *isocast_model_binding(const isocast_model *model);
/* The sizes that the formulas hold for: all of them on a simulated machine, where arithmetic takes
 * the time of its flops at any size. */
const isocast_valid *isocast_model_valid(const isocast_model *model);

/* A call of an operation that T leads to. */
typedef struct isocast_called {
    size_t operation; /* index among the machine's */
    double processes; /* NAN: it has no value at this N */
    double share;     /* of them on a node; 1/4: every fourth node has one */
} isocast_called;

/* All calls that T leads to at N, on the system or a part of its processes; N may be NAN:
 * conditions that depend on it are taken as met. The array is the caller's (free()). Errors:
 * NO_MEMORY. */
isocast_status isocast_model_called(const isocast_model *model, const isocast_system *system,
                                    double N, const double *other_sizes, isocast_called **out,
                                    size_t *count);

/* The most processes on which every operation that T leads to at N was measured, where one is
 * called on more than it was measured on; else NAN, also where the machine file does not say. N may
 * be NAN: conditions that depend on it are taken as met. Errors: NO_MEMORY. */
isocast_status isocast_model_measured_processes(const isocast_model *model,
                                                const isocast_system *system, double N,
                                                const double *other_sizes, double *p_max);
/* A size of a message, or a number of calls, that is below 0. */
typedef struct isocast_negative {
    const isocast_formula *formula; /* where it stands; NULL: there is none */
    bool is_count;
    double value; /* B, or calls */
} isocast_negative;

/* The first one of those that T depends on at N. Errors: NO_MEMORY. */
isocast_status isocast_model_negative(const isocast_model *model, const isocast_system *system,
                                      double N, const double *other_sizes, isocast_negative *out);
/* Whether the algorithm's formulas lead to an operation (index among the machine's). */
bool isocast_model_uses(const isocast_model *model, size_t operation);

/* Whether they lead to an operation (index among those of a restriction of the machine, which is
 * given by index, too) that holds for other algorithms only. */
bool isocast_model_misuses(const isocast_model *model, size_t restriction, size_t operation);

/* Points to evaluate at: for point k, the first size parameter is N[k]. */
typedef struct isocast_model_points {
    size_t count;
    const double *N; /* [count] */
    /* The further size parameters, [size_count - 1], the same at every point; NULL for none. */
    const double *other_sizes;
    const isocast_system *const *systems; /* by point with stride 1, one for all with stride 0 */
    size_t systems_stride;
    /* Parameters in place of the machine's values, in its order: one row of parameter_count for
     * all points with stride 0, [count][parameter_count] row-major with stride 1; or NULL. */
    const double *parameters;
    size_t parameters_stride;
    isocast_effort *effort; /* as in isocast_program_points; may be NULL */
} isocast_model_points;

/* Where each result goes, [count] each, in SI; NULL for what is not wanted. */
typedef struct isocast_model_results {
    double *W;            /* flop */
    double *T;            /* s, T_c + T_o */
    double *T_c;          /* s */
    double *T_o;          /* s */
    double *E;            /* speed-efficiency W/(T C) */
    double *given_W;      /* flop, as the formula gives it, also where it is negative */
    double *given_T;      /* s, likewise */
    double *memory;       /* B per process; NAN where the algorithm does not say */
    double *concurrency;  /* processes; likewise */
    double *alpha;        /* sequential fraction */
    double *const *terms; /* [overhead_count][count], s */
    double sum_error;     /* set: largest relative error estimate of any sum() */
} isocast_model_results;

/* Evaluates; a value outside a formula's domain is NAN. Errors: NO_MEMORY. */
isocast_status isocast_model_evaluate(const isocast_model *model,
                                      const isocast_model_points *points,
                                      isocast_model_results *results);

/* The same at one N. Errors: NO_MEMORY. */
isocast_status isocast_model_evaluate_at(const isocast_model *model, const isocast_system *system,
                                         const double *other_sizes, double N,
                                         isocast_effort *effort, isocast_model_results *results);

/* T(W,1), s: the time of the whole computation on process 0 of the one system that all points have
 * (systems_stride 0), as the formula of T_c gives it on one process. No overhead is in it: who
 * works alone need not deal out, exchange or wait, and T(W,1) stands for the best sequential time.
 * Shape of T_alone: [points->count]; NAN outside a formula's domain and where it is below 0.
 * *sum_error as in the results above. Errors: NO_MEMORY. */
isocast_status isocast_model_time_alone(const isocast_model *model,
                                        const isocast_model_points *points, double *T_alone,
                                        double *sum_error);

/* By what T may be longer at N, s, and shorter where that is below 0, as the algorithm says; shape
 * [algorithm->uncertain_count], NAN outside a formula's domain. Errors: NO_MEMORY. */
isocast_status isocast_model_uncertain(const isocast_model *model, const isocast_system *system,
                                       double N, const double *other_sizes, double *out);

/* What the solver evaluates itself: the program whose outputs are W, T_c and then the overhead
 * terms, with its inputs at one system. Private to libisocast. */
enum { ISOCAST_MODEL_WORK, ISOCAST_MODEL_COMPUTE, ISOCAST_MODEL_TERMS };
const isocast_program *isocast_model_times(const isocast_model *model);
/* Likewise the program of what bounds N: alpha, memory in B per process, and the processes that can
 * work. What the algorithm does not say has no meaning there. */
enum { ISOCAST_MODEL_ALPHA, ISOCAST_MODEL_MEMORY, ISOCAST_MODEL_CONCURRENCY, ISOCAST_MODEL_BOUNDS };
const isocast_program *isocast_model_bounds(const isocast_model *model);
/* The program whose one output is T_c, with the same inputs: T(W,1) on process 0 alone. */
const isocast_program *isocast_model_computation(const isocast_model *model);
/* Compiles W, T_c, the terms, and memory and concurrency where the algorithm states them, as a
 * program whose operations move (program.h): its factors are the inputs behind those of the others.
 * Free with isocast_program_free(). Errors: INVALID with diagnostics (it is too long), NO_MEMORY.
 */
isocast_status isocast_model_movable(const isocast_model *model, isocast_diagnostics *diagnostics,
                                     isocast_program **out);
/* How many inputs the programs have; number 0 is N, whose column is left to the caller. */
size_t isocast_model_column_count(const isocast_model *model);
/* Fills columns [isocast_model_column_count()] with stride 0; they point into what is given. */
void isocast_model_columns(const isocast_model *model, const isocast_system *system,
                           const double *other_sizes, const double *parameters,
                           isocast_column *columns);
/* An enclosure (enclosure.h) of one of the programs on a system, which must outlive it. Errors:
 * NO_MEMORY. */
isocast_status isocast_model_enclosure(const isocast_model *model, const isocast_program *program,
                                       const isocast_system *system, const double *other_sizes,
                                       isocast_effort *effort, isocast_enclosure **out);

#endif
