/* Values and exact derivatives of a program's outputs by automatic differentiation.
 *
 * Slopes, forwards: each instruction gives, besides its value, the slope that follows from those of
 * its operands. Gradients by all inputs at once, backwards: each instruction passes on to its
 * operands what its own value counts, so 400 inputs cost as much as one; a sum is differentiated as
 * it was added up, by the terms that were evaluated, with their weights.
 *
 * Where a formula steps or switches, the derivative is that of the side on which the point lies; a
 * sum whose end meets a whole number has the mean of both. */
#ifndef ISOCAST_SLOPE_H
#define ISOCAST_SLOPE_H

#include "program.h"

/* One point, and how its inputs move. */
typedef struct isocast_slope_point {
    const double *inputs;                    /* [input_count], by the scopes' index */
    const double *slopes;                    /* [input_count], of the inputs */
    const isocast_class_table *classes;      /* NULL where no formula uses classes */
    const isocast_class_table *class_slopes; /* of the same shape; likewise */
    isocast_effort *effort;                  /* as in isocast_program_points; may be NULL */
} isocast_slope_point;

/* Shapes: inputs as many as `input_count`; values and slopes one for each output. NAN where a
 * formula has no value. Errors: NO_MEMORY. */
isocast_status isocast_program_slopes(const isocast_program *program,
                                      const isocast_slope_point *point, size_t input_count,
                                      double *values, double *slopes);

typedef struct isocast_gradient_request {
    const double *inputs; /* [input_count], by the scopes' index */
    size_t input_count;
    const isocast_class_table *classes; /* NULL where no formula uses classes */
    isocast_effort *effort;             /* as in isocast_program_points; may be NULL */
    /* Which outputs are added up, each times its weight, to what is differentiated: a row for each
     * gradient that is wanted, [gradient_count][outputs]. */
    const double *weights;
    size_t gradient_count;
} isocast_gradient_request;

/* The outputs in SI, [outputs]; the gradients, [gradient_count][input_count]; and, where not NULL,
 * those by the rows of the class table, [gradient_count][ISOCAST_CLASS_ROWS][classes->count]. NAN
 * where a formula has no value, or no derivative. *sum_error, where not NULL, as in
 * isocast_program_evaluate(). Errors: NO_MEMORY. */
isocast_status isocast_program_gradient(const isocast_program *program,
                                        const isocast_gradient_request *request, double *values,
                                        double *gradients, double *class_gradients,
                                        double *sum_error);

#endif
