/* Operations that make their calls themselves and take the time of a part of what they do. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/ge_local.h"
#include "model/base/distribution.h"
#include "probe_clock.h"
#include "probe_functions.h"

enum { TAG_PING = 1, TAG_PONG = 2 };

/* One round trip between process 0 and the last, which is on another node where there are several.
 * *sending gets the time inside MPI_Send; the result is
 * half the round trip: one message from the call of MPI_Send to the end of MPI_Recv. */
static double one_way(const probe_context *context, size_t m, double *sending) {
    int count = (int)m;
    MPI_Comm communicator = context->communicator;
    int last = context->processes - 1;
    *sending = 0;
    if (context->rank == 0) {
        double start = MPI_Wtime();
        MPI_Send(context->send, count, MPI_BYTE, last, TAG_PING, communicator);
        double sent = MPI_Wtime();
        MPI_Recv(context->receive, count, MPI_BYTE, last, TAG_PONG, communicator,
                 MPI_STATUS_IGNORE);
        double end = MPI_Wtime();
        *sending = sent - start;
        return (end - start) / 2;
    }
    if (context->rank == last) {
        MPI_Recv(context->receive, count, MPI_BYTE, 0, TAG_PING, communicator, MPI_STATUS_IGNORE);
        MPI_Send(context->send, count, MPI_BYTE, 0, TAG_PONG, communicator);
    }
    return 0;
}

double probe_time_send(const probe_context *context, size_t m, size_t repeats) {
    double seconds = 0;
    for (size_t k = 0; k < repeats; k++) {
        double sending;
        probe_synchronise(context);
        one_way(context, m, &sending);
        seconds += sending;
    }
    return seconds / (double)repeats;
}

/* What is left of a message after its sender is free: T_send + T_recv is one message. */
double probe_time_recv(const probe_context *context, size_t m, size_t repeats) {
    double seconds = 0;
    for (size_t k = 0; k < repeats; k++) {
        double sending;
        probe_synchronise(context);
        double whole = one_way(context, m, &sending);
        seconds += whole - sending;
    }
    return seconds > 0 ? seconds / (double)repeats : 0;
}

double probe_time_bcast(const probe_context *context, size_t m, size_t repeats) {
    double seconds = 0;
    for (size_t k = 0; k < repeats; k++) {
        probe_synchronise(context);
        double start = MPI_Wtime();
        MPI_Bcast(context->send, (int)m, MPI_BYTE, 0, context->communicator);
        seconds += MPI_Wtime() - start;
    }
    return seconds / (double)repeats;
}

/* A call that makes a communicator. */
typedef void make_call(const probe_context *context, MPI_Comm *made);

/* Programs free what they make much later, so that is not timed. */
static double time_making(const probe_context *context, make_call *make, size_t repeats) {
    double seconds = 0;
    for (size_t k = 0; k < repeats; k++) {
        MPI_Comm made;
        probe_synchronise(context);
        double start = MPI_Wtime();
        make(context, &made);
        seconds += MPI_Wtime() - start;
        MPI_Comm_free(&made);
    }
    return seconds / (double)repeats;
}

static void make_copy(const probe_context *context, MPI_Comm *made) {
    MPI_Comm_dup(context->communicator, made);
}

static void make_split(const probe_context *context, MPI_Comm *made) {
    MPI_Comm_split(context->communicator, 0, context->rank, made);
}

double probe_time_comm_dup(const probe_context *context, size_t m, size_t repeats) {
    (void)m;
    return time_making(context, make_copy, repeats);
}

double probe_time_comm_split(const probe_context *context, size_t m, size_t repeats) {
    (void)m;
    return time_making(context, make_split, repeats);
}

/* A fence of a window into which nobody has put anything. */
double probe_time_win_fence(const probe_context *context, size_t m, size_t repeats) {
    (void)m;
    double seconds = 0;
    double there = 0;
    MPI_Win window;
    MPI_Win_create(&there, sizeof there, sizeof there, MPI_INFO_NULL, context->communicator,
                   &window);
    MPI_Win_fence(0, window);
    for (size_t k = 0; k < repeats; k++) {
        probe_synchronise(context);
        double start = MPI_Wtime();
        MPI_Win_fence(0, window);
        seconds += MPI_Wtime() - start;
    }
    MPI_Win_free(&window);
    return seconds / (double)repeats;
}

double probe_time_barrier(const probe_context *context, size_t m, size_t repeats) {
    (void)m;
    double seconds = 0;
    for (size_t k = 0; k < repeats; k++) {
        probe_synchronise(context);
        double start = MPI_Wtime();
        MPI_Barrier(context->communicator);
        seconds += MPI_Wtime() - start;
    }
    return seconds / (double)repeats;
}

