#include "fit_gathering.h"

#include <math.h>

#include "model/base/known_operation.h"

/* MPICH's thresholds (MPIR_CVAR_ALLGATHER_SHORT_MSG_SIZE, _LONG_MSG_SIZE), B. */
static const double short_most = 81920;
static const double long_least = 524288;

bool fit_gathering_is(const char *name) {
    const isocast_known_operation *known = isocast_known_operation_find(name);
    return known == &isocast_known_operations[ISOCAST_KNOWN_allgather] ||
           known == &isocast_known_operations[ISOCAST_KNOWN_allgatherv];
}

bool fit_gathering_doubles(double p, double m) {
    bool power = exp2(round(log2(p))) == p;
    return power ? m * p < long_least : m * p <= short_most;
}

const char *fit_gathering_ending(bool doubles) {
    return doubles ? "_doubling" : "_ring";
}

void fit_gathering_choice(const char *name, const bool seen[2], isocast_buffer *out) {
    if (seen[0] && seen[1]) {
        isocast_buffer_printf(out,
                              "if(m*p < if(2^round(log2(p)) == p, %.0f B, %.0f B), "
                              "%s%s(m, p), %s%s(m, p))",
                              long_least, short_most + 1, name, fit_gathering_ending(true), name,
                              fit_gathering_ending(false));
    } else {
        isocast_buffer_printf(out, "%s%s(m, p)", name, fit_gathering_ending(seen[0]));
    }
}
