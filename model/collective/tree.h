/* Trees of processes: whom a process gets from, and whom it gives to, in which order. */
#ifndef ISOCAST_COLLECTIVE_TREE_H
#define ISOCAST_COLLECTIVE_TREE_H

#include "part.h"

enum { COLLECTIVE_CHILDREN = 128 };

/* Places count from the root, which has 0. */
typedef struct isocast_collective_tree {
    int parent; /* rank; -1: none */
    int count;
    int children[COLLECTIVE_CHILDREN]; /* ranks */
} isocast_collective_tree;

/* Where a process stands relative to its parent: its place without its lowest digit that is not 0;
 * children from the farthest on. Radix 2: the binomial tree of MPICH. */
isocast_collective_tree isocast_collective_tree_by_low_digit(const isocast_collective_part *p,
                                                             int radix);
/* The same for radix 2, children from the nearest on. */
isocast_collective_tree isocast_collective_tree_in_order(const isocast_collective_part *p);
/* Its place without its highest bit; children from the nearest on. */
isocast_collective_tree isocast_collective_tree_by_high_bit(const isocast_collective_part *p);
/* As so many chains that begin at the root; 1: a pipeline. */
isocast_collective_tree isocast_collective_tree_of_chains(const isocast_collective_part *p,
                                                          int chains);
/* Levels of which each process has so many children in the next. */
isocast_collective_tree isocast_collective_tree_by_level(const isocast_collective_part *p,
                                                         int children);
/* Binary, numbered so that the parent comes after both and reductions keep their order; its root is
 * the last process. */
isocast_collective_tree isocast_collective_tree_after_children(const isocast_collective_part *p);

#endif
