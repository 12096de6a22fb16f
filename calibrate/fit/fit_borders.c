#include "fit_borders.h"

#include <math.h>
#include <stdlib.h>

#include "model/base/order.h"

/* A size that a range may begin with. */
typedef struct border {
    size_t first; /* of its points */
    double jump;  /* distance of the times here from the line through the two sizes before */
} border;

ISOCAST_ORDER_BY(by_jump, border, -x->jump, (double)x->first)

ISOCAST_ORDER_BY(by_place, border, (double)x->first)

/* A point, with its neighbours on the same processes. */
typedef struct neighbour {
    const fit_point *point;
    size_t border; /* index of its size */
} neighbour;

ISOCAST_ORDER_BY(by_processes, neighbour, x->point->p, x->point->nodes, x->point->m)

/* The relative distance of a time from the line through those at the two sizes before, which rise.
 */
static double jump_of(const fit_point *before, const fit_point *last, const fit_point *at) {
    double share = (at->m - last->m) / (last->m - before->m);
    double line = last->seconds + share * (last->seconds - before->seconds);
    return fabs(line / at->seconds - 1) / fmax(share, 1);
}

/* neighbours: shape [count], sorted by processes, then size. */
static void note_jumps(const neighbour *neighbours, size_t count, border *borders) {
    const fit_point *before[2] = {NULL, NULL}; /* the two sizes before, the nearer one first */
    for (size_t k = 0; k < count; k++) {
        const fit_point *at = neighbours[k].point;
        const fit_point *last = k > 0 ? neighbours[k - 1].point : NULL;
        if (last == NULL || last->p != at->p || last->nodes != at->nodes) {
            before[0] = before[1] = NULL;
        } else if (last->m < at->m) {
            before[1] = before[0];
            before[0] = last;
        }
        if (before[1] != NULL) {
            double *jump = &borders[neighbours[k].border].jump;
            *jump = fmax(*jump, jump_of(before[1], before[0], at));
        }
    }
}

/* Keeps the smallest size and the sizes that stand out most. Gives their number. */
static bool choose(const fit_point *points, size_t count, border *borders, size_t sizes) {
    neighbour *neighbours = malloc(count * sizeof *neighbours);
    if (neighbours == NULL) {
        return false;
    }
    for (size_t k = 0, own = 0; k < count; k++) {
        own += own + 1 < sizes && borders[own + 1].first == k;
        neighbours[k] = (neighbour){&points[k], own};
    }
    qsort(neighbours, count, sizeof *neighbours, by_processes);
    note_jumps(neighbours, count, borders);
    borders[0].jump = INFINITY;
    qsort(borders, sizes, sizeof *borders, by_jump);
    qsort(borders, FIT_BORDERS_MAX, sizeof *borders, by_place);
    free(neighbours);
    return true;
}

bool fit_borders_find(const fit_point *points, size_t count, fit_borders *out) {
    border *borders = malloc(count * sizeof *borders);
    size_t sizes = 0;
    for (size_t k = 0; borders != NULL && k < count; k++) {
        if (k == 0 || points[k].m > points[k - 1].m) {
            borders[sizes++] = (border){.first = k};
        }
    }
    bool good =
        borders != NULL && (sizes <= FIT_BORDERS_MAX || choose(points, count, borders, sizes));
    if (good) {
        out->count = sizes < FIT_BORDERS_MAX ? sizes : FIT_BORDERS_MAX;
        for (size_t k = 0; k < out->count; k++) {
            out->first[k] = borders[k].first;
        }
        out->first[out->count] = count;
    }
    free(borders);
    return good;
}

double fit_border_between(double below, double first) {
    double middle = sqrt(fmax(below, 1) * first);
    return ceil(middle) <= first ? ceil(middle) : sqrt(below * first);
}
