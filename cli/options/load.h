/* Loads what the command line names: an algorithm, a machine, and both bound. Tells every problem
 * on stderr; renders nothing else. */
#ifndef CLI_LOAD_H
#define CLI_LOAD_H

#include <stdbool.h>

#include "exit.h"
#include "model/solve/model.h"

/* Start from {0}. */
typedef struct cli_loaded {
    char *algorithm_path;
    char *machine_path; /* NULL where no machine was named, like the machine */
    isocast_algorithm *algorithm;
    isocast_machine *machine;
    isocast_model *model; /* NULL where the two were loaded apart */
} cli_loaded;

/* Each argument is a path, "-" (one of them), or the name of an installed specification. All
 * problems of both files are told before it gives up; warnings are left out where `quiet`. Gives an
 * exit status; nothing is to be freed unless it is CLI_EXIT_OK. */
int cli_load(const char *algorithm, const char *machine, bool quiet, cli_loaded *out);

/* The same without binding the two, for what needs only W and C; `machine` may be NULL. */
int cli_load_apart(const char *algorithm, const char *machine, bool quiet, cli_loaded *out);
void cli_loaded_free(cli_loaded *loaded);

#endif
