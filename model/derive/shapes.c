#include "shapes.h"

#include <math.h>

#include "model/base/process_grid.h"

static double along_least_surface(double p, double first, double second) {
    /* The surface has one minimum over all sides, which need not be whole. */
    double fewer = isocast_grid_divisor(p, sqrt(p * first / second));
    double more = p / isocast_grid_divisor(p, sqrt(p * second / first));
    double least = first / fewer + second * fewer / p;
    return least <= first / more + second * more / p ? fewer : more;
}

static double along_ratio(double p, double first, double second) {
    double side = isocast_grid_divisor(p, sqrt(p * first / second));
    return side == 1 && first >= second ? p : side;
}

double isocast_shape_rows(const isocast_shape *shape, const isocast_law_point *point) {
    double p = point->p;
    double first = point->sizes[shape->first];
    double second = point->sizes[shape->second];
    double even = isocast_grid_rows(p);
    switch (shape->rule) {
    case ISOCAST_SHAPE_LONGER:
        return first >= second ? p / even : even;
    case ISOCAST_SHAPE_SURFACE:
        return along_least_surface(p, first, second);
    case ISOCAST_SHAPE_RATIO:
        return along_ratio(p, first, second);
    case ISOCAST_SHAPE_UNREPORTED:
        break;
    }
    return even;
}

/* Processes along the first size of `shape` by another rule of the same two sizes. */
static double along_first(const isocast_shape *shape, const isocast_shape *other,
                          const isocast_law_point *point) {
    double rows = isocast_shape_rows(other, point);
    return other->first == shape->first ? rows : point->p / rows;
}

static bool is_same_grid(const isocast_shape *a, const isocast_shape *b,
                         const isocast_law_point *points, size_t count) {
    bool same = (a->first == b->first && a->second == b->second) ||
                (a->first == b->second && a->second == b->first);
    for (size_t i = 0; same && i < count; i++) {
        same = isocast_shape_rows(a, &points[i]) == along_first(a, b, &points[i]);
    }
    return same;
}

/* Sizes of which there can be a ratio. */
static bool are_above_0(const isocast_law_point *points, size_t count, size_t a, size_t b) {
    bool are = true;
    for (size_t i = 0; i < count; i++) {
        are = are && points[i].sizes[a] > 0 && points[i].sizes[b] > 0;
    }
    return are;
}

static void add(isocast_shape shape, const isocast_law_point *points, size_t point_count,
                isocast_shape *shapes, size_t *count) {
    for (size_t i = 0; i < *count; i++) {
        if (is_same_grid(&shape, &shapes[i], points, point_count)) {
            return;
        }
    }
    shapes[(*count)++] = shape;
}

static const isocast_shape_rule by_ratio[] = {ISOCAST_SHAPE_LONGER, ISOCAST_SHAPE_SURFACE,
                                              ISOCAST_SHAPE_RATIO};
enum { RULES = sizeof by_ratio / sizeof *by_ratio };

/* The sizes of two points, of as few processes as distinguish two shapes. */
static bool find_difference(const isocast_shape *a, const isocast_shape *b,
                            const isocast_law_point *points, size_t count, isocast_law_point *at) {
    enum { PROCESSES_MOST = 64 };
    for (double p = 2; p <= PROCESSES_MOST; p++) {
        for (size_t i = 0; i < count; i++) {
            isocast_law_point point = points[i];
            point.p = p;
            for (size_t k = 0; k < count; k++) {
                point.sizes[a->second] = points[k].sizes[a->second];
                if (isocast_shape_rows(a, &point) != along_first(a, b, &point)) {
                    *at = point;
                    return true;
                }
            }
        }
    }
    return false;
}

bool isocast_shape_is_open(const isocast_shape *shape, const isocast_law_point *points,
                           size_t point_count, isocast_law_point *at) {
    bool open = false;
    for (size_t i = 0; i < RULES && !open; i++) {
        for (size_t way = 0; way < 2 && !open; way++) {
            const isocast_shape other = {.rule = by_ratio[i],
                                         .first = way == 0 ? shape->first : shape->second,
                                         .second = way == 0 ? shape->second : shape->first};
            open = is_same_grid(shape, &other, points, point_count) &&
                   find_difference(shape, &other, points, point_count, at);
        }
    }
    return open;
}

size_t isocast_shapes_list(const isocast_law_point *points, size_t point_count, size_t size_count,
                           isocast_shape *shapes) {
    size_t count = 0;
    for (size_t i = 0; i < RULES; i++) {
        for (size_t a = 0; a < size_count; a++) {
            for (size_t b = 0; b < size_count; b++) {
                if (a != b && are_above_0(points, point_count, a, b)) {
                    add((isocast_shape){.rule = by_ratio[i], .first = a, .second = b}, points,
                        point_count, shapes, &count);
                }
            }
        }
    }
    return count;
}
