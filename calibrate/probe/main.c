/* isocast-probe: measures operations of MPI and the local work of kernels under mpiexec, and writes
 * every sample as a CSV row. Fits nothing. */
#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "calibrate/samples/environment.h"
#include "probe_clock.h"
#include "probe_common.h"
#include "probe_environment.h"
#include "probe_measure.h"
#include "probe_memory.h"
#include "probe_placement.h"
#include "probe_reference.h"
#include "probe_shares.h"
#include "probe_simulated.h"
#ifndef PROBE_SIMULATED
#include "probe_nodes.h"
#include "probe_suite.h"
#endif

/* Ends a launch that was to be measured with a clock that jumps. */
enum { EXIT_CLOCK = 6 };

static double clock_granule(bool simulated) {
    enum { READS = 1000 };
    /* Between two looks at the simulator's clock no time passes; times below this say nothing. */
    static const double of_simulator = 1e-8; /* s */
    double least = simulated ? of_simulator : 1;
    for (int i = 0; i < READS && !simulated; i++) {
        double start = MPI_Wtime();
        double now;
        do {
            now = MPI_Wtime();
        } while (now == start);
        least = now > start ? fmin(least, now - start) : least;
    }
    return least;
}

static double time_left(const probe_context *context, const probe_options *o, double started) {
    double left = o->budget - (probe_clock_now().steady - started);
    MPI_Bcast(&left, 1, MPI_DOUBLE, 0, context->communicator);
    return left;
}

/* What a point of an operation that has none yet may take where no time is left, s: one call. */
static const double least_time = 1e-6;

/* Every point gets its share of the time that is left when its turn comes: what others did not
 * need is passed on, and what they took too much is taken off. */
static void measure_all(const probe_context *context, const probe_options *o, probe_tally *tally) {
    double started = probe_clock_now().steady;
    static probe_point points[PROBE_POINTS_MAX];
    size_t needed;
    size_t count = probe_points_list(context, o, points, &needed);
    double shares = 1;
    for (size_t i = 0; i < count && !tally->clock_unusable; i++) {
        double left = time_left(context, o, started);
        if (left <= 0 && i >= needed) {
            break;
        }
        double seconds = fmax(left * points[i].share / fmax(shares, 1e-9), least_time);
        probe_measure(context, o, &points[i], seconds, tally);
        shares -= points[i].share;
    }
    tally->left_out = count - tally->points;
}

static void print_tally(const probe_context *context, const probe_options *o,
                        const probe_tally *tally) {
    if (context->rank != 0) {
        return;
    }
    printf("# started_together_by: %s\n", 2 * tally->by_barrier > tally->points
                                              ? "dissemination barrier"
                                              : "common clock, offsets by round trips");
    if (tally->left_out > 0) {
        printf("# left_out: %zu of %zu points in launch %ld, for which there was no time\n",
               tally->left_out, tally->left_out + tally->points, o->launch);
    }
}

static void *memory_of(size_t size) {
    void *memory = probe_memory_make(size);
    if (memory == NULL) {
        fprintf(stderr, "isocast-probe: out of memory for %zu bytes\n", size);
        MPI_Abort(MPI_COMM_WORLD, 5);
    }
    return memory;
}

static void make_buffers(probe_context *context, const probe_options *o) {
    for (size_t i = 0; i < o->size_count; i++) {
        context->size_most = o->sizes[i] > context->size_most ? o->sizes[i] : context->size_most;
    }
    for (size_t i = 0; i < o->span_count; i++) {
        context->size_most =
            o->spans[i].to > context->size_most ? o->spans[i].to : context->size_most;
    }
    /* Rows of the largest message, or 2 million numbers: several caches full. */
    size_t numbers = context->size_most / sizeof(double) + 2;
    size_t least = 1u << 21;
    context->block_most = numbers > least ? numbers : least;
    if (context->simulated) { /* work takes no time and works on nothing */
        context->block_most = numbers = 2;
    }
    context->send = memory_of(context->size_most + 1);
    context->receive = memory_of(context->size_most + 1);
    context->block = memory_of(context->block_most * sizeof *context->block);
    context->pivot = memory_of(numbers * sizeof *context->pivot);
}

static void free_buffers(probe_context *context) {
    probe_memory_free(context->send);
    probe_memory_free(context->receive);
    probe_memory_free(context->block);
    probe_memory_free(context->pivot);
}

#ifndef PROBE_SIMULATED
/* Uses the buffers of the transport once, which lie in memory that was never used: there a message
 * takes much longer, and a point with few calls has no others. Around a ring, in sizes
 * that are copied through such buffers; what takes long is done less often. */
