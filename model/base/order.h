/* The order of two numbers, for comparisons that qsort calls. */
#ifndef ISOCAST_ORDER_H
#define ISOCAST_ORDER_H

/* -1, 0 or 1: a before, with or behind b. Neither is NaN. */
int isocast_order(double a, double b);

#endif
