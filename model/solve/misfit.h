/* What the formulas of operations miss: all times of an operation are off by one factor, as far as
 * it was measured, and by another one beyond, which grows with the logarithm of the number of
 * processes. Each of both is a number with an error of its own, 0 where nothing is off; it moves
 * the coefficients of its operation together. And what the formulas of the algorithm miss: all its
 * messages are off by one factor more, and by another one beyond the largest run that they were
 * compared with. Knows no model. */
#ifndef ISOCAST_MISFIT_H
#define ISOCAST_MISFIT_H

#include "model/spec/machine.h"

/* Of one operation, or of the algorithm. */
typedef struct isocast_misfit {
    const isocast_operation *operation; /* NULL: all that are of messages */
    double p_max;     /* as far as it was measured; NAN where the file does not say */
    double errors[2]; /* standard errors: as far as that; for each unit of ln(p/p_max) beyond */
} isocast_misfit;

/* Start from {0}. The numbers are first + 2 k and first + 2 k + 1 for items[k]; the algorithm's are
 * the last, where it has some. */
typedef struct isocast_misfits {
    const isocast_machine *machine;
    size_t first;
    isocast_misfit *items; /* [count] */
    size_t count;
} isocast_misfits;

/* Whether the file says what an operation's formula misses. */
bool isocast_misfit_known(const isocast_operation *o);

/* algorithm: its name; NULL: what an algorithm misses is left out. Errors: NO_MEMORY. */
isocast_status isocast_misfits_create(const isocast_machine *machine, const char *algorithm,
                                      size_t first, isocast_misfits *out);
void isocast_misfits_free(isocast_misfits *misfits);

/* The standard error of a number from first on. */
double isocast_misfit_of(const isocast_misfits *misfits, size_t number);

/* The sum of gradient[i] times the value of i over the coefficients that an operation's time is a
 * multiple of, where all of them change together: the operation's part of what `gradient`,
 * [parameter_count], is of. */
double isocast_misfit_share(const isocast_machine *machine, const isocast_operation *o,
                            const double *gradient);

/* The same of all messages. */
double isocast_misfit_share_of_messages(const isocast_machine *machine, const double *gradient);

/* Whether a parameter moves with some misfit. */
bool isocast_misfits_move(const isocast_misfits *misfits, size_t parameter);

/* Fills gradient[first] and what comes behind, from what stands before, on p processes. */
void isocast_misfits_complete(const isocast_misfits *misfits, double p, double *gradient);

/* The parameters, [parameter_count], with errors, [number_count], times `scale`, on p processes. */
void isocast_misfits_displace(const isocast_misfits *misfits, double p, const double *errors,
                              double scale, double *parameters);

#endif
