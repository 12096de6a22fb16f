/* Orders that qsort goes by: of numbers, and of elements by a list of numbers. */
#ifndef ISOCAST_ORDER_H
#define ISOCAST_ORDER_H

#include <stddef.h>

/* -1, 0 or 1: a before, with or behind b. Neither is NaN. */
static inline int isocast_order(double a, double b) {
    return (a > b) - (a < b);
}

/* The same of lists, shape [count] each: by the first number in which they differ. */
static inline int isocast_order_lists(const double *a, const double *b, size_t count) {
    int order = 0;
    for (size_t i = 0; i < count && order == 0; i++) {
        order = isocast_order(a[i], b[i]);
    }
    return order;
}

/* Defines what qsort calls for elements of a type: by numbers of `x`, a pointer to an element, the
 * first one first. A number with a minus makes it fall. */
#define ISOCAST_ORDER_BY(name, type, ...)                                                          \
    static int name(const void *left, const void *right) {                                         \
        const type *x = left;                                                                      \
        const double first[] = {__VA_ARGS__};                                                      \
        x = right;                                                                                 \
        const double second[] = {__VA_ARGS__};                                                     \
        return isocast_order_lists(first, second, sizeof first / sizeof first[0]);                 \
    }

#endif
