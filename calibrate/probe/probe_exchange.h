/* Memory in which every process has m bytes for and from each of the others, and how calls that
 * need no more than that are timed. */
#ifndef PROBE_EXCHANGE_H
#define PROBE_EXCHANGE_H

#include "probe_context.h"

/* What a call works with. Messages are zeros: as numbers they can be summed forever. */
typedef struct probe_exchange {
    const probe_context *context;
    int count;   /* bytes of one message */
    int numbers; /* doubles in as many bytes, at least one */
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

#endif
