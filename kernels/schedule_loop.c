#include <math.h>

#include <mpi.h>

#include "schedule.h"

/* Multiplications and additions in chains that do not wait for each other. */
enum { CHAINS = 8, FLOP_PER_TURN = 2 * CHAINS, TRIALS = 20 };
static const double turns_of_trial = 1e5;

static double turn_around(double turns, double start) {
    double chains[CHAINS];
    for (int k = 0; k < CHAINS; k++) {
        chains[k] = start + k;
    }
    for (double i = 0; i < turns; i++) {
        for (int k = 0; k < CHAINS; k++) {
            chains[k] = chains[k] * 0.999999 + 1e-6;
        }
    }
    double sum = 0;
    for (int k = 0; k < CHAINS; k++) {
        sum += chains[k];
    }
    return sum;
}

void schedule_loop_calibrate(double time_per_flop, schedule_loop *out) {
    *out = (schedule_loop){.flop_per_flop = 1, .kept = 1};
    double shortest = INFINITY;
    for (int i = 0; i < TRIALS && time_per_flop > 0; i++) {
        double begin = MPI_Wtime();
        out->kept = turn_around(turns_of_trial, out->kept);
        shortest = fmin(shortest, MPI_Wtime() - begin);
    }
    if (time_per_flop > 0 && shortest > 0) {
        out->flop_per_flop = time_per_flop * turns_of_trial * FLOP_PER_TURN / shortest;
    }
}

void schedule_loop_run(schedule_loop *loop, double flop) {
    loop->owed += flop * loop->flop_per_flop;
    double turns = floor(loop->owed / FLOP_PER_TURN);
    loop->owed -= turns * FLOP_PER_TURN;
    loop->kept = turn_around(turns, loop->kept);
}
