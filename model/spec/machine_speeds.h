/* Reads marked speeds of machine files: one for all programs, or one for each with a default.
 * Which one counts, marked_speed.h states. */
#ifndef ISOCAST_MACHINE_SPEEDS_H
#define ISOCAST_MACHINE_SPEEDS_H

#include "machine.h"
#include "model/yaml/schema.h"

/* Reads "2 Gflop/s" or {default: 2 Gflop/s, mm: 9 Gflop/s} into a class; where no default is given,
 * it is the mean of the others. A standard error may follow a number. What is wrong is noted. */
void isocast_machine_read_speeds(isocast_reader *reader, const isocast_tree_node *node,
                                 isocast_node_class *class);

/* Whether all node classes have marked speeds for the same programs, when all are read: a program
 * must not get its own speed from one class and another one's default. */
void isocast_machine_check_speeds(isocast_reader *reader, const isocast_tree_node *root,
                                  const isocast_machine *machine);

/* Reads the key `benchmark`: a text, or a mapping of programs to texts. */
void isocast_machine_read_benchmark(isocast_reader *reader, const isocast_tree_node *root,
                                    isocast_machine *machine);

#endif
