/* The functions that measure the operations, declared by the table of these
 * (model/base/known_operation.h): a row without its function does not link, a function without its
 * row does not compile. */
#ifndef PROBE_FUNCTIONS_H
#define PROBE_FUNCTIONS_H

#include "model/base/known_operation.h"
#include "probe_exchange.h"

/* Makes what `probe_time` then works on at this size. */
typedef void probe_prepare(const probe_context *context, size_t m);

/* `repeats` calls of an operation on m bytes, to be above what the clock can say; gives this
 * process's seconds for one call, 0 where it only looks on. Collective. */
typedef double probe_time(const probe_context *context, size_t m, size_t repeats);

/* One call, which the probe times and repeats. Collective. */
typedef void probe_call(const probe_exchange *x);

#define PROBE_DECLARE_CALLED(name) probe_call probe_call_##name;
#define PROBE_DECLARE_TIMED(name) probe_time probe_time_##name;
#define PROBE_DECLARE_PREPARED(name)                                                               \
    probe_prepare probe_prepare_##name;                                                            \
    probe_time probe_time_##name;
#define PROBE_DECLARE_UNMEASURED(name)
#define PROBE_DECLARE(name, kind, argument, measurement, ...) PROBE_DECLARE_##measurement(name)
ISOCAST_KNOWN_OPERATION_ROWS(PROBE_DECLARE)
#undef PROBE_DECLARE
#undef PROBE_DECLARE_CALLED
#undef PROBE_DECLARE_TIMED
#undef PROBE_DECLARE_PREPARED
#undef PROBE_DECLARE_UNMEASURED

#endif
