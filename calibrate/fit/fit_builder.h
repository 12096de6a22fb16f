/* A fit while it is made: operations and coefficients are added, covariances are kept until all
 * coefficients are known. */
#ifndef FIT_BUILDER_H
#define FIT_BUILDER_H

#include "fit_model.h"
#include "fit_summary.h"
#include "model/base/status.h"

/* One element of the covariance of coefficients, in their units. */
typedef struct fit_covariance {
    size_t row;
    size_t column;
    double value;
} fit_covariance;

/* Start from {0}; free items. */
typedef struct fit_covariances {
    fit_covariance *items; /* [count] */
    size_t count;
} fit_covariances;

/* Adds a coefficient; its index, or -1 where memory is short. `unit` must outlive the fit. */
long fit_add_parameter(fit *f, const char *name, const char *unit, double value, size_t group);

/* False where memory is short. */
bool fit_add_covariance(fit_covariances *c, size_t row, size_t column, double value);

/* Makes the matrix and the standard errors. Errors: NO_MEMORY. */
isocast_status fit_fill_covariance(fit *f, const fit_covariances *c);

/* Room for an operation after the last, which is counted by the caller once it is complete; NULL
 * where memory is short. */
fit_operation *fit_new_operation(fit *f, const char *name, bool is_kernel);

/* Notes what range of p and m the items (shape [count], at least one) cover. */
void fit_note_range(fit_operation *operation, const fit_summary *items, size_t count);

#endif
