/* From an address in a program or library to the function, file and line that it belongs to, by
 * debug information (elfutils). */
#ifndef RECORD_SITE_NAMES_H
#define RECORD_SITE_NAMES_H

#include <stdint.h>

/* Modules that were opened. Start from {0}. */
typedef struct record_modules {
    struct record_module *items; /* [count] */
    uint32_t count;
    int cause; /* errno of the last failure of the system that left out a name; 0: none */
} record_modules;

typedef struct record_site_name {
    const char *function; /* "" where not known, as file; both live as long as the modules */
    const char *file;
    int line; /* 0 where not known */
} record_site_name;

/* What the address before `offset`, a return address in the module's file, belongs to. */
record_site_name record_site_find(record_modules *modules, const char *path, uint64_t offset);

/* Notes errno as the cause of a name that is not found, where it is a failure of the system. */
void record_modules_note(record_modules *modules);

void record_modules_free(record_modules *modules);

#endif
