/* The launchers that have names (specs/launchers.yaml): what --launcher comes to. Starts nothing.
 */
#ifndef CLI_LAUNCHER_OPTION_H
#define CLI_LAUNCHER_OPTION_H

#include "model/yaml/tree.h"
#include "options.h"

/* The table of launchers, specs/launchers.yaml, as it stands in the file. Checks no command and
 * starts nothing. */

/* A row; its texts live in the tree. */
typedef struct cli_launcher_row {
    const isocast_tree_node *key; /* its text is the name */
    const char *command;          /* with placeholders; NULL where the file has none */
    const char *inside;           /* a variable that is set where it works; NULL: everywhere */
    const char *processors;       /* a variable that holds their number; NULL: there is none */
} cli_launcher_row;

/* Reads the file. Errors, each with diagnostics: IO, INVALID, NO_MEMORY. Free *out with
 * isocast_tree_free(). */
isocast_status cli_launcher_table_read(const char *path, isocast_diagnostics *diagnostics,
                                       isocast_tree **out);

size_t cli_launcher_table_count(const isocast_tree *table);
cli_launcher_row cli_launcher_table_row(const isocast_tree *table, size_t row);

/* Start from {0}. */
#define CLI_LAUNCHER_HELP                                                                          \
    "how to start MPI programs: mpich, slurm or another name of specs/launchers.yaml, or a "       \
    "command in which {processes} stands for the number of processes (default: mpich)"

typedef struct cli_launcher {
    char *command;   /* with placeholders; NULL: the default */
    long processors; /* that the batch job has on all its nodes; 0: only this node's are known */
} cli_launcher;

/* `text` is a name of the table, or a command; NULL is the default. One that works only in a batch
 * job is refused outside of it. Gives an exit status; reports on stderr what is wrong. */
int cli_launcher_find(const cli_usage *usage, const char *text, cli_launcher *out);

/* The processors that there are for processes: of the batch job, or of this node. */
long cli_launcher_processors(const cli_launcher *launcher);

void cli_launcher_free(cli_launcher *launcher);

#endif
