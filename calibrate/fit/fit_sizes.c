#include "fit_sizes.h"

#include "model/base/known_operation.h"

const char *fit_size_text(const char *operation) {
    size_t known = isocast_known_operation_index(operation);
    return known == ISOCAST_KNOWN_barrier ? "0 B" : known == ISOCAST_KNOWN_transpose ? "m/p" : "m";
}

double fit_size_bytes(const char *operation, double m, double p) {
    return isocast_known_operation_index(operation) == ISOCAST_KNOWN_transpose ? m / p : m;
}
