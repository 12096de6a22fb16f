/* What a specification or a file of runs is, in one line: its title, or else what it holds. */
#ifndef CLI_LIST_TITLE_H
#define CLI_LIST_TITLE_H

#include "isocast/status.h"
#include "model/base/diagnostic.h"

typedef enum list_kind {
    LIST_ALGORITHM,
    LIST_MACHINE,
    LIST_PLATFORM,
    LIST_LAUNCHER,
    LIST_RUNS,
    LIST_KINDS
} list_kind;

/* Loads the file as that kind, checks all of it, and appends the line; nothing where the file tells
 * nothing. Not for launchers. Errors, each with diagnostics: IO, INVALID, NO_MEMORY. */
isocast_status list_title_read(list_kind kind, const char *path, isocast_diagnostics *diagnostics,
                               isocast_buffer *out);

#endif
