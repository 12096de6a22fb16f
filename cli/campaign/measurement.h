/* A kernel that is run on systems of a machine: one launch a repetition, each a row of the runs
 * file. Plans nothing: which runs to make is its users'. */
#ifndef CLI_MEASUREMENT_H
#define CLI_MEASUREMENT_H

#include "calibrate/campaign/node.h"
#include "cli/options/options.h"
#include "model/spec/machine.h"
#include "model/spec/system.h"
#include "run_file.h"
#include "simulation.h"

enum { CLI_KERNEL_NAME_MOST = 64 };

/* Start from {.runs = {.file = -1}}. */
typedef struct cli_measurement {
    const cli_usage *usage;
    const char *kernel;
    const char *launcher; /* NULL: the default */
    long seed;
    long repetitions;
    bool quiet;
    const isocast_machine *machine;
    cli_simulation *simulation; /* runs are simulated on it; NULL: they are real */
    node_description node;
    cli_run_file runs;
    char algorithm[CLI_KERNEL_NAME_MOST]; /* of the kernel */
    char *program;                        /* isocast-kernel, or isocast-kernel-simulated */
} cli_measurement;

/* Looks the kernel up in the program's own list, which needs no MPI launcher. Gives an exit status,
 * like the next ones, which tell on stderr what is wrong. */
int cli_measurement_find_kernel(cli_measurement *m);

/* Opens the runs file; from here on signals (interrupt.h) end what is running and are told. */
int cli_measurement_begin(cli_measurement *m, const char *path);
void cli_measurement_end(cli_measurement *m);

/* T in s of a repetition that the file held when it was opened; NAN where it held none. */
double cli_measurement_known(const cli_measurement *m, const isocast_system *system, double N,
                             long repetition);

/* Runs a repetition and adds its row. *T gets its time in s, or NAN where N does not fit into
 * memory, which is told and is no failure of the measurement. */
int cli_measurement_run(cli_measurement *m, const isocast_system *system, double N, long repetition,
                        double *T);

/* Whether progress is shown: on a terminal, unless quiet. The line is cleared by an empty one. */
bool cli_measurement_shows(const cli_measurement *m);
void cli_measurement_clear(const cli_measurement *m);

#endif
