#include "law.h"

#include <math.h>
#include <string.h>

#include "model/base/process_grid.h"

/* Sides that the command line gives, or those of the most square, or most cubic, grid. */
static double rows_of(const isocast_law_point *at) {
    return at->rows > 0 ? at->rows : isocast_grid_rows(at->p);
}

static double columns_of(const isocast_law_point *at) {
    return at->p / rows_of(at);
}

static double depth_of(const isocast_law_point *at) {
    return at->depth > 0 ? at->depth : isocast_grid_layers(at->p);
}

static double height_of(const isocast_law_point *at) {
    return at->height > 0 ? at->height : isocast_grid_rows(at->p / depth_of(at));
}

static double width_of(const isocast_law_point *at) {
    return at->p / depth_of(at) / height_of(at);
}

/* Neighbours along a side of a grid, and half of those around a ring. */
static double beside(double side) {
    return fmin(2, side - 1);
}

static double around(double side) {
    return fmin(1, side - 1);
}

/* Whether the neighbours on both sides are two processes: with two along a ring they are one. */
static double second(double side) {
    return fmin(1, fmax(side, 2) - 2);
}

#define FACTOR(name, expression)                                                                   \
    static double name(double n, const isocast_law_point *at) {                                    \
        const double p = at->p;                                                                    \
        (void)n;                                                                                   \
        (void)p;                                                                                   \
        return expression;                                                                         \
    }

FACTOR(one, 1)
FACTOR(processes, p)
FACTOR(per_process, 1 / p)
FACTOR(per_rising_share,
       1 / (p + 1)) /* half of the largest share where shares grow with the rank */
FACTOR(per_worker, 1 / fmax(1, p - 1))   /* where one process deals the work out to the others */
FACTOR(growing_share, (p - 1) / (p * p)) /* what unequal shares add to the largest one */
FACTOR(others, p - 1)
FACTOR(log_p, log2(p))
FACTOR(steps_up, ceil(log2(p)))
FACTOR(steps_down, floor(log2(p)))
FACTOR(sorting_steps, log2(p) * (log2(p) + 1)) /* twice those of a bitonic sort */
FACTOR(root_p, sqrt(p))
FACTOR(per_root_p, 1 / sqrt(p))
FACTOR(cube_root_p, cbrt(p))
FACTOR(per_cube_root_p, 1 / cbrt(p))
FACTOR(two_thirds_p, pow(cbrt(p), 2))
FACTOR(per_two_thirds_p, 1 / pow(cbrt(p), 2))
FACTOR(square_p, p *p)
FACTOR(per_square_p, 1 / (p * p))
FACTOR(three_halves_p, p *sqrt(p))
FACTOR(p_log_p, p *log2(p))
FACTOR(log_per_p, log2(p) / p)
FACTOR(half_up, ceil(p / 2))
FACTOR(half_down, floor(p / 2))
FACTOR(neighbours, fmin(2, p - 1))
FACTOR(worker_neighbours, fmin(2, fmax(p, 2) - 2)) /* on a line that one process is not on */
FACTOR(row_count, rows_of(at))
FACTOR(per_row, 1 / rows_of(at))
FACTOR(column_count, columns_of(at))
FACTOR(per_column, 1 / columns_of(at))
FACTOR(other_rows, rows_of(at) - 1)
FACTOR(other_columns, columns_of(at) - 1)
FACTOR(row_neighbours, fmin(2, rows_of(at) - 1))
FACTOR(column_neighbours, fmin(2, columns_of(at) - 1))
FACTOR(grid_neighbours, row_neighbours(n, at) + column_neighbours(n, at))
FACTOR(ring_neighbours, fmin(1, rows_of(at) - 1) + fmin(1, columns_of(at) - 1))
FACTOR(grid_corners, row_neighbours(n, at) * column_neighbours(n, at))
FACTOR(grid_all, grid_neighbours(n, at) + grid_corners(n, at))
FACTOR(ring_corners, fmin(1, rows_of(at) - 1) * fmin(1, columns_of(at) - 1))
FACTOR(some_processes, fmin(1, p - 1))
FACTOR(some_rows, fmin(1, rows_of(at) - 1))
FACTOR(some_columns, fmin(1, columns_of(at) - 1))

