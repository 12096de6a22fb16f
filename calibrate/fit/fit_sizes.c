#include "fit_sizes.h"

#include <math.h>
#include <stdio.h>

#include "model/base/known_operation.h"

static double of_all(double p) {
    (void)p;
    return 1;
}

static double of_none(double p) {
    (void)p;
    return 0;
}

static double of_processes(double p) {
    return 1 / p;
}

static isocast_known_operation_id id_of(const char *name) {
    return (isocast_known_operation_id)isocast_known_operation_index(name);
}

fit_sizes fit_sizes_of(const char *name) {
    static const fit_size all = {"m", of_all};
    static const fit_size no_bytes = {"0 B", of_all};
    static const fit_size blocks = {"m/p", of_processes};
    static const fit_size none = {"0 B", of_none};
    switch (id_of(name)) {
    case ISOCAST_KNOWN_barrier:
        return (fit_sizes){1, {no_bytes}};
    case ISOCAST_KNOWN_bcast_barrier:
        return (fit_sizes){3, {all, blocks, none}};
    case ISOCAST_KNOWN_bcast:
    case ISOCAST_KNOWN_reduce:
    case ISOCAST_KNOWN_allreduce:
        return (fit_sizes){2, {all, blocks}};
    case ISOCAST_KNOWN_transpose:
        return (fit_sizes){1, {blocks}};
    default:
        return (fit_sizes){1, {all}};
    }
}

double fit_size_bytes(const fit_size *size, double m, double p) {
    return m * size->share(p);
}
