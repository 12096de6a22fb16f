/* Values and exact slopes of a program's outputs by automatic differentiation in forward mode: each
 * instruction gives, besides its value, the slope that follows from those of its operands. Where a
 * formula steps or switches, the slope is that of the side on which the point lies; a sum whose end
 * meets a whole number has the mean of both. */
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

#endif
