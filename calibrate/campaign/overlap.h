/* What overlap makes of a prediction for a platform: the program of the algorithm file is executed
 * there, at the systems and sizes that the answer needs, and what its T is beside that of the
 * formulas becomes a term of T_o: points in N on each system, what follows between and beyond them,
 * and the formula. Where executing takes too long, T goes on from smaller systems. Asks and solves
 * nothing. */
#ifndef CAMPAIGN_OVERLAP_H
#define CAMPAIGN_OVERLAP_H

#include "model/solve/model.h"
#include "model/spec/algorithm.h"
#include "model/spec/system.h"
#include "program_times.h"

/* What the parameters of the term begin with, and the term's name. */
#define CAMPAIGN_OVERLAP_PREFIX "executed_on_"
#define CAMPAIGN_OVERLAP_TERM "overlap"

enum {
    CAMPAIGN_OVERLAP_POINTS = 16,
    CAMPAIGN_OVERLAP_KNOTS = CAMPAIGN_OVERLAP_POINTS + 2 /* with both ends */
};

/* A size at which the program was executed. */
typedef struct campaign_overlap_point {
    double N;
    double T, T_c, ideal; /* of the formulas without the term, and W/C, s */
    double executed;      /* T of the program, s */
    double error;         /* relative standard error, of that */
} campaign_overlap_point;

/* The term on a system; of no points it is 0, with the error that programs have where none was
 * executed. */
typedef struct campaign_overlap_curve {
    const isocast_system *system;
    bool overhead; /* the overhead of the formulas is multiplied; else W/C */
    double N[CAMPAIGN_OVERLAP_KNOTS], values[CAMPAIGN_OVERLAP_KNOTS]; /* [count], rising in N */
    double errors[CAMPAIGN_OVERLAP_KNOTS];                            /* standard ones, of W/C */
    size_t count;
} campaign_overlap_curve;

/* points: [count], from 1 to CAMPAIGN_OVERLAP_POINTS, rising in N. */
void campaign_overlap_curve_make(const isocast_system *system, const campaign_overlap_point *points,
                                 size_t count, bool may_multiply, campaign_overlap_curve *out);

/* Appends lines of parameters of a machine file, and the formula of the term: 0 on other systems.
 * `a` is the algorithm without the term. curves: [count], 1 or more. */
void campaign_overlap_curves_write(const isocast_algorithm *a, const campaign_overlap_curve *curves,
                                   size_t count, isocast_buffer *parameters, isocast_buffer *out);

typedef campaign_program_request campaign_overlap_request;
typedef struct campaign_overlap campaign_overlap;

/* Free with campaign_overlap_free() in either case. Errors: NO_MEMORY; IO where a program cannot be
 * read, which is reported. */
isocast_status campaign_overlap_create(const campaign_overlap_request *request,
                                       campaign_overlap **out);
void campaign_overlap_free(campaign_overlap *overlap);

/* Forgets what was wanted and is not executed yet. */
void campaign_overlap_begin(campaign_overlap *overlap);

/* Wants T of the program on a system at a size, which is rounded to one that the file holds for.
 * Where fewer than all processes have work there it is not executed: the formulas are of these, and
 * the program is of all. Errors: NO_MEMORY. */
isocast_status campaign_overlap_want(campaign_overlap *overlap, const isocast_system *system,
                                     double N, const double *other_sizes, double working);

/* Executes what is wanted, or takes it from the cache; `model` without the term or with it; `until`
 * in s of campaign_clock(). *news: there was some. Errors: INTERRUPTED, NO_MEMORY, IO; what cannot
 * be executed is none. */
isocast_status campaign_overlap_execute(campaign_overlap *overlap, const isocast_model *model,
                                        double until, bool *news);

/* The term, beside T of a model without it: parameters of the machine file, and the formula. Both
 * stay empty where nothing was executed. Errors: NO_MEMORY. */
isocast_status campaign_overlap_write(campaign_overlap *overlap, const isocast_model *model,
                                      isocast_buffer *parameters, isocast_buffer *formula);

/* Whether T on a system is that of the program at all sizes that were wanted. The errors of single
 * operations do not make it less sure then. */
bool campaign_overlap_is_known(const campaign_overlap *overlap, const isocast_system *system);

/* What was executed, and why not: sentences for people, without the last full stop. */
void campaign_overlap_describe(const campaign_overlap *overlap, isocast_buffer *out);

/* What executes it. */
const campaign_program *campaign_overlap_program(const campaign_overlap *overlap);

#endif
