/* Collective operations as the platform's MPI library makes them (own_collectives.c), and
 * messages whose buffers count (own_memory.c): included before everything else into programs for
 * simulated platforms, whose calls go there. */
#ifndef ISOCAST_OWN_COLLECTIVES_H
#define ISOCAST_OWN_COLLECTIVES_H

#ifndef ISOCAST_OWN_PART
#define MPI_Bcast isocast_MPI_Bcast
#define MPI_Reduce isocast_MPI_Reduce
#define MPI_Allreduce isocast_MPI_Allreduce
#define MPI_Barrier isocast_MPI_Barrier
#define MPI_Gather isocast_MPI_Gather
#define MPI_Gatherv isocast_MPI_Gatherv
#define MPI_Scatter isocast_MPI_Scatter
#define MPI_Scatterv isocast_MPI_Scatterv
#define MPI_Allgather isocast_MPI_Allgather
#define MPI_Allgatherv isocast_MPI_Allgatherv
#define MPI_Alltoall isocast_MPI_Alltoall
#define MPI_Alltoallv isocast_MPI_Alltoallv
#define MPI_Reduce_scatter isocast_MPI_Reduce_scatter
#define MPI_Reduce_scatter_block isocast_MPI_Reduce_scatter_block
#define MPI_Scan isocast_MPI_Scan
/* own_memory.c */
#define MPI_Send isocast_MPI_Send
#define MPI_Recv isocast_MPI_Recv
#define MPI_Sendrecv isocast_MPI_Sendrecv
#define MPI_Isend isocast_MPI_Isend
#define MPI_Irecv isocast_MPI_Irecv
#define MPI_Wait isocast_MPI_Wait
#define MPI_Waitall isocast_MPI_Waitall
#endif

#endif
