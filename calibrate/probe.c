/* isocast-probe: measures operations of MPI and the local work of kernels under mpiexec, and writes
 * every sample as a CSV row. Fits nothing. */
#include "probe.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "median.h"

enum {
    BLOCK = 10,         /* calls between two decisions */
    WARM_UP_LEAST = 10, /* calls that are dropped at least */
    WARM_UP_MOST = 200,
    SAMPLES_LEAST = 20,
    SAMPLES_MOST = 400,
    SIZES_MOST = 64
};
/* Blocks agree, and a median is known, within this. */
static const double agreement = 0.02;

typedef struct options {
    long launch;
    double budget; /* s */
    unsigned long seed;
    size_t sizes[SIZES_MOST]; /* of messages, bytes */
    size_t size_count;
    size_t problems[SIZES_MOST]; /* N for the kernels */
    size_t problem_count;
} options;

/* One thing to measure: an operation at a message size, or a kernel at a problem size. */
typedef struct point {
    const probe_operation *operation; /* NULL: the kernel */
    size_t size;
} point;

static bool read_list(const char *text, size_t *values, size_t *count) {
    while (*text != '\0' && *count < SIZES_MOST) {
        char *end = NULL;
        unsigned long long value = strtoull(text, &end, 10);
        if (end == text || value > 1u << 30) {
            return false;
        }
        values[(*count)++] = (size_t)value;
        text = *end == ',' ? end + 1 : end;
        if (*end != ',' && *end != '\0') {
            return false;
        }
    }
    return true;
}

static bool read_options(int argc, char **argv, options *out) {
    enum { LAUNCH = 256, BUDGET, SEED, SIZES, PROBLEMS };
    static const struct option table[] = {{"launch", required_argument, NULL, LAUNCH},
                                          {"budget", required_argument, NULL, BUDGET},
                                          {"seed", required_argument, NULL, SEED},
                                          {"sizes", required_argument, NULL, SIZES},
                                          {"problems", required_argument, NULL, PROBLEMS},
                                          {NULL, 0, NULL, 0}};
    *out = (options){.budget = 10, .seed = 1};
    bool understood = true;
    for (int option; (option = getopt_long(argc, argv, "", table, NULL)) != -1;) {
        switch (option) {
        case LAUNCH:
            out->launch = strtol(optarg, NULL, 10);
            break;
        case BUDGET:
            out->budget = strtod(optarg, NULL);
            break;
        case SEED:
            out->seed = strtoul(optarg, NULL, 10);
            break;
        case SIZES:
            understood = read_list(optarg, out->sizes, &out->size_count) && understood;
            break;
        case PROBLEMS:
            understood = read_list(optarg, out->problems, &out->problem_count) && understood;
            break;
        default:
            understood = false;
            break;
        }
    }
    return understood && optind == argc && out->budget > 0;
}

static double clock_granule(void) {
    double least = 1;
    for (int i = 0; i < 1000; i++) {
        double start = MPI_Wtime();
        double now;
        do {
            now = MPI_Wtime();
        } while (now <= start);
        least = fmin(least, now - start);
    }
    return least;
}

static void print_environment(const probe_context *context) {
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    char host[MPI_MAX_PROCESSOR_NAME];
    int length;
    MPI_Get_library_version(library, &length);
    library[strcspn(library, "\n")] = '\0';
    MPI_Get_processor_name(host, &length);
    printf("# mpi: %s\n# host: %s\n# clock_granule: %.3g s\n# compiler: %s\n", library, host,
           context->granule, __VERSION__);
}

static double call_point(const probe_context *context, const point *at) {
    if (at->operation == NULL) {
        return probe_elimination(context, at->size);
    }
    probe_synchronise(context);
    return at->operation->call(context, at->size);
}

/* Calls `count` times; on process 0, values[k] gets the largest over the processes. */
static void measure_block(const probe_context *context, const point *at, size_t count,
                          double *values) {
    double own[BLOCK];
    for (size_t k = 0; k < count; k++) {
        own[k] = call_point(context, at);
    }
    MPI_Reduce(own, values, (int)count, MPI_DOUBLE, MPI_MAX, 0, context->communicator);
}

/* Process 0 decides, all follow. */
static bool agree(const probe_context *context, bool decision) {
    int shared = decision;
    MPI_Bcast(&shared, 1, MPI_INT, 0, context->communicator);
    return shared != 0;
}

/* Drops calls until two blocks in a row have the same median, within 2 %. */
static void warm_up(const probe_context *context, const point *at, size_t block, double deadline) {
    double before = 0;
    for (size_t dropped = 0; dropped < WARM_UP_MOST;) {
        double values[BLOCK];
        measure_block(context, at, block, values);
        dropped += block;
        double now = context->rank == 0 ? median_of(values, block) : 0;
        bool settled = dropped >= WARM_UP_LEAST && fabs(now - before) <= agreement * now;
        before = now;
        if (agree(context, settled || MPI_Wtime() > deadline || block == 1)) {
            return;
        }
    }
}

/* Samples until the median is known within 2 %, or it is late; gives their number. */
static size_t collect(const probe_context *context, const point *at, bool slow, double deadline,
                      double *values, const char **reason) {
    double scratch[SAMPLES_MOST + BLOCK];
    size_t block = slow ? 1 : BLOCK;
    size_t least = slow ? 2 : SAMPLES_LEAST;
    size_t count = 0;
    *reason = "count";
    while (count < SAMPLES_MOST) {
        measure_block(context, at, block, values + count);
        count += block;
        bool known = context->rank == 0 && count >= least &&
                     median_uncertainty(values, count, scratch) <= agreement;
        bool over = count >= least && MPI_Wtime() > deadline;
        *reason = known ? "interval" : over ? "budget" : *reason;
        if (agree(context, known || over)) {
            break;
        }
    }
    return count;
}

