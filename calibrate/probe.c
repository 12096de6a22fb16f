/* isocast-probe: measures operations of MPI and the local work of kernels under mpiexec, and writes
 * every sample as a CSV row. Fits nothing. */
#include "probe_kernels.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "median.h"
#include "probe_placement.h"
#include "probe_simulated.h"

enum {
    BLOCK = 10,         /* calls between two decisions */
    WARM_UP_LEAST = 10, /* calls that are dropped at least */
    WARM_UP_MOST = 200,
    SAMPLES_LEAST = 20,
    SAMPLES_MOST = 400,
    CLOCK_STEPS = 100, /* of the clock that a sample takes at least */
    REPEATS_MOST = 1024,
    SIZES_MOST = 64
};
/* Blocks agree, and a median is known, within this. */
static const double agreement = 0.02;
/* Of a launch's time: what kernels get beside messages. */
static const double kernel_share = 0.5;
/* Of a point's time: what one sample may take, where it is to be one of many. */
static const double sample_share = 0.025;
/* Of the kernels' time: what one call may take at most. */
static const double one_call_most = 0.25;

typedef struct options {
    long launch;
    double budget; /* s */
    unsigned long seed;
    size_t sizes[SIZES_MOST]; /* of messages, bytes */
    size_t size_count;
    size_t problems[SIZES_MOST]; /* N for the kernels */
    size_t problem_count;
    bool simulated;     /* one sample is enough */
    size_t counts[SIZES_MOST]; /* of processes, of a simulation: fewer than all */
    size_t count_of_counts;
    size_t together; /* nodes that count as one; 0: each by itself */
    const char *plans;  /* file that keeps how transforms are best done; NULL: none */
    int oversubscribed; /* 1: more processes than processors; each sample says so */
} options;

