#include "probe_measure.h"

#include <math.h>
#include <stdio.h>

#include "calibrate/samples/environment.h"
#include "calibrate/samples/median.h"
#include "probe_clock.h"

enum {
    BLOCK = 10,       /* calls between two decisions */
    WARM_UP_MIN = 10, /* calls that are dropped at least */
    WARM_UP_MAX = 200,
    SAMPLES_MIN = 20,
    SAMPLES_MAX = 400,
    CLOCK_STEPS = 100, /* of the clock that a sample takes at least */
    REPEATS_MAX = 1024,
    LATE_BLOCKS_MAX = 8, /* measured again before the common clock is given up */
    JUMPS_MAX = 3        /* of a clock at one point */
};
/* Blocks agree, and a median is known, within this. */
static const double agreement = 0.02;
/* Of a point's time: what one sample may take, where it is to be one of many. */
static const double sample_share = 0.025;
/* Seconds that an estimate of the clocks' offsets holds: they drift apart by a microsecond or so.
 */
static const double offset_holds = 1;

bool probe_agree(const probe_context *context, bool decision) {
    int shared = decision;
    MPI_Bcast(&shared, 1, MPI_INT, 0, context->communicator);
    return shared != 0;
}

/* How many calls make one sample, so that it is at least CLOCK_STEPS of the clock. What a call
 * gives may be a small part of the time `taken` for it (the end of a large message): then time sets
 * the limit. */
static size_t repeats_for(const probe_context *context, double given, double taken,
                          double available) {
    double wanted = ceil(CLOCK_STEPS * context->granule / fmax(given, 1e-9));
    double affordable = floor(sample_share * available / taken);
    return (size_t)fmin(fmax(fmin(wanted, affordable), 1), REPEATS_MAX);
}

static double call_point(const probe_context *context, const probe_point *at) {
    if (at->operation == NULL) {
        return at->kernel->call(context, at->size);
    }
    return probe_operation_time(at->operation, context, at->size, at->repeats);
}

/* Calls `count` times; on process 0, values[k] gets the largest over the processes. */
static void measure_block(const probe_context *context, const probe_point *at, size_t count,
                          double *values) {
    double own[BLOCK];
    for (size_t k = 0; k < count; k++) {
        own[k] = call_point(context, at);
    }
    MPI_Reduce(own, values, (int)count, MPI_DOUBLE, MPI_MAX, 0, context->communicator);
}

/* Whether most starts since the last question were late on one process or another. */
static bool was_late(const probe_context *context, size_t calls) {
    unsigned long late = probe_clock_late();
    unsigned long worst = 0;
    MPI_Allreduce(&late, &worst, 1, MPI_UNSIGNED_LONG, MPI_MAX, context->synchronisation);
    return 2 * worst > calls;
}

/* A block in which most calls started late is measured again, with more time to find each other;
 * where that does not help, the processes start by the barrier from then on. */
static void measure_in_time(const probe_context *context, const probe_point *at, size_t count,
                            double *values) {
    measure_block(context, at, count, values);
    for (int k = 0; probe_clock_is_common() && was_late(context, count * at->repeats); k++) {
        if (k == LATE_BLOCKS_MAX) {
            probe_clock_forget();
        }
        measure_block(context, at, count, values);
    }
}

/* Drops calls until two blocks in a row have the same median, within 2 %. */
static void warm_up(const probe_context *context, const probe_point *at, size_t block,
                    double deadline) {
    double before = 0;
    for (size_t dropped = 0; dropped < WARM_UP_MAX;) {
        double values[BLOCK];
        measure_block(context, at, block, values);
        dropped += block;
        double now = context->rank == 0 ? isocast_median(values, block) : 0;
        bool settled = dropped >= WARM_UP_MIN && fabs(now - before) <= agreement * now;
        before = now;
        if (probe_agree(context, settled || probe_clock_steady() > deadline || block == 1)) {
            return;
        }
    }
}

/* Samples until the median is known within 2 %, or it is late; gives their number. */
static size_t collect(const probe_context *context, const probe_point *at, bool slow,
                      double deadline, double *values, const char **reason) {
    double scratch[SAMPLES_MAX + BLOCK];
    size_t block = slow ? 1 : BLOCK;
    size_t least = slow ? 2 : SAMPLES_MIN;
    size_t count = 0;
    *reason = "count";
    while (count < SAMPLES_MAX) {
        measure_in_time(context, at, block, values + count);
        count += block;
        bool known = context->rank == 0 && count >= least &&
                     median_uncertainty(values, count, scratch) <= agreement;
        bool over = count >= least && probe_clock_steady() > deadline;
        *reason = known ? "interval" : over ? "budget" : *reason;
        if (probe_agree(context, known || over)) {
            break;
        }
    }
    return count;
}

