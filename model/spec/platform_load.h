/* Platform files: one is read, and checked as a whole. The machine file of a simulated platform
 * holds that platform, and is read as one, too: with the nodes and the times per flop of the file.
 */
#ifndef ISOCAST_PLATFORM_LOAD_H
#define ISOCAST_PLATFORM_LOAD_H

#include "platform.h"

/* Loads a platform file and checks all of it. Errors, each with diagnostics: IO, INVALID,
 * NO_MEMORY.
 */
isocast_status isocast_platform_load(const char *path, isocast_diagnostics *diagnostics,
                                     isocast_platform **out);
/* The same from a text in memory; `name` is what diagnostics call it. */
isocast_status isocast_platform_read_text(const char *name, const char *text, size_t length,
                                          isocast_diagnostics *diagnostics, isocast_platform **out);
/* The same from a source, which the platform takes over in every case. */
isocast_status isocast_platform_read(isocast_source *source, isocast_diagnostics *diagnostics,
                                     isocast_platform **out);

/* Whether a file is a machine file that holds a platform. */
bool isocast_platform_is_held(const isocast_tree *tree);

#endif
