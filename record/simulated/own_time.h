/* Included before everything else by 'isocast cc': these calls go by way of own_time.c,
 * own_collectives.c, own_communicators.c and own_polls.c. */
#ifndef ISOCAST_OWN_TIME_H
#define ISOCAST_OWN_TIME_H

#include "own_collectives.h"

#define MPI_Init isocast_MPI_Init
#define MPI_Init_thread isocast_MPI_Init_thread
#define MPI_Finalize isocast_MPI_Finalize
#define MPI_Pcontrol isocast_MPI_Pcontrol
#define MPI_Cart_create isocast_MPI_Cart_create
#define MPI_Cart_sub isocast_MPI_Cart_sub
#define MPI_Comm_create isocast_MPI_Comm_create
#define MPI_Comm_dup isocast_MPI_Comm_dup
#define MPI_Comm_dup_with_info isocast_MPI_Comm_dup_with_info
#define MPI_Test isocast_MPI_Test
#define MPI_Testall isocast_MPI_Testall
#define MPI_Testany isocast_MPI_Testany
#define MPI_Testsome isocast_MPI_Testsome
#define MPI_Iprobe isocast_MPI_Iprobe

#endif
