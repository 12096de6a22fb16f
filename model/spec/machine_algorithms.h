/* The section `algorithms` of a machine file: what the formulas of algorithms miss on this machine,
 * as runs of their programs showed. */
#ifndef ISOCAST_MACHINE_ALGORITHMS_H
#define ISOCAST_MACHINE_ALGORITHMS_H

#include "machine.h"
#include "model/yaml/schema.h"

/* Reads it, where the file has one. */
void isocast_machine_read_algorithms(isocast_reader *reader, const isocast_tree_node *root,
                                     isocast_machine *machine);

#endif
