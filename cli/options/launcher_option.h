/* The launchers that have names (specs/launchers.yaml): what --launcher comes to. Starts nothing.
 */
#ifndef CLI_LAUNCHER_OPTION_H
#define CLI_LAUNCHER_OPTION_H

#include "options.h"

/* Start from {0}. */
#define CLI_LAUNCHER_HELP                                                                          \
    "how to start MPI programs: mpich, slurm or another name of specs/launchers.yaml, or a "       \
    "command in which {processes} stands for the number of processes (default: mpich)"

typedef struct cli_launcher {
    char *command;   /* with placeholders; NULL: the default */
    long processors; /* that the batch job has on all its nodes; 0: only this node's are known */
} cli_launcher;

/* `text` is a name of the table, or a command; NULL is the default. One that works only in a batch
 * job is refused outside of it. Gives an exit status; tells on stderr what is wrong. */
int cli_launcher_find(const cli_usage *usage, const char *text, cli_launcher *out);

/* The processors that there are for processes: of the batch job, or of this node. */
long cli_launcher_processors(const cli_launcher *launcher);

void cli_launcher_free(cli_launcher *launcher);

#endif
