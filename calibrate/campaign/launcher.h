/* Starts MPI programs through a launcher (mpiexec and the like) and hands their lines on as they
 * come. Knows nothing of what the programs do; links no MPI. */
#ifndef LAUNCHER_H
#define LAUNCHER_H

#include <stdbool.h>
#include <stddef.h>

#include "event.h"
#include "model/base/buffer.h"

/* Why a run of a program failed. */
typedef enum launcher_cause {
    LAUNCHER_NO_CAUSE,
    LAUNCHER_MISSING, /* there is no such launcher */
    LAUNCHER_FAILED,  /* the program ended with an exit status other than 0, or by a signal */
    LAUNCHER_TIMEOUT, /* it was ended after the time given */
    LAUNCHER_STOPPED  /* the receiver of lines asked to end it, or another program failed */
} launcher_cause;

/* How a run ended. */
typedef struct launcher_end {
    launcher_cause cause; /* of PROGRAM */
    int exit_code;        /* of the program for LAUNCHER_FAILED; 128 + n for signal n */
    char text[2048];      /* the end of the program's standard error, or what went wrong in words */
} launcher_end;

/* Gets each line of standard output without its newline, at most 65535 bytes of it, as soon as it
 * is complete; false ends the program. A last line that does not end is handed on only where the
 * program went well: else it may be half a row. */
typedef bool (*launcher_line)(const char *line, void *context);

/* The words of a command line. Start from {0}. */
typedef struct launcher_words {
    char **items; /* [count], then NULL */
    size_t count, room;
    bool failed; /* memory was short */
} launcher_words;

/* Adds a word as it stands; the text of a buffer, which is empty then; words that have no blanks in
 * them but between them, formatted as by printf; an option with its value, where that is not NULL.
 */
void launcher_words_add(launcher_words *words, const char *word);
void launcher_words_take(launcher_words *words, isocast_buffer *word);
void launcher_words_put(launcher_words *words, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void launcher_words_option(launcher_words *words, const char *option, const char *value);
void launcher_words_free(launcher_words *words);

typedef struct launcher_request {
    bool alone; /* no launcher: the command is started as it stands, its words may have blanks */
    /* Command line up to the program, words parted by blanks; "{p}" and "{processes}" stand for the
     * number of processes, "{nodes}" for that of nodes, "{per_node}" for the processes of one.
     * NULL: launcher_default(). */
    const char *launcher;
    long processes;
    long nodes;                 /* that the processes are spread over; 0: one */
    const char *const *command; /* NULL-terminated: the program and its arguments */
    double timeout;             /* s; 0: none */
    unsigned processor;         /* s of processor time that each process gets; 0: no bound */
    const char *temporary;      /* TMPDIR of the program; NULL: that of this process */
    /* "NAME=VALUE" of its environment beside that of this process, NULL-terminated; NULL: none. */
    const char *const *environment;
    const char *folder; /* that it works in; NULL: that of this process */
    bool through;       /* what it writes goes where this process writes, and not to `line` */
    launcher_line line;
    void (*alive)(void *context); /* called from time to time while it runs; NULL: not */
    void *context;
} launcher_request;

#define LAUNCHER_DEFAULT "mpiexec.mpich -n {p}"

/* Appends the command line up to the program, with numbers in place of what stands for them. */
void launcher_put_line(const launcher_request *request, isocast_buffer *out);

/* The signals that end this process and with it a run: those of Ctrl-C, of the end of a batch job
 * or a terminal, and of a reader that has gone. */
extern const int launcher_signals[];
extern const size_t launcher_signal_count;

/* Runs the program to its end. While it runs, the signals above (unless they were ignored before)
 * end it and are remembered in launcher_was_interrupted(). One that is ended, or fails, or whose
 * parent ends in any way, takes everything that it has started with it: SIGTERM comes first, then
 * SIGKILL. *end is filled in any case. Errors: PROGRAM, whose cause *end shows; INTERRUPTED by one
 * of the signals; IO where a pipe or a process cannot be made, NO_MEMORY. */
isocast_status launcher_run(const launcher_request *request, launcher_end *end);

/* Has a program that needs no launcher answer an option, in 30 s at most; `line` gets its lines.
 * Errors: those of launcher_run(). */
isocast_status launcher_ask(const char *program, const char *option, launcher_line line,
                            void *context, launcher_end *end);

/* Says why a run of `what` ("the kernel") failed, with lines that it wrote beside its errors, and
 * gives the status. */
isocast_status launcher_fail(const campaign_listener *listener, const char *what,
                             isocast_status status, const launcher_end *end, const char *lines);

/* One of several programs. */
typedef struct launcher_task {
    launcher_request request; /* its timeout counts from the start of the first program on */
    launcher_end *end;
    isocast_status status; /* as launcher_run() gives it */
    bool started;
} launcher_task;

/* Runs all to their ends as above, no more than `at_once` at the same time, in their order. Where
 * one fails, no other is started, and those that run are ended: their status is PROGRAM, with the
 * cause STOPPED. Lines of different programs come in any order, one call at a time. Errors:
 * NO_MEMORY, and then nothing was run; what else goes wrong is in the tasks. */
isocast_status launcher_run_several(launcher_task *tasks, size_t count, size_t at_once);

/* Whether one of the signals came during a run. */
bool launcher_was_interrupted(void);

/* Whether a program is found here: by its path, or in the folders of PATH. The other one also gives
 * the path, cut to `size` bytes; it is empty where there is none. */
bool launcher_is_installed(const char *program);
bool launcher_find(const char *program, char *path, size_t size);

/* The command line that stands for NULL in a request, by what is found here. */
const char *launcher_default(void);

/* Processors that this process may use: what p is held against before anything is started. */
long launcher_processors(void);

/* How many programs of one process, such as simulations, run well at the same time: one on each
 * processor, up to a few, as each of them takes memory. */
size_t launcher_at_once(void);

#endif
