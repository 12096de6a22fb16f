/* How each operation of the table is measured. Which of them, and at which sizes, is not decided
 * here. */
#ifndef PROBE_OPERATION_H
#define PROBE_OPERATION_H

#include "probe_functions.h"

typedef struct probe_operation {
    const isocast_known_operation *known; /* its row of the table */
    probe_prepare *prepare;               /* before its calls; NULL: nothing */
    probe_time *time;                     /* NULL: the probe times `call` */
    probe_call *call;                     /* NULL: `time` makes the calls */
} probe_operation;

/* Each at its id; those that are not measured have no function. */
extern const probe_operation probe_operations[ISOCAST_KNOWN_OPERATIONS];

bool probe_operation_is_measured(const probe_operation *operation);

/* Whether there is such an operation between the processes, as they are placed. */
bool probe_operation_applies(const probe_operation *operation, const probe_context *context);

/* Whether its time depends on m. */
bool probe_operation_is_sized(const probe_operation *operation);

/* Seconds of this process for one of `repeats` calls. Collective. */
double probe_operation_time(const probe_operation *operation, const probe_context *context,
                            size_t m, size_t repeats);

#endif
