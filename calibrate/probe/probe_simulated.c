#include "probe_simulated.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe_clock.h"
#include "probe_common.h"
#include "probe_operation.h"
#include "probe_placement.h"
#include "probe_shares.h"

/* What is measured of one operation on one number of processes. */
typedef struct curve {
    size_t *sizes;   /* [count], rising; of a message, or a block */
    double *seconds; /* [count]; on process 0 */
    size_t count;
    size_t capacity;
} curve;

/* Where a straight line between two sizes is off by more, there is a switch between them. */
static const double straight = 0.002;
/* A switch is found once the sizes round it are this near to each other; where only spans are
 * looked into, which are those that matter. */
static const double near = 1.005;
static const double near_in_span = 1.02;
/* There a line is only believed across sizes that are as near as this: the middle of a wider gap
 * may be on it by accident, as where a switch is at the middle itself. */
static const double line_most = 2.1;

/* The simulator sets up communicators in a first call. */
#ifdef PROBE_QUICK
static const bool probe_needs_warm_up = false;
#else
static const bool probe_needs_warm_up = true;
#endif

enum {
    SIZE_STEP = 16, /* bytes; sizes are multiples, so that blocks of complex numbers fit */
    SIZES_MAX = 240 /* of one operation; what wriggles without end is given up at */
};

/* Processes from `first` on, as a context of their own; those outside get false. Collective over
 * all. */
static bool make_subset(const probe_context *all, int first, int processes, probe_context *part) {
    bool inside = all->rank >= first && all->rank < first + processes;
    *part = *all;
    MPI_Comm_split(all->communicator, inside ? 0 : MPI_UNDEFINED, all->rank, &part->communicator);
    part->processes = processes;
    part->rank = all->rank - first;
    if (inside) {
        MPI_Comm_dup(part->communicator, &part->synchronisation);
        part->placement = probe_placement_find(part->communicator);
        part->shares = probe_shares_find(part);
    }
    return inside;
}

/* The part that this process is in, of several that measure at once: of so many processes, every
 * `stride`th rank. The last parts may be smaller. Those that are alone get false. Collective over
 * all. */
static bool make_part(const probe_context *all, const probe_options *o, probe_context *part) {
    int stride = (int)o->part_stride;
    int block = (int)fmin((double)o->part * stride, all->processes);
    int number = all->rank / block * stride + all->rank % stride;
    *part = *all;
    MPI_Comm_split(all->communicator, number, all->rank, &part->communicator);
    MPI_Comm_rank(part->communicator, &part->rank);
    MPI_Comm_size(part->communicator, &part->processes);
    bool several = part->processes > 1;
    MPI_Comm_split(all->communicator, several ? 0 : MPI_UNDEFINED, all->rank,
                   &part->synchronisation);
    if (several) {
        part->placement = probe_placement_find(part->communicator);
        part->shares = probe_shares_find(part);
    } else {
        MPI_Comm_free(&part->communicator);
    }
    return several;
}

static void free_subset(probe_context *part) {
    MPI_Comm_free(&part->communicator);
    MPI_Comm_free(&part->synchronisation);
    probe_common_release(part->shares);
}

/* Largest seconds over the processes of all parts; on all of them. The first call of an operation
 * sets up what later ones find; after that all take the same. */
static double time_call(const probe_context *context, const probe_operation *operation,
                        size_t size) {
    double own = probe_operation_time(operation, context, size, 1);
    double largest;
    probe_let_others_end(context);
    MPI_Allreduce(&own, &largest, 1, MPI_DOUBLE, MPI_MAX, context->synchronisation);
    return largest;
}

/* Inserts a size after the one at `before`; false where there is no room. */
static bool insert(const probe_context *context, const probe_operation *operation, curve *c,
                   size_t at, size_t m) {
    if (c->count == c->capacity) {
        return false;
    }
    for (size_t k = c->count; k > at; k--) {
        c->sizes[k] = c->sizes[k - 1];
        c->seconds[k] = c->seconds[k - 1];
    }
    c->sizes[at] = m;
    c->seconds[at] = time_call(context, operation, m);
    c->count++;
    return true;
}

static size_t rounded(double m) {
    return (size_t)fmax(1, round(m / SIZE_STEP)) * SIZE_STEP;
}

/* Halves the gap after the k-th size for as long as the line across it does not hold, or it is
 * wider than `wide` times. All processes see the same times and decide alike. */
