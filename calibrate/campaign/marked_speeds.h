/* The marked speeds that a calibration measured: from the samples' lines to those of a node class,
 * and which members of the suite (kernels/speed_suite.h) are to be measured next. Nodes are classes
 * of like ones by their hardware, named by their hosts. Measures nothing. */
#ifndef CAMPAIGN_MARKED_SPEEDS_H
#define CAMPAIGN_MARKED_SPEEDS_H

#include "calibrate/fit/fit_speed.h"
#include "calibrate/fit/machine_file.h"

/* Whether the lines of a host count. */
typedef bool campaign_host_test(const char *host, const void *context);

/* Fills speeds, shape [SPEED_SUITE_MAX], in the order of the suite, from what samples speak of
 * launches, for all hosts that the test allows together (all there are, where it is NULL); gives
 * their number. A speed is the median over launches and hosts. Its error comes from the spread of
 * all members between launches, as one member has few. Where the machine changed its speed, the
 * launches count that the times per flop hold for, as far as there are any. */
size_t campaign_marked_speeds_find(const environment_facts *facts, const fit_speed *pace,
                                   campaign_host_test *counts, const void *context,
                                   machine_file_speed *speeds);

/* The members to measure in the next launch as the probe's option, those with the fewest launches
 * first, and of these the program `first` (NULL: none in particular); `missing`: only those that
 * were never measured. Empty where there are none; NULL where memory is short. Free with free(). */
char *campaign_marked_speeds_next(const environment_facts *facts, const char *first, bool missing);

/* Keeps of each class the programs that all classes have, and appends to `left_out` the names of
 * the kernels whose times `measured` has and whose marked speed is not there: "mm and conv2d".
 * Other members of the suite were not asked for. Shape of classes: [count]. */
void campaign_marked_speeds_settle(machine_file_class *classes, size_t count, const fit *measured,
                                   isocast_buffer *left_out);

/* Fills classes, shape [MACHINE_FILE_CLASSES_MAX], from the nodes that samples
 * speak of, of which a host has one in each launch; gives their number, 0 where there are fewer
 * than two hosts: the machine is one node then. The speed is the median over hosts and launches,
 * and so are those of the suite. */
size_t campaign_node_classes_find(const environment_facts *facts, const fit_speed *pace,
                                  machine_file_class *classes);

#endif