/* Lets the data lie for as long as a program works on a matrix of m bytes between dealing it out
 * and collecting it: other programs on the node, or beside a virtual machine, need the caches, too,
 * and after some ten milliseconds most of what lay there is gone. */
static void let_lie(const probe_context *context, size_t m) {
    static const double flop_time = 1e-10; /* s */
    static const double longest = 0.02;    /* s */
    double work = 2.0 / 3 * pow((double)m / sizeof(double), 1.5);
    double end = probe_clock_steady() + fmin(work * flop_time, longest);
    while (!context->simulated && probe_clock_steady() < end) {
    }
}

/* Each process copies, all at once, as they do where they pack what they send. What is no larger
 * than a first cache stays there, and is too short to be timed one by one. */
double probe_time_copy(const probe_context *context, size_t m, size_t repeats) {
    enum { FIRST_CACHE = 16384 };
    size_t batch = m > FIRST_CACHE ? 1 : repeats;
    double seconds = 0;
    probe_synchronise(context);
    for (size_t done = 0; done < repeats; done += batch) {
        let_lie(context, m);
        double start = MPI_Wtime();
        for (size_t k = 0; k < batch; k++) {
            memcpy(context->receive, context->send, m);
            /* Keeps the compiler from making one copy of them all. */
            __asm__ volatile("" : : "r"(context->receive) : "memory");
        }
        seconds += MPI_Wtime() - start;
    }
    return seconds / (double)repeats;
}

/* Rounds of broadcast, work on the rows that each process has left, and barrier, as an elimination
 * makes them. */
enum { ROUNDS = 8, ROWS_TIMED = 8, ROUNDS_FIRST = 3 };

typedef struct round_shape {
    size_t width; /* numbers of a row */
    size_t rows;  /* of this process: its share of a square matrix */
} round_shape;

static round_shape shape_of(const probe_context *context, size_t m) {
    size_t processes = (size_t)context->processes;
    round_shape shape = {.width = m / sizeof(double) + 1};
    size_t share = (shape.width + processes - 1) / processes;
    size_t most = context->block_most / shape.width;
    most = most > ROUNDS ? most - ROUNDS : 0;
    shape.rows = share < most ? share : most;
    return shape;
}

/* One round; gives the seconds of its messages and of the first rows after them, whose work is what
 * the row just received slows down. Without `communicating`, of these rows alone. */
static double time_round(const probe_context *context, round_shape shape, size_t round,
                         bool communicating) {
    int root = (int)(round % (size_t)context->processes);
    /* The first rows of the block are for the pivots: the work in between drives them out of the
     * caches as it does in an elimination. */
    double *pivot_row =
        root == context->rank ? context->block + round * shape.width : context->pivot;
    double *rows = context->block + ROUNDS * shape.width;
    size_t first = shape.rows < ROWS_TIMED ? shape.rows : ROWS_TIMED;
    double *rest = rows + first * shape.width;
    double start = MPI_Wtime();
    if (communicating) {
        MPI_Bcast(pivot_row, (int)shape.width, MPI_DOUBLE, root, context->communicator);
    }
    pivot_row[0] = (double)shape.width;
    ge_update(rows, first, shape.width, 0, shape.width, pivot_row);
    double worked = MPI_Wtime();
    ge_update(rest, shape.rows - first, shape.width, 0, shape.width, pivot_row);
    double arrived = MPI_Wtime();
    if (communicating) {
        MPI_Barrier(context->communicator);
    }
    return worked - start + (MPI_Wtime() - arrived);
}

/* Fewer rounds than processes, from processes that are to be apart: the places of a node take turns
 * on nodes from all over the system. A fixed step would come to the same nodes again and again,
 * multiples of the golden ratio do not. */
static int root_apart(const probe_context *context, int round) {
    static const double golden = 0.6180339887498949;
    int places = context->placement.with_first;
    double part = golden * round;
    double node = floor((part - floor(part)) * ceil((double)context->processes / places));
    return ((int)node * places + round % places) % context->processes;
}

static bool starts_all(const probe_context *context) {
    return context->roots == 0 || context->roots >= context->processes;
}

/* As many rounds as it takes until each process has started about one, where they start them as
 * rows are dealt out to them: each in turn where they are alike. Of a few processes that are not,
 * orders are many. */
