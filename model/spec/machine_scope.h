/* The names that a machine's own formulas see: p, m, its parameters, its operations,
 * class.property, and of the system nodes (that are used), p_node (processes on the node of process
 * 0), p_node_max (processes on the node that has most) and p_all (all its processes, also where an
 * operation is called on a part of them). */
#ifndef ISOCAST_MACHINE_SCOPE_H
#define ISOCAST_MACHINE_SCOPE_H

#include "machine.h"
#include "system.h"

/* What a system gives to formulas, in columns one after the other. */
enum {
    ISOCAST_COLUMN_p,
    ISOCAST_COLUMN_C,
    ISOCAST_COLUMN_C_j,
    ISOCAST_COLUMN_nodes,
    ISOCAST_COLUMN_p_node,
    ISOCAST_COLUMN_p_node_max,
    ISOCAST_SYSTEM_COLUMNS
};
const double *isocast_system_column(const isocast_system *system, size_t column);

/* p, C, C_j, p_i, C_i and memory_i, whose columns begin at `first`. */
enum { ISOCAST_SYSTEM_SYMBOLS = 6 };
void isocast_system_symbols(size_t first, isocast_symbol out[ISOCAST_SYSTEM_SYMBOLS]);

/* Owns its symbols; the machine must outlive it. */
typedef struct isocast_machine_scope {
    isocast_scope scope;
    isocast_symbol *symbols; /* [scope.count], with room for `spare` more at the end */
    char **property_names;   /* [property_count], "server.memory" */
    size_t property_count;
    size_t *index; /* the scope's */
} isocast_machine_scope;

/* The system becomes inputs from column `first_system` on, the parameters from the column after it
 * on, in the machine's order. p and m are the arguments of an operation. `spare` symbols are left
 * free after the last one, for a caller that adds its own before using the scope. The marked speeds
 * are those of `program` (marked_speed.h), which may be NULL. Errors: NO_MEMORY. */
isocast_status isocast_machine_scope_create(const isocast_machine *machine, const char *program,
                                            size_t first_system, size_t spare,
                                            isocast_machine_scope **out);
void isocast_machine_scope_free(isocast_machine_scope *scope);

/* Seconds per flop, the dimension of t_c. */
isocast_dimension isocast_time_per_flop(void);

#endif
