#include "probe_suite.h"

#include <hwloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "calibrate/samples/environment.h"
#include "calibrate/samples/median.h"
#include "kernels/node_memory.h"
#include "probe_arrays.h"
#include "probe_clock.h"
#include "probe_kernels.h"
#include "probe_nodes.h"

/* y = A x with a sparse matrix in compressed rows: that of a stencil of 5 points over N x N
 * unknowns. */

enum { ENTRIES = 5 }; /* of a row */

/* Made again for each size. */
typedef struct sparse_matrix {
    unsigned *columns; /* [ENTRIES N N] */
    size_t *starts;    /* [N N + 1], of the rows */
} sparse_matrix;
static sparse_matrix sparse;

static double csr_work(size_t N) {
    return 2 * ENTRIES * (double)N * (double)N;
}

static double csr_bytes(const probe_context *context, size_t N) {
    static const double of_a_row =
        ENTRIES * (sizeof(double) + sizeof(unsigned)) + sizeof(size_t) + 2 * sizeof(double);
    (void)context;
    return of_a_row * (double)N * (double)N;
}

/* Neighbours beyond an edge are those at the other one, so that all rows have as many entries. */
static void csr_fill(size_t N) {
    size_t at = 0;
    for (size_t i = 0; i < N; i++) {
        for (size_t j = 0; j < N; j++) {
            const size_t neighbours[ENTRIES] = {(i + N - 1) % N * N + j, i * N + (j + N - 1) % N,
                                                i * N + j, i * N + (j + 1) % N,
                                                (i + 1) % N * N + j};
            sparse.starts[i * N + j] = at;
            for (size_t k = 0; k < ENTRIES; k++) {
                sparse.columns[at++] = (unsigned)neighbours[k];
            }
        }
    }
    sparse.starts[N * N] = at;
}

static void csr_prepare(const probe_context *context, size_t N) {
    free(sparse.columns);
    free(sparse.starts);
    sparse.columns = malloc(ENTRIES * N * N * sizeof *sparse.columns);
    sparse.starts = malloc((N * N + 1) * sizeof *sparse.starts);
    if (sparse.columns == NULL || sparse.starts == NULL) {
        MPI_Abort(context->communicator, 5);
        return;
    }
    csr_fill(N);
    probe_arrays_fill(probe_arrays_room(context, 0, ENTRIES * N * N), ENTRIES * N * N);
    probe_arrays_fill(probe_arrays_room(context, 1, N * N), N * N);
    probe_arrays_fill(probe_arrays_room(context, 2, N * N), N * N);
}

static double csr_call(const probe_context *context, size_t N) {
    (void)context;
    const double *restrict values = probe_arrays[0];
    const double *restrict x = probe_arrays[1];
    double *restrict y = probe_arrays[2];
    double start = MPI_Wtime();
    for (size_t row = 0; row < N * N; row++) {
        double sum = 0;
        for (size_t k = sparse.starts[row]; k < sparse.starts[row + 1]; k++) {
            sum += values[k] * x[sparse.columns[k]];
        }
        y[row] = sum;
    }
    return (MPI_Wtime() - start) / csr_work(N);
}

static const probe_kernel csr = {.id = KERNEL_COUNT,
                                 .work = csr_work,
                                 .bytes = csr_bytes,
                                 .prepare = csr_prepare,
                                 .call = csr_call};

/* The work of a member: that of the kernel of this name, where there is one; NULL for no member. */
static const probe_kernel *find_work(const char *name) {
    static const struct {
        const char *name;
        const probe_kernel *work;
    } others[] = {{"csr", &csr}};
    for (size_t i = 0; i < KERNEL_COUNT; i++) {
        if (strcmp(kernel_names[i], name) == 0) {
            return probe_kernels[i];
        }
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (strcmp(others[i].name, name) == 0) {
            return others[i].work;
        }
    }
    return NULL;
}

/* Of the largest cache: what a member works on at least, so that hardly any of it is still there
 * when it comes round again. */
