#include "former_name.h"

#include <stdio.h>

#include "known_operation.h"

const char *isocast_former_name_resolve(const char *name, const isocast_source *source,
                                        isocast_span span, isocast_diagnostics *diagnostics) {
    const char *current = isocast_known_operation_today(name);
    if (current == name) {
        return name;
    }
    char hint[64];
    snprintf(hint, sizeof hint, "write %s", current);
    isocast_diagnostics_add(diagnostics, ISOCAST_WARNING, source, span, hint,
                            "%s is the former name of %s", name, current);
    return current;
}
