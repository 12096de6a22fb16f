/* What the driver's command line asks for. */
#ifndef KERNEL_DRIVER_OPTIONS_H
#define KERNEL_DRIVER_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "kernel.h"

enum { EXIT_WRONG_RESULT = 1, EXIT_USAGE = 2, EXIT_INVALID = 3, EXIT_SYSTEM = 5 };

enum { DRIVER_SETTINGS_MAX = 32 };

/* The command line of the driver. */
typedef struct driver_options {
    const kernel *kernel;
    const char *name; /* of the kernel, or the path of the algorithm file */
    long N;
    long repetitions;
    long first_repetition;
    long seed;
    long warm_up;
    long warm_up_time; /* ms */
    const char *speeds;
    const char *system;
    const char *machine;
    bool header;
    bool verify;
    bool show_distribution;
    bool modelled;  /* arithmetic takes simulated time and is not done */
    double stretch; /* so many times that of its flops, as it waits for memory */
    /* Of isocast-schedule alone. */
    const char *settings[DRIVER_SETTINGS_MAX]; /* [setting_count], "NAME=VALUE" */
    size_t setting_count;
    double nodes;         /* 0: not known */
    double time_per_flop; /* s; 0: as the loop of work has it */
} driver_options;

/* What isocast-kernel and isocast-schedule do in their own ways: driver_kernels.c, and
 * driver_schedule.c. */
typedef struct driver_program {
    const char *name;    /* "isocast-kernel" */
    const char *usage;   /* its first lines */
    const char *options; /* lines of the usage of its own */
    bool schedules;
    /* Whether there is a kernel of the name; sets o->kernel where that is known now. */
    bool (*choose)(driver_options *o, bool loud);
    /* Sets o->kernel else. Gives an exit status; shows what is wrong. Collective. */
    int (*prepare)(driver_options *o, const kernel_task *task, int rank, int processes);
    int (*list)(void); /* NULL: there is nothing to list */
} driver_program;
extern const driver_program driver_this;

void driver_print_usage(FILE *file);

/* Reads the options; false where they are not understood, with a message from the process that is
 * to be loud. */
bool driver_read_options(int argc, char **argv, bool loud, driver_options *out);

#endif
