#include "fit_basis.h"

#include <math.h>

double fit_basis_one(const fit_point *at) {
    (void)at;
    return 1;
}

double fit_basis_tree_steps(const fit_point *at) {
    return ceil(log2(at->p) - 1e-9);
}

double fit_basis_others(const fit_point *at) {
    return at->p - 1;
}

double fit_basis_bytes(const fit_point *at) {
    return at->m;
}

double fit_basis_tree_bytes(const fit_point *at) {
    return at->m * fit_basis_tree_steps(at);
}

double fit_basis_others_bytes(const fit_point *at) {
    return at->m * (at->p - 1);
}
