/* Which of two fits is the better: one that follows the points more closely, or one with fewer
 * parameters. */
#ifndef FIT_CRITERION_H
#define FIT_CRITERION_H

#include <stddef.h>

typedef enum fit_penalty {
    FIT_PENALTY_AKAIKE, /* 2 a parameter (H. Akaike, IEEE Trans. Autom. Control 19, 1974) */
    FIT_PENALTY_BAYES   /* ln n a parameter (G. Schwarz, Annals of Statistics 6, 1978) */
} fit_penalty;

typedef struct fit_criterion {
    fit_penalty penalty;
    size_t switch_parameters; /* as many parameters as a switch counts for */
} fit_criterion;

/* The criterion of `points` relative errors, given as the sum of their squares; smaller is better.
 * Infinite where the points are too few for the parameters. Of forecasts, which no parameter was
 * fitted to, parameters is 0. */
double fit_criterion_score(const fit_criterion *criterion, double squares, size_t points,
                           size_t parameters);

#endif
