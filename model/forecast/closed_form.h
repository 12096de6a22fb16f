/* Forecasts as formulas: sums of a few terms of p. */
#ifndef ISOCAST_CLOSED_FORM_H
#define ISOCAST_CLOSED_FORM_H

#include "forecast.h"

/* coefficient p^exponent, or coefficient log2(p + 1); s. */
typedef struct isocast_closed_term {
    double coefficient, exponent;
    bool is_tree;
} isocast_closed_term;

enum { ISOCAST_CLOSED_TERMS_MAX = 9 };
typedef struct isocast_closed_form {
    isocast_closed_term terms[ISOCAST_CLOSED_TERMS_MAX]; /* [count]; none: there is no formula */
    size_t count;
    double from, to; /* of p that it is meant for; NAN: all */
    double off;      /* largest relative distance there from what it stands for */
} isocast_closed_form;

double isocast_closed_form_value(const isocast_closed_form *form, double p);

/* The sum of terms that are not negative which is nearest to T (s) at p, both above 0, shape
 * [count]. It is meant for all between these p, and has no terms where they are all the same. */
isocast_closed_form isocast_closed_form_of_points(const double *p, const double *T, size_t count);

/* The sum of terms that are not negative which is nearest to the forecast from the largest p that
 * was run to the farthest at which T is forecast. */
isocast_closed_form isocast_closed_form_of_forecast(const isocast_forecast *forecast);

/* What stands beside a forecast is such a sum. */
isocast_closed_form isocast_closed_form_of_rival(const isocast_forecast *forecast,
                                                 isocast_rival rival);

#endif
