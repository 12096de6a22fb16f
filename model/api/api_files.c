#include <isocast/files.h>

#include "api.h"
#include "api_systems.h"
#include "model/spec/algorithm_load.h"
#include "model/spec/machine_load.h"
#include "model/spec/platform_load.h"

isocast_status isocast_algorithm_load_file(const char *path, isocast_diagnostics *diagnostics,
                                           isocast_algorithm **out) {
    if (path == NULL || out == NULL) {
        return ISOCAST_ARGUMENT;
    }
    isocast_api_call call;
    isocast_api_enter(&call, diagnostics);
    return isocast_api_leave(&call, isocast_algorithm_load(path, call.diagnostics, out));
}

isocast_status isocast_machine_load_file(const char *path, isocast_diagnostics *diagnostics,
                                         isocast_machine **out) {
    if (path == NULL || out == NULL) {
        return ISOCAST_ARGUMENT;
    }
    isocast_api_call call;
    isocast_api_enter(&call, diagnostics);
    return isocast_api_leave(&call, isocast_machine_load(path, call.diagnostics, out));
}

isocast_status isocast_platform_load_file(const char *path, isocast_diagnostics *diagnostics,
                                          isocast_platform **out) {
    if (path == NULL || out == NULL) {
        return ISOCAST_ARGUMENT;
    }
    isocast_api_call call;
    isocast_api_enter(&call, diagnostics);
    return isocast_api_leave(&call, isocast_platform_load(path, call.diagnostics, out));
}

isocast_status isocast_algorithm_load_text(const char *name, const char *text, size_t length,
                                           isocast_diagnostics *diagnostics,
                                           isocast_algorithm **out) {
    if (name == NULL || text == NULL || out == NULL) {
        return ISOCAST_ARGUMENT;
    }
    isocast_api_call call;
    isocast_api_enter(&call, diagnostics);
    return isocast_api_leave(
        &call, isocast_algorithm_read_text(name, text, length, call.diagnostics, out));
}

isocast_status isocast_machine_load_text(const char *name, const char *text, size_t length,
                                         isocast_diagnostics *diagnostics, isocast_machine **out) {
    if (name == NULL || text == NULL || out == NULL) {
        return ISOCAST_ARGUMENT;
    }
    isocast_api_call call;
    isocast_api_enter(&call, diagnostics);
    return isocast_api_leave(&call,
                             isocast_machine_read_text(name, text, length, call.diagnostics, out));
}

isocast_status isocast_platform_load_text(const char *name, const char *text, size_t length,
                                          isocast_diagnostics *diagnostics,
                                          isocast_platform **out) {
    if (name == NULL || text == NULL || out == NULL) {
        return ISOCAST_ARGUMENT;
    }
    isocast_api_call call;
    isocast_api_enter(&call, diagnostics);
    return isocast_api_leave(&call,
                             isocast_platform_read_text(name, text, length, call.diagnostics, out));
}

const char *isocast_algorithm_name(const isocast_algorithm *algorithm) {
    return algorithm->name;
}

size_t isocast_algorithm_size_count(const isocast_algorithm *algorithm) {
    return algorithm->size_count;
}

const char *isocast_algorithm_size_name(const isocast_algorithm *algorithm, size_t index) {
    return index < algorithm->size_count ? algorithm->sizes[index].name : NULL;
}

const char *isocast_machine_name(const isocast_machine *machine) {
    return machine->name;
}

size_t isocast_machine_system_count(const isocast_machine *machine) {
    return machine->system_count;
}

const char *isocast_machine_system_name(const isocast_machine *machine, size_t index) {
    return index < machine->system_count ? machine->systems[index].name : NULL;
}

size_t isocast_machine_operation_count(const isocast_machine *machine) {
    return machine->operation_count;
}

const char *isocast_machine_operation_name(const isocast_machine *machine, size_t index) {
    return index < machine->operation_count ? machine->operations[index].name : NULL;
}

const char *isocast_platform_name(const isocast_platform *platform) {
    return platform->hardware->name;
}

const isocast_machine *isocast_platform_hardware(const isocast_platform *platform) {
    return platform->hardware;
}

isocast_status isocast_machine_describe_system(const isocast_machine *machine, const char *system,
                                               isocast_diagnostics *diagnostics, double *processes,
                                               double *marked_speed) {
    if (machine == NULL || system == NULL) {
        return ISOCAST_ARGUMENT;
    }
    return isocast_api_describe_system(machine, NULL, system, diagnostics, processes, marked_speed);
}