static void touch_transport(const probe_context *context) {
    enum { BLOCK = 32, BLOCKS = 8, SIZE_MOST = 1 << 16 };
    static const double longest = 0.01; /* s, of the messages of a size */
    int next = (context->rank + 1) % context->processes;
    int before = (context->rank + context->processes - 1) % context->processes;
    for (size_t m = 8; m <= SIZE_MOST && m <= context->size_most; m *= 2) {
        double end = probe_clock_steady() + longest;
        bool more = context->processes > 1;
        for (int i = 0; i < BLOCKS && more; i++) {
            for (int k = 0; k < BLOCK; k++) {
                MPI_Sendrecv(context->send, (int)m, MPI_BYTE, next, 0, context->receive, (int)m,
                             MPI_BYTE, before, 0, context->communicator, MPI_STATUS_IGNORE);
            }
            more = probe_agree(context, probe_clock_steady() < end);
        }
    }
}
#endif

/* Gives the exit status. */
static int measure_machine(probe_context *context, probe_options *o) {
    probe_tally tally = {0};
#ifndef PROBE_SIMULATED
    probe_nodes_print(context);
    fflush(stdout);
    probe_environment_begin();
    touch_transport(context);
#endif
    probe_kernels_remember(context, o->plans);
    bool wanted[KERNEL_COUNT];
    if (probe_points_need_plans(o, wanted)) {
        bool all = o->planned_count == 0;
        double started = probe_clock_now().steady;
        o->planned_most =
            probe_kernels_plan(context, wanted, all ? o->problems : o->planned,
                               all ? o->problem_count : o->planned_count, o->planning);
        if (context->rank == 0) {
            char line[ENVIRONMENT_LINE_MAX];
            environment_write_planned(probe_clock_now().steady - started, line);
            puts(line);
        }
    }
#ifndef PROBE_SIMULATED
    probe_suite_measure(context, o);
#endif
    measure_all(context, o, &tally);
    probe_kernels_save(context, o->plans);
#ifndef PROBE_SIMULATED
    probe_environment_end(context);
#endif
    print_tally(context, o, &tally);
    if (tally.clock_unusable && context->rank == 0) {
        fputs("isocast-probe: the clock (MPI_Wtime) keeps jumping: something sets it, or the "
              "machine is moved or suspended; stop that and calibrate again\n",
              stderr);
    }
    return tally.clock_unusable ? EXIT_CLOCK : EXIT_SUCCESS;
}

static int run(probe_context *context, probe_options *o) {
    int status = EXIT_SUCCESS;
    make_buffers(context, o);
    /* All processes of a simulation have one clock, which never misses a step. */
    context->granule = clock_granule(context->simulated);
    context->placement = probe_placement_find(context->communicator);
    context->by_speed = o->simulated;
    context->shares = probe_shares_find(context);
    probe_environment_print(context);
    if (context->simulated) {
        probe_simulated(context, o);
    } else {
        status = measure_machine(context, o);
    }
    free_buffers(context);
    probe_common_release(context->shares);
    return status;
}

int main(int argc, char **argv) {
    static probe_options o;      /* large, where stacks may be small */
    gsl_set_error_handler_off(); /* which would abort; what fails is looked at */
    bool understood = probe_options_read(argc, argv, false, &o);
    if (understood && o.list) {
        probe_points_print_names();
        return EXIT_SUCCESS;
    }
    MPI_Init(&argc, &argv);
    probe_context context = {.communicator = MPI_COMM_WORLD,
                             .simulated = o.simulated,
                             .roots = o.roots,
                             .roots_apart = o.roots_apart};
    MPI_Comm_rank(MPI_COMM_WORLD, &context.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &context.processes);
    /* To make a communicator of 256 processes takes seconds to simulate; there nothing comes
     * between the calls of a collective. */
    context.synchronisation = MPI_COMM_WORLD;
    if (!context.simulated) {
        MPI_Comm_dup(MPI_COMM_WORLD, &context.synchronisation);
    }
    int status = 2;
    if (understood && o.reference > 0) {
        status = probe_reference(&context, o.reference);
    } else if (understood) {
        status = run(&context, &o);
    } else if (context.rank == 0) {
        (void)probe_options_read(argc, argv, true, &o); /* which shows why */
        probe_options_usage(stderr);
    }
    if (!context.simulated) {
        MPI_Comm_free(&context.synchronisation);
    }
    MPI_Finalize();
    return status;
}
