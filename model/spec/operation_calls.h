/* Which operations of a machine an algorithm calls, on how many processes and under which
 * conditions: what was measured is not what is called elsewhere. Evaluates nothing (model.h). */
#ifndef ISOCAST_OPERATION_CALLS_H
#define ISOCAST_OPERATION_CALLS_H

#include "binding.h"

/* In place of an output: the number of processes, or of those on a node, is the system's. */
#define ISOCAST_OPERATION_CALLS_SYSTEM ((size_t)-1)

/* A condition that leads to a call. */
typedef struct isocast_operation_call_guard {
    size_t output; /* among `formulas` */
    bool holds;    /* whether it must hold, or must not */
} isocast_operation_call_guard;

typedef struct isocast_operation_call {
    size_t operation;                /* index among the machine's */
    size_t processes;                /* index among `formulas`, or ISOCAST_OPERATION_CALLS_SYSTEM */
    size_t share;                    /* likewise: how many of them a node has */
    size_t first_guard, guard_count; /* among `guards`; all must be as they say */
} isocast_operation_call;

/* What is not to be below 0: the size of a message, the traffic, or how often an operation is
 * called. */
typedef struct isocast_operation_number {
    size_t output; /* among `formulas` */
    bool is_count;
    size_t first_guard, guard_count; /* among `guards`, as above */
} isocast_operation_number;

typedef struct isocast_operation_calls {
    isocast_operation_call *calls; /* [call_count] */
    size_t call_count, call_room;
    isocast_operation_number *numbers; /* [number_count] */
    size_t number_count, number_room;
    isocast_operation_call_guard *guards; /* [guard_count] */
    size_t guard_count, guard_room;
    /* Conditions and numbers of processes, parts of the algorithm's formulas and in their scope. */
    isocast_formula *formulas; /* [formula_count] */
    size_t formula_count, formula_room;
} isocast_operation_calls;

/* Finds every call that T leads to, through definitions and operations. What is multiplied with 0
 * is not called. Inside sums and reductions over classes conditions are taken as met. So they are
 * inside an operation, and one that calls another does so as on as many processes as itself; but
 * for what depends on the algorithm's definitions, and on p, nodes and p_node where the operation
 * is called on the whole system. The formulas have passed their check. Errors: NO_MEMORY. */
isocast_status isocast_operation_calls_find(const isocast_binding *names,
                                            const isocast_algorithm *algorithm,
                                            const isocast_machine *machine,
                                            isocast_operation_calls *out);
void isocast_operation_calls_free(isocast_operation_calls *calls);

#endif
