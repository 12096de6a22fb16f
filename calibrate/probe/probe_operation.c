#include "probe_operation.h"

#include "model/base/process_grid.h"

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

/* Several places on each of several nodes, which rank after rank fills. */
static bool has_places(const probe_context *context) {
    const probe_placement *placement = &context->placement;
    return context->together == 1 && placement->nodes > 1 && placement->with_first > 1 &&
           placement->nodes * placement->with_first == context->processes;
}

/* A node for each process, of which both halves have some; nodes that count as one have one process
 * each. */
static bool is_apart(const probe_context *context) {
    return context->processes > 2 &&
           (context->together > 1 || context->placement.nodes == context->processes);
}

/* Several rows, as one row alone has two neighbours, and nodes that have whole rows or equal parts
 * of rows: else each row is placed in another way. */
static bool has_grid(const probe_context *context) {
    int rows = (int)isocast_grid_rows(context->processes);
    int columns = context->processes / rows;
    int each = context->placement.with_first;
    return rows > 1 && (columns % each == 0 || each % columns == 0);
}

bool probe_operation_applies(const probe_operation *operation, const probe_context *context) {
    int processes = context->processes;
    bool power = (processes & (processes - 1)) == 0;
    switch (operation->known->kind) {
    case ISOCAST_OPERATION_WORK:
        return true;
    case ISOCAST_OPERATION_GRID_BROADCAST:
        /* Columns of processes at the same place of their nodes are T_bcast_places. */
        return context->together > 1 && has_grid(context);
    case ISOCAST_OPERATION_BESIDE:
        return is_apart(context);
    case ISOCAST_OPERATION_NODE_SHIFT:
    case ISOCAST_OPERATION_NODE_BROADCAST:
        return has_places(context);
    case ISOCAST_OPERATION_BUTTERFLY:
    case ISOCAST_OPERATION_ROWS:
        return processes > 1 && power;
    case ISOCAST_OPERATION_GRID:
        return has_grid(context);
    case ISOCAST_OPERATION_COLUMNS: /* a grid of two has columns of one */
        return processes > 2 && power;
    default:
        return processes > 1;
    }
}

bool probe_operation_is_sized(const probe_operation *operation) {
    return operation->known->argument != ISOCAST_ARGUMENT_NONE;
}

double probe_operation_time(const probe_operation *operation, const probe_context *context,
                            size_t m, size_t repeats) {
    return operation->time != NULL ? operation->time(context, m, repeats)
                                   : probe_exchange_time(context, m, repeats, operation->call);
}
