/* Values of a program's outputs and their exact derivatives by all inputs at once, by automatic
 * differentiation backwards: each instruction passes on to its operands what its own value counts,
 * so 400 inputs cost as much as one. A sum is differentiated as it was added up, by the terms that
 * were evaluated, with their weights.
 *
 * Where a formula steps or switches, the derivative is that of the side on which the point lies; a
 * sum whose end meets a whole number has the mean of both. */
#ifndef ISOCAST_GRADIENT_H
#define ISOCAST_GRADIENT_H

#include "program.h"

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
