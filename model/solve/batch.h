/* Many conditions of one model at once: each has a system of its own, what is held (or N), and, if
 * wanted, values of machine parameters and further sizes of its own. A condition comes to the row
 * that isocast_predict gives for it, without interval and remark. Several threads share the work;
 * the results are the same to the bit whatever their number. Formats nothing. */
#ifndef ISOCAST_BATCH_H
#define ISOCAST_BATCH_H

#include "batch_request.h"

/* Solves, or evaluates where N is given. A condition without a solution is no error. Errors:
 * ARGUMENT (a target or N outside its range, a parameter that the machine does not have),
 * NO_MEMORY; the results are undefined then. */
isocast_status isocast_batch_solve(const isocast_batch_request *request,
                                   const isocast_batch_results *results);

#endif
