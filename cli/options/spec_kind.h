/* What a specification is, by the keys at its top, before it is loaded as that. */
#ifndef CLI_SPEC_KIND_H
#define CLI_SPEC_KIND_H

#include <stdbool.h>
#include <stddef.h>

#include "isocast/status.h"
#include "model/base/diagnostic.h"

/* Which keys a file has at its top: what it is, before it is loaded as that. */

/* has: shape [count], whether the file has each of the keys; all false where it is not there or is
 * no specification, so that loading it shows why. Errors: NO_MEMORY; IO and INVALID, where it
 * cannot or may not be read, which is reported. */
isocast_status cli_spec_keys(const char *path, const char *const *keys, size_t count, bool *has);

/* Whether the file says `text` under a key at its top; false where it cannot be read. Errors:
 * NO_MEMORY. */
isocast_status cli_spec_says(const char *path, const char *key, const char *text, bool *says);

typedef enum cli_kind {
    CLI_KIND_UNKNOWN,
    CLI_KIND_ALGORITHM,
    CLI_KIND_MACHINE,
    CLI_KIND_PLATFORM,
    CLI_KIND_OFFERS
} cli_kind;

/* Looks at a copy of the source. Errors: INVALID where it is none of these, with a diagnostic;
 * those of isocast_tree_parse. */
isocast_status cli_spec_kind_of(const isocast_source *source, isocast_diagnostics *diagnostics,
                                cli_kind *kind);

/* Whether a file is the machine file of a simulated platform, which it holds; not where it cannot
 * be read, for the reader to say. Errors: NO_MEMORY. */
isocast_status cli_spec_holds_platform(const char *path, bool *holds);

#endif
