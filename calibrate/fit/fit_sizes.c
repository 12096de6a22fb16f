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

/* Numbers in the longest of so many parts. */
static double longest(double numbers, double parts) {
    return ceil(numbers / parts - 1e-9);
}

static const double number = 8; /* B */

static double column_edge(double m, double p) {
    return number * longest(m / number, isocast_grid_rows(p));
}

static double row_edge(double m, double p) {
    return number * longest(m / number, p / isocast_grid_rows(p));
}

static double of_all(double p) {
    (void)p;
    return 1;
}

static double of_everyone(double p) {
    return p;
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

static double of_columns(double p) {
    return isocast_grid_rows(p) / p;
}

static double of_square(double p) {
    return isocast_grid_rows(p) * of_columns(p);
}

/* Blocks for each of a row, or of a column, of the grid in which transforms exchange. A column of
 * one process sends none. */
static double of_longer_side(double p) {
    return exp2(-ceil(log2(p) / 2));
}

static double of_shorter_side(double p) {
    return 1 / fmax(p * of_longer_side(p), 2);
}

static isocast_known_operation_id id_of(const char *name) {
    return (isocast_known_operation_id)isocast_known_operation_index(name);
}

fit_sizes fit_sizes_of(const char *name) {
    static const fit_size all = {"m", NULL, of_all, 1};
    static const fit_size no_bytes = {"0 B", NULL, of_all, 1};
    static const fit_size blocks = {"m/p", NULL, of_processes, 1};
    static const fit_size none = {"0 B", nothing, of_none, 1};
    static const fit_size columns = {"8 B*ceil(m/(8 B*grid_rows(p)))", column_edge, of_rows, 1};
    static const fit_size rows = {"8 B*ceil(m/(8 B*p/grid_rows(p)))", row_edge, of_columns, 1};
    static const fit_size wholes = {"m*p", NULL, of_everyone, 1};
    static const fit_size squares = {"m*grid_rows(p)^2/p", NULL, of_square, 1};
    static const fit_size row_blocks = {"m/grid_rows(p)", NULL, of_rows, 1};
    /* A row cuts the one message, and a column the other one, into blocks that are as long. */
    static const fit_size blocks_of_both = {"m*grid_rows(p)/p", NULL, of_columns, 1};
    static const fit_size of_transform_rows = {"m/2^ceil(log2(p)/2)", NULL, of_longer_side, 1};
    static const fit_size of_transform_columns = {"m/max(p/2^ceil(log2(p)/2), 2)", NULL,
                                                  of_shorter_side, 1};
    switch (id_of(name)) {
    case ISOCAST_KNOWN_barrier:
        return (fit_sizes){1, {no_bytes}};
    case ISOCAST_KNOWN_halo_grid:
        return (fit_sizes){2, {columns, rows}};
    case ISOCAST_KNOWN_bcast_grid:
        return (fit_sizes){3, {all, squares, blocks_of_both}};
    case ISOCAST_KNOWN_bcast_barrier:
        return (fit_sizes){3, {all, blocks, none}};
    case ISOCAST_KNOWN_bcast:
    case ISOCAST_KNOWN_bcast_turns:
    case ISOCAST_KNOWN_reduce:
    case ISOCAST_KNOWN_allreduce:
        return (fit_sizes){2, {all, blocks}};
    case ISOCAST_KNOWN_bcast_columns:
        return (fit_sizes){2, {all, row_blocks}};
    case ISOCAST_KNOWN_scatter_whole:
        return (fit_sizes){2, {wholes, all}};
    case ISOCAST_KNOWN_transpose_steps:
        return (fit_sizes){2, {of_transform_columns, of_transform_rows}};
    case ISOCAST_KNOWN_transpose:
    case ISOCAST_KNOWN_transpose_parts:
    case ISOCAST_KNOWN_transpose_once:
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

/* The rank of the matrix that has blocks of m bytes on average. */
static double rank_of(double m, double p) {
    return round(sqrt(m / number * p));
}

bool fit_sizes_extent(const char *name, double m, double p, double *least, double *most) {
    if (id_of(name) != ISOCAST_KNOWN_bcast_grid) {
        return false;
    }
    double rows = isocast_grid_rows(p);
    double columns = p / rows;
    double N = rank_of(m, p);
    *least = number * floor(N / rows) * floor(N / columns);
    *most = number * longest(N, rows) * longest(N, columns);
    return true;
}

/* A sweep over the points of a block of a square whose side is m bytes. */
static double sweep_flops(double m, double p) {
    static const double of_point = 4;
    return of_point * (m / number) * (m / number) / p;
}

/* A product of two blocks of m bytes, in one step for each column. */
static double product_flops(double m, double p) {
    double N = sqrt(m / number * p);
    return 2 * N * N * N / p * of_columns(p);
}

bool fit_work_of(const char *name, fit_work *out) {
    switch (id_of(name)) {
    case ISOCAST_KNOWN_halo_grid:
        *out = (fit_work){"4*(m/(8 B))^2/p", sweep_flops};
        return true;
    case ISOCAST_KNOWN_bcast_grid:
        *out = (fit_work){"2*(m*p/(8 B))^1.5*grid_rows(p)/p^2", product_flops};
        return true;
    default:
        return false;
    }
}