static int rounds_dealt(const probe_context *context) {
    enum { TIMES_MOST = 4 }; /* as many rounds as processes; much slower ones start none */
    static const double unlike_least = 32;
    double least = 1;
    double most = 0;
    for (int q = 0; q < context->processes; q++) {
        least = fmin(least, context->shares[q]);
        most = fmax(most, context->shares[q]);
    }
    double rounding = 1e-9;
    double rounds = fmin(ceil(1 / least - rounding), (double)TIMES_MOST * context->processes);
    return (int)(most > least * (1 + rounding) ? fmax(rounds, unlike_least) : rounds);
}

/* Which process starts each round, and what the round counts: a process has as many rows, and so
 * starts as many rounds, as it is fast. The first ones do not count. False where memory is short.
 */
static bool choose_roots(const probe_context *context, int rounds, int *root, double *weight) {
    double *counts = calloc((size_t)context->processes, sizeof *counts);
    bool chosen = counts != NULL && (!starts_all(context) ||
                                     isocast_distribution_cyclic((size_t)rounds, context->shares,
                                                                 context->processes, counts, root));
    for (int round = 0; round < rounds && chosen && !starts_all(context); round++) {
        int in_turn = round % context->processes;
        root[round] = context->roots_apart ? root_apart(context, round) : in_turn;
    }
    for (int q = 0; q < context->processes && chosen; q++) {
        counts[q] = 0;
    }
    for (int round = ROUNDS_FIRST; round < rounds && chosen; round++) {
        counts[root[round]]++;
    }
    for (int round = ROUNDS_FIRST; round < rounds && chosen; round++) {
        weight[round] = context->shares[root[round]] / counts[root[round]];
    }
    free(counts);
    return chosen;
}

/* In a simulation work takes no time here and caches none: rounds one after the other, after a few
 * that get them going. Who was the root before shows who comes late: processes of a fast node
 * follow each other more often. Some processes leave a round before others, and others leave the
 * next one first. That cancels over all rounds, but not where they count differently: so the mean
 * over the processes is taken. */
static double time_simulated_rounds(const probe_context *context, size_t m) {
    int rounds = ROUNDS_FIRST + (starts_all(context) ? rounds_dealt(context) : (int)context->roots);
    int *root = calloc((size_t)rounds, sizeof *root);
    double *weight = calloc((size_t)rounds, sizeof *weight);
    if (root == NULL || weight == NULL || !choose_roots(context, rounds, root, weight)) {
        free(root);
        free(weight);
        MPI_Abort(context->communicator, 5);
        return NAN;
    }
    double seconds = 0;
    double weights = 0;
    probe_synchronise(context);
    double before = MPI_Wtime();
    for (int round = 0; round < rounds; round++) {
        MPI_Bcast(context->send, (int)m, MPI_BYTE, root[round], context->communicator);
        MPI_Barrier(context->communicator);
        double now = MPI_Wtime();
        seconds += weight[round] * (now - before);
        weights += weight[round];
        before = now;
    }
    free(root);
    free(weight);
    double sum;
    MPI_Allreduce(&seconds, &sum, 1, MPI_DOUBLE, MPI_SUM, context->communicator);
    return sum / context->processes / weights;
}

/* What a broadcast and a barrier add to a round of an elimination, the mean over the processes,
 * which all end a round together. Alone they are faster: the row comes from cold caches and goes to
 * cold ones, and a barrier after work waits for the slowest. Only what may differ is timed; the
 * difference of whole rounds would be lost in the noise of the work. */
double probe_time_bcast_barrier(const probe_context *context, size_t m, size_t repeats) {
    if (context->simulated) {
        return time_simulated_rounds(context, m);
    }
    round_shape shape = shape_of(context, m);
    double added = 0;
    for (size_t k = 0; k < repeats; k++) {
        for (int communicating = 1; communicating >= 0; communicating--) {
            probe_synchronise(context);
            for (size_t round = 0; round < ROUNDS; round++) {
                double seconds = time_round(context, shape, round, communicating != 0);
                added += communicating != 0 ? seconds : -seconds;
            }
        }
    }
    double sum;
    MPI_Allreduce(&added, &sum, 1, MPI_DOUBLE, MPI_SUM, context->communicator);
    double mean = sum / context->processes / (double)(ROUNDS * repeats);
    return mean > 0 ? mean : 0;
}

static void fill_block(const probe_context *context, size_t count) {
    for (size_t k = 0; k < count; k++) {
        context->block[k] = (double)(k % 1009) / 1009 - 0.5;
    }
}

void probe_prepare_bcast_barrier(const probe_context *context, size_t m) {
    round_shape shape = shape_of(context, m);
    fill_block(context, (ROUNDS + shape.rows) * shape.width);
    for (size_t k = 0; k < shape.width; k++) {
        context->pivot[k] = k % 2 == 0 ? 0.25 : -0.25;
    }
}
