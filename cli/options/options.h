/* Options from one table per subcommand, which also prints the help. Knows no subcommand. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef enum cli_option_kind {
    CLI_OPTION_FLAG,   /* target: bool *, set to true */
    CLI_OPTION_TEXT,   /* target: const char **, the argument */
    CLI_OPTION_INPUT,  /* the same for a file that is read, or the name of a specification */
    CLI_OPTION_OUTPUT, /* the same for a file that is written */
    CLI_OPTION_NUMBER, /* target: double *, finite */
    CLI_OPTION_COUNT,  /* target: long *, a whole number >= 0 */
    CLI_OPTION_TIME,   /* target: double *, seconds; "60s", "2 min"; a plain number is seconds */
    CLI_OPTION_SPEED,  /* target: double *, flop/s; "20Mflop/s", "2 Gflop/s"; a plain number is
                          flop/s */
    CLI_OPTION_LIST,   /* target: cli_list *, may be given several times */
    CLI_OPTION_FILES   /* the same; behind positional arguments it takes all words up to the next
                          option, as a pattern of the shell gives several */
} cli_option_kind;

/* The arguments of an option that may be repeated. Start from {0}. */
typedef struct cli_list {
    const char **items; /* [count] */
    size_t count;
} cli_list;

typedef struct cli_option {
    const char *name; /* "--base"; NULL ends the table */
    char letter;      /* "-o" as 'o'; 0 for none */
    cli_option_kind kind;
    const char *value_name; /* "SYSTEM" in the help; NULL for a flag */
    const char *help;       /* one sentence without a full stop; names the unit and the default */
    void *target;
} cli_option;

typedef struct cli_usage {
    const char *command;   /* "predict" */
    const char *arguments; /* "ALGORITHM MACHINE" */
    const char *summary;   /* one sentence */
    const char *details;   /* after the options; may be NULL. Each line is a paragraph that is
                              wrapped, except those that start with a blank: examples */
    const char *output;    /* help of --output; NULL: a file or standard output */
    size_t fewest;         /* positional arguments */
    size_t most;           /* (size_t)-1: any number */
    size_t words;          /* positional arguments that come first and name no input file */
} cli_usage;

/* What every subcommand takes; targets of the common part of the table. */
typedef struct cli_common {
    const char *format; /* "table", "json", "csv", "markdown" */
    const char *output; /* path, "-" is standard output; NULL: standard output */
    bool quiet;
} cli_common;

typedef enum cli_parse {
    CLI_PARSE_GO_ON,
    CLI_PARSE_HELP_SHOWN,
    CLI_PARSE_USAGE_ERROR,
    CLI_PARSE_NO_MEMORY
} cli_parse;

/* Parses argv (argv[0] is the subcommand) by the table plus the common options (--format,
 * -o/--output,
 * --quiet, --help). Positional arguments are moved to the front: argv[0 .. *positional_count - 1]
 * of the array given back in *positional, which is owned by the caller (free()). "--name=value" and
 * "--" work; an output that is an input, or another output, is refused; an unknown option is
 * answered with the nearest known one; all goes to stderr, the help to stdout. */
cli_parse cli_options_parse(const cli_usage *usage, const cli_option *options, int argc,
                            char **argv, cli_common *common, const char ***positional,
                            size_t *positional_count);

/* "2e7", "20Mflop/s", "20 Mflop/s" as flop/s; false for what is no speed. */
bool cli_speed_parse(const char *text, double *speed);

/* The exit status of a command that goes no further than its options; CLI_EXIT_OK for GO_ON. */
int cli_parse_exit(cli_parse parse);

/* Prints a usage error for things that only the subcommand can see: "isocast predict: ..." and
 * where to read more. Gives CLI_EXIT_USAGE, to return from the subcommand. */
int cli_usage_error(const cli_usage *usage, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
