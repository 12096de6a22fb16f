/* Trees of processes: whom a process gets from, and whom it gives to, in which order. */
#ifndef ISOCAST_COLLECTIVE_TREE_H
#define ISOCAST_COLLECTIVE_TREE_H

#include "part.h"

enum { COLLECTIVE_CHILDREN = 128 };

/* Places count from the root, which has 0. */
typedef struct collective_tree {
    int parent; /* rank; -1: none */
    int count;
    int children[COLLECTIVE_CHILDREN]; /* ranks */
} collective_tree;

/* Where a process stands relative to its parent: its place without its lowest digit that is not 0;
 * children from the farthest on. Radix 2: the binomial tree of MPICH. */
collective_tree collective_tree_by_low_digit(const collective_part *p, int radix);
/* The same for radix 2, children from the nearest on. */
collective_tree collective_tree_in_order(const collective_part *p);
/* Its place without its highest bit; children from the nearest on. */
collective_tree collective_tree_by_high_bit(const collective_part *p);
/* As so many chains that begin at the root; 1: a pipeline. */
collective_tree collective_tree_of_chains(const collective_part *p, int chains);
/* Levels of which each process has so many children in the next. */
collective_tree collective_tree_by_level(const collective_part *p, int children);
/* Binary, numbered so that the parent comes after both and reductions keep their order; its root is
 * the last process. */
collective_tree collective_tree_after_children(const collective_part *p);

#endif
