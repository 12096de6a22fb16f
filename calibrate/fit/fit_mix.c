#include "fit_mix.h"

#include <math.h>

#include "model/base/known_operation.h"

/* Ratios that differ by no more are one. */
static const double alike = 1e-6;

static bool is_of(const char *name, isocast_known_operation_id id) {
    return isocast_known_operation_find(name) == &isocast_known_operations[id];
}

/* Puts a ratio at its place among falling ones, unless it is there; gives their number. */
static size_t put_ratio(double *ratios, size_t count, double ratio) {
    size_t at = 0;
    while (at < count && ratios[at] > ratio * (1 + alike)) {
        at++;
    }
    if (at < count && ratios[at] > ratio * (1 - alike)) {
        return count;
    }
    for (size_t k = count; k > at; k--) {
        ratios[k] = ratios[k - 1];
    }
    ratios[at] = ratio;
    return count + 1;
}

/* Mean speed of all processors. */
static double mean_speed(const fit_network_map *map) {
    double speed = 0;
    double processors = 0;
    for (size_t i = 0; i < map->class_count; i++) {
        double these = map->class_nodes[i] * map->class_processors[i];
        speed += these * map->class_speeds[i];
        processors += these;
    }
    return speed / processors;
}

bool fit_mix_find(const char *name, const fit_network_map *map, fit_mix *out) {
    /* A block is for one part of what another part has. */
    bool blocks = is_of(name, ISOCAST_KNOWN_transpose_parts);
    bool parts = blocks || is_of(name, ISOCAST_KNOWN_scatter_parts) ||
                 is_of(name, ISOCAST_KNOWN_gather_parts);
    if (!parts || !fit_network_is_mixed(map)) {
        return false;
    }
    double ratios[ISOCAST_SHAPE_LENGTH * ISOCAST_SHAPE_LENGTH];
    size_t count = 0;
    double mean = mean_speed(map);
    for (size_t i = 0; i < map->class_count; i++) {
        double own = map->class_speeds[i] / mean;
        for (size_t k = 0; k <= i && blocks; k++) {
            count = put_ratio(ratios, count, own * map->class_speeds[k] / mean);
        }
        count = blocks ? count : put_ratio(ratios, count, own);
    }
    out->count = count < FIT_SIZES_MAX ? count : FIT_SIZES_MAX;
    for (size_t k = 0; k < out->count; k++) {
        out->ratios[k] = ratios[k * (count - 1) / (out->count > 1 ? out->count - 1 : 1)];
    }
    return count > 1;
}

double fit_mix_scale(const char *name, const fit_network_map *map, const double *speeds,
                     size_t processes) {
    fit_mix mix;
    if (processes < 2 || !fit_mix_find(name, map, &mix)) {
        return 1;
    }
    bool blocks = is_of(name, ISOCAST_KNOWN_transpose_parts);
    double sum = 0;
    for (size_t q = blocks ? 0 : 1; q < processes; q++) {
        sum += speeds[q];
    }
    double scale = mean_speed(map) * (double)(blocks ? processes : processes - 1) / sum;
    return blocks ? scale * scale : scale;
}
