/* What is known of ln N beyond x ln p, on a path whose x is a number: ln N = x ln p + y ln ln p +
 * sign LARGE + u, where u is not known but for its bounds. Knows no series. */
#ifndef ISOCAST_REST_H
#define ISOCAST_REST_H

#include "path.h"

/* What goes to infinity is above any number; this one is in front of u. */
extern const double isocast_rest_large;

typedef struct isocast_rest {
    int sign;         /* of what lies beyond y ln ln p: it goes to infinity, or to minus that */
    double y;         /* the part y ln ln p */
    double low, high; /* u over `scale` is between them */
    isocast_monomial scale; /* what u is compared with */
} isocast_rest;

/* False where the sign is not known: the path is to be split at 0. */
bool isocast_path_rest(const isocast_path *path, isocast_rest *out);

/* exp(exponent u) as a monomial times exp(*constant). */
isocast_monomial isocast_rest_exp(const isocast_path *path, const isocast_rest *rest,
                                  double exponent, double *constant);

#endif
