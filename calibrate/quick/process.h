/* Processes as coroutines, each with a clock of its own, and the order in which messages begin. A
 * process runs until it has to wait for one whose end is not known. */
#ifndef QUICK_PROCESS_H
#define QUICK_PROCESS_H

#include "links.h"
#include "mpi.h"

typedef struct quick_request {
    struct quick_request *next; /* of those that wait for their other end, or are free */
    int communicator, from, to, tag;
    double bytes;
    double time;    /* its process was there; then: it is done */
    double arrival; /* not before, by the links between switches, s */
    bool sends;
    bool alone; /* eager, and not one of a send and a receive at once */
    bool eager; /* of a send, and of the receive that got it */
    bool done;
    bool kept;   /* its process still asks for it */
    int rank;    /* its process, for who gets a message */
    int waiting; /* process that waits for it; -1: none */
    struct quick_request *other;
} quick_request;

typedef int quick_program(int argc, char **argv);

/* Runs the program in each process of the network. Gives the status of process 0, or that of
 * quick_end(). */
int quick_run(quick_network *network, quick_program *program, int argc, char **argv);

/* Of the process that runs now: */
int quick_self(void);
double *quick_clock(void);
/* Ends all. */
_Noreturn void quick_end(int status);
/* The memory; ends all where it is NULL. */
void *quick_checked(void *memory);
/* Lets others go on until quick_wake() names this process. */
void quick_sleep(void);
void quick_wake(int process);

quick_network *quick_links(void);

/* Begins a message, or to receive one (`to`: the process that waits for it). from, to: processes;
 * from may be MPI_ANY_SOURCE: then the message comes that begins first. rank: own one, which the
 * receiver gets. */
quick_request *quick_send(int communicator, int to, int tag, double bytes, int rank, bool both);
quick_request *quick_receive(int communicator, int to, int from, int tag);
/* *rank and *bytes of the message, where they are asked for. */
void quick_wait(quick_request *request, int *rank, double *bytes);

#endif
