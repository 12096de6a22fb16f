/* Whether this process is one of several of one command, as mpiexec starts them, and which. */
#ifndef CLI_RANKS_JOIN_H
#define CLI_RANKS_JOIN_H

#include "cli/ranks/ranks.h"
#include "options.h"

/* Start from {0}. */
typedef struct cli_ranks {
    const ranks_functions *functions; /* NULL: this process is alone */
    int rank;                         /* 0: the one that speaks and writes */
    int count;                        /* 1: this process is alone */
} cli_ranks;

/* Joins the other ranks where a launcher says that there are some; those other than 0 neither print
 * nor say anything from then on. Reports on stderr why it cannot; gives an exit status. */
int cli_ranks_join(const char *command, cli_ranks *out);
void cli_ranks_leave(cli_ranks *ranks);

/* For commands that start MPI programs themselves: a usage error where a launcher started several
 * of this one, reported by the first of them. instead: the command line that is right. Gives an
 * exit status. */
int cli_ranks_refuse(const cli_usage *usage, const char *instead);

#endif
