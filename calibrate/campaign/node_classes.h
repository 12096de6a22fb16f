/* The nodes that a calibration ran on, as classes of like ones: by their hardware, named by their
 * hosts. Measures nothing. */
#ifndef CAMPAIGN_NODE_CLASSES_H
#define CAMPAIGN_NODE_CLASSES_H

#include "calibrate/fit/fit_speed.h"
#include "calibrate/fit/machine_file.h"

/* Fills classes, shape [MACHINE_FILE_CLASSES_MAX], from the nodes that samples
 * tell of, of which a host has one in each launch; gives their number, 0 where there are fewer than
 * two hosts: the machine is one node then. The speed is the median over hosts and launches, and so
 * are those of the suite (marked_speeds.h). */
size_t campaign_node_classes_find(const environment_facts *facts, const fit_speed *pace,
                                  machine_file_class *classes);

#endif
