/* The key 'phases' of an algorithm file: which columns of measured runs show which parts of T. */
#ifndef ISOCAST_ALGORITHM_PHASES_H
#define ISOCAST_ALGORITHM_PHASES_H

#include "algorithm.h"
#include "model/yaml/schema.h"

/* Reads the phases where the file has them; the overhead terms are read already. */
void isocast_algorithm_read_phases(isocast_reader *reader, const isocast_tree_node *root,
                                   isocast_algorithm *algorithm);

#endif
