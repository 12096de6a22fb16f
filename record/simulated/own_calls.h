/* What the parts that 'isocast cc' links into a program call of each other. Behind mpi.h. */
#ifndef ISOCAST_OWN_CALLS_H
#define ISOCAST_OWN_CALLS_H

/* Behind MPI_Init, whose result is given and comes back: the time of the process begins. */
int isocast_time_begin(int result);
/* Before MPI_Finalize: the process leaves its times. */
void isocast_time_end(void);
/* SimGrid's own time for calls that ask for messages is none from here on. */
void isocast_polls_prepare(void);

int isocast_MPI_Init(int *argc, char ***argv);
int isocast_MPI_Init_thread(int *argc, char ***argv, int required, int *provided);
int isocast_MPI_Finalize(void);
int isocast_MPI_Pcontrol(const int level, ...);
int isocast_MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm communicator);
int isocast_MPI_Reduce(const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op,
                       int root, MPI_Comm communicator);
int isocast_MPI_Allreduce(const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op,
                          MPI_Comm communicator);
int isocast_MPI_Scan(const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op,
                     MPI_Comm communicator);
int isocast_MPI_Barrier(MPI_Comm communicator);
int isocast_MPI_Reduce_scatter(const void *send, void *receive, const int *counts,
                               MPI_Datatype type, MPI_Op op, MPI_Comm communicator);
int isocast_MPI_Reduce_scatter_block(const void *send, void *receive, int count, MPI_Datatype type,
                                     MPI_Op op, MPI_Comm communicator);
int isocast_MPI_Gather(const void *send, int send_count, MPI_Datatype send_type, void *receive,
                       int receive_count, MPI_Datatype receive_type, int root,
                       MPI_Comm communicator);
int isocast_MPI_Gatherv(const void *send, int send_count, MPI_Datatype send_type, void *receive,
                        const int *counts, const int *places, MPI_Datatype receive_type, int root,
                        MPI_Comm communicator);
int isocast_MPI_Scatter(const void *send, int send_count, MPI_Datatype send_type, void *receive,
                        int receive_count, MPI_Datatype receive_type, int root,
                        MPI_Comm communicator);
int isocast_MPI_Scatterv(const void *send, const int *counts, const int *places,
                         MPI_Datatype send_type, void *receive, int receive_count,
                         MPI_Datatype receive_type, int root, MPI_Comm communicator);
int isocast_MPI_Allgather(const void *send, int send_count, MPI_Datatype send_type, void *receive,
                          int receive_count, MPI_Datatype receive_type, MPI_Comm communicator);
int isocast_MPI_Allgatherv(const void *send, int send_count, MPI_Datatype send_type, void *receive,
                           const int *counts, const int *places, MPI_Datatype receive_type,
                           MPI_Comm communicator);
int isocast_MPI_Alltoall(const void *send, int send_count, MPI_Datatype send_type, void *receive,
                         int receive_count, MPI_Datatype receive_type, MPI_Comm communicator);
int isocast_MPI_Alltoallv(const void *send, const int *send_counts, const int *send_places,
                          MPI_Datatype send_type, void *receive, const int *counts,
                          const int *places, MPI_Datatype receive_type, MPI_Comm communicator);
int isocast_MPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag,
                     MPI_Comm communicator);
int isocast_MPI_Recv(void *buffer, int count, MPI_Datatype type, int from, int tag,
                     MPI_Comm communicator, MPI_Status *status);
int isocast_MPI_Sendrecv(const void *send, int send_count, MPI_Datatype send_type, int to,
                         int send_tag, void *receive, int count, MPI_Datatype type, int from,
                         int tag, MPI_Comm communicator, MPI_Status *status);
int isocast_MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag,
                      MPI_Comm communicator, MPI_Request *request);
int isocast_MPI_Irecv(void *buffer, int count, MPI_Datatype type, int from, int tag,
                      MPI_Comm communicator, MPI_Request *request);
int isocast_MPI_Wait(MPI_Request *request, MPI_Status *status);
int isocast_MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses);
int isocast_MPI_Cart_create(MPI_Comm communicator, int dimensions, const int *sides,
                            const int *periodic, int reorder, MPI_Comm *made);
int isocast_MPI_Cart_sub(MPI_Comm communicator, const int *kept, MPI_Comm *made);
int isocast_MPI_Comm_create(MPI_Comm communicator, MPI_Group group, MPI_Comm *made);
int isocast_MPI_Comm_dup(MPI_Comm communicator, MPI_Comm *made);
int isocast_MPI_Comm_dup_with_info(MPI_Comm communicator, MPI_Info info, MPI_Comm *made);
int isocast_MPI_Test(MPI_Request *request, int *flag, MPI_Status *status);
int isocast_MPI_Testall(int count, MPI_Request *requests, int *flag, MPI_Status *statuses);
int isocast_MPI_Testany(int count, MPI_Request *requests, int *index, int *flag,
                        MPI_Status *status);
int isocast_MPI_Testsome(int count, MPI_Request *requests, int *done, int *indices,
                         MPI_Status *statuses);
int isocast_MPI_Iprobe(int source, int tag, MPI_Comm communicator, int *flag, MPI_Status *status);

#endif
