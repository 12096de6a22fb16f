/* A kernel, or a program of the user's own, that is run on systems of a machine: one launch a
 * repetition, each a row of the runs file; and whether a launcher can put the processes of a system
 * where its name says. Plans nothing: which runs to make is its users'. */
#ifndef CAMPAIGN_KERNEL_RUN_H
#define CAMPAIGN_KERNEL_RUN_H

#include "model/spec/machine.h"
#include "model/spec/system.h"
#include "own_program.h"
#include "run_file.h"
#include "simulation.h"
#include "steps_run.h"

enum { CAMPAIGN_KERNEL_NAME_MAX = 64, CAMPAIGN_KERNELS_MAX = 64, CAMPAIGN_ROW_MAX = 1024 };

typedef struct campaign_kernel {
    char name[CAMPAIGN_KERNEL_NAME_MAX];
    char algorithm[CAMPAIGN_KERNEL_NAME_MAX]; /* the algorithm that its specification describes */
} campaign_kernel;

/* The kernels that the program has. Start from {0}. */
typedef struct campaign_kernel_list {
    campaign_kernel items[CAMPAIGN_KERNELS_MAX]; /* [count] */
    size_t count;
} campaign_kernel_list;

/* What is run, how, and on which machine. */
typedef struct campaign_kernel_setup {
    const campaign_listener *listener;
    const char *program;  /* isocast-kernel or isocast-schedule, or the one for the simulator */
    const char *launcher; /* NULL: the default */
    campaign_kernel kernel;
    long seed; /* of the input */
    const isocast_machine *machine;
    long processors; /* processors of the machine; runs with more processes are labelled */
    /* A program of the user's that is run instead of a kernel; its rows have the name and algorithm
     * of `kernel`. NULL: none. */
    const campaign_own_program *own;
    /* The program of an algorithm file that is run instead of one, likewise; NULL: none. */
    const campaign_steps *steps;
    campaign_simulation *simulation; /* runs are simulated on it; NULL: they are real */
    double timeout;                  /* s that a run may take; 0: as long as it seems right */
    /* Of the kernel or the program of steps: its traffic counts in a simulation. NULL: none. */
    const isocast_algorithm *algorithm;
} campaign_kernel_setup;

/* Asks isocast-kernel, which needs no MPI launcher for that. Errors: PROGRAM, INTERRUPTED and IO,
 * which are reported. */
isocast_status campaign_kernels_list(const char *program, const campaign_listener *listener,
                                     campaign_kernel_list *out);

/* The kernel with this name; NULL where there is none. */
const campaign_kernel *campaign_kernels_find(const campaign_kernel_list *list, const char *name);

/* T in s of a repetition that the file held when it was opened; NAN where it held none. */
double campaign_kernel_known(const campaign_kernel_setup *setup, const campaign_run_file *runs,
                             const isocast_system *system, double N, long repetition);

/* What a launch wrote. */
typedef struct campaign_kernel_row {
    char header[CAMPAIGN_ROW_MAX];
    char row[CAMPAIGN_ROW_MAX]; /* empty: N did not fit into memory, which was reported */
} campaign_kernel_row;

/* The number in a column of a row; NAN where there is none. */
double campaign_kernel_value(const campaign_kernel_row *row, const char *name);

/* Makes one run of a kernel or of a program of steps. `runs`: the path of the runs file, for
 * messages; NULL: there is none. Errors: those above, those of campaign_simulation_prepare(),
 * INVALID, ARGUMENT and NO_MEMORY. */
isocast_status campaign_kernel_launch(const campaign_kernel_setup *setup, const char *runs,
                                      const isocast_system *system, double N, long repetition,
                                      campaign_kernel_row *row);

/* Runs a repetition and adds its row. *T gets its time in s, or NAN where N does not fit into
 * memory, or its time is over the limit, which is reported and is no failure. Errors: those above,
 * INVALID and NO_MEMORY. */
isocast_status campaign_kernel_run(const campaign_kernel_setup *setup, campaign_run_file *runs,
                                   const isocast_system *system, double N, long repetition,
                                   double *T);

/* False, with the reason in *why (empty before), where it cannot: a set such as 4x2 needs a
 * launcher that is given {nodes} or {per_node}, and no launcher puts different numbers of processes
 * on different nodes. A number of processes goes anywhere. launcher: its command line; NULL: the
 * default. */
bool campaign_placement_possible(const isocast_system *system, const char *launcher,
                                 isocast_buffer *why);

#endif
