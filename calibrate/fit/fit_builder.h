/* A fit while it is made: operations are added. */
#ifndef FIT_BUILDER_H
#define FIT_BUILDER_H

#include "fit_model.h"
#include "fit_summary.h"

/* Room for an operation after the last, which is counted by the caller once it is complete; NULL
 * where memory is short. */
fit_operation *fit_new_operation(fit *f, const char *name, bool is_kernel);

/* Notes what range of p and m the items (shape [count], at least one) cover. */
void fit_note_range(fit_operation *operation, const fit_summary *items, size_t count);

#endif
