/* What the driver's command line asks for. */
#ifndef KERNEL_DRIVER_OPTIONS_H
#define KERNEL_DRIVER_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "kernel.h"

/* The command line of the driver. */
typedef struct driver_options {
    const kernel *kernel;
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
    bool modelled; /* arithmetic takes simulated time and is not done */
} driver_options;

/* All kernels that are programs, NULL-terminated. */
extern const kernel *const driver_kernels[];

void driver_print_usage(FILE *file);

/* Reads the options; false where they are not understood, with a message from the process that is
 * to be loud. */
bool driver_read_options(int argc, char **argv, bool loud, driver_options *out);

#endif
