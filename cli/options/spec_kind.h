/* What a specification is, by the keys at its top, before it is loaded as that. */
#ifndef CLI_SPEC_KIND_H
#define CLI_SPEC_KIND_H

#include "model/base/diagnostic.h"

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

#endif
