/* Sizes of messages and numbers of calls below 0, looked for without a machine at some sizes and
 * numbers of processes. Finding none proves nothing. */
#ifndef ISOCAST_NEGATIVES_H
#define ISOCAST_NEGATIVES_H

#include "model/base/diagnostic.h"
#include "model/spec/algorithm.h"

/* Notes a warning where one is found. Formulas that ask more of a machine than operations, its
 * speed and where processes are, are left aside. Errors: NO_MEMORY. */
isocast_status isocast_negatives_look(const isocast_algorithm *algorithm,
                                      isocast_diagnostics *diagnostics);

#endif
