/* The section `reference` of a machine file: how fast a reference program is on processor sets. */
#ifndef ISOCAST_MACHINE_REFERENCE_H
#define ISOCAST_MACHINE_REFERENCE_H

#include "machine.h"
#include "model/yaml/schema.h"

/* Reads the key `reference` of the root, where it is there; the classes must be read before. The
 * file gives R_f of each set, or the times of the reference program, from which it follows: R_f =
 * n T_ref(1)/T_ref(set) on n processors [HE]. What is wrong is noted. */
void isocast_machine_read_reference(isocast_reader *reader, const isocast_tree_node *root,
                                    isocast_machine *machine);

#endif
