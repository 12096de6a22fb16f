/* What terms of several laws are multiplied with. Rounding must not make 3.0000000001 of log2(8).
 */
#ifndef FIT_BASIS_H
#define FIT_BASIS_H

#include "fit_point.h"

double fit_basis_one(const fit_point *at);          /* 1 */
double fit_basis_tree_steps(const fit_point *at);   /* ceil(log2 p) */
double fit_basis_others(const fit_point *at);       /* p - 1 */
double fit_basis_bytes(const fit_point *at);        /* m, B */
double fit_basis_tree_bytes(const fit_point *at);   /* m ceil(log2 p), B */
double fit_basis_others_bytes(const fit_point *at); /* m (p - 1), B */

#endif
