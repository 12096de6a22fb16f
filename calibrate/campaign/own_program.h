/* A program that is not isocast's, run on a system and a size, and its time: from MPI_Init to
 * MPI_Finalize, in its regions, or as it prints it. Its command line is split into words here; no
 * shell ever sees it. Knows nothing of runs files. */
#ifndef CAMPAIGN_OWN_PROGRAM_H
#define CAMPAIGN_OWN_PROGRAM_H

#include <regex.h>

#include "event.h"
#include "launcher.h"
#include "model/base/buffer.h"
#include "model/spec/system.h"
#include "simulation.h"

typedef enum campaign_time_source {
    CAMPAIGN_TIME_RUN,    /* from the end of MPI_Init to the begin of MPI_Finalize */
    CAMPAIGN_TIME_REGION, /* between MPI_Pcontrol(1) and MPI_Pcontrol(0), all of these together */
    CAMPAIGN_TIME_OUTPUT  /* what a pattern finds in a line of its output; the last one counts */
} campaign_time_source;

/* A value that the command line may have a placeholder for, beside N and p. */
typedef struct campaign_setting {
    const char *name;
    double value;
} campaign_setting;

/* Start from {0}. */
typedef struct campaign_own_program {
    launcher_words words;  /* with placeholders such as {N}; the first is the program */
    const char *size_name; /* what {N} may also be called, such as n; NULL: nothing else */
    const campaign_setting *settings; /* [setting_count], borrowed, as all that follows */
    size_t setting_count;
    campaign_time_source source;
    regex_t pattern;                /* OUTPUT: its last group has the time in s */
    double limit;                   /* s; 0 or less: none */
    const char *folder;             /* that it works in; NULL: that of this process */
    const char *const *environment; /* NULL-terminated "NAME=VALUE"; NULL: none */
    const char *place;   /* runs make a folder of this name and more, which all nodes see */
    const char *library; /* libisocast-record.so; not used for OUTPUT, nor in simulation */
} campaign_own_program;

/* Splits a command line: blanks part words; quotes '...' and "..." and a backslash keep them.
 * Nothing else means anything. False, with the reason in *why, where a quote is not closed or there
 * is no word; or memory is short. */
bool campaign_own_program_split(const char *text, campaign_own_program *program,
                                isocast_buffer *why);

/* Whether the placeholder of this name is px, py or pz: a side of the grid of processes, as
 * MPI_Dims_create makes it, the longest one first. *value gets it for p processes; in three
 * dimensions where a word has {pz}, else in two. */
bool campaign_own_program_is_side(const campaign_own_program *program, const char *name,
                                  size_t length, double p, double *value);

/* Whether each placeholder has a value and one is the size; false, with the reason in *why. The
 * words, the settings and the size's name must be there already. */
bool campaign_own_program_check(const campaign_own_program *program, isocast_buffer *why);

/* Whether all words behind the program come to it where it is simulated; else why not. */
bool campaign_own_program_check_simulated(const campaign_own_program *program, isocast_buffer *why);

/* "run", "region", or a pattern: an extended regular expression of POSIX with a group that has the
 * time. Brackets around plain letters stand for themselves, so that "time (s): ([0-9.]+)" means
 * what it says. False, with the reason in *why. */
bool campaign_own_program_time(const char *text, campaign_own_program *program,
                               isocast_buffer *why);

/* The words of a run, NULL-terminated, with numbers in place of placeholders; NULL where memory is
 * short. */
void campaign_own_program_words(const campaign_own_program *program, double N, double p,
                                launcher_words *out);

void campaign_own_program_free(campaign_own_program *program);

/* Makes a run. *T gets its time in s; NAN where the limit ended it, which is reported. Errors,
 * reported: PROGRAM, INTERRUPTED, IO; NO_MEMORY. launcher: NULL for the default; simulation:
 * prepared for the system; NULL for a real run. */
isocast_status campaign_own_program_run(const campaign_own_program *program,
                                        const campaign_listener *listener, const char *launcher,
                                        const campaign_simulation *simulation,
                                        const isocast_system *system, double N, double *T);

#endif
