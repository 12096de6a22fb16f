#include "process_grid.h"

#include <math.h>

/* A million divisors are tried at most. */
static const double divided_most = 1e12;

double isocast_grid_rows(double p) {
    if (!(p > 1)) {
        return 1;
    }
    double root = sqrt(p);
    if (p > divided_most || p != floor(p)) {
        return root;
    }
    double rows = floor(root);
    while (fmod(p, rows) != 0) {
        rows--;
    }
    return rows;
}
