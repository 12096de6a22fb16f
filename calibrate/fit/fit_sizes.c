#include "fit_sizes.h"

#include <math.h>
#include <stdio.h>

#include "fit_mix.h"
#include "model/base/known_operation.h"
#include "model/base/process_grid.h"

static double nothing(double m, double p) {
    (void)m;
    (void)p;
    return 0;
}

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

static double of_rows(double p) {
    return 1 / isocast_grid_rows(p);
}

static isocast_known_operation_id id_of(const char *name) {
    return (isocast_known_operation_id)isocast_known_operation_index(name);
}

fit_sizes fit_sizes_of(const char *name) {
    static const fit_size all = {"m", NULL, of_all, 1};
    static const fit_size blocks = {"m/p", NULL, of_processes, 1};
    static const fit_size none = {"0 B", nothing, of_none, 1};
    static const fit_size row_blocks = {"m/grid_rows(p)", NULL, of_rows, 1};
    switch (id_of(name)) {
    case ISOCAST_KNOWN_bcast_barrier:
        return (fit_sizes){3, {all, blocks, none}};
    case ISOCAST_KNOWN_bcast:
    case ISOCAST_KNOWN_bcast_turns:
    case ISOCAST_KNOWN_reduce:
    case ISOCAST_KNOWN_allreduce:
        return (fit_sizes){2, {all, blocks}};
    case ISOCAST_KNOWN_bcast_columns:
        return (fit_sizes){2, {all, row_blocks}};
    case ISOCAST_KNOWN_transpose:
    case ISOCAST_KNOWN_transpose_parts:
        return (fit_sizes){1, {blocks}};
    default:
        return (fit_sizes){1, {all}};
    }
}

fit_sizes fit_sizes_on(const char *name, const fit_network_map *map) {
    fit_sizes sizes = fit_sizes_of(name);
    fit_mix mix;
    if (fit_mix_find(name, map, &mix)) {
        for (size_t k = 0; k < mix.count; k++) {
            sizes.items[k] = sizes.items[0];
            sizes.items[k].times = mix.ratios[k];
        }
        sizes.count = mix.count;
    }
    return sizes;
}

double fit_size_bytes(const fit_size *size, double m, double p) {
    return size->times * (size->bytes != NULL ? size->bytes(m, p) : m * size->share(p));
}

void fit_size_text(const fit_size *size, char out[FIT_SIZE_TEXT_MAX]) {
    if (size->times == 1) {
        snprintf(out, FIT_SIZE_TEXT_MAX, "%s", size->text);
    } else {
        snprintf(out, FIT_SIZE_TEXT_MAX, "%.7g*%s", size->times, size->text);
    }
}
