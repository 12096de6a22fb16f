#include "api_systems.h"

#include <stdlib.h>

#include "api.h"

isocast_status isocast_api_read_system(const isocast_machine *machine, const char *program,
                                       const char *label, const char *text,
                                       isocast_diagnostics *diagnostics, isocast_system **out) {
    isocast_system **systems = NULL;
    size_t count = 0;
    isocast_status status =
        isocast_systems_parse(machine, program, label, text, diagnostics, &systems, &count);
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

isocast_status isocast_api_describe_system(const isocast_machine *machine, const char *program,
                                           const char *system, isocast_diagnostics *diagnostics,
                                           double *processes, double *marked_speed) {
    isocast_api_call call;
    isocast_api_enter(&call, diagnostics);
    isocast_system *found = NULL;
    isocast_status status =
        isocast_api_read_system(machine, program, "system", system, call.diagnostics, &found);
    status = isocast_api_leave(&call, status);
    bool is_found = status == ISOCAST_OK && found != NULL;
    if (is_found && processes != NULL) {
        *processes = found->p;
    }
    if (is_found && marked_speed != NULL) {
        *marked_speed = found->C;
    }
    isocast_system_free(found);
    return status;
}
