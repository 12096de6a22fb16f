/* Reads what a machine's formulas are made of: parameters, operations and times per flop, each a
 * formula or a mapping of what it is made of. */
#ifndef ISOCAST_MACHINE_OPERATIONS_H
#define ISOCAST_MACHINE_OPERATIONS_H

#include "machine.h"
#include "model/yaml/schema.h"

/* The numbers of operations become parameters after those that the file lists. The formulas are
 * parsed, not checked. */
void isocast_machine_read_operations(isocast_reader *reader, const isocast_tree_node *root,
                                     isocast_machine *machine);

/* Checks the formulas of operations and times per flop, each with its dimension; does nothing where
 * one of them was not parsed, which is reported already. The machine's nodes, and the names of all
 * that was read, must be there. */
void isocast_machine_check_operations(isocast_reader *reader, const isocast_machine *machine);

#endif
