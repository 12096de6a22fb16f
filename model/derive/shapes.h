/* The grids of two dimensions that programs put their processes in: the most even one, or one that
 * follows the ratio of two sizes of the mesh. Fits nothing. */
#ifndef ISOCAST_DERIVE_SHAPES_H
#define ISOCAST_DERIVE_SHAPES_H

#include "law.h"

typedef enum isocast_shape_rule {
    ISOCAST_SHAPE_UNREPORTED, /* the most even grid is taken, of two dimensions or three */
    ISOCAST_SHAPE_LONGER,     /* likewise of two, with more processes along the longer size */
    ISOCAST_SHAPE_SURFACE,    /* shares with the least surface */
    /* The most processes along the first size with px/py at most the ratio of the sizes; where that
     * is one, and the size the longer one, all are along it (CloverLeaf). */
    ISOCAST_SHAPE_RATIO
} isocast_shape_rule;

typedef struct isocast_shape {
    isocast_shape_rule rule;
    size_t first, second; /* sizes that the ratio is of */
} isocast_shape;

enum {
    ISOCAST_SHAPE_RULES = ISOCAST_SHAPE_RATIO + 1,
    /* Each rule by ratio for either order of two sizes. */
    ISOCAST_SHAPES_MOST =
        (ISOCAST_SHAPE_RULES - 1) * ISOCAST_DERIVE_SIZES_MAX * ISOCAST_DERIVE_SIZES_MAX
};

/* Processes along the first size, which formulas call rows; of the most even grid its shorter side.
 */
double isocast_shape_rows(const isocast_shape *shape, const isocast_law_point *point);

/* Shapes that make other grids at some of the points than the ones before them, the simplest first,
 * without the unreported one. shapes: [ISOCAST_SHAPES_MOST]. Returns their number. */
size_t isocast_shapes_list(const isocast_law_point *points, size_t point_count, size_t size_count,
                           isocast_shape *shapes);

/* A rule that makes the same grids at all of the points, but not where `at` is reported: fewest
 * processes, and sizes of the points. False where there is none. */
bool isocast_shape_is_open(const isocast_shape *shape, const isocast_law_point *points,
                           size_t point_count, isocast_law_point *at);

#endif
