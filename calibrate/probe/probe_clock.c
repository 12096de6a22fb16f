#include "probe_clock.h"

#include <math.h>
#include <time.h>

#include "kernels/together.h"

enum { TAG_SYNCHRONISE = 3, TAG_CLOCK = 6, ROUND_TRIPS = 12, BARRIERS = 20 };

/* The start lies so many barriers in the future, and this many seconds. */
static const double slack_barriers = 1.5;
static const double slack_least = 1e-6;
/* After a late start the slack grows by this, up to that many seconds. */
static const double slack_growth = 1.3;
static const double slack_most = 2e-3;
static const double wait_most = 0.1; /* s */
/* Two estimates of a clock's offset agree to within the round trip, or this many seconds. */
static const double offset_agreement = 1e-6;
/* What a clock that is slewed may gain (adjtimex(2): 500 ppm), and the noise of reading two. */
static const double slewed_most = 1e-3;
static const double jump_least = 2e-3; /* s */

static struct {
    bool common;
    double offset; /* s, from this process's clock to that of process 0 */
    double slack;  /* s */
    size_t late;
    double agreed; /* s, steady clock, when the offset was estimated; 0: never */
} shared;

double probe_clock_steady(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Dissemination barrier (Hensgen, Finkel, Manber 1988) on the probe's own messages: the library's
 * barrier is one of the operations, and its algorithm is known to disturb the one after it. It
 * carries the largest of the times that the processes bring. */
static double barrier(const probe_context *context, double time) {
    for (int distance = 1; distance < context->processes; distance *= 2) {
        int to = (context->rank + distance) % context->processes;
        int from = (context->rank - distance + context->processes) % context->processes;
        double other = time;
        MPI_Sendrecv(&time, 1, MPI_DOUBLE, to, TAG_SYNCHRONISE, &other, 1, MPI_DOUBLE, from,
                     TAG_SYNCHRONISE, context->synchronisation, MPI_STATUS_IGNORE);
        time = fmax(time, other);
    }
    return time;
}

void probe_let_others_end(const probe_context *context) {
    if (context->simulated) {
        together_let_others_end();
    }
}

/* The start is as long after the last one's arrival as a barrier takes to state everyone. */
void probe_synchronise(const probe_context *context) {
    if (context->simulated) {
        together_start(context->synchronisation);
        return;
    }
    if (!shared.common) {
        barrier(context, 0);
        return;
    }
    double start = barrier(context, MPI_Wtime() + shared.offset + shared.slack) - shared.offset;
    double now = MPI_Wtime();
    if (now > start) {
        shared.late++;
        shared.slack = fmin(shared.slack * slack_growth, slack_most);
    }
    /* A clock that is set back must not keep the process waiting until it has caught up. */
    while (now < start && start - now <= wait_most) {
        now = MPI_Wtime();
    }
}

/* Process 0 asks each of the others for its time; *error gets half the shortest round trip. */
static double offset_of(const probe_context *context, int other, double *error) {
    double least = INFINITY;
    double offset = 0;
    for (int k = 0; k < ROUND_TRIPS; k++) {
        double theirs = 0;
        double sent = MPI_Wtime();
        MPI_Send(&sent, 1, MPI_DOUBLE, other, TAG_CLOCK, context->synchronisation);
        MPI_Recv(&theirs, 1, MPI_DOUBLE, other, TAG_CLOCK, context->synchronisation,
                 MPI_STATUS_IGNORE);
        double received = MPI_Wtime();
        if (received - sent < least) {
            least = received - sent;
            offset = (sent + received) / 2 - theirs;
        }
    }
    *error = least / 2;
    return offset;
}

static void answer(const probe_context *context) {
    for (int k = 0; k < ROUND_TRIPS; k++) {
        double asked;
        MPI_Recv(&asked, 1, MPI_DOUBLE, 0, TAG_CLOCK, context->synchronisation, MPI_STATUS_IGNORE);
        double now = MPI_Wtime();
        MPI_Send(&now, 1, MPI_DOUBLE, 0, TAG_CLOCK, context->synchronisation);
    }
}

/* The offset of this process and its error: [0] and [1]. */
static void estimate(const probe_context *context, double *found) {
    found[0] = 0;
    found[1] = 0;
    for (int other = 1; other < context->processes; other++) {
        if (context->rank == 0) {
            double result[2];
            result[0] = offset_of(context, other, &result[1]);
            MPI_Send(result, 2, MPI_DOUBLE, other, TAG_CLOCK, context->synchronisation);
        } else if (context->rank == other) {
            answer(context);
            MPI_Recv(found, 2, MPI_DOUBLE, 0, TAG_CLOCK, context->synchronisation,
                     MPI_STATUS_IGNORE);
        }
    }
}

void probe_clock_agree(const probe_context *context) {
    shared.common = false;
    shared.late = 0;
    if (context->simulated || context->processes < 2) {
        return;
    }
    double first[2];
    double second[2];
    estimate(context, first);
    estimate(context, second);
    int good = fabs(first[0] - second[0]) <= fmax(offset_agreement, first[1] + second[1]);
    int all_good;
    double barriers = MPI_Wtime();
    for (int k = 0; k < BARRIERS; k++) {
        barrier(context, 0);
    }
    barriers = (MPI_Wtime() - barriers) / BARRIERS;
    double slowest;
    MPI_Allreduce(&barriers, &slowest, 1, MPI_DOUBLE, MPI_MAX, context->synchronisation);
    MPI_Allreduce(&good, &all_good, 1, MPI_INT, MPI_MIN, context->synchronisation);
    shared.offset = first[1] <= second[1] ? first[0] : second[0];
    shared.slack = fmin(slack_barriers * slowest + slack_least, slack_most);
    shared.common = all_good != 0;
    shared.agreed = probe_clock_steady();
}

double probe_clock_age(void) {
    return shared.agreed > 0 ? probe_clock_steady() - shared.agreed : INFINITY;
}

void probe_clock_forget(void) {
    shared.common = false;
    shared.late = 0;
}

bool probe_clock_is_common(void) {
    return shared.common;
}

size_t probe_clock_late(void) {
    size_t late = shared.late;
    shared.late = 0;
    return late;
}

/* The process may be put aside between the two readings: those that lie closest together count. */
probe_clock_mark probe_clock_now(void) {
    enum { TRIES = 5 };
    probe_clock_mark mark = {0};
    double least = INFINITY;
    for (int k = 0; k < TRIES; k++) {
        double before = probe_clock_steady();
        double wall = MPI_Wtime();
        double after = probe_clock_steady();
        if (after - before < least) {
            least = after - before;
            mark = (probe_clock_mark){wall, (before + after) / 2};
        }
    }
    return mark;
}

double probe_clock_jump(const probe_clock_mark *since) {
    probe_clock_mark now = probe_clock_now();
    double steady = now.steady - since->steady;
    double jump = now.wall - since->wall - steady;
    return fabs(jump) > jump_least + slewed_most * steady ? jump : 0;
}