static void refine(const probe_context *context, const probe_operation *operation,
                   double near_enough, double wide, curve *c) {
    for (size_t k = 0; k + 1 < c->count;) {
        double a = (double)c->sizes[k];
        double b = (double)c->sizes[k + 1];
        size_t middle = rounded(sqrt(a * b));
        if (middle <= c->sizes[k] || middle >= c->sizes[k + 1] || b / a <= near_enough) {
            k++;
            continue;
        }
        double share = ((double)middle - a) / (b - a);
        double line = c->seconds[k] + share * (c->seconds[k + 1] - c->seconds[k]);
        if (!insert(context, operation, c, k + 1, middle)) {
            return;
        }
        if (b / a <= wide && fabs(line - c->seconds[k + 1]) <= straight * c->seconds[k + 1]) {
            /* Both halves are the same line. */
            k += 2;
        }
    }
}

static bool among(const size_t *sizes, size_t count, size_t size) {
    for (size_t i = 0; i < count; i++) {
        if (sizes[i] == size) {
            return true;
        }
    }
    return false;
}

/* Leaves out what bisection measured on the way: sizes in the middle of a straight line that are
 * not among those asked for. */
static void thin(curve *c, const size_t *sizes, size_t size_count) {
    size_t kept = 0;
    for (size_t k = 0; k < c->count; k++) {
        bool inner = kept > 0 && k + 1 < c->count;
        size_t before = inner ? kept - 1 : 0;
        size_t after = inner ? k + 1 : 0;
        double share = inner ? ((double)c->sizes[k] - (double)c->sizes[before]) /
                                   ((double)c->sizes[after] - (double)c->sizes[before])
                             : 0;
        double line = c->seconds[before] + share * (c->seconds[after] - c->seconds[before]);
        bool needed = !inner || fabs(line - c->seconds[k]) > straight * c->seconds[k];
        if (needed || among(sizes, size_count, c->sizes[k])) {
            c->sizes[kept] = c->sizes[k];
            c->seconds[kept++] = c->seconds[k];
        }
    }
    c->count = kept;
}

static void print_curve(const probe_context *context, const probe_operation *operation,
                        const curve *c) {
    const probe_placement placement = context->placement;
    int rank; /* among the processes of all parts */
    MPI_Comm_rank(context->synchronisation, &rank);
    for (size_t k = 0; rank == 0 && k < c->count; k++) {
        printf("0,%s,%d,%zu,0,%.9g,simulated,0,%d,%d\n", operation->known->name, context->processes,
               c->sizes[k], c->seconds[k], placement.nodes, placement.with_first);
    }
    fflush(stdout);
}

static bool applies(const probe_operation *operation, const probe_context *context) {
    /* Simulated work takes no time, so what has no messages is left out. */
    return operation->known->kind != ISOCAST_OPERATION_WORK &&
           probe_operation_applies(operation, context);
}

/* Other processes look on: more of them change nothing. */
static bool is_of_whole_launches(const probe_operation *operation) {
    isocast_operation_kind kind = operation->known->kind;
    return kind == ISOCAST_OPERATION_MESSAGE || kind == ISOCAST_OPERATION_SHIFT ||
           kind == ISOCAST_OPERATION_WORK;
}

static void warm_up(const probe_context *context, const probe_operation *operation, size_t size) {
    time_call(context, operation, probe_operation_is_sized(operation) ? size : 0);
}

static void measure_sizes(const probe_context *context, const probe_operation *operation,
                          const size_t *sizes, size_t count, curve *out) {
    bool sized = probe_operation_is_sized(operation);
    out->count = 0;
    for (size_t i = 0; i < (sized || count == 0 ? count : 1); i++) {
        insert(context, operation, out, i, sized ? sizes[i] : 0);
    }
}

static bool make_curve(curve *c) {
    *c = (curve){.sizes = malloc(SIZES_MAX * sizeof *c->sizes),
                 .seconds = malloc(SIZES_MAX * sizeof *c->seconds),
                 .capacity = SIZES_MAX};
    return c->sizes != NULL && c->seconds != NULL;
}

static void free_curve(curve *c) {
    free(c->sizes);
    free(c->seconds);
}

/* Measures a subset at the sizes found, and writes the samples. */
static void measure_subset(const probe_context *all, int first, int processes,
                           const probe_operation *operation, const curve *found, curve *own) {
    probe_context part;
    if (make_subset(all, first, processes, &part)) {
        if (applies(operation, &part) && found->count > 0) {
            warm_up(&part, operation, found->sizes[0]);
            measure_sizes(&part, operation, found->sizes, found->count, own);
            print_curve(&part, operation, own);
        }
        free_subset(&part);
    }
}