static const double beyond_caches = 2;
/* B, where the caches are not known. */
static const double cache_usual = 32 * 1024 * 1024.0;
/* Of the node's memory at most. */
static const double memory_share = 0.125;
/* Beyond the caches a call takes longer than a small one shows, by this at most, usually. */
static const double slower_beyond = 3;
/* A problem that would take longer than this for one call, in seconds, is taken smaller. */
static const double call_seconds = 1;
static const size_t problem_most = (size_t)1 << 30;
/* B/s that data is made at, usually, in memory that was not touched before. */
static const double making_rate = 5e8;
/* Seconds of calls that state a launch's speed; launches differ more than calls of one. */
static const double calls_seconds = 0.1;
/* What shows how long a call will take. */
enum { SMALL = 128, CALLS_MAX = 3 };

/* B of the largest cache that a processor here has, or shares. */
static double largest_cache(void) {
    static const hwloc_obj_type_t levels[] = {HWLOC_OBJ_L5CACHE, HWLOC_OBJ_L4CACHE,
                                              HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L2CACHE};
    double bytes = 0;
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) != 0) {
        return cache_usual;
    }
    if (hwloc_topology_load(topology) == 0) {
        for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
            hwloc_obj_t cache = hwloc_get_obj_by_type(topology, levels[i], 0);
            bytes = cache != NULL ? fmax(bytes, (double)cache->attr->cache.size) : bytes;
        }
    }
    hwloc_topology_destroy(topology);
    return bytes > 0 ? bytes : cache_usual;
}

/* The same on all nodes, so that they are compared at one size. */
static double working_set(MPI_Comm leaders) {
    double wanted = beyond_caches * largest_cache();
    double allowed = memory_share * node_memory_total();
    MPI_Allreduce(MPI_IN_PLACE, &wanted, 1, MPI_DOUBLE, MPI_MAX, leaders);
    MPI_Allreduce(MPI_IN_PLACE, &allowed, 1, MPI_DOUBLE, MPI_MIN, leaders);
    return allowed > 0 ? fmin(wanted, allowed) : wanted;
}

/* The next length from N on that transforms are made for: 4, 5 or 6 times a power of two. */
static size_t next_length(size_t N) {
    for (size_t power = 1;; power *= 2) {
        for (size_t factor = 4; factor <= 6; factor++) {
            if (factor * power >= N) {
                return factor * power;
            }
        }
    }
}

/* Rows that lie whole powers of two apart meet in the same lines of a cache. */
static size_t next_uneven(size_t N) {
    enum { POWER = 16, AWAY = 5 };
    return N % POWER == 0 ? N + AWAY : N;
}

/* A member on one process of this node. */
typedef struct trial {
    const probe_context *alone;
    const probe_kernel *work;
    double flop_time; /* s/flop that a small problem takes */
} trial;

/* What one call with its preparation will take. */
static double seconds_of(const trial *t, size_t N) {
    return slower_beyond * t->flop_time * t->work->work(N) +
           t->work->bytes(t->alone, N) / making_rate;
}

static bool is_large(const trial *t, size_t N, double bytes) {
    return t->work->bytes(t->alone, N) >= bytes || seconds_of(t, N) >= call_seconds;
}

/* The smallest problem that works on so many bytes, or the largest that there is time for. */
static size_t problem_of(const trial *t, double bytes) {
    size_t below = 1;
    size_t N = 2;
    while (!is_large(t, N, bytes) && N < problem_most) {
        below = N;
        N *= 2;
    }
    while (N - below > 1) {
        size_t middle = below + (N - below) / 2;
        if (is_large(t, middle, bytes)) {
            N = middle;
        } else {
            below = middle;
        }
    }
    return t->work->planned ? next_length(N) : next_uneven(N);
}

/* The same for all nodes, so that they are compared at one size: *seconds gets what the slowest one
 * will take. */
