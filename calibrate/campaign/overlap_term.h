/* The term that corrects a model by what its program took where it was executed: points in N on
 * each system, what follows between and beyond them, and the formula. Executes nothing. */
#ifndef CAMPAIGN_OVERLAP_TERM_H
#define CAMPAIGN_OVERLAP_TERM_H

#include "model/spec/algorithm.h"
#include "model/spec/system.h"

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

/* The term on a system. */
typedef struct campaign_overlap_curve {
    const isocast_system *system;
    bool overhead; /* the overhead of the formulas is multiplied; else W/C */
    double N[CAMPAIGN_OVERLAP_KNOTS], values[CAMPAIGN_OVERLAP_KNOTS]; /* [count], rising in N */
    double errors[CAMPAIGN_OVERLAP_KNOTS];                            /* standard ones, of W/C */
    size_t count;
} campaign_overlap_curve;

/* Whether the overhead of the formulas is short enough to be written once more. */
bool campaign_overlap_can_multiply(const isocast_algorithm *algorithm);

/* points: [count], from 1 to CAMPAIGN_OVERLAP_POINTS, rising in N. */
void campaign_overlap_curve_make(const isocast_system *system, const campaign_overlap_point *points,
                                 size_t count, bool may_multiply, campaign_overlap_curve *out);

/* Appends lines of parameters of a machine file, and the formula of the term: 0 on other systems.
 * `a` is the algorithm without the term. curves: [count], 1 or more. */
void campaign_overlap_curves_write(const isocast_algorithm *a, const campaign_overlap_curve *curves,
                                   size_t count, isocast_buffer *parameters, isocast_buffer *out);

#endif
