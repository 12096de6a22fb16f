/* The section `holds_for` of a machine file: operations whose formulas mean something for some
 * algorithms only. Says nothing of who uses them (operation_calls.h). */
#ifndef ISOCAST_MACHINE_RESTRICTIONS_H
#define ISOCAST_MACHINE_RESTRICTIONS_H

#include "machine.h"
#include "model/yaml/schema.h"

/* Reads the section; the machine's operations are read already. Problems become diagnostics. */
void isocast_machine_read_restrictions(isocast_reader *reader, const isocast_tree_node *root,
                                       isocast_machine *machine);

#endif
