/* Memory in which every process has m bytes for and from each of the others, and how calls that
 * need no more than that are timed. */
#ifndef PROBE_EXCHANGE_H
#define PROBE_EXCHANGE_H

#include "probe_context.h"

/* What a call works with. Messages are zeros: as numbers they can be summed for ever. */
typedef struct probe_exchange {
    const probe_context *context;
    int count;   /* bytes of one message */
    int numbers; /* doubles in as many bytes, at least one */
    int root;    /* of a call that has one */
    char *send;  /* [processes][count] */
    char *receive;
    int *counts;         /* [processes], of bytes */
    int *places;         /* [processes] */
    int *number_counts;  /* [processes], of doubles */
    MPI_Datatype *types; /* [processes], all bytes */
} probe_exchange;

/* Seconds of one of `repeats` calls on messages of m bytes. Collective. */
double probe_exchange_time(const probe_context *context, size_t m, size_t repeats,
                           void (*call)(const probe_exchange *x));

/* Seconds that one more call adds to a row of calls that follow each other. Largest over the
 * processes, as all end a row at other times; at least what the clock can tell. Collective. */
double probe_exchange_next_time(const probe_context *context, size_t m, size_t repeats,
                                void (*call)(const probe_exchange *x));

/* The same of calls that have a root, which each process is in turn. Of one call by itself, the
 * mean over the roots, of which 16 stand for more. */
double probe_exchange_any_root_time(const probe_context *context, size_t m, size_t repeats,
                                    void (*call)(const probe_exchange *x));
/* What one more call adds whose root is the process after that of the last one. */
double probe_exchange_next_root_time(const probe_context *context, size_t m, size_t repeats,
                                     void (*call)(const probe_exchange *x));
/* What one more call adds whose root is that of the last one, the mean over the roots. */
double probe_exchange_same_root_time(const probe_context *context, size_t m, size_t repeats,
                                     void (*call)(const probe_exchange *x));

#endif
