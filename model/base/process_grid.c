#include "process_grid.h"

#include <math.h>

/* A million divisors are tried at most. */
static const double divided_most = 1e12;

/* The largest divisor of p up to its root which leaves a grid of one dimension less that is not
 * shorter anywhere. */
double isocast_grid_side(double p, int dimensions) {
    if (!(p > 1)) {
        return 1;
    }
    double root = dimensions == 2 ? sqrt(p) : dimensions == 3 ? cbrt(p) : pow(p, 1.0 / dimensions);
    if (p > divided_most || p != floor(p)) {
        return root;
    }
    /* A root that is whole may be computed a little too short. */
    double side = floor(root + 1e-9 * root);
    while (side > 1 && (fmod(p, side) != 0 ||
                        (dimensions > 2 && isocast_grid_side(p / side, dimensions - 1) < side))) {
        side--;
    }
    return fmax(side, 1);
}

double isocast_grid_rows(double p) {
    return isocast_grid_side(p, 2);
}

double isocast_grid_layers(double p) {
    return isocast_grid_side(p, 3);
}

double isocast_grid_divisor(double p, double x) {
    if (!(p > 1)) {
        return 1;
    }
    double most = x < p ? fmax(x, 1) : p; /* p where x is no number, too */
    if (p > divided_most || p != floor(p)) {
        return most;
    }
    /* A quotient that is whole may be computed a little too short. */
    most = floor(most + 1e-9 * most);
    double root = floor(sqrt(p));
    /* Above the root they are what the small ones leave of p. */
    for (double small = ceil(p / most - 1e-9); most > root && small <= root; small++) {
        if (fmod(p, small) == 0 && p / small <= most) {
            return p / small;
        }
    }
    double divisor = fmin(most, root);
    while (divisor > 1 && fmod(p, divisor) != 0) {
        divisor--;
    }
    return divisor;
}

static const double counted_most = 1e6;

/* Pairs of sides, the shorter one at least `from`. */
static size_t count_pairs(double p, double from) {
    size_t count = 0;
    for (double a = from; a * a <= p; a++) {
        count += fmod(p, a) == 0;
    }
    return count;
}

size_t isocast_grid_count(double p, int dimensions) {
    if (!(p > 1 && p < counted_most) || p != floor(p)) {
        return 0;
    }
    size_t count = dimensions == 2 ? count_pairs(p, 2) : 0;
    for (double a = 2; dimensions == 3 && a * a * a <= p; a++) {
        count += fmod(p, a) == 0 ? count_pairs(p / a, a) : 0;
    }
    return count;
}
