/* Options from one table per subcommand, which also prints the help. Knows no subcommand. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdio.h>

#include "model/base/buffer.h"
#include "option.h"

/* What every subcommand takes; targets of the common part of the table. */
typedef struct cli_common {
    const char *format; /* "table", "json", "csv", "markdown", "latex" */
    const char *output; /* path, "-" is standard output; NULL: standard output */
    bool quiet;
} cli_common;

/* One call of a subcommand. Start from {0}. */
typedef struct cli_call {
    const cli_usage *usage;
    int argc; /* the command line, for the provenance; argv[0] is the subcommand */
    char *const *argv;
    cli_common common;
    const char *const *positional; /* [count] */
    size_t count;
} cli_call;

/* Parses argv (argv[0] is the subcommand) by the table plus the common options (--format,
 * -o/--output, --quiet, --help) into *call, lets `run` do what the line asks for, and frees the
 * positional arguments and the lists that options filled. "--name=value" and "--" work; an output
 * that is an input, or another output, is refused; an unknown option is answered with the nearest
 * known one; all goes to stderr, the help to stdout. Outputs are claimed
 * (calibrate/campaign/claim.h), so that two commands that write one file do not both work. Gives
 * the exit status, where `run` is called its own. */
int cli_call_run(const cli_usage *usage, const cli_option *options, int argc, char **argv,
                 cli_call *call, int (*run)(void *context), void *context);

/* The name of what is written beside an output: that with another ending in place of ".yaml". */
void cli_beside_output(const char *output, const char *ending, isocast_buffer *out);

/* "2e7", "20Mflop/s", "20 Mflop/s" as flop/s; false for what is no speed. */
bool cli_speed_parse(const char *text, double *speed);

/* Prints a usage error for things that only the subcommand can see: "isocast predict: ..." and
 * where to read more. Gives CLI_EXIT_USAGE, to return from the subcommand. */
int cli_usage_error(const cli_usage *usage, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
