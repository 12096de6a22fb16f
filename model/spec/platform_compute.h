/* The times per flop that a platform file may have of programs, under `compute` as machine files
 * have it: what simulated runs of them showed. Others take the speed of the processor. */
#ifndef ISOCAST_PLATFORM_COMPUTE_H
#define ISOCAST_PLATFORM_COMPUTE_H

#include "machine.h"
#include "model/yaml/schema.h"

/* Sections of a machine file, beside its nodes and systems, that hold on its platform. */
#define ISOCAST_PLATFORM_SECTIONS "compute", "reference", "purchase"

/* Reads the section into the platform's machine, whose nodes have names, and checks its formulas.
 * It must be lines of its own, as machine files that are made of the platform get these lines. */
void isocast_platform_read_compute(isocast_reader *reader, const isocast_tree_node *root,
                                   isocast_machine *hardware);

/* The lines of a section in the source of a tree that was read; an empty span where it has none. */
isocast_span isocast_platform_section_lines(const isocast_tree *tree, const char *key);
/* Refuses a section that shares lines with others: it could not be copied. */
bool isocast_platform_check_section(isocast_reader *reader, const isocast_tree *tree,
                                    const char *key);

#endif