FACTOR(depth_side, depth_of(at))
FACTOR(height_side, height_of(at))
FACTOR(width_side, width_of(at))
FACTOR(per_depth, 1 / depth_of(at))
FACTOR(per_height, 1 / height_of(at))
FACTOR(per_width, 1 / width_of(at))
FACTOR(other_depth, depth_of(at) - 1)
FACTOR(other_height, height_of(at) - 1)
FACTOR(other_width, width_of(at) - 1)
FACTOR(beside_depth, beside(depth_of(at)))
FACTOR(beside_height, beside(height_of(at)))
FACTOR(beside_width, beside(width_of(at)))
FACTOR(beside_depth_height, beside_depth(n, at) * beside_height(n, at))
FACTOR(beside_depth_width, beside_depth(n, at) * beside_width(n, at))
FACTOR(beside_height_width, beside_height(n, at) * beside_width(n, at))
FACTOR(beside_corner, beside_depth_height(n, at) * beside_width(n, at))
FACTOR(beside_faces, beside_depth(n, at) + beside_height(n, at) + beside_width(n, at))
FACTOR(beside_edges,
       beside_depth_height(n, at) + beside_depth_width(n, at) + beside_height_width(n, at))
FACTOR(beside_all, beside_faces(n, at) + beside_edges(n, at) + beside_corner(n, at))
FACTOR(around_depth, around(depth_of(at)))
FACTOR(around_height, around(height_of(at)))
FACTOR(around_width, around(width_of(at)))
FACTOR(around_depth_height, around_depth(n, at) * around_height(n, at))
FACTOR(around_depth_width, around_depth(n, at) * around_width(n, at))
FACTOR(around_height_width, around_height(n, at) * around_width(n, at))
FACTOR(around_corner, around_depth_height(n, at) * around_width(n, at))
FACTOR(around_faces, around_depth(n, at) + around_height(n, at) + around_width(n, at))
FACTOR(around_edges,
       around_depth_height(n, at) + around_depth_width(n, at) + around_height_width(n, at))
FACTOR(around_all, 2 * around_faces(n, at) + 4 * around_edges(n, at) + 8 * around_corner(n, at))

FACTOR(second_depth, second(depth_of(at)))
FACTOR(second_height, second(height_of(at)))
FACTOR(second_width, second(width_of(at)))
FACTOR(second_faces, second_depth(n, at) + second_height(n, at) + second_width(n, at))

