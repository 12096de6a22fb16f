/* The algorithms, each written once. A row: the name, and in words what it is. */
#ifndef ISOCAST_COLLECTIVE_ALGORITHM_H
#define ISOCAST_COLLECTIVE_ALGORITHM_H

#include "part.h"

#define COLLECTIVE_ALGORITHMS(ROW)                                                                 \
    /* broadcast.c; parameter: radix, chains */                                                    \
    ROW(bcast_linear)                                                                              \
    ROW(bcast_low_digit)         /* k-nomial, each message sent when the one before has left */    \
    ROW(bcast_low_digit_at_once) /* the same, all sends at once */                                 \
    ROW(bcast_high_bit)                                                                            \
    ROW(bcast_chains)                                                                              \
    ROW(bcast_by_level)                                                                            \
    ROW(bcast_split_binary)                                                                        \
    ROW(bcast_scatter_doubling)                                                                    \
    ROW(bcast_scatter_ring)                                                                        \
    /* reduction.c */                                                                              \
    ROW(reduce_linear)                                                                             \
    ROW(reduce_binomial)                                                                           \
    ROW(reduce_binomial_ahead) /* receives are begun while the one before is under way */          \
    ROW(reduce_chains)                                                                             \
    ROW(reduce_by_level)                                                                           \
    ROW(reduce_after_children)                                                                     \
    ROW(reduce_rabenseifner)                                                                       \
    ROW(reduce_rabenseifner_low)                                                                   \
    ROW(allreduce_linear)                                                                          \
    ROW(allreduce_doubling)                                                                        \
    ROW(allreduce_rabenseifner)                                                                    \
    ROW(allreduce_rabenseifner_low)                                                                \
    ROW(allreduce_ring)                                                                            \
    ROW(scan_linear)                                                                               \
    ROW(scan_doubling)                                                                             \
    /* reduce_scatter.c */                                                                         \
    ROW(reduce_scatter_halving)                                                                    \
    ROW(reduce_scatter_pairwise)                                                                   \
    ROW(reduce_scatter_ring)                                                                       \
    ROW(reduce_scatter_doubling)                                                                   \
    ROW(reduce_scatter_butterfly)                                                                  \
    ROW(reduce_scatter_mirrored)                                                                   \
    /* allgather.c */                                                                              \
    ROW(allgather_doubling)                                                                        \
    ROW(allgather_bruck)                                                                           \
    ROW(allgather_ring)                                                                            \
    ROW(allgather_ring_in_pieces) /* parameter: B of a piece */                                    \
    ROW(allgather_neighbours)                                                                      \
    /* alltoall.c */                                                                               \
    ROW(alltoall_linear)                                                                           \
    ROW(alltoall_by_rank)                                                                          \
    ROW(alltoall_throttled) /* parameter: so many at once */                                       \
    ROW(alltoall_pairwise)                                                                         \
    ROW(alltoall_xor)                                                                              \
    ROW(alltoall_pairs)                                                                            \
    ROW(alltoall_bruck)                                                                            \
    /* rooted.c: gather, scatter, barrier */                                                       \
    ROW(gather_linear)                                                                             \
    ROW(gather_linear_posted)                                                                      \
    ROW(gather_synchronised)                                                                       \
    ROW(gather_binomial)                                                                           \
    ROW(scatter_linear)                                                                            \
    ROW(scatter_linear_at_once)                                                                    \
    ROW(scatter_binomial)                                                                          \
    ROW(barrier_dissemination)                                                                     \
    ROW(barrier_doubling)                                                                          \
    ROW(barrier_linear)                                                                            \
    ROW(barrier_tree)                                                                              \
    /* composed.c: of two operations, or on node leaders and inside nodes */                       \
    ROW(bcast_by_leaders)                                                                          \
    ROW(bcast_root_node_first)                                                                     \
    ROW(reduce_by_leaders)                                                                         \
    ROW(reduce_root_node_last)                                                                     \
    ROW(allreduce_by_leaders)                                                                      \
    ROW(barrier_by_leaders)                                                                        \
    ROW(scan_by_leaders)                                                                           \
    ROW(allreduce_of_reduce_bcast)                                                                 \
    ROW(reduce_scatter_of_reduce_scatterv)                                                         \
    ROW(reduce_scatter_of_reduce_scatter)                                                          \
    ROW(allgather_of_gather_bcast)                                                                 \
    ROW(allgather_of_gatherv_bcast)

#define COLLECTIVE_DECLARE(name) void isocast_collective_##name(const isocast_collective_part *p);
COLLECTIVE_ALGORITHMS(COLLECTIVE_DECLARE)
#undef COLLECTIVE_DECLARE

#endif
