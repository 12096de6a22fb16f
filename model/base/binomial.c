#include "binomial.h"

#include <math.h>

/* Of a whole tree of 2^levels processes. */
static double whole_volume(double levels) {
    return levels * (levels + 1) / 2;
}

double isocast_binomial_volume(double p) {
    if (!(p > 1) || isinf(p)) {
        return p > 1 ? p : 0;
    }
    double before = 0;
    double most = 0;
    /* Down the child that is furthest off, whose subtree is the only one that is not whole. */
    while (p > 1) {
        double children = ceil(log2(p));
        before += children;
        most = fmax(most, before + (children > 1 ? whole_volume(children - 2) : 0));
        p = ceil(p) - exp2(children - 1);
    }
    return most;
}
