/* Calls that ask for messages and find none. A program that asks again and again would never come
 * to an end if asking took no simulated time, and SimGrid's own time for it is 0.1 ms and more
 * (smpi/test, smpi/iprobe), which messages do not take. So a process sleeps here: as long as a call
 * of a usual MPI takes, where it does something else between the calls; else longer and longer, but
 * by no more than a small part of what it has waited. That part is smaller for long waits, as being
 * late adds up where processes wait for each other in a chain. Linked into programs by 'isocast
 * cc'.
 */
#undef MPI_Test
#undef MPI_Testall
#undef MPI_Testany
#undef MPI_Testsome
#undef MPI_Iprobe
#include <mpi.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <xbt/config.h>

#include "own_calls.h"

static const double call_time = 1e-7;                       /* s */
static const double short_share = 0.05, long_share = 0.001; /* of what it has waited */
static const double step_between = 2e-6;                    /* s */
static double waited;         /* s that it slept, since it found something */
static double left_last = -1; /* s of the simulated clock; -1: it does not wait */

void isocast_polls_prepare(void) {
    sg_cfg_set_double("smpi/test", 0);
    sg_cfg_set_double("smpi/iprobe", 0);
}

static void end_asking(int found) {
    if (found) {
        waited = 0;
        left_last = -1;
        return;
    }
    /* What was computed until now is part of the clock then. */
    smpi_bench_end();
    double now = simgrid_get_clock();
    double computed = left_last >= 0 ? now - left_last : 0;
    double small = short_share * waited;
    double large = step_between + long_share * waited;
    double sleep = small < large ? small : large;
    if (sleep < call_time || computed > sleep) {
        sleep = call_time;
    }
    waited += computed > sleep ? 0 : sleep;
    sg_actor_sleep_for(sleep);
    left_last = simgrid_get_clock();
    smpi_bench_begin();
}

#define ASKING(name, parameters, arguments, found)                                                 \
    int isocast_##name parameters {                                                                \
        int result = name arguments;                                                               \
        end_asking(found);                                                                         \
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
        __real_##name arguments;                                                                   \
        end_asking(found);                                                                         \
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
