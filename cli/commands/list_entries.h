/* What `isocast list` shows: the specifications, launchers and example runs that are found. A file
 * that is broken is an entry like the others. Renders nothing. */
#ifndef CLI_LIST_ENTRIES_H
#define CLI_LIST_ENTRIES_H

#include <stdbool.h>
#include <stddef.h>

#include "isocast/status.h"
#include "list_title.h"

typedef enum list_status {
    LIST_OK,
    LIST_BROKEN,  /* the file has errors */
    LIST_MISSING, /* the program of a launcher is not found */
    LIST_OUTSIDE  /* a launcher works in a batch job, and this is none */
} list_status;

/* All texts are owned, and without control characters. */
typedef struct list_entry {
    char *name;
    char *title; /* NULL where there is none; of a launcher its command */
    char *file;
    list_status status;
    char *problem; /* what is behind the status; NULL for LIST_OK */
} list_entry;

/* Those of one kind: files by their names, launchers as in their table. Start from {0}. */
typedef struct list_entries {
    list_entry *items; /* [count] */
    size_t count, capacity;
    char *place; /* the folder, or the file of launchers, that was looked at */
} list_entries;

/* "algorithm" and "algorithms". */
extern const char *const list_kind_words[LIST_KINDS];
extern const char *const list_kind_plurals[LIST_KINDS];

/* A folder that is not there has no entries. Errors: IO, with diagnostics, where the system fails
 * or a folder may not be read; NO_MEMORY. */
isocast_status list_entries_find(list_kind kind, isocast_diagnostics *diagnostics,
                                 list_entries *out);
void list_entries_free(list_entries *entries);

#endif
