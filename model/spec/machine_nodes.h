/* Node classes and named systems, which machine files and platform files share. */
#ifndef ISOCAST_MACHINE_NODES_H
#define ISOCAST_MACHINE_NODES_H

#include "machine.h"
#include "model/yaml/schema.h"

/* What the file calls things. */
typedef struct isocast_node_words {
    const char *file;       /* "a machine file" */
    bool plain_names;       /* of classes: letters, digits, - and _ */
    const char *speed;      /* key of a processor's speed */
    const char *speed_hint; /* where it is missing */
    bool of_programs;       /* each program may have a speed of its own */
} isocast_node_words;

/* Reads the keys `nodes` and `systems` of a file's root into the machine. What is wrong is noted.
 */
void isocast_machine_read_nodes(isocast_reader *reader, const isocast_tree_node *root,
                                const isocast_node_words *words, isocast_machine *machine);
void isocast_machine_read_systems(isocast_reader *reader, const isocast_tree_node *root,
                                  isocast_machine *machine);
/* Whether the names of all classes can be those of the simulator's hosts. */
void isocast_machine_check_hosts(isocast_reader *reader, const isocast_machine *machine);
/* Whether systems name classes that are there, when all classes are read. */
void isocast_machine_check_systems(isocast_reader *reader, const isocast_machine *machine);

#endif
