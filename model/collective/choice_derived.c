/* Intel MPI, MVAPICH2 and Cray MPICH, which come from MPICH and keep its algorithms. None of them
 * runs here, so nothing of these tables was compared with messages of the libraries themselves.
 * Which algorithms there are is published; their thresholds depend on release and machine, and
 * those here are of one. The sources, and how far they go:
 * - Intel MPI: the algorithms are those of the reference manual (I_MPI_ADJUST_*). Thresholds are
 *   condensed from those that were measured with Intel MPI 4.1.3 on Stampede (SimGrid's selector
 *   describes them), by processes, on full nodes of 16; later releases have others.
 * - MVAPICH2: node leaders in bcast, reduce, allreduce and barrier (A. Mamidala et al., CCGrid
 *   2008); alltoall and allgather as in MPICH, with thresholds condensed from its table for
 *   Stampede (the same place).
 * - Cray MPICH: thresholds of intro_mpi(3): MPICH_ALLTOALL_SHORT_MSG, MPICH_ALLGATHER_VSHORT_MSG,
 *   up to which an allgather is a gather and a broadcast (recalled; what bench/real compares has it
 *   so: a ring or doubling takes up to eight times as long on two to eight nodes); node leaders as
 *   in MPICH. Its own shared-memory collectives send no messages. */
#include "choice.h"

#define KIB ((size_t)1024)

enum {
    POWER = COLLECTIVE_POWER_OF_TWO,
    NODES = COLLECTIVE_NODES,
    COMMUTES = COLLECTIVE_COMMUTES,
    LONG = COLLECTIVE_LONG,
    EQUAL = COLLECTIVE_EQUAL,
    SEVERAL = COLLECTIVE_SEVERAL,
    IN_PLACE = COLLECTIVE_IN_PLACE
};

/* clang-format off */
/* Node leaders, whatever the length; long vectors in blocks. */
#define VECTORS(short_bcast, short_reduce, short_allreduce) \
    {COLLECTIVE_BCAST, 0, short_bcast, NODES, isocast_collective_bcast_by_leaders, 0}, \
    {COLLECTIVE_BCAST, 0, 512 * KIB, NODES, isocast_collective_bcast_root_node_first, 0}, \
    {COLLECTIVE_BCAST, 9, 0, 0, isocast_collective_bcast_low_digit, 2}, \
    {COLLECTIVE_BCAST, 0, short_bcast, 0, isocast_collective_bcast_low_digit, 2}, \
    {COLLECTIVE_BCAST, 0, 512 * KIB, POWER, isocast_collective_bcast_scatter_doubling, 0}, \
    {COLLECTIVE_BCAST, 0, 0, 0, isocast_collective_bcast_scatter_ring, 0}, \
    {COLLECTIVE_REDUCE, 0, 0, NODES | COMMUTES, isocast_collective_reduce_by_leaders, 0}, \
    {COLLECTIVE_REDUCE, 0, short_reduce, 0, isocast_collective_reduce_binomial, 0}, \
    {COLLECTIVE_REDUCE, 0, 0, LONG, isocast_collective_reduce_rabenseifner, 0}, \
    {COLLECTIVE_REDUCE, 0, 0, 0, isocast_collective_reduce_binomial, 0}, \
    {COLLECTIVE_ALLREDUCE, 0, 0, NODES | SEVERAL | COMMUTES, isocast_collective_allreduce_by_leaders, 0}, \
    {COLLECTIVE_ALLREDUCE, 0, short_allreduce, 0, isocast_collective_allreduce_doubling, 0}, \
    {COLLECTIVE_ALLREDUCE, 0, 0, LONG, isocast_collective_allreduce_rabenseifner, 0}, \
    {COLLECTIVE_ALLREDUCE, 0, 0, 0, isocast_collective_allreduce_doubling, 0}, \
    {COLLECTIVE_BARRIER, 0, 0, NODES, isocast_collective_barrier_by_leaders, 0}, \
    {COLLECTIVE_BARRIER, 0, 0, 0, isocast_collective_barrier_dissemination, 0}
#define BRUCK(below, under) \
    {COLLECTIVE_ALLTOALL, below, under, 0, isocast_collective_alltoall_bruck, 0}
