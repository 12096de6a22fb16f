/* What the numbers of an operation in a machine file are multiplied with, by their keys: `start`
 * with 1, `byte` with m, `step` with the steps of a binomial tree. One table for those who read
 * machine files and those who write them. */
#ifndef ISOCAST_TERMS_H
#define ISOCAST_TERMS_H

#include <stddef.h>

/* That a shape has. */
enum { ISOCAST_SHAPE_TERMS_MAX = 96 };

typedef struct isocast_term {
    const char *key;
    const char *factor; /* in p, m, nodes and p_node, as it follows the number: "*m"; "" for 1 */
    const char *unit;   /* of the number: "s", "s/B"; "" for a ratio */
} isocast_term;

/* The terms of one shape, how an algorithm's messages go; what `byte` is multiplied with, say,
 * differs from shape to shape. */
typedef struct isocast_term_list {
    const char *shape;         /* as `shape` in a file has it; "" where the file gives none */
    const isocast_term *terms; /* [count] */
    size_t count;
} isocast_term_list;

/* NULL for a shape that is not known. */
const isocast_term_list *isocast_terms_of(const char *shape);

/* NULL for a key that the list has not. */
const isocast_term *isocast_term_find(const isocast_term_list *list, const char *key);

/* The lists one after the other, for messages; NULL after the last. */
const isocast_term_list *isocast_terms_at(size_t index);

#endif
