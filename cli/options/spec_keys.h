/* Which keys a file has at its top: what it is, before it is loaded as that. */
#ifndef CLI_SPEC_KEYS_H
#define CLI_SPEC_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "isocast/status.h"

/* has: shape [count], whether the file has each of the keys; all false where it is not there or is
 * no specification, so that loading it tells why. Errors: NO_MEMORY; IO and INVALID, where it
 * cannot or may not be read, which is told. */
isocast_status cli_spec_keys(const char *path, const char *const *keys, size_t count, bool *has);

/* Whether the file says `text` under a key at its top; false where it cannot be read. Errors:
 * NO_MEMORY. */
isocast_status cli_spec_says(const char *path, const char *key, const char *text, bool *says);

#endif
