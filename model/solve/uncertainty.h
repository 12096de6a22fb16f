/* What a machine file says of the errors of its numbers, as predictions need it: the variance of
 * what depends on them linearly, and draws of them, which are the same for all that is asked
 * (common random numbers). The numbers are the machine's parameters, then the marked speed of a
 * processor of each class, whose errors hang together with no others, and then R_f of each set that
 * the machine file gives, where R_f counts: the time on one processor makes their errors hang
 * together. The latter two are called sizes, as they make up the size of a system. Last come
 * factors that all coefficients of an operation are off by together, and those of all messages of
 * an algorithm (misfit.h). Knows no model. */
#ifndef ISOCAST_UNCERTAINTY_H
#define ISOCAST_UNCERTAINTY_H

#include "misfit.h"
#include "model/spec/algorithm.h"

typedef struct isocast_uncertainty isocast_uncertainty;

/* Draws come in pairs, of which one is the other's opposite. */
enum { ISOCAST_UNCERTAINTY_DRAWS = 2000 };

/* The marked speeds are those of the algorithm's kernel (marked_speed.h), or of none in particular.
 * `references` shows whether R_f counts. Intervals hold what they are of with probability `level`,
 * 0 to 1. The machine must outlive it. *out is NULL where no number has an error, and runs are not
 * known to differ. Errors: NO_MEMORY. */
isocast_status isocast_uncertainty_create(const isocast_machine *machine,
                                          const isocast_algorithm *algorithm, bool references,
                                          double level, isocast_uncertainty **out);
/* NULL is allowed. */
void isocast_uncertainty_free(isocast_uncertainty *u);

/* How many numbers there are: parameter_count + size_count + those of misfits. Called
 * [number_count] below. */
size_t isocast_uncertainty_count(const isocast_uncertainty *u);

/* What formulas miss. */
const isocast_misfits *isocast_uncertainty_misfits(const isocast_uncertainty *u);

/* How many sizes there are: class_count, and reference.count more where R_f counts. Called
 * [size_count] elsewhere. */
size_t isocast_uncertainty_size_count(const isocast_uncertainty *u);

/* The standard error of a size, 0 where none is given: of a class's marked speed, flop/s, and from
 * class_count on of R_f, 1. */
double isocast_uncertainty_of_size(const isocast_uncertainty *u, size_t index);

/* How many standard deviations such an interval reaches to either side: 1.645 at 0.9. */
double isocast_uncertainty_reach(const isocast_uncertainty *u);

/* The variance of what changes by `gradient`, [number_count], and, where `direction` is not NULL,
 * how the numbers are expected to be off where it is one standard deviation off, [number_count] (0
 * where it has none). */
double isocast_uncertainty_variance(const isocast_uncertainty *u, const double *gradient,
                                    double *direction);

/* How far runs are from what formulas say, beside the errors of numbers: the variance of ln T from
 * launch to launch and within a launch, and the mean error of the operations' formulas that have no
 * misfit among the numbers, each times its share of T, which `T_by_parameters` (d ln T/d parameter,
 * [parameter_count]) states. */
double isocast_uncertainty_of_runs(const isocast_uncertainty *u, const double *T_by_parameters);

/* Errors of the numbers, [ISOCAST_UNCERTAINTY_DRAWS][number_count], and standard normal
 * numbers for runs, [ISOCAST_UNCERTAINTY_DRAWS]; they belong to `u`. Errors: NO_MEMORY, NUMERIC. */
isocast_status isocast_uncertainty_draw(isocast_uncertainty *u, const double **errors,
                                        const double **normal);

/* The same errors by number, [number_count][ISOCAST_UNCERTAINTY_DRAWS]. Errors: NO_MEMORY, NUMERIC.
 */
isocast_status isocast_uncertainty_draw_by_number(isocast_uncertainty *u, const double **errors);

/* The interval that draws of a value lie in, [ISOCAST_UNCERTAINTY_DRAWS], which change places. NAN
 * are draws for which there is no value: too many of them leave no interval, and false. */
bool isocast_uncertainty_interval(const isocast_uncertainty *u, double *draws, double *low,
                                  double *high);

/* From so many draws without a value on there is no such interval. */
size_t isocast_uncertainty_lost_draws(const isocast_uncertainty *u);

#endif
