/* Calls that ask for messages and find none. SimGrid lets each of them take simulated time of its
 * own choice (smpi/test, smpi/iprobe), as a program that asks again and again would else never come
 * to an end: that time is the simulator's, and the program leaves it beside its own. Linked into
 * programs by 'isocast cc'. */
#undef MPI_Test
#undef MPI_Testall
#undef MPI_Testany
#undef MPI_Testsome
#undef MPI_Iprobe
#include <mpi.h>
#include <simgrid/engine.h>

#include "own_calls.h"

static double in_vain; /* s */

double isocast_time_in_vain(void) {
    return in_vain;
}

/* What was computed until now is part of the clock then. */
static double begin_asking(void) {
    smpi_bench_end();
    double now = simgrid_get_clock();
    smpi_bench_begin();
    return now;
}

static void end_asking(double begin, int found) {
    in_vain += found ? 0 : simgrid_get_clock() - begin;
}

#define ASKING(name, parameters, arguments, found)                                                 \
    int isocast_##name parameters {                                                                \
        double begin = begin_asking();                                                             \
        int result = name arguments;                                                               \
        end_asking(begin, found);                                                                  \
        return result;                                                                             \
    }
ASKING(MPI_Test, (MPI_Request * request, int *flag, MPI_Status *status), (request, flag, status),
       *flag)
ASKING(MPI_Testall, (int count, MPI_Request *requests, int *flag, MPI_Status *statuses),
       (count, requests, flag, statuses), *flag)
ASKING(MPI_Testany, (int count, MPI_Request *requests, int *index, int *flag, MPI_Status *status),
       (count, requests, index, flag, status), *flag)
ASKING(MPI_Testsome,
       (int count, MPI_Request *requests, int *done, int *indices, MPI_Status *statuses),
       (count, requests, done, indices, statuses), *done != 0)
ASKING(MPI_Iprobe, (int source, int tag, MPI_Comm communicator, int *flag, MPI_Status *status),
       (source, tag, communicator, flag, status), *flag)

/* Those of Fortran, which have no macros. */
#define ASKING_IN_FORTRAN(name, parameters, arguments, found)                                      \
    void __real_##name parameters;                                                                 \
    void __wrap_##name parameters;                                                                 \
    void __wrap_##name parameters {                                                                \
        double begin = begin_asking();                                                             \
        __real_##name arguments;                                                                   \
        end_asking(begin, found);                                                                  \
    }
ASKING_IN_FORTRAN(mpi_test_, (int *request, int *flag, int *status, int *error),
                  (request, flag, status, error), *flag)
ASKING_IN_FORTRAN(mpi_testall_, (int *count, int *requests, int *flag, int *statuses, int *error),
                  (count, requests, flag, statuses, error), *flag)
ASKING_IN_FORTRAN(mpi_testany_,
                  (int *count, int *requests, int *index, int *flag, int *status, int *error),
                  (count, requests, index, flag, status, error), *flag)
ASKING_IN_FORTRAN(mpi_iprobe_,
                  (int *source, int *tag, int *communicator, int *flag, int *status, int *error),
                  (source, tag, communicator, flag, status, error), *flag)
