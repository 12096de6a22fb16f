/* Included before everything else by 'isocast cc': these calls go by way of own_time.c,
 * own_alltoall.c and own_bcast.c. */
#ifndef ISOCAST_OWN_TIME_H
#define ISOCAST_OWN_TIME_H

#define MPI_Init isocast_MPI_Init
#define MPI_Init_thread isocast_MPI_Init_thread
#define MPI_Finalize isocast_MPI_Finalize
#define MPI_Pcontrol isocast_MPI_Pcontrol
#define MPI_Alltoall isocast_MPI_Alltoall
#define MPI_Bcast isocast_MPI_Bcast

#endif
