/* MPICH 4.0.2 with the device ch4, as Debian 12 has it. Facts from its tables of choices
 * (maint/tuning/coll/ch4/generic.json and mpir/generic.json of that release); every message up to
 * 32 processes on nodes of 1 to 8 and of 32 is compared with the library (tests/collectives).
 * Inside a node MPICH copies bcast, reduce, allreduce and barrier through shared memory from the
 * fifth call of a communicator on; the messages are those of the calls before. */
#include "choice.h"

#define KIB ((size_t)1024)

enum {
    POWER = COLLECTIVE_POWER_OF_TWO,
    NODES = COLLECTIVE_NODES,
    COMMUTES = COLLECTIVE_COMMUTES,
    LONG = COLLECTIVE_LONG,
    TOTAL = COLLECTIVE_TOTAL,
    EQUAL = COLLECTIVE_EQUAL,
    CONSECUTIVE = COLLECTIVE_CONSECUTIVE,
    SEVERAL = COLLECTIVE_SEVERAL
};

/* clang-format off */
static const isocast_collective_choice rows[] = {
    {COLLECTIVE_BCAST, 8, 0, NODES, isocast_collective_bcast_by_leaders, 0},
    {COLLECTIVE_BCAST, 0, 12 * KIB, NODES, isocast_collective_bcast_by_leaders, 0},
    {COLLECTIVE_BCAST, 0, 512 * KIB, NODES | POWER, isocast_collective_bcast_root_node_first, 0},
    {COLLECTIVE_BCAST, 8, 0, 0, isocast_collective_bcast_low_digit, 2},
    {COLLECTIVE_BCAST, 0, 12 * KIB + 1, 0, isocast_collective_bcast_low_digit, 2},
    {COLLECTIVE_BCAST, 0, 512 * KIB + 1, POWER, isocast_collective_bcast_scatter_doubling, 0},
    {COLLECTIVE_BCAST, 0, 0, 0, isocast_collective_bcast_scatter_ring, 0},
    {COLLECTIVE_REDUCE, 0, 2 * KIB + 1, NODES | COMMUTES, isocast_collective_reduce_root_node_last, 0},
    {COLLECTIVE_REDUCE, 0, 0, NODES | COMMUTES, isocast_collective_reduce_by_leaders, 0},
    {COLLECTIVE_REDUCE, 0, 2 * KIB + 1, 0, isocast_collective_reduce_binomial, 0},
    {COLLECTIVE_REDUCE, 0, 0, LONG, isocast_collective_reduce_rabenseifner, 0},
    {COLLECTIVE_REDUCE, 0, 0, 0, isocast_collective_reduce_binomial, 0},
    {COLLECTIVE_ALLREDUCE, 0, 0, NODES | SEVERAL | COMMUTES, isocast_collective_allreduce_by_leaders, 0},
    {COLLECTIVE_ALLREDUCE, 0, 9, 0, isocast_collective_allreduce_doubling, 0},
    {COLLECTIVE_ALLREDUCE, 0, 0, LONG, isocast_collective_allreduce_rabenseifner, 0},
    {COLLECTIVE_ALLREDUCE, 0, 0, 0, isocast_collective_allreduce_doubling, 0},
    {COLLECTIVE_BARRIER, 0, 0, NODES, isocast_collective_barrier_by_leaders, 0},
    {COLLECTIVE_BARRIER, 0, 0, 0, isocast_collective_barrier_dissemination, 0},
    {COLLECTIVE_GATHER, 0, 0, 0, isocast_collective_gather_binomial, 0},
    {COLLECTIVE_SCATTER, 0, 0, 0, isocast_collective_scatter_binomial, 0},
    {COLLECTIVE_ALLGATHER, 0, 512 * KIB, POWER | TOTAL, isocast_collective_allgather_doubling, 0},
    {COLLECTIVE_ALLGATHER, 0, 0, POWER, isocast_collective_allgather_ring, 0},
    {COLLECTIVE_ALLGATHER, 0, 80 * KIB, TOTAL, isocast_collective_allgather_bruck, 0},
    {COLLECTIVE_ALLGATHER, 0, 0, 0, isocast_collective_allgather_ring, 0},
    {COLLECTIVE_ALLGATHERV, 0, 512 * KIB, POWER | TOTAL, isocast_collective_allgather_doubling, 0},
    {COLLECTIVE_ALLGATHERV, 0, 0, POWER, isocast_collective_allgather_ring_in_pieces, 32768},
    {COLLECTIVE_ALLGATHERV, 0, 80 * KIB, TOTAL, isocast_collective_allgather_bruck, 0},
    {COLLECTIVE_ALLGATHERV, 0, 0, 0, isocast_collective_allgather_ring_in_pieces, 32768},
    {COLLECTIVE_ALLTOALL, 0, 0, COLLECTIVE_IN_PLACE, isocast_collective_alltoall_pairs, 0},
    /* "comm_size<8" holds for 8, too, where the table is read. */
    {COLLECTIVE_ALLTOALL, 9, 32 * KIB + 1, 0, isocast_collective_alltoall_throttled, 32},
    {COLLECTIVE_ALLTOALL, 9, 0, 0, isocast_collective_alltoall_xor, 0},
    {COLLECTIVE_ALLTOALL, 0, 257, 0, isocast_collective_alltoall_bruck, 0},
    {COLLECTIVE_ALLTOALL, 0, 32 * KIB + 1, 0, isocast_collective_alltoall_throttled, 32},
    {COLLECTIVE_ALLTOALL, 0, 0, 0, isocast_collective_alltoall_xor, 0},
    {COLLECTIVE_ALLTOALLV, 0, 0, COLLECTIVE_IN_PLACE, isocast_collective_alltoall_pairs, 0},
    {COLLECTIVE_ALLTOALLV, 0, 0, 0, isocast_collective_alltoall_throttled, 32},
    {COLLECTIVE_REDUCE_SCATTER, 0, 512 * KIB, COMMUTES | TOTAL, isocast_collective_reduce_scatter_halving, 0},
    {COLLECTIVE_REDUCE_SCATTER, 0, 0, COMMUTES, isocast_collective_reduce_scatter_pairwise, 0},
    {COLLECTIVE_REDUCE_SCATTER, 0, 0, EQUAL | POWER, isocast_collective_reduce_scatter_mirrored, 0},
    {COLLECTIVE_REDUCE_SCATTER, 0, 0, 0, isocast_collective_reduce_scatter_doubling, 0},
    {COLLECTIVE_REDUCE_SCATTER_BLOCK, 0, 512 * KIB, COMMUTES | TOTAL, isocast_collective_reduce_scatter_halving, 0},
    {COLLECTIVE_REDUCE_SCATTER_BLOCK, 0, 0, COMMUTES, isocast_collective_reduce_scatter_pairwise, 0},
    {COLLECTIVE_REDUCE_SCATTER_BLOCK, 0, 0, POWER, isocast_collective_reduce_scatter_mirrored, 0},
    {COLLECTIVE_REDUCE_SCATTER_BLOCK, 0, 0, 0, isocast_collective_reduce_scatter_doubling, 0},
    {COLLECTIVE_GATHERV, 0, 0, 0, isocast_collective_gather_linear_posted, 0},
    {COLLECTIVE_SCATTERV, 0, 0, 0, isocast_collective_scatter_linear_at_once, 0},
    {COLLECTIVE_SCAN, 0, 0, NODES | CONSECUTIVE, isocast_collective_scan_by_leaders, 0},
    {COLLECTIVE_SCAN, 0, 0, 0, isocast_collective_scan_doubling, 0},
};
/* clang-format on */

const isocast_collective_choices isocast_collective_mpich_choices = {rows,
                                                                     sizeof rows / sizeof rows[0]};