/* Measures one point and writes its samples. */
static void measure_point(const probe_context *context, const options *o, const point *at,
                          double seconds) {
    double start = MPI_Wtime();
    double values[SAMPLES_MOST + BLOCK];
    measure_block(context, at, 1, values);
    double taken = MPI_Wtime() - start;
    size_t count = 1;
    const char *reason = "budget";
    /* One call is more than the time there is: then it is all there will be. */
    if (!agree(context, taken > seconds)) {
        /* A call that takes a good part of the time is taken one by one, and warmed up by the
         * first. */
        bool slow = agree(context, taken > seconds / 40);
        warm_up(context, at, slow ? 1 : BLOCK, start + seconds / 4);
        count = collect(context, at, slow, start + seconds, values, &reason);
    }
    const char *name = at->operation != NULL ? at->operation->name : "ge";
    double m =
        at->operation != NULL ? (double)at->size : probe_elimination_bytes(context, at->size);
    for (size_t k = 0; context->rank == 0 && k < count; k++) {
        printf("%ld,%s,%d,%.17g,%zu,%.9g,%s\n", o->launch, name, context->processes, m, k,
               values[k], reason);
    }
    fflush(stdout);
}

static size_t list_points(const probe_context *context, const options *o, point *points) {
    size_t count = 0;
    for (const probe_operation *op = probe_operations; op->name != NULL; op++) {
        bool sized = strcmp(op->name, "T_barrier") != 0;
        for (size_t i = 0; context->processes >= op->processes_least && i < o->size_count; i++) {
            bool allowed = op->size_most == 0 || o->sizes[i] <= op->size_most;
            if (allowed && (sized || i == 0)) {
                points[count++] = (point){op, sized ? o->sizes[i] : 0};
            }
        }
    }
    for (size_t i = 0; i < o->problem_count; i++) {
        points[count++] = (point){NULL, o->problems[i]};
    }
    return count;
}

/* The same order on every process (xorshift64*, G. Marsaglia 2003, S. Vigna 2014). */
static void shuffle(point *points, size_t count, unsigned long seed) {
    unsigned long long state = 0x9E3779B97F4A7C15u ^ (seed * 2 + 1);
    for (size_t i = count; i > 1; i--) {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        size_t other = (size_t)((state * 2685821657736338717u) >> 33) % i;
        point swap = points[i - 1];
        points[i - 1] = points[other];
        points[other] = swap;
    }
}

/* A kernel's point needs time by its work; a message is given an equal share of the rest. */
static double share_of(const point *at, const options *o) {
    double work = 0;
    for (size_t i = 0; i < o->problem_count; i++) {
        work += pow((double)o->problems[i], 3);
    }
    return at->operation != NULL
               ? 0
               : 0.3 / (double)o->problem_count + 0.7 * pow((double)at->size, 3) / work;
}

static void measure_all(const probe_context *context, const options *o) {
    point points[(PROBE_OPERATIONS_MOST + 1) * SIZES_MOST];
    size_t count = list_points(context, o, points);
    shuffle(points, count, o->seed + (unsigned long)o->launch * 7919);
    double messages = (double)(count - o->problem_count);
    double for_kernels = o->problem_count == 0 ? 0 : messages == 0 ? 1 : 0.6;
    for (size_t i = 0; i < count; i++) {
        double share = points[i].operation != NULL ? (1 - for_kernels) / messages
                                                   : for_kernels * share_of(&points[i], o);
        measure_point(context, o, &points[i], o->budget * share);
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    probe_context context = {.communicator = MPI_COMM_WORLD};
    MPI_Comm_rank(MPI_COMM_WORLD, &context.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &context.processes);
    MPI_Comm_dup(MPI_COMM_WORLD, &context.synchronisation);
    options o;
    int status = EXIT_SUCCESS;
    if (!read_options(argc, argv, &o)) {
        if (context.rank == 0) {
            fprintf(stderr,
                    "usage: mpiexec -n P isocast-probe --launch K --budget SECONDS --seed S "
                    "--sizes M,... --problems N,...\n");
        }
        status = 2;
    }
    for (size_t i = 0; status == EXIT_SUCCESS && i < o.size_count; i++) {
        context.size_most = o.sizes[i] > context.size_most ? o.sizes[i] : context.size_most;
    }
    context.send = calloc(context.size_most + 1, 1);
    context.receive = calloc(context.size_most + 1, 1);
    /* Rows of the largest message, or 2 million numbers: several caches full. */
    context.block_most = context.size_most / sizeof(double) + 1;
    context.block_most = context.block_most > 1u << 21 ? context.block_most : 1u << 21;
    context.block = calloc(context.block_most, sizeof *context.block);
    context.pivot = calloc(context.size_most / sizeof(double) + 1, sizeof *context.pivot);
    if (context.send == NULL || context.receive == NULL || context.block == NULL ||
        context.pivot == NULL) {
        fprintf(stderr, "isocast-probe: out of memory for messages of %zu bytes\n",
                context.size_most);
        MPI_Abort(MPI_COMM_WORLD, 5);
    }
    if (status == EXIT_SUCCESS) {
        context.granule = clock_granule();
        if (context.rank == 0) {
            print_environment(&context);
        }
        measure_all(&context, &o);
    }
    free(context.send);
    free(context.receive);
    free(context.block);
    free(context.pivot);
    MPI_Comm_free(&context.synchronisation);
    MPI_Finalize();
    return status;
}