/* Switches are found on all processes; fewer are then measured at the same sizes. */
static void measure_operation(const probe_context *all, const probe_operation *operation,
                              const size_t *sizes, size_t size_count, const size_t *counts,
                              size_t count_of_counts) {
    curve found = {.count = 0};
    curve own = {.count = 0};
    if (!make_curve(&found) || !make_curve(&own)) {
        free_curve(&found);
        free_curve(&own);
        MPI_Abort(all->communicator, 5);
        return;
    }
    if (applies(operation, all) && size_count > 0) {
        warm_up(all, operation, sizes[0]);
        measure_sizes(all, operation, sizes, size_count, &found);
        refine(all, operation, near, INFINITY, &found);
        thin(&found, sizes, size_count);
        print_curve(all, operation, &found);
    }
    for (size_t i = 0; i < count_of_counts; i++) {
        if (counts[i] < 2 || counts[i] >= (size_t)all->processes ||
            is_of_whole_launches(operation)) {
            continue;
        }
        measure_subset(all, 0, (int)counts[i], operation, &found, &own);
        /* Where the first node has more processes than others, also without those. */
        const probe_placement *placement = &all->placement;
        int more = placement->with_first - 1;
        bool irregular = all->processes <= placement->with_first * (placement->nodes - 1);
        if (more > 0 && irregular && (int)counts[i] <= all->processes - more) {
            measure_subset(all, more, (int)counts[i], operation, &found, &own);
        }
    }
    free_curve(&found);
    free_curve(&own);
}

static bool is_listed(const probe_options *o, const isocast_known_operation *known) {
    bool listed = false;
    for (size_t i = 0; i < o->weight_count; i++) {
        listed = listed || strcmp(o->weights[i].name, known->name) == 0;
    }
    return listed;
}

static bool is_wanted(const probe_options *o, const isocast_known_operation *known) {
    return o->weight_count > 0 ? is_listed(o, known) : known->is_usual;
}

static bool has_broadcasts(const probe_options *o) {
    bool found = false;
    for (size_t i = 0; i < ISOCAST_KNOWN_OPERATIONS; i++) {
        const isocast_known_operation *known = probe_operations[i].known;
        found = found || (known->kind == ISOCAST_OPERATION_BROADCAST && is_wanted(o, known));
    }
    return found;
}

/* The two ends of a span, and between them what no straight line joins. `first`: the operation was
 * not called before. */
static void measure_span(const probe_context *all, const probe_span *span, bool first) {
    const probe_operation *operation = NULL;
    for (size_t i = 0; i < ISOCAST_KNOWN_OPERATIONS; i++) {
        if (strcmp(probe_operations[i].known->name, span->name) == 0 &&
            probe_operation_is_measured(&probe_operations[i])) {
            operation = &probe_operations[i];
        }
    }
    int there = operation != NULL && applies(operation, all);
    int everywhere = there; /* in all parts */
    MPI_Allreduce(&there, &everywhere, 1, MPI_INT, MPI_MIN, all->synchronisation);
    if (operation == NULL || !everywhere) {
        return;
    }
    const size_t sizes[] = {span->from, span->to};
    curve found = {.count = 0};
    if (!make_curve(&found)) {
        free_curve(&found);
        MPI_Abort(all->communicator, 5);
        return;
    }
    if (first && probe_needs_warm_up) {
        warm_up(all, operation, span->from);
    }
    measure_sizes(all, operation, sizes, span->to > span->from ? 2 : 1, &found);
    refine(all, operation, near_in_span, line_most, &found);
    thin(&found, sizes, 2);
    print_curve(all, operation, &found);
    free_curve(&found);
}

static void measure_spans(const probe_context *all, const probe_options *o) {
    for (size_t i = 0; i < o->span_count; i++) {
        bool first = i == 0 || strcmp(o->spans[i].name, o->spans[i - 1].name) != 0;
        measure_span(all, &o->spans[i], first);
    }
}

void probe_simulated(const probe_context *all, const probe_options *o) {
    probe_context part;
    if (o->part > 0) {
        if (make_part(all, o, &part)) {
            measure_spans(&part, o);
            free_subset(&part);
        }
        return;
    }
    if (o->span_count > 0) {
        measure_spans(all, o);
        return;
    }
    bool shifts = has_broadcasts(o); /* which those in blocks are made of */
    for (size_t i = 0; i < ISOCAST_KNOWN_OPERATIONS; i++) {
        const isocast_known_operation *known = probe_operations[i].known;
        if (is_wanted(o, known) || (shifts && known->kind == ISOCAST_OPERATION_SHIFT)) {
            measure_operation(all, &probe_operations[i], o->sizes, o->size_count, o->counts,
                              o->count_of_counts);
        }
    }
}