static void print_samples(const probe_context *context, const probe_options *o,
                          const probe_point *at, const double *values, size_t count,
                          const char *reason) {
    const char *name =
        at->operation != NULL ? at->operation->known->name : kernel_names[at->kernel->id];
    double m = at->operation != NULL ? (double)at->size : at->kernel->bytes(context, at->size);
    for (size_t k = 0; context->rank == 0 && k < count; k++) {
        printf("%ld,%s,%d,%.17g,%zu,%.9g,%s,%d,%d,%d\n", o->launch, name, context->processes, m, k,
               values[k], reason, o->oversubscribed, context->placement.nodes,
               context->placement.with_first);
    }
    fflush(stdout);
}

static size_t measure_samples(const probe_context *context, probe_point *at, double seconds,
                              double *values, const char **reason) {
    /* The first call goes to memory that was never used, and says little of the time of others. */
    at->repeats = 1;
    measure_block(context, at, 1, values);
    double start = probe_clock_steady();
    measure_block(context, at, 1, values);
    double taken = probe_clock_steady() - start;
    *reason = "budget";
    /* One call is more than the time there is: then it is all there will be. */
    if (probe_agree(context, taken > seconds)) {
        return 1;
    }
    if (at->operation != NULL) {
        unsigned long repeats = repeats_for(context, values[0], taken, seconds);
        MPI_Bcast(&repeats, 1, MPI_UNSIGNED_LONG, 0, context->communicator);
        at->repeats = repeats;
    }
    /* A call that takes a good part of the time is taken one by one. */
    bool slow = probe_agree(context, taken > sample_share * seconds);
    warm_up(context, at, slow ? 1 : BLOCK, start + seconds / 4);
    probe_clock_late();
    return collect(context, at, slow, start + seconds, values, reason);
}

/* The jump of any process's clock since the mark: the largest, or 0. Reports whose it was. */
static double worst_jump(const probe_context *context, const probe_clock_mark *since, int *rank) {
    struct {
        double size;
        int rank;
    } mine = {fabs(probe_clock_jump(since)), context->rank}, worst;
    MPI_Allreduce(&mine, &worst, 1, MPI_DOUBLE_INT, MPI_MAXLOC, context->synchronisation);
    *rank = worst.rank;
    return worst.size;
}

static void report_jump(const probe_context *context, const probe_options *o, double jump,
                        int rank) {
    char host[MPI_MAX_PROCESSOR_NAME] = "";
    int length;
    if (context->rank == rank) {
        MPI_Get_processor_name(host, &length);
    }
    MPI_Bcast(host, MPI_MAX_PROCESSOR_NAME, MPI_CHAR, rank, context->synchronisation);
    if (context->rank == 0) {
        printf("# " ENVIRONMENT_CLOCK_JUMPED
               ": by %.3g s on process %d (%s) in launch %ld; what it touched was "
               "measured again\n",
               jump, rank, host, o->launch);
        fflush(stdout);
    }
}

void probe_measure(const probe_context *context, const probe_options *o, probe_point *at,
                   double seconds, probe_tally *tally) {
    if (at->kernel != NULL) {
        at->kernel->prepare(context, at->size);
    } else if (at->operation->prepare != NULL) {
        at->operation->prepare(context, at->size);
    }
    for (int jumps = 0; jumps < JUMPS_MAX; jumps++) {
        double values[SAMPLES_MAX + BLOCK];
        const char *reason;
        int rank;
        probe_clock_mark mark = probe_clock_now();
        bool common = !o->barrier_only && o->oversubscribed == 0;
        if (common && probe_agree(context, jumps > 0 || probe_clock_age() > offset_holds)) {
            probe_clock_agree(context);
        }
        size_t count = measure_samples(context, at, seconds, values, &reason);
        double jump = worst_jump(context, &mark, &rank);
        if (jump == 0) {
            tally->points++;
            tally->by_barrier += !probe_clock_is_common();
            print_samples(context, o, at, values, count, reason);
            return;
        }
        tally->clock_jumps++;
        report_jump(context, o, jump, rank);
    }
    tally->clock_unusable = true;
}
