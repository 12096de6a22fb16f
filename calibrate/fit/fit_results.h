/* Fits timings of operations, any number of them, each by itself. */
#ifndef FIT_RESULTS_H
#define FIT_RESULTS_H

#include "fit_result.h"

/* Fits one operation of finished observations; without a timing only its name is set. False where
 * memory is short. */
bool fit_result_make(const observations *o, uint32_t operation, const fit_result_settings *settings,
                     fit_result *out);

/* Fits every operation that has timings. False where memory is short. */
bool fit_results_make(const observations *o, const fit_result_settings *settings, fit_results *out);

#endif
