/* Exit statuses of the command, the same for every subcommand. */
#ifndef CLI_EXIT_H
#define CLI_EXIT_H

enum cli_exit {
    CLI_EXIT_OK = 0,
    CLI_EXIT_CHECK_FAILED = 1, /* validate: an error over its limit; plot/check: a check said no */
    CLI_EXIT_USAGE = 2,        /* the command line */
    CLI_EXIT_INVALID = 3,      /* an input file */
    CLI_EXIT_NO_SOLUTION = 4,  /* at least one row has none; the others were printed */
    CLI_EXIT_SYSTEM = 5        /* a file that cannot be written, mpiexec missing, a full disk */
};

#endif
