/* A process that stands between this one and a program: however this one ends, kill -9 too, the
 * program and all that it has started end with it, also what mpiexec put into sessions of its own.
 * Reads no output of the program. */
#ifndef KEEPER_H
#define KEEPER_H

#include <stdbool.h>
#include <sys/types.h>

typedef struct keeper_program {
    char *const *arguments; /* NULL-terminated, as execvp takes them */
    int output;             /* becomes its standard output; -1: that of this process */
    int errors;             /* becomes its standard error; -1: that of this process */
    const char *temporary;  /* its TMPDIR; NULL: as it is here */
    /* "NAME=VALUE" of its environment beside what there is here, NULL-terminated; NULL: none. */
    const char *const *environment;
    const char *folder; /* the folder that it works in; NULL: that of this process */
    unsigned processor; /* s of processor time after which SIGXCPU ends it; 0: no bound */
} keeper_program;

/* Starts the program under a keeper, a child of this process that ends with the exit status of the
 * program (128 + n for signal n). From here on processes that lose their parent become children of
 * this one, should the keeper be killed. -1 where no process can be made; errno holds the cause. */
pid_t keeper_start(const keeper_program *program);

/* Asks the keeper to end the program with all that it has started, with a moment to do so, then
 * without. Returns at once. */
void keeper_end(pid_t keeper);

/* Ends all children of this process and what they leave behind. It is needed where the keeper was
 * killed. */
void keeper_end_orphans(void);

/* The longest time in s that a keeper takes to end when it is asked to. */
enum { KEEPER_ENDS_WITHIN = 8 };

#endif