/* Bounds are those of the block of each process. Behind them: rows of short all-to-alls. */
#define BLOCKS(long_alltoall, at_once, short_allgather, ...) \
    {COLLECTIVE_GATHER, 0, 0, 0, isocast_collective_gather_binomial, 0}, \
    {COLLECTIVE_SCATTER, 0, 0, 0, isocast_collective_scatter_binomial, 0}, \
    {COLLECTIVE_GATHERV, 0, 0, 0, isocast_collective_gather_linear_posted, 0}, \
    {COLLECTIVE_SCATTERV, 0, 0, 0, isocast_collective_scatter_linear_at_once, 0}, \
    {COLLECTIVE_ALLGATHER, 0, short_allgather, POWER, isocast_collective_allgather_doubling, 0}, \
    {COLLECTIVE_ALLGATHER, 0, short_allgather, 0, isocast_collective_allgather_bruck, 0}, \
    {COLLECTIVE_ALLGATHER, 0, 0, 0, isocast_collective_allgather_ring, 0}, \
    {COLLECTIVE_ALLGATHERV, 0, short_allgather, POWER, isocast_collective_allgather_doubling, 0}, \
    {COLLECTIVE_ALLGATHERV, 0, short_allgather, 0, isocast_collective_allgather_bruck, 0}, \
    {COLLECTIVE_ALLGATHERV, 0, 0, 0, isocast_collective_allgather_ring, 0}, \
    {COLLECTIVE_ALLTOALL, 0, 0, IN_PLACE, isocast_collective_alltoall_pairs, 0}, \
    __VA_ARGS__, \
    {COLLECTIVE_ALLTOALL, 0, long_alltoall, 0, isocast_collective_alltoall_throttled, at_once}, \
    {COLLECTIVE_ALLTOALL, 0, 0, 0, isocast_collective_alltoall_xor, 0}, \
    {COLLECTIVE_ALLTOALLV, 0, 0, IN_PLACE, isocast_collective_alltoall_pairs, 0}, \
    {COLLECTIVE_ALLTOALLV, 0, 0, 0, isocast_collective_alltoall_throttled, at_once}
#define SUMS(short_sum) \
    {COLLECTIVE_REDUCE_SCATTER, 0, short_sum, COMMUTES, isocast_collective_reduce_scatter_halving, 0}, \
    {COLLECTIVE_REDUCE_SCATTER, 0, 0, COMMUTES, isocast_collective_reduce_scatter_pairwise, 0}, \
    {COLLECTIVE_REDUCE_SCATTER, 0, 0, EQUAL | POWER, isocast_collective_reduce_scatter_mirrored, 0}, \
    {COLLECTIVE_REDUCE_SCATTER, 0, 0, 0, isocast_collective_reduce_scatter_doubling, 0}, \
    {COLLECTIVE_REDUCE_SCATTER_BLOCK, 0, short_sum, COMMUTES, isocast_collective_reduce_scatter_halving, 0}, \
    {COLLECTIVE_REDUCE_SCATTER_BLOCK, 0, 0, COMMUTES, isocast_collective_reduce_scatter_pairwise, 0}, \
    {COLLECTIVE_REDUCE_SCATTER_BLOCK, 0, 0, POWER, isocast_collective_reduce_scatter_mirrored, 0}, \
    {COLLECTIVE_REDUCE_SCATTER_BLOCK, 0, 0, 0, isocast_collective_reduce_scatter_doubling, 0}, \
    {COLLECTIVE_SCAN, 0, 0, 0, isocast_collective_scan_doubling, 0}

static const isocast_collective_choice intel_rows[] = {
    VECTORS(16 * KIB, 2 * KIB, 16 * KIB),
    BLOCKS(32 * KIB, 1024, 605, BRUCK(33, 963), BRUCK(65, 592), BRUCK(129, 287), BRUCK(257, 135), BRUCK(0, 66)),
    SUMS(4 * KIB)};
static const isocast_collective_choice mvapich2_rows[] = {
    VECTORS(8 * KIB, 4 * KIB, 1 * KIB), BLOCKS(16 * KIB, 32, 8 * KIB, BRUCK(0, 512)), SUMS(32 * KIB)};
static const isocast_collective_choice cray_rows[] = {
    VECTORS(12 * KIB, 2 * KIB, 2 * KIB),
    /* A gather and a broadcast, each of which goes node by node. */
    {COLLECTIVE_ALLGATHER, 0, 2 * KIB, NODES | SEVERAL, isocast_collective_allgather_of_gather_bcast, 0},
    {COLLECTIVE_ALLGATHERV, 0, 2 * KIB, NODES | SEVERAL, isocast_collective_allgather_of_gather_bcast, 0},
    BLOCKS(32 * KIB, 32, 2 * KIB, BRUCK(0, 256)), SUMS(16 * KIB)};
/* clang-format on */

const isocast_collective_choices isocast_collective_intel_choices = {
    intel_rows, sizeof intel_rows / sizeof intel_rows[0]};
const isocast_collective_choices isocast_collective_mvapich2_choices = {
    mvapich2_rows, sizeof mvapich2_rows / sizeof mvapich2_rows[0]};
const isocast_collective_choices isocast_collective_cray_choices = {
    cray_rows, sizeof cray_rows / sizeof cray_rows[0]};