FACTOR(size, n)
FACTOR(size_square, n *n)
FACTOR(size_cube, n *n *n)
FACTOR(size_root, sqrt(n))
FACTOR(size_three_halves, n *sqrt(n))
FACTOR(size_cube_root, cbrt(n))
FACTOR(size_two_thirds, pow(cbrt(n), 2))
FACTOR(size_four_thirds, n *cbrt(n))
FACTOR(size_log, log2(n))
FACTOR(size_log_up, ceil(log2(n)))
FACTOR(size_log_down, floor(log2(n)))
FACTOR(power_two, exp2(n))
FACTOR(power_four, exp2(2 * n))
FACTOR(share_up, ceil(n / p))
FACTOR(share_down, floor(n / p))
FACTOR(share_of_one_less, ceil((n - 1) / p)) /* of those that process 0 leaves */
FACTOR(share_of_two_less, ceil((n - 2) / p)) /* of the points between two ends */
FACTOR(row_share_up, ceil(n / rows_of(at)))
FACTOR(row_share_down, floor(n / rows_of(at)))
FACTOR(row_share_of_two_less, ceil((n - 2) / rows_of(at)))
FACTOR(column_share_up, ceil(n / columns_of(at)))
FACTOR(column_share_down, floor(n / columns_of(at)))
FACTOR(column_share_of_two_less, ceil((n - 2) / columns_of(at)))
/* Shares of a side of a grid of three dimensions. */
#define SIDE(side)                                                                                 \
    FACTOR(side##_share_up, ceil(n / side##_of(at)))                                               \
    FACTOR(side##_share_down, floor(n / side##_of(at)))                                            \
    FACTOR(side##_share_and_one, ceil(n / side##_of(at)) + 1)                                      \
    FACTOR(side##_share_and_two, ceil(n / side##_of(at)) + 2)                                      \
    FACTOR(side##_share_of_one_more, ceil((n + 1) / side##_of(at)))                                \
    FACTOR(side##_share_of_one_less, ceil((n - 1) / side##_of(at)))                                \
    FACTOR(side##_share_of_two_less, ceil((n - 2) / side##_of(at)))
SIDE(depth)
SIDE(height)
SIDE(width)
#undef SIDE
FACTOR(surface, depth_share_up(n, at) * height_share_up(n, at) +
                    (depth_share_up(n, at) + height_share_up(n, at)) * width_share_up(n, at))
FACTOR(per_size, 1 / n)
FACTOR(size_and_one, n + 1)
FACTOR(size_and_two, n + 2)
FACTOR(size_less_one, n - 1)
FACTOR(size_less_two, n - 2)
#undef FACTOR

const isocast_law_factor isocast_law_process_factors[] = {
    {"", one, 0, false, 0, false},
    {"p", processes, 1, false, 0, false},
    {"/p", per_process, 1.5, false, 0, false},
    {"(p - 1)", others, 1.2, false, 0, false},
    {"log2(p)", log_p, 2, false, 0, false},
    {"ceil(log2(p))", steps_up, 2.1, false, 0, false},
    {"floor(log2(p))", steps_down, 2.2, false, 0, false},
    {"log2(p)*(log2(p) + 1)", sorting_steps, 2.4, false, 0, false},
    {"sqrt(p)", root_p, 2.2, false, 0, false},
    {"/sqrt(p)", per_root_p, 2.3, false, 0, false},
    {"cbrt(p)", cube_root_p, 2.6, false, 0, false},
    {"/cbrt(p)", per_cube_root_p, 2.6, false, 0, false},
    {"p^(2/3)", two_thirds_p, 2.8, false, 0, false},
    {"/p^(2/3)", per_two_thirds_p, 2.8, false, 0, false},
    {"p^2", square_p, 2, false, 0, false},
    {"/p^2", per_square_p, 2.2, false, 0, false},
    {"/(p + 1)", per_rising_share, 2.4, false, 0, false},
    {"/max(1, p - 1)", per_worker, 2.2, false, 0, false},
    {"(p - 1)/p^2", growing_share, 2.6, false, 0, false},
    {"p^(3/2)", three_halves_p, 2.8, false, 0, false},
    {"p*log2(p)", p_log_p, 2.8, false, 0, false},
    {"log2(p)/p", log_per_p, 2.8, false, 0, false},
    {"ceil(p/2)", half_up, 2.4, false, 0, false},
    {"floor(p/2)", half_down, 2.4, false, 0, false},
    {"min(2, p - 1)", neighbours, 2.2, false, 0, false},
    {"min(2, max(p, 2) - 2)", worker_neighbours, 2.8, false, 0, false},
    {"rows", row_count, 2, false, 2, false},
    {"/rows", per_row, 2.1, false, 2, false},
    {"columns", column_count, 2, false, 2, false},
    {"/columns", per_column, 2.1, false, 2, false},
    {"(rows - 1)", other_rows, 3, false, 2, false},
    {"(columns - 1)", other_columns, 3, false, 2, false},
    {"min(2, rows - 1)", row_neighbours, 2.3, false, 2, false},
    {"min(2, columns - 1)", column_neighbours, 2.3, false, 2, false},
    {"min(1, p - 1)", some_processes, 1.5, false, 0, false},
    {"min(1, rows - 1)", some_rows, 2.4, false, 2, false},
    {"min(1, columns - 1)", some_columns, 2.4, false, 2, false},
    {"(min(2, rows - 1) + min(2, columns - 1))", grid_neighbours, 2.6, false, 2, false},
    {"(min(1, rows - 1) + min(1, columns - 1))", ring_neighbours, 2.6, false, 2, false},
    {"min(2, rows - 1)*min(2, columns - 1)", grid_corners, 2.8, false, 2, false},
    {"min(1, rows - 1)*min(1, columns - 1)", ring_corners, 2.8, false, 2, false},
    {"((1 + min(2, rows - 1))*(1 + min(2, columns - 1)) - 1)", grid_all, 2.8, false, 2, false},
    {"depth", depth_side, 2.1, false, 3, false},
    {"height", height_side, 2.1, false, 3, false},
    {"width", width_side, 2.1, false, 3, false},
    {"/depth", per_depth, 2.2, false, 3, false},
    {"/height", per_height, 2.2, false, 3, false},
    {"/width", per_width, 2.2, false, 3, false},
    {"(depth - 1)", other_depth, 3, false, 3, false},
    {"(height - 1)", other_height, 3, false, 3, false},
    {"(width - 1)", other_width, 3, false, 3, false},
    {"min(2, depth - 1)", beside_depth, 2.3, false, 3, false},
    {"min(2, height - 1)", beside_height, 2.3, false, 3, false},
    {"min(2, width - 1)", beside_width, 2.3, false, 3, false},
    {"min(2, depth - 1)*min(2, height - 1)", beside_depth_height, 2.6, false, 3, false},
    {"min(2, depth - 1)*min(2, width - 1)", beside_depth_width, 2.6, false, 3, false},
    {"min(2, height - 1)*min(2, width - 1)", beside_height_width, 2.6, false, 3, false},
    {"min(2, depth - 1)*min(2, height - 1)*min(2, width - 1)", beside_corner, 2.65, false, 3,
     false},
    {"(min(2, depth - 1) + min(2, height - 1) + min(2, width - 1))", beside_faces, 2.6, false, 3,
     false},
    {"(min(2, depth - 1)*min(2, height - 1) + min(2, depth - 1)*min(2, width - 1) + min(2, height "
     "- 1)*min(2, width - 1))",
     beside_edges, 2.8, false, 3, false},
    {"((1 + min(2, depth - 1))*(1 + min(2, height - 1))*(1 + min(2, width - 1)) - 1)", beside_all,
     2.7, false, 3, false},
    {"min(1, depth - 1)", around_depth, 2.4, false, 3, false},
    {"min(1, height - 1)", around_height, 2.4, false, 3, false},
    {"min(1, width - 1)", around_width, 2.4, false, 3, false},
    {"min(1, depth - 1)*min(1, height - 1)", around_depth_height, 2.6, false, 3, false},
    {"min(1, depth - 1)*min(1, width - 1)", around_depth_width, 2.6, false, 3, false},
    {"min(1, height - 1)*min(1, width - 1)", around_height_width, 2.6, false, 3, false},
    {"min(1, depth - 1)*min(1, height - 1)*min(1, width - 1)", around_corner, 2.65, false, 3,
     false},
    {"(min(1, depth - 1) + min(1, height - 1) + min(1, width - 1))", around_faces, 2.6, false, 3,
     false},
    {"(min(1, depth - 1)*min(1, height - 1) + min(1, depth - 1)*min(1, width - 1) + min(1, height "
     "- 1)*min(1, width - 1))",
     around_edges, 2.8, false, 3, false},
    {"((1 + 2*min(1, depth - 1))*(1 + 2*min(1, height - 1))*(1 + 2*min(1, width - 1)) - 1)",
     around_all, 2.7, false, 3, false},
    {"min(1, max(depth, 2) - 2)", second_depth, 2.8, false, 3, false},
    {"min(1, max(height, 2) - 2)", second_height, 2.8, false, 3, false},
    {"min(1, max(width, 2) - 2)", second_width, 2.8, false, 3, false},
    {"(min(1, max(depth, 2) - 2) + min(1, max(height, 2) - 2) + min(1, max(width, 2) - 2))",
     second_faces, 2.8, false, 3, false},
};
const size_t isocast_law_process_factor_count =
    sizeof isocast_law_process_factors / sizeof *isocast_law_process_factors;

/* The largest share over processes is rounded up, so that it comes before the mean share. */
const isocast_law_factor isocast_law_size_factors[] = {
    {"", one, 0, false, 0, true},
    {"$", size, 1, true, 0, true},
    {"$^2", size_square, 1.8, true, 0, true},
    {"$^3", size_cube, 2.6, false, 0, true},
    {"sqrt($)", size_root, 2.4, false, 0, true},
    {"$^(3/2)", size_three_halves, 2.8, false, 0, true},
    {"cbrt($)", size_cube_root, 2.8, false, 0, true},
    {"$^(2/3)", size_two_thirds, 3, false, 0, true},
    {"$^(4/3)", size_four_thirds, 3.2, false, 0, true},
    {"log2($)", size_log, 2.2, true, 0, true},
    {"ceil(log2($))", size_log_up, 2.5, true, 0, false},
    {"floor(log2($))", size_log_down, 2.6, true, 0, false},
    {"2^$", power_two, 3, true, 0, false},
    {"4^$", power_four, 3, true, 0, false},
    {"ceil($/p)", share_up, 2, true, 0, false},
    {"floor($/p)", share_down, 2.4, true, 0, false},
    {"ceil(($ - 1)/p)", share_of_one_less, 2.6, true, 0, false},
    {"ceil(($ - 2)/p)", share_of_two_less, 2.7, true, 0, false},
    {"ceil($/rows)", row_share_up, 2.8, true, 2, false},
    {"floor($/rows)", row_share_down, 3.2, true, 2, false},
    {"ceil(($ - 2)/rows)", row_share_of_two_less, 3.4, true, 2, false},
    {"ceil($/columns)", column_share_up, 2.8, true, 2, false},
    {"floor($/columns)", column_share_down, 3.2, true, 2, false},
    {"ceil(($ - 2)/columns)", column_share_of_two_less, 3.4, true, 2, false},
    {"ceil($/depth)", depth_share_up, 2.4, true, 3, false},
    {"floor($/depth)", depth_share_down, 2.8, true, 3, false},
    {"(ceil($/depth) + 1)", depth_share_and_one, 2.9, true, 3, false},
    {"(ceil($/depth) + 2)", depth_share_and_two, 3, true, 3, false},
    {"ceil(($ + 1)/depth)", depth_share_of_one_more, 2.9, true, 3, false},
    {"ceil(($ - 1)/depth)", depth_share_of_one_less, 3, true, 3, false},
    {"ceil(($ - 2)/depth)", depth_share_of_two_less, 3, true, 3, false},
    {"ceil($/height)", height_share_up, 2.4, true, 3, false},
    {"floor($/height)", height_share_down, 2.8, true, 3, false},
    {"(ceil($/height) + 1)", height_share_and_one, 2.9, true, 3, false},
    {"(ceil($/height) + 2)", height_share_and_two, 3, true, 3, false},
    {"ceil(($ + 1)/height)", height_share_of_one_more, 2.9, true, 3, false},
    {"ceil(($ - 1)/height)", height_share_of_one_less, 3, true, 3, false},
    {"ceil(($ - 2)/height)", height_share_of_two_less, 3, true, 3, false},
    {"ceil($/width)", width_share_up, 2.4, true, 3, false},
    {"floor($/width)", width_share_down, 2.8, true, 3, false},
    {"(ceil($/width) + 1)", width_share_and_one, 2.9, true, 3, false},
    {"(ceil($/width) + 2)", width_share_and_two, 3, true, 3, false},
    {"ceil(($ + 1)/width)", width_share_of_one_more, 2.9, true, 3, false},
    {"ceil(($ - 1)/width)", width_share_of_one_less, 3, true, 3, false},
    {"ceil(($ - 2)/width)", width_share_of_two_less, 3, true, 3, false},
    {"(ceil($/depth)*ceil($/height) + (ceil($/depth) + ceil($/height))*ceil($/width))", surface, 3,
     false, 3, false},
    {"/$", per_size, 2.5, true, 0, false},
    {"($ + 1)", size_and_one, 2, true, 0, false},
    {"($ + 2)", size_and_two, 2.1, true, 0, false},
    {"($ - 1)", size_less_one, 2.1, true, 0, false},
    {"($ - 2)", size_less_two, 2.2, true, 0, false},
};
const size_t isocast_law_size_factor_count =
    sizeof isocast_law_size_factors / sizeof *isocast_law_size_factors;

static size_t row_of(double (*value)(double, const isocast_law_point *)) {
    size_t i = 0;
    while (i < isocast_law_process_factor_count && isocast_law_process_factors[i].value != value) {
        i++;
    }
    return i < isocast_law_process_factor_count ? i : 0;
}

size_t isocast_law_neighbours(isocast_law_guard guard, size_t dimensions) {
    switch (guard) {
    case ISOCAST_GUARD_PROCESSES:
        return row_of(dimensions == 3   ? beside_width
                      : dimensions == 2 ? column_neighbours
                                        : neighbours);
    case ISOCAST_GUARD_COLUMNS:
        return row_of(column_neighbours);
    case ISOCAST_GUARD_ROWS:
        return row_of(row_neighbours);
    case ISOCAST_GUARD_HEIGHT:
        return row_of(beside_height);
    case ISOCAST_GUARD_DEPTH:
        return row_of(beside_depth);
    case ISOCAST_GUARD_TWO:
        return row_of(worker_neighbours);
    case ISOCAST_GUARD_NONE:
        break;
    }
    return 0;
}

bool isocast_law_is_cube_neighbours(size_t factor, unsigned axes, bool one_way) {
    static double (*const rows[ISOCAST_AXES][2])(double, const isocast_law_point *) = {
        {beside_faces, around_faces},
        {beside_depth, around_depth},
        {beside_height, around_height},
        {beside_depth_height, around_depth_height},
        {beside_width, around_width},
        {beside_depth_width, around_depth_width},
        {beside_height_width, around_height_width},
        {beside_corner, around_corner},
    };
    double (*const value)(double, const isocast_law_point *) =
        isocast_law_process_factors[factor].value;
    bool any = value == beside_all || value == around_all || value == beside_edges ||
               value == around_edges || value == beside_corner || value == around_corner;
    static double (*const seconds[ISOCAST_AXES])(double, const isocast_law_point *) = {
        [0] = second_faces,
        [ISOCAST_AXIS_DEPTH] = second_depth,
        [ISOCAST_AXIS_HEIGHT] = second_height,
        [ISOCAST_AXIS_WIDTH] = second_width,
    };
    bool both = !one_way && (value == rows[axes][0] || value == seconds[axes]);
    return both || value == rows[axes][1] || (axes == 0 && any);
}

bool isocast_law_is_neighbours(size_t factor) {
    static double (*const counts[])(double, const isocast_law_point *) = {
        neighbours,      row_neighbours, column_neighbours, grid_neighbours,
        ring_neighbours, some_processes, some_rows,         some_columns,
        grid_corners,    ring_corners,   grid_all,          worker_neighbours};
    bool is = false;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        is = is || factor == row_of(counts[i]);
    }
    return is;
}

bool isocast_law_is_grid_neighbours(size_t factor) {
    return factor == row_of(grid_neighbours) || factor == row_of(ring_neighbours) ||
           factor == row_of(grid_corners) || factor == row_of(ring_corners) ||
           factor == row_of(grid_all);
}

double isocast_monomial_value(const isocast_monomial *monomial, const isocast_law_point *point) {
    double value = isocast_law_process_factors[monomial->process].value(0, point);
    for (size_t i = 0; i < ISOCAST_MONOMIAL_FACTORS; i++) {
        if (monomial->factors[i] != 0) {
            value *= isocast_law_size_factors[monomial->factors[i]].value(
                point->sizes[monomial->sizes[i]], point);
        }
    }
    return value;
}

bool isocast_guard_holds(isocast_law_guard guard, const isocast_law_point *at) {
    switch (guard) {
    case ISOCAST_GUARD_PROCESSES:
        return at->p > 1;
    case ISOCAST_GUARD_COLUMNS:
        return columns_of(at) > 1;
    case ISOCAST_GUARD_ROWS:
        return rows_of(at) > 1;
    case ISOCAST_GUARD_TWO:
        return at->p > 2;
    case ISOCAST_GUARD_HEIGHT:
        return height_of(at) > 1;
    case ISOCAST_GUARD_DEPTH:
        return depth_of(at) > 1;
    case ISOCAST_GUARD_NONE:
        break;
    }
    return true;
}

int isocast_guard_grid(isocast_law_guard guard) {
    switch (guard) {
    case ISOCAST_GUARD_COLUMNS:
    case ISOCAST_GUARD_ROWS:
        return 2;
    case ISOCAST_GUARD_HEIGHT:
    case ISOCAST_GUARD_DEPTH:
        return 3;
    case ISOCAST_GUARD_NONE:
    case ISOCAST_GUARD_PROCESSES:
    case ISOCAST_GUARD_TWO:
        break;
    }
    return 0;
}

void isocast_guard_write(isocast_law_guard guard, isocast_buffer *out) {
    static const char *const texts[ISOCAST_LAW_GUARDS] = {
        [ISOCAST_GUARD_NONE] = "p > 0",          [ISOCAST_GUARD_PROCESSES] = "p > 1",
        [ISOCAST_GUARD_COLUMNS] = "columns > 1", [ISOCAST_GUARD_ROWS] = "rows > 1",
        [ISOCAST_GUARD_TWO] = "p > 2",           [ISOCAST_GUARD_HEIGHT] = "height > 1",
        [ISOCAST_GUARD_DEPTH] = "depth > 1",
    };
    isocast_buffer_puts(out, texts[guard]);
}

double isocast_law_value(const isocast_law *law, const isocast_law_point *point) {
    double value = 0;
    for (size_t i = 0; i < law->term_count && isocast_guard_holds(law->guard, point); i++) {
        value += law->numerators[i] * isocast_monomial_value(&law->terms[i], point) /
                 law->denominators[i];
    }
    return value;
}

bool isocast_law_uses_grid(const isocast_law *law, int dimensions) {
    bool uses = law->term_count > 0 && isocast_guard_grid(law->guard) == dimensions;
    for (size_t i = 0; i < law->term_count; i++) {
        uses = uses || isocast_law_process_factors[law->terms[i].process].grid == dimensions;
        for (size_t k = 0; k < ISOCAST_MONOMIAL_FACTORS; k++) {
            uses = uses || isocast_law_size_factors[law->terms[i].factors[k]].grid == dimensions;
        }
    }
    return uses;
}

bool isocast_law_is_exponential(size_t factor) {
    const char *text = isocast_law_size_factors[factor].text;
    return strcmp(text, "2^$") == 0 || strcmp(text, "4^$") == 0;
}

bool isocast_law_same_sizes(const isocast_law_point *a, const isocast_law_point *b) {
    bool same = true;
    for (size_t i = 0; i < ISOCAST_DERIVE_SIZES_MAX; i++) {
        same = same && a->sizes[i] == b->sizes[i];
    }
    return same;
}

bool isocast_law_is_whole_power(size_t factor) {
    static double (*const powers[])(double, const isocast_law_point *) = {one, size, size_square,
                                                                          size_cube};
    bool is = false;
    for (size_t i = 0; i < sizeof powers / sizeof *powers; i++) {
        is = is || isocast_law_size_factors[factor].value == powers[i];
    }
    return is;
}

bool isocast_law_is_uneven_share(size_t factor) {
    return factor == row_of(per_rising_share) || factor == row_of(growing_share) ||
           factor == row_of(per_worker);
}

bool isocast_law_is_shifted(size_t factor) {
    return strncmp(isocast_law_size_factors[factor].text, "($ ", 3) == 0;
}

bool isocast_law_has_exponent(const isocast_law *law, size_t size) {
    bool has = false;
    for (size_t i = 0; i < law->term_count; i++) {
        for (size_t k = 0; k < ISOCAST_MONOMIAL_FACTORS; k++) {
            has = has || (law->terms[i].sizes[k] == size &&
                          isocast_law_is_exponential(law->terms[i].factors[k]));
        }
    }
    return has;
}

static void write_factor(const char *text, const char *name, isocast_buffer *out) {
    for (; *text != '\0'; text++) {
        if (*text == '$') {
            isocast_buffer_puts(out, name);
        } else {
            isocast_buffer_append(out, text, 1);
        }
    }
}

/* A difference that stands by itself in a sum needs no brackets. */
static bool is_bare(const isocast_law *law, size_t index) {
    const isocast_monomial *m = &law->terms[index];
    return law->term_count > 1 && law->numerators[index] == 1 && law->denominators[index] == 1 &&
           m->factors[0] == 0 && isocast_law_process_factors[m->process].value == others;
}

static void write_term(const isocast_law *law, size_t index, const char *const *names,
                       const char *unit, isocast_buffer *out) {
    const isocast_monomial *m = &law->terms[index];
    double number = fabs(law->numerators[index]);
    const char *process = isocast_law_process_factors[m->process].text;
    bool divides = process[0] == '/';
    bool multiplies = process[0] != '\0' && !divides;
    bool has_factor = multiplies || m->factors[0] != 0;
    const char *joint = "";
    if (number != 1 || unit[0] != '\0' || !has_factor) {
        isocast_buffer_printf(out, law->exact ? "%.15g" : "%.4g", number);
        isocast_buffer_printf(out, "%s%s", unit[0] != '\0' ? " " : "", unit);
        joint = unit[0] != '\0' ? " * " : "*";
    }
    for (size_t i = 0; i < ISOCAST_MONOMIAL_FACTORS && m->factors[i] != 0; i++) {
        const char *text = isocast_law_size_factors[m->factors[i]].text;
        bool is_number = joint[0] == '\0'; /* nothing stands before it */
        isocast_buffer_puts(out, text[0] != '/' ? joint : is_number && i == 0 ? "1" : "");
        write_factor(text, names[m->sizes[i]], out);
        joint = "*";
    }
    if (multiplies) {
        isocast_buffer_puts(out, joint);
        isocast_buffer_puts(out, is_bare(law, index) && unit[0] == '\0' ? "p - 1" : process);
    }
    if (law->denominators[index] != 1) {
        isocast_buffer_printf(out, "/%.15g", law->denominators[index]);
    }
    if (divides) {
        isocast_buffer_puts(out, process);
    }
}

void isocast_law_write(const isocast_law *law, const char *const *names, const char *unit,
                       bool factor, isocast_buffer *out) {
    bool brackets = factor && law->term_count > 1;
    isocast_buffer_puts(out, brackets ? "(" : "");
    for (size_t i = 0; i < law->term_count; i++) {
        bool negative = law->numerators[i] < 0;
        isocast_buffer_puts(out, i == 0 ? (negative ? "-" : "") : (negative ? " - " : " + "));
        write_term(law, i, names, unit, out);
    }
    if (law->term_count == 0) {
        isocast_buffer_printf(out, "0%s%s", unit[0] != '\0' ? " " : "", unit);
    }
    isocast_buffer_puts(out, brackets ? ")" : "");
}

bool isocast_law_needs_rows(const isocast_law *law) {
    bool needs = law->term_count > 0;
    for (size_t i = 0; i < law->term_count; i++) {
        size_t factor = law->terms[i].process;
        needs = needs && (factor == row_of(row_neighbours) || factor == row_of(some_rows));
    }
    return needs || law->guard == ISOCAST_GUARD_ROWS;
}
