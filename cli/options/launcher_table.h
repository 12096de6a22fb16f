/* The table of launchers, specs/launchers.yaml, as it stands in the file. Checks no command and
 * starts nothing. */
#ifndef CLI_LAUNCHER_TABLE_H
#define CLI_LAUNCHER_TABLE_H

#include "model/yaml/tree.h"

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

#endif
