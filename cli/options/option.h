/* What a subcommand says of its options and arguments. Pure data. */
#ifndef CLI_OPTION_H
#define CLI_OPTION_H

#include <stdbool.h>
#include <stddef.h>

typedef enum cli_option_kind {
    CLI_OPTION_FLAG,   /* target: bool *, set to true */
    CLI_OPTION_TEXT,   /* target: const char **, the argument */
    CLI_OPTION_SHARES, /* the same for shares such as efficiencies, where 1 is all: "0.2,0.4". What
                          looks like a percentage gets a warning */
    CLI_OPTION_INPUT,  /* the same for a file that is read, or the name of a specification */
    CLI_OPTION_OUTPUT, /* the same for a file that is written */
    CLI_OPTION_NUMBER, /* target: double *, finite */
    CLI_OPTION_SHARE,  /* the same for a share, as SHARES */
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
    const char *beside; /* ending of what is written beside --output where no option names a place
                           for it; NULL: nothing is */
    size_t fewest;      /* positional arguments */
    size_t most;        /* (size_t)-1: any number */
    size_t words;       /* positional arguments that come first and name no input file */
} cli_usage;

#endif
