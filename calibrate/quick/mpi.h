/* As much of MPI as the simulated probe and isocast-schedule call, in place of an MPI library:
 * processes are coroutines of one program (process.h), and messages take their time on links one
 * after the other (links.h). Data is only moved where processes agree on a few numbers. */
#ifndef QUICK_MPI_H
#define QUICK_MPI_H

#include <stddef.h>

typedef struct quick_communicator *MPI_Comm;
typedef struct quick_request *MPI_Request;
/* Bytes of an element, and its kind above them. */
typedef int MPI_Datatype;
typedef int MPI_Op;
typedef int MPI_Win;
typedef int MPI_Info;
typedef ptrdiff_t MPI_Aint;
typedef struct MPI_Status {
    int MPI_SOURCE, MPI_TAG, MPI_ERROR;
    double bytes;
} MPI_Status;

extern MPI_Comm quick_world;
extern char quick_in_place; /* nothing but its address counts */
#define MPI_COMM_WORLD quick_world
#define MPI_COMM_NULL ((MPI_Comm)0)
#define MPI_COMM_SELF MPI_COMM_NULL /* nobody calls a kernel here */
#define MPI_REQUEST_NULL ((MPI_Request)0)
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
#define MPI_IN_PLACE ((void *)&quick_in_place)
enum {
    MPI_SUCCESS = 0,
    MPI_INFO_NULL = 0,
    MPI_UNDEFINED = -3,
    MPI_PROC_NULL = -2,
    MPI_ANY_SOURCE = -1,
    MPI_MAX_PROCESSOR_NAME = 64,
    MPI_MAX_LIBRARY_VERSION_STRING = 64,
    MPI_BYTE = 1,
    MPI_CHAR = 0x101,
    MPI_INT = 0x200 + sizeof(int),
    MPI_INT32_T = MPI_INT,
    MPI_DOUBLE = 0x300 + sizeof(double),
    MPI_UNSIGNED_LONG = 0x400 + sizeof(unsigned long),
    MPI_LONG = 0x700 + sizeof(long),
    MPI_FLOAT = 0x800 + sizeof(float),
    MPI_DOUBLE_INT = 0x500 + 2 * sizeof(double),
    MPI_C_DOUBLE_COMPLEX = 0x600 + 2 * sizeof(double),
    MPI_MAX = 1,
    MPI_MIN,
    MPI_SUM,
    MPI_MAXLOC,
    MPI_LAND,
    MPI_BOR,
    MPI_COMM_TYPE_SHARED
};

int MPI_Init(int *argc, char ***argv);
int MPI_Finalize(void);
int MPI_Abort(MPI_Comm communicator, int status);
double MPI_Wtime(void);
int MPI_Get_processor_name(char *name, int *length);
int MPI_Get_library_version(char *text, int *length);
int MPI_Comm_rank(MPI_Comm communicator, int *rank);
int MPI_Comm_size(MPI_Comm communicator, int *size);
int MPI_Comm_split(MPI_Comm communicator, int color, int key, MPI_Comm *out);
int MPI_Comm_split_type(MPI_Comm communicator, int kind, int key, MPI_Info info, MPI_Comm *out);
int MPI_Comm_dup(MPI_Comm communicator, MPI_Comm *out);
int MPI_Comm_free(MPI_Comm *communicator);
int MPI_Win_create(void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm communicator,
                   MPI_Win *out);
int MPI_Win_fence(int assertion, MPI_Win window);
int MPI_Win_free(MPI_Win *window);

int MPI_Send(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm c);
int MPI_Recv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm c,
             MPI_Status *status);
int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm c,
              MPI_Request *out);
int MPI_Irecv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm c,
              MPI_Request *out);
int MPI_Wait(MPI_Request *request, MPI_Status *status);
int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses);
int MPI_Get_count(const MPI_Status *status, MPI_Datatype type, int *count);
int MPI_Test(MPI_Request *request, int *done, MPI_Status *status);
int MPI_Sendrecv(const void *sent, int send_count, MPI_Datatype send_type, int to, int send_tag,
                 void *got, int count, MPI_Datatype type, int from, int tag, MPI_Comm c,
                 MPI_Status *status);

