/* The calibration section of a machine file: errors, covariance, ranges, sigmas. What it says of
 * the measuring itself (environment, command, samples) is for people and is not read. */
#ifndef ISOCAST_MACHINE_CALIBRATION_H
#define ISOCAST_MACHINE_CALIBRATION_H

#include "machine.h"
#include "model/yaml/schema.h"

/* Reads the section into a machine whose parameters and operations are there already. */
void isocast_machine_read_calibration(isocast_reader *reader, const isocast_tree_node *section,
                                      isocast_machine *machine);

#endif
