/* What the numbers of an operation in a machine file are multiplied with, by their keys: `start`
 * with 1, `byte` with m, `step` with the steps of a binomial tree. One table for those who read
 * machine files, those who write them, and those who fit the numbers. */
#ifndef ISOCAST_TERMS_H
#define ISOCAST_TERMS_H

#include <stdbool.h>
#include <stddef.h>

/* That a shape has. */
enum { ISOCAST_SHAPE_TERMS_MAX = 96 };

/* Where an operation is called. */
typedef struct isocast_term_point {
    double p;      /* processes */
    double m;      /* B */
    double nodes;  /* that the processes are on */
    double p_node; /* processes on the node of process 0 */
} isocast_term_point;

typedef struct isocast_law_term {
    const char *key;
    const char *factor; /* in p, m, nodes and p_node, as it follows the number: "*m"; "" for 1 */
    const char *unit;   /* of the number: "s", "s/B"; "" for a ratio */
    double (*value)(const isocast_term_point *at); /* of the factor, or of what it is beside m */
    bool times_m;                                  /* the latter */
} isocast_law_term;

/* The value of the factor. */
double isocast_term_value(const isocast_law_term *term, const isocast_term_point *at);

/* The terms of one shape, how an algorithm's messages go; what `byte` is multiplied with, say,
 * differs from shape to shape. */
typedef struct isocast_term_list {
    const char *shape;             /* as `shape` in a file has it; "" where the file gives none */
    const isocast_law_term *terms; /* [count] */
    size_t count;
} isocast_term_list;

/* The lists; that without a shape is the first. */
enum { ISOCAST_SHAPES = 7 };
extern const isocast_term_list isocast_term_lists[ISOCAST_SHAPES];

/* NULL for a shape that is not known. */
const isocast_term_list *isocast_terms_of(const char *shape);

/* NULL for a key that the list has not. */
const isocast_law_term *isocast_term_find(const isocast_term_list *list, const char *key);

#endif
