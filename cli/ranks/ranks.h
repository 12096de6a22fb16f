/* Several processes of one command, as mpiexec starts them. The command loads the module that knows
 * MPI only where it was started so; it is not linked to MPI itself. */
#ifndef RANKS_H
#define RANKS_H

#include <stdbool.h>
#include <stddef.h>

/* What the module gives. All calls come from one thread; a failure of MPI ends all processes. */
typedef struct ranks_functions {
    /* Joins the others, and leaves when all do. Neither call may be repeated. */
    bool (*join)(int *rank, int *count);
    void (*leave)(void);
    /* Gives the bytes of rank 0 to all. */
    void (*share)(void *bytes, size_t length);
    /* Gives rank 0 the bytes of all, [count][length] in the order of the ranks; `all` is not used
     * elsewhere. */
    void (*gather)(const void *bytes, size_t length, void *all);
    /* Sends a message to rank 0. It returns when the bytes may be used again. */
    void (*send)(const void *bytes, size_t length);
    /* In rank 0: waits for the next message of a rank and states its length; then takes it. */
    size_t (*expect)(int rank);
    void (*receive)(int rank, void *bytes, size_t length);
    /* In rank 0: asks all others to send no more. They see it in `stopped`. */
    void (*stop)(void);
    bool (*stopped)(void);
} ranks_functions;

/* The one name of the module. */
#define RANKS_ENTRY "isocast_ranks"
typedef const ranks_functions *(*ranks_entry)(void);

#endif
