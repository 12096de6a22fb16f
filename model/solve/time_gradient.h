/* How each parameter of a machine moves a time: for what asks which of them matters, or how far off
 * a time may be. */
#ifndef ISOCAST_TIME_GRADIENT_H
#define ISOCAST_TIME_GRADIENT_H

#include "model.h"

/* *T gets T in s at N of an algorithm of one size; gradient [parameter_count] gets d ln T/d
 * parameter, in one over the parameter's SI unit; 0 where there is no derivative. Errors:
 * NO_MEMORY. */
isocast_status isocast_time_gradient(const isocast_model *model, const isocast_system *system,
                                     double N, double *T, double *gradient);

#endif
