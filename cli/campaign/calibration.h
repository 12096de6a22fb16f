/* The measuring of a calibration: launches of the probe that together end with the budget, their
 * samples kept as they come. Fits nothing, writes no machine file. */
#ifndef CLI_CALIBRATION_H
#define CLI_CALIBRATION_H

#include "calibrate/campaign/launcher.h"
#include "calibrate/campaign/node.h"
#include "refinement.h"
#include "sample_file.h"

/* Start from {.file = {.file = -1}}. */
typedef struct cli_calibration {
    const char *command; /* for messages; NULL: calibrate */
    bool quiet;
    const char
        *sizes; /* of messages, as the probe's option; NULL: the usual, and what refines them */
    const char *problems; /* of kernels, likewise */
    const char *launcher; /* command line; NULL: the default */
    const char *probe;    /* the program */
    node_description node;
    long processors;         /* of all nodes that the launcher has; 0: those of this node */
    const double *processes; /* [process_count] */
    size_t process_count;
    long launches;       /* of each count of processes; 0: as many as the budget has time for */
    long seed;           /* of the order of measuring */
    double budget;       /* s, of the whole command */
    double started;      /* s of cli_calibration_clock() when the command was */
    double extent;       /* how much is measured, of all that is usual; 0: all of it */
    const char *weights; /* what is measured, as the probe's option; NULL: the usual */
    /* Called after every launch of all counts of processes, to set the weights anew; may be NULL */
    void (*reweigh)(struct cli_calibration *c, void *context);
    void *reweigh_context;

    samples samples;
    cli_refinement refinement; /* while measuring, unless sizes are given */
    cli_sample_file file;      /* closed: the samples are not kept */
    char plans_path[4096]; /* empty: none; what a launch finds out of transforms, for the next */
    double spent;          /* s that launches of the calibration that is resumed took */
    double planned;        /* s that the last launch planned transforms */
    double share_sum;      /* of a processor that the processes had, of all launches */
    size_t share_count;
    double others;  /* share of the processors that other programs used; NAN unknown */
    double shown;   /* s, when the progress was shown last */
    double flushed; /* s, when samples were written last */
    size_t launch_now, launches_now; /* for the progress: which of how many */
    char stray[1024];                /* lines of the launch that are no samples */
    size_t clock_jumps;              /* that the probe told of */
} cli_calibration;

/* Seconds of a clock that nobody sets. */
double cli_calibration_clock(void);

/* Runs the launches that the samples do not have yet. Gives an exit status like the next; what is
 * wrong is told on stderr. */
int cli_calibration_measure(cli_calibration *c);

/* Takes what the probe writes; context: the calibration. */
bool cli_calibration_take_line(const char *line, void *context);

/* Says how a launch ended. */
int cli_calibration_tell_launch(cli_calibration *c, launcher_status status, int exit_code,
                                const launcher_message *message);

/* Whether there are more processes than processors. */
bool cli_calibration_is_oversubscribed(const cli_calibration *c, double processes);

/* The problem size at which marked speeds are measured, and the working set that it is on one
 * process, B. */
enum { CLI_CALIBRATION_BENCHMARK = 1024 };
#define CLI_CALIBRATION_BENCHMARK_BYTES (8.0 * CLI_CALIBRATION_BENCHMARK * 1025)

#endif