int MPI_Bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm c);
int MPI_Barrier(MPI_Comm c);
int MPI_Reduce(const void *sent, void *got, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm c);
int MPI_Allreduce(const void *sent, void *got, int count, MPI_Datatype type, MPI_Op op, MPI_Comm c);
int MPI_Scan(const void *sent, void *got, int count, MPI_Datatype type, MPI_Op op, MPI_Comm c);
int MPI_Exscan(const void *sent, void *got, int count, MPI_Datatype type, MPI_Op op, MPI_Comm c);
int MPI_Reduce_scatter(const void *sent, void *got, const int *counts, MPI_Datatype type, MPI_Op op,
                       MPI_Comm c);
int MPI_Reduce_scatter_block(const void *sent, void *got, int count, MPI_Datatype type, MPI_Op op,
                             MPI_Comm c);
int MPI_Gather(const void *sent, int send_count, MPI_Datatype send_type, void *got, int count,
               MPI_Datatype type, int root, MPI_Comm c);
int MPI_Gatherv(const void *sent, int send_count, MPI_Datatype send_type, void *got,
                const int *counts, const int *places, MPI_Datatype type, int root, MPI_Comm c);
int MPI_Scatter(const void *sent, int send_count, MPI_Datatype send_type, void *got, int count,
                MPI_Datatype type, int root, MPI_Comm c);
int MPI_Scatterv(const void *sent, const int *counts, const int *places, MPI_Datatype send_type,
                 void *got, int count, MPI_Datatype type, int root, MPI_Comm c);
int MPI_Allgather(const void *sent, int send_count, MPI_Datatype send_type, void *got, int count,
                  MPI_Datatype type, MPI_Comm c);
int MPI_Allgatherv(const void *sent, int send_count, MPI_Datatype send_type, void *got,
                   const int *counts, const int *places, MPI_Datatype type, MPI_Comm c);
int MPI_Alltoall(const void *sent, int send_count, MPI_Datatype send_type, void *got, int count,
                 MPI_Datatype type, MPI_Comm c);
int MPI_Alltoallv(const void *sent, const int *send_counts, const int *send_places,
                  MPI_Datatype send_type, void *got, const int *counts, const int *places,
                  MPI_Datatype type, MPI_Comm c);
int MPI_Alltoallw(const void *sent, const int *send_counts, const int *send_places,
                  const MPI_Datatype *send_types, void *got, const int *counts, const int *places,
                  const MPI_Datatype *types, MPI_Comm c);
/* Those that do not wait end before the probe goes on; a program that waits for them later takes
 * another time, and is not counted. */
int quick_not_started(void);
#ifdef PROBE_SIMULATED
int MPI_Ibarrier(MPI_Comm c, MPI_Request *out);
int MPI_Iallreduce(const void *sent, void *got, int count, MPI_Datatype type, MPI_Op op, MPI_Comm c,
                   MPI_Request *out);
int MPI_Iallgather(const void *sent, int send_count, MPI_Datatype send_type, void *got, int count,
                   MPI_Datatype type, MPI_Comm c, MPI_Request *out);
int MPI_Ialltoall(const void *sent, int send_count, MPI_Datatype send_type, void *got, int count,
                  MPI_Datatype type, MPI_Comm c, MPI_Request *out);
#else
#define MPI_Ibarrier(...) quick_not_started()
#define MPI_Iallreduce(...) quick_not_started()
#define MPI_Iallgather(...) quick_not_started()
#define MPI_Ialltoall(...) quick_not_started()
#define MPI_Ialltoallv(...) quick_not_started()
#define MPI_Ibcast(...) quick_not_started()
#define MPI_Ireduce(...) quick_not_started()
#define MPI_Iscan(...) quick_not_started()
#define MPI_Iexscan(...) quick_not_started()
#define MPI_Ireduce_scatter_block(...) quick_not_started()
#define MPI_Iscatter(...) quick_not_started()
#define MPI_Iscatterv(...) quick_not_started()
#define MPI_Igather(...) quick_not_started()
#define MPI_Igatherv(...) quick_not_started()
#define MPI_Iallgatherv(...) quick_not_started()
#endif

#endif
