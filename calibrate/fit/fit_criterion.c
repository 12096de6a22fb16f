#include "fit_criterion.h"

#include <math.h>

/* Relative errors below a thousandth are taken as a thousandth: better than that no timing is. */
static const double square_least = 1e-6;

double fit_criterion_score(const fit_criterion *criterion, double squares, size_t points,
                           size_t parameters) {
    double n = (double)points;
    double k = (double)parameters + 1; /* the variance is one, too */
    double score = n * log(fmax(squares / n, square_least));
    score += k * (criterion->penalty == FIT_PENALTY_BAYES ? log(n) : 2);
    if (parameters == 0) {
        return score;
    }
    /* For few points (C. Hurvich, C.-L. Tsai, Biometrika 76, 1989). */
    return n - k - 1 > 0 ? score + 2 * k * (k + 1) / (n - k - 1) : INFINITY;
}
