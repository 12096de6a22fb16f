/* The steps of isocast study as commands of isocast: each is shown as a line that does it alone,
 * and run as a process of its own. Plans nothing. */
#ifndef CLI_STUDY_RUN_H
#define CLI_STUDY_RUN_H

#include <stdio.h>

#include "calibrate/campaign/launcher.h"
#include "calibrate/campaign/own_program.h"
#include "calibrate/campaign/study_plan.h"

/* What a study is about, and where it keeps what it finds. */
typedef struct cli_study {
    campaign_own_program program;
    size_t size_word;     /* the word of the program that has the size, counted from 1 behind it */
    const char *command;  /* of the program, as --command takes it */
    const char *folder;   /* without a slash at its end */
    const char *launcher; /* of --launcher; NULL: none */
    const char *marked_speed; /* of --marked-speed; NULL: none */
    const char *isocast;      /* path of this program */
    FILE *commands;           /* gets the line of each step */
    FILE *said;               /* gets what the program prints where it is recorded */
    double spent;             /* s, before the step */
    bool quiet;
} cli_study;

/* A command line on its way: the words, and the line that a shell makes them of. Start from {0}. */
typedef struct cli_study_line {
    char **words; /* [count], then NULL */
    size_t count;
    isocast_buffer shown;
    bool failed; /* memory was short */
} cli_study_line;

/* Adds words; the last one is NULL. Those that are formatted are one word. */
void cli_study_put(cli_study_line *line, const char *word, ...);
void cli_study_putf(cli_study_line *line, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void cli_study_line_free(cli_study_line *line);

/* Shows a command and runs it, for `limit` s at most (0: without a limit). What it prints goes
 * where this process prints, or where `said` is not NULL into that. Gives PROGRAM where it failed,
 * with its exit status and the end of its errors in *end; INTERRUPTED, IO, NO_MEMORY. */
isocast_status cli_study_execute(const cli_study *study, cli_study_line *line, double limit,
                                 FILE *said, launcher_end *end);

/* What a record shows beside the result. */
typedef struct cli_study_seen {
    bool recorded;  /* there is a record: the program came to MPI_Init */
    bool lines;     /* a call site has a source line */
    double threads; /* processor time of other threads over that of those that call MPI */
} cli_study_seen;

/* Makes the plan's step. Where the step failed and the plan goes on, *result says so, and a
 * sentence on stderr. Gives OK, or INTERRUPTED, IO, NO_MEMORY, where the study cannot go on now. */
isocast_status cli_study_step(const cli_study *study, const campaign_study_step *step,
                              campaign_study_result *result, cli_study_seen *seen);

#endif
