/* Operations of a machine file that are written as what they are made of, in place of a formula:
 * terms, ranges of the message size, tables. Makes the formula that they stand for, with a name for
 * each number (docs/reference/specifications.md states the form). Knows nothing of machines. */
#ifndef ISOCAST_OPERATION_FORM_H
#define ISOCAST_OPERATION_FORM_H

#include "coefficients.h"
#include "fitted.h"
#include "measured.h"

/* Reads the value of an entry, which is a mapping, for the operation or kernel `name`; `kernel`: a
 * time per flop in the working set m, and not a time in the message size m. NULL, with a
 * diagnostic, where it is wrong. What the mapping does not say of `measured` and `fitted` stays
 * as it is. */
isocast_formula *isocast_operation_form_read(isocast_reader *reader,
                                             const isocast_tree_entry *entry, const char *name,
                                             bool kernel, isocast_coefficients *coefficients,
                                             isocast_measured *measured, isocast_fitted *fitted);

#endif
