/* Machine files: one is read, and checked as a whole. Knows the parts of a machine file, which know
 * the machine alone. */
#ifndef ISOCAST_MACHINE_LOAD_H
#define ISOCAST_MACHINE_LOAD_H

#include "machine.h"

/* Loads a machine file and checks all of it. Errors, each with diagnostics: IO, INVALID, NO_MEMORY.
 */
isocast_status isocast_machine_load(const char *path, isocast_diagnostics *diagnostics,
                                    isocast_machine **out);
/* The same from a text in memory; `name` is what diagnostics call it. */
isocast_status isocast_machine_read_text(const char *name, const char *text, size_t length,
                                         isocast_diagnostics *diagnostics, isocast_machine **out);
/* The same from a source, or from its tree, which the machine takes over in every case. */
isocast_status isocast_machine_read(isocast_source *source, isocast_diagnostics *diagnostics,
                                    isocast_machine **out);
isocast_status isocast_machine_read_tree(isocast_tree *tree, isocast_diagnostics *diagnostics,
                                         isocast_machine **out);

#endif
