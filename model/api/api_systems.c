#include "api_systems.h"

#include <stdlib.h>

isocast_status isocast_api_read_system(const isocast_machine *machine, const char *label,
                                       const char *text, isocast_diagnostics *diagnostics,
                                       isocast_system **out) {
    isocast_system **systems = NULL;
    size_t count = 0;
    isocast_status status =
        isocast_systems_parse(machine, label, text, diagnostics, &systems, &count);
    if (status != ISOCAST_OK) {
        return status;
    }
    if (count != 1) {
        isocast_diagnostics_add_file(diagnostics, ISOCAST_ERROR, label, "name one of them",
                                     "one system is needed here, '%s' are %zu", text, count);
        isocast_systems_free(systems, count);
        return ISOCAST_INVALID;
    }
    *out = systems[0];
    free(systems);
    return ISOCAST_OK;
}