/* One thing to measure: an operation at a message size, or a kernel at a problem size. */
typedef struct point {
    const probe_operation *operation; /* NULL: a kernel */
    const probe_kernel *kernel;       /* NULL: an operation */
    size_t size;
    size_t repeats; /* calls in one sample */
    double share;   /* of the launch's time */
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
    enum {
        OPTION_LAUNCH = 256,
        OPTION_BUDGET,
        OPTION_SEED,
        OPTION_SIZES,
        OPTION_PROBLEMS,
        OPTION_OVERSUBSCRIBED,
        OPTION_PLANS,
        OPTION_SIMULATED,
        OPTION_COUNTS,
        OPTION_TOGETHER
    };
    static const struct option table[] = {
        {"launch", required_argument, NULL, OPTION_LAUNCH},
        {"budget", required_argument, NULL, OPTION_BUDGET},
        {"seed", required_argument, NULL, OPTION_SEED},
        {"sizes", required_argument, NULL, OPTION_SIZES},
        {"problems", required_argument, NULL, OPTION_PROBLEMS},
        {"oversubscribed", no_argument, NULL, OPTION_OVERSUBSCRIBED},
        {"simulated", no_argument, NULL, OPTION_SIMULATED},
        {"counts", required_argument, NULL, OPTION_COUNTS},
        {"together", required_argument, NULL, OPTION_TOGETHER},
        {"plans", required_argument, NULL, OPTION_PLANS},
        {NULL, 0, NULL, 0}};
    *out = (options){.budget = 10, .seed = 1};
    bool understood = true;
    for (int option; (option = getopt_long(argc, argv, "", table, NULL)) != -1;) {
        switch (option) {
        case OPTION_LAUNCH:
            out->launch = strtol(optarg, NULL, 10);
            break;
        case OPTION_BUDGET:
            out->budget = strtod(optarg, NULL);
            break;
        case OPTION_SEED:
            out->seed = strtoul(optarg, NULL, 10);
            break;
        case OPTION_SIZES:
            understood = read_list(optarg, out->sizes, &out->size_count) && understood;
            break;
        case OPTION_PROBLEMS:
            understood = read_list(optarg, out->problems, &out->problem_count) && understood;
            break;
        case OPTION_SIMULATED:
            out->simulated = true;
            break;
        case OPTION_COUNTS:
            understood = read_list(optarg, out->counts, &out->count_of_counts) && understood;
            break;
        case OPTION_TOGETHER:
            out->together = strtoul(optarg, NULL, 10);
            break;
        case OPTION_PLANS:
            out->plans = optarg;
            break;
        case OPTION_OVERSUBSCRIBED:
            out->oversubscribed = 1;
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
    if (context->together > 1) {
        printf("# nodes_together: %d\n", context->together);
    }
    printf("# mpi: %s\n# host: %s\n# clock_granule: %.3g s\n# compiler: %s\n", library, host,
           context->granule, __VERSION__);
}

/* How many calls make one sample, so that it is at least CLOCK_STEPS of the clock. What a call
 * gives may be a small part of the time `taken` for it (the end of a large message): then time sets
 * the limit. */
static size_t repeats_for(const probe_context *context, double given, double taken,
                          double available) {
    double wanted = ceil(CLOCK_STEPS * context->granule / fmax(given, 1e-9));
    double affordable = floor(sample_share * available / taken);
    return (size_t)fmin(fmax(fmin(wanted, affordable), 1), REPEATS_MOST);
}

static double call_point(const probe_context *context, const point *at) {
    if (at->operation == NULL) {
        return at->kernel->call(context, at->size);
    }
    return at->operation->call(context, at->size, at->repeats);
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

static void print_samples(const probe_context *context, const options *o, const point *at,
                          const double *values, size_t count, const char *reason) {
    const char *name = at->operation != NULL ? at->operation->name : at->kernel->name;
    double m = at->operation != NULL ? (double)at->size : at->kernel->bytes(context, at->size);
    for (size_t k = 0; context->rank == 0 && k < count; k++) {
        printf("%ld,%s,%d,%.17g,%zu,%.9g,%s,%d,%d,%d\n", o->launch, name, context->processes, m, k,
               values[k], reason, o->oversubscribed, context->placement.nodes,
               context->placement.with_first);
    }
    fflush(stdout);
}

/* Measures one point and writes its samples. */
static void measure_point(const probe_context *context, const options *o, point *at,
                          double seconds) {
    double values[SAMPLES_MOST + BLOCK];
    const char *reason = "budget";
    if (at->kernel != NULL) {
        at->kernel->prepare(context, at->size);
    } else if (at->operation->prepare != NULL) {
        at->operation->prepare(context, at->size);
    }
    double start = MPI_Wtime();
    at->repeats = 1;
    measure_block(context, at, 1, values);
    double taken = MPI_Wtime() - start;
    size_t count = 1;
    /* One call is more than the time there is: then it is all there will be. */
    if (!agree(context, taken > seconds)) {
        if (at->operation != NULL) {
            unsigned long repeats = repeats_for(context, values[0], taken, seconds);
            MPI_Bcast(&repeats, 1, MPI_UNSIGNED_LONG, 0, context->communicator);
            at->repeats = repeats;
        }
        /* A call that takes a good part of the time is taken one by one, and warmed up by the
         * first. */
        bool slow = agree(context, taken > sample_share * seconds);
        warm_up(context, at, slow ? 1 : BLOCK, start + seconds / 4);
        count = collect(context, at, slow, start + seconds, values, &reason);
    }
    print_samples(context, o, at, values, count, reason);
}

static size_t list_messages(const probe_context *context, const options *o, point *points) {
    size_t count = 0;
    for (const probe_operation *op = probe_operations; op->name != NULL; op++) {
        for (size_t i = 0; context->processes >= op->processes_least && i < o->size_count; i++) {
            bool allowed = op->size_most == 0 || o->sizes[i] <= op->size_most;
            if (allowed && (op->sized || i == 0)) {
                points[count++] = (point){
                    .operation = op, .size = op->sized ? o->sizes[i] : 0, .share = op->weight};
            }
        }
    }
    return count;
}

static size_t smallest_problem(const options *o) {
    size_t smallest = o->problem_count > 0 ? o->problems[0] : 0;
    for (size_t i = 1; i < o->problem_count; i++) {
        smallest = o->problems[i] < smallest ? o->problems[i] : smallest;
    }
    return smallest;
}

/* Time per flop of a kernel at a small size, the same on all processes. */
static double flop_time_of(const probe_context *context, const probe_kernel *kernel) {
    enum { N_SMALL = 128 };
    kernel->prepare(context, N_SMALL);
    double own = kernel->call(context, N_SMALL);
    double largest;
    MPI_Allreduce(&own, &largest, 1, MPI_DOUBLE, MPI_MAX, context->communicator);
    return largest;
}

/* A kernel's points need time by their work. Those are left out that would take too much of it for
 * one call: on a slow machine the largest. The smallest stays. Shares are of the kernel's
 * `seconds`.
 */
static size_t list_problems(const probe_context *context, const options *o,
                            const probe_kernel *kernel, double seconds, point *points) {
    double flop_time = flop_time_of(context, kernel);
    size_t count = 0;
    double work = 0;
    for (size_t i = 0; i < o->problem_count; i++) {
        double one = kernel->work(o->problems[i]);
        bool affordable = one * flop_time / context->processes <= one_call_most * seconds;
        if (affordable || o->problems[i] == smallest_problem(o)) {
            points[count++] =
                (point){.kernel = kernel, .size = o->problems[i], .repeats = 1, .share = one};
            work += one;
        }
    }
    for (size_t i = 0; i < count; i++) {
        points[i].share = 0.3 / (double)count + 0.7 * points[i].share / work;
    }
    return count;
}

static size_t list_kernels(const probe_context *context, const options *o, double seconds,
                           point *points) {
    size_t kernels = 0;
    while (probe_kernels[kernels].name != NULL) {
        kernels++;
    }
    size_t count = 0;
    for (size_t k = 0; k < kernels; k++) {
        size_t added =
            list_problems(context, o, &probe_kernels[k], seconds / (double)kernels, points + count);
        for (size_t i = count; i < count + added; i++) {
            points[i].share /= (double)kernels;
        }
        count += added;
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

static void measure_all(const probe_context *context, const options *o) {
    point points[(PROBE_OPERATIONS_MOST + PROBE_KERNELS_MOST) * SIZES_MOST];
    size_t messages = list_messages(context, o, points);
    double for_kernels = o->problem_count == 0 ? 0 : messages == 0 ? 1 : kernel_share;
    double weights = 0;
    for (size_t i = 0; i < messages; i++) {
        weights += points[i].share;
    }
    for (size_t i = 0; i < messages; i++) {
        points[i].share *= (1 - for_kernels) / weights;
    }
    size_t problems = o->problem_count > 0
                          ? list_kernels(context, o, o->budget * for_kernels, points + messages)
                          : 0;
    for (size_t i = messages; i < messages + problems; i++) {
        points[i].share *= for_kernels;
    }
    shuffle(points, messages + problems, o->seed + (unsigned long)o->launch * 7919);
    for (size_t i = 0; i < messages + problems; i++) {
        measure_point(context, o, &points[i], o->budget * points[i].share);
    }
}

/* Allocates and touches: pages never written share one page of zeros, which no cache misses. */
static void *touched(size_t size) {
    void *memory = malloc(size);
    if (memory == NULL) {
        fprintf(stderr, "isocast-probe: out of memory for %zu bytes\n", size);
        MPI_Abort(MPI_COMM_WORLD, 5);
    } else {
        memset(memory, 1, size);
    }
    return memory;
}

static void make_buffers(probe_context *context, const options *o) {
    for (size_t i = 0; i < o->size_count; i++) {
        context->size_most = o->sizes[i] > context->size_most ? o->sizes[i] : context->size_most;
    }
    /* Rows of the largest message, or 2 million numbers: several caches full. */
    size_t numbers = context->size_most / sizeof(double) + 2;
    context->block_most = numbers > 1u << 21 ? numbers : 1u << 21;
    context->send = touched(context->size_most + 1);
    context->receive = touched(context->size_most + 1);
    context->block = touched(context->block_most * sizeof *context->block);
    context->pivot = touched(numbers * sizeof *context->pivot);
}

static void free_buffers(probe_context *context) {
    free(context->send);
    free(context->receive);
    free(context->block);
    free(context->pivot);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    probe_context context = {.communicator = MPI_COMM_WORLD};
    MPI_Comm_rank(MPI_COMM_WORLD, &context.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &context.processes);
    MPI_Comm_dup(MPI_COMM_WORLD, &context.synchronisation);
    options o;
    int status = EXIT_SUCCESS;
    if (read_options(argc, argv, &o)) {
        make_buffers(&context, &o);
        context.simulated = o.simulated;
        context.together = (int)o.together;
        context.placement = probe_placement_find(context.communicator, context.together);
        context.granule = clock_granule();
        if (context.rank == 0) {
            print_environment(&context);
        }
        if (o.simulated) {
            probe_simulated(&context, o.sizes, o.size_count, o.counts, o.count_of_counts);
        } else {
            probe_kernels_remember(&context, o.plans);
            measure_all(&context, &o);
            probe_kernels_save(&context, o.plans);
        }
        free_buffers(&context);
    } else {
        if (context.rank == 0) {
            fprintf(
                stderr,
                "usage: mpiexec -n P isocast-probe --launch K --budget SECONDS --seed S "
                "--sizes M,... --problems N,... [--plans FILE] [--oversubscribed] "
                "[--simulated [--counts P,...]] [--together NODES]\n");
        }
        status = 2;
    }
    MPI_Comm_free(&context.synchronisation);
    MPI_Finalize();
    return status;
}
