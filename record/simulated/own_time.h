/* Included before everything else by 'isocast cc': three calls go by way of own_time.c. */
#ifndef ISOCAST_OWN_TIME_H
#define ISOCAST_OWN_TIME_H

#define MPI_Init isocast_MPI_Init
#define MPI_Init_thread isocast_MPI_Init_thread
#define MPI_Finalize isocast_MPI_Finalize
#define MPI_Pcontrol isocast_MPI_Pcontrol

#endif
