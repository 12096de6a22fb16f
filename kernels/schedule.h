/* The program of an algorithm file as a kernel: its messages are sent, its work takes the time of
 * as many flop, and nothing else is computed. Knows no algorithm. */
#ifndef KERNEL_SCHEDULE_H
#define KERNEL_SCHEDULE_H

#include "kernel.h"
#include "model/schedule/rehearsal.h"
#include "model/spec/algorithm_program.h"

/* What is executed, the same on all processes. */
typedef struct schedule_plan {
    isocast_algorithm *algorithm;
    isocast_algorithm_run *run;
    double N;
    isocast_rehearsal rehearsal;
    double time_per_flop; /* s; 0: as the loop of work has it */
} schedule_plan;

/* The kernel that executes a plan, which is borrowed. There is one in a process. */
const kernel *schedule_use(const schedule_plan *plan);

/* Why it cannot be executed; NULL where it can. Modelled: its memory holds nothing. */
const char *schedule_obstacle(const schedule_plan *plan, bool modelled);

/* Takes the time of so many flop, on a real processor. */
typedef struct schedule_loop {
    double flop_per_flop; /* that the loop does for one of the program */
    double owed;          /* flop that were too few for a turn of it */
    double kept;          /* a result, so that nothing is left out */
} schedule_loop;

/* Finds how many flop the loop does in time_per_flop seconds; 0: one. Takes a few milliseconds. */
void schedule_loop_calibrate(double time_per_flop, schedule_loop *out);
void schedule_loop_run(schedule_loop *loop, double flop);

#endif