static size_t common_problem(const trial *t, MPI_Comm leaders, double bytes, double *seconds) {
    unsigned long N = problem_of(t, bytes);
    MPI_Allreduce(MPI_IN_PLACE, &N, 1, MPI_UNSIGNED_LONG, MPI_MIN, leaders);
    *seconds = seconds_of(t, N);
    MPI_Allreduce(MPI_IN_PLACE, seconds, 1, MPI_DOUBLE, MPI_MAX, leaders);
    return N;
}

/* Whether a time has not come yet, by process 0's clock. */
static bool is_before(MPI_Comm leaders, double deadline) {
    int more = probe_clock_steady() < deadline;
    MPI_Bcast(&more, 1, MPI_INT, 0, leaders);
    return more != 0;
}

/* flop/s: the median of a few calls. */
static double speed_of(const probe_context *alone, MPI_Comm leaders, const probe_kernel *work,
                       size_t N) {
    double times[CALLS_MAX];
    size_t count = 0;
    work->prepare(alone, N);
    double start = probe_clock_steady();
    do {
        times[count++] = work->call(alone, N);
    } while (count < CALLS_MAX && is_before(leaders, start + calls_seconds));
    return 1 / isocast_median(times, count);
}

static void print_speed(const probe_context *context, MPI_Comm leaders,
                        const environment_speed *speed) {
    char line[ENVIRONMENT_LINE_MAX] = "";
    environment_write_speed(speed, line);
    probe_nodes_gather(context, leaders, line);
}

/* The members in their order: the first may take `suite_first` seconds, all of them
 * `suite_seconds`. One that would take too long is left out. */
static void measure_members(const probe_context *context, const probe_options *o,
                            MPI_Comm leaders) {
    probe_context alone = *context;
    alone.communicator = alone.synchronisation = MPI_COMM_SELF;
    alone.rank = 0;
    alone.processes = 1;
    environment_speed speed = {.launch = o->launch};
    int length;
    char host[MPI_MAX_PROCESSOR_NAME];
    MPI_Get_processor_name(host, &length);
    snprintf(speed.host, sizeof speed.host, "%.120s", host);
    double bytes = working_set(leaders);
    double start = probe_clock_steady();
    bool any = false;
    for (size_t i = 0; i < o->suite_count; i++) {
        const probe_kernel *work = find_work(o->suite[i]);
        double most = any ? o->suite_seconds : fmax(o->suite_first, o->suite_seconds);
        double left = start + most - probe_clock_steady();
        MPI_Bcast(&left, 1, MPI_DOUBLE, 0, leaders);
        if (work == NULL || left <= 0) {
            continue;
        }
        work->prepare(&alone, SMALL);
        trial t = {&alone, work, work->call(&alone, SMALL)};
        double seconds;
        size_t N = common_problem(&t, leaders, bytes, &seconds);
        if (seconds > left) {
            continue;
        }
        snprintf(speed.program, sizeof speed.program, "%.31s", o->suite[i]);
        speed.value = speed_of(&alone, leaders, work, N);
        speed.bytes = work->bytes(&alone, N);
        print_speed(context, leaders, &speed);
        any = true;
    }
}

/* Waits for the leaders without using a processor, which they would have to share. */
static void wait_asleep(const probe_context *context) {
    static const struct timespec nap = {.tv_nsec = 1000000};
    MPI_Request request;
    int done = 0;
    MPI_Ibarrier(context->communicator, &request);
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    while (!done) {
        nanosleep(&nap, NULL);
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
}

void probe_suite_measure(const probe_context *context, const probe_options *o) {
    if (o->suite_count == 0) {
        return;
    }
    double start = probe_clock_steady();
    MPI_Comm leaders = probe_nodes_leaders(context);
    if (leaders != MPI_COMM_NULL) {
        measure_members(context, o, leaders);
        MPI_Comm_free(&leaders);
    }
    wait_asleep(context);
    if (context->rank == 0) {
        char line[ENVIRONMENT_LINE_MAX];
        environment_write_suite(probe_clock_steady() - start, line);
        puts(line);
        fflush(stdout);
    }
}
