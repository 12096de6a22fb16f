/* The steps of isocast study as commands of isocast: each is shown as a line that does it alone,
 * and run as a process of its own. Plans nothing. */
#ifndef CLI_STUDY_RUN_H
#define CLI_STUDY_RUN_H

#include <stdio.h>

#include "calibrate/campaign/launcher.h"
#include "calibrate/campaign/own_program.h"
#include "calibrate/campaign/study_plan.h"

/* The texts that a command may have, by their names in templates; NULL: it is left out. */
#define CLI_STUDY_TEXTS(TEXT)                                                                      \
    TEXT(folder)   /* of the study, without a slash at its end */                                  \
    TEXT(command)  /* of the program, as --command takes it */                                     \
    TEXT(launcher) /* of --launcher, as the next ones */                                           \
    TEXT(marked_speed)                                                                             \
    TEXT(at)                                                                                       \
    TEXT(to)                                                                                       \
    TEXT(platform)                                                                                 \
    TEXT(offers)                                                                                   \
    TEXT(spend)                                                                                    \
    TEXT(machine) /* the name of its file in the folder */                                         \
    TEXT(format)                                                                                   \
    TEXT(file) /* what is written, without its ending */

typedef struct cli_study {
#define CLI_STUDY_DECLARE(name) const char *name;
    CLI_STUDY_TEXTS(CLI_STUDY_DECLARE)
#undef CLI_STUDY_DECLARE
    campaign_own_program program;
    size_t size_word;    /* the word of the program that has the size, counted from 1 behind it */
    const char *isocast; /* path of this program */
    FILE *commands;      /* gets the line of each step; NULL: there is no folder yet */
    FILE *said;          /* gets what the program prints where it is recorded */
    double spent;        /* s, before the step */
    bool quiet;
} cli_study;

/* What a record shows beside the result. */
typedef struct cli_study_seen {
    bool recorded;  /* there is a record: the program came to MPI_Init */
    bool nameless;  /* it calls MPI, and no call has a source line */
    double threads; /* processor time of other threads over that of those that call MPI */
} cli_study_seen;

/* Shows the command of a template and runs it; what it prints goes where this process prints. A
 * template is words, with {N} and the like for numbers of the step, and {folder} and the like for
 * texts; a word with one that is not known is left out. Gives its exit status. */
int cli_study_answer(const cli_study *study, const campaign_study_step *step, const char *template);

/* Makes the plan's step. Where the step failed and the plan goes on, *result says so, and a
 * sentence on stderr. Gives OK, or INTERRUPTED, IO, NO_MEMORY, where the study cannot go on now. */
isocast_status cli_study_step(const cli_study *study, const campaign_study_step *step,
                              campaign_study_result *result, cli_study_seen *seen);

#endif
