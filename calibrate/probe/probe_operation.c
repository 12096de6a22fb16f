#include "probe_operation.h"

#define PROBE_CALLED(name) .call = probe_call_##name
#define PROBE_TIMED(name) .time = probe_time_##name
#define PROBE_PREPARED(name) .prepare = probe_prepare_##name, .time = probe_time_##name
#define PROBE_UNMEASURED(name) .call = NULL
#define PROBE_ROW(name, kind, argument, measurement, ...)                                          \
    [ISOCAST_KNOWN_##name] = {.known = &isocast_known_operations[ISOCAST_KNOWN_##name],            \
                              PROBE_##measurement(name)},
const probe_operation probe_operations[ISOCAST_KNOWN_OPERATIONS] = {
    ISOCAST_KNOWN_OPERATION_ROWS(PROBE_ROW)};

bool probe_operation_is_measured(const probe_operation *operation) {
    return operation->known->measurement != ISOCAST_OPERATION_UNMEASURED;
}

bool probe_operation_applies(const probe_operation *operation, const probe_context *context) {
    return operation->known->kind == ISOCAST_OPERATION_WORK || context->processes > 1;
}

bool probe_operation_is_sized(const probe_operation *operation) {
    return operation->known->argument != ISOCAST_ARGUMENT_NONE;
}

double probe_operation_time(const probe_operation *operation, const probe_context *context,
                            size_t m, size_t repeats) {
    return operation->time != NULL ? operation->time(context, m, repeats)
                                   : probe_exchange_time(context, m, repeats, operation->call);
}
