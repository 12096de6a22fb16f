/* The applications of a file of offers, which make it a suite. Loads no algorithm. */
#ifndef ISOCAST_SUITE_FILE_H
#define ISOCAST_SUITE_FILE_H

#include "model/yaml/tree.h"
#include "suite.h"

/* Reads `applications` and `reference` at the top of a file. Errors, with diagnostics: INVALID,
 * NO_MEMORY. Free in either case. */
isocast_status isocast_suite_read(const isocast_tree *tree, isocast_diagnostics *diagnostics,
                                  isocast_suite *out);

#endif
