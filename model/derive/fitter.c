#include "fitter.h"

#include <stdlib.h>
#include <string.h>

isocast_status derive_fitter_create(const isocast_law_point *points, size_t point_count,
                                    size_t size_count, derive_fitter *out) {
    *out = (derive_fitter){0};
    return isocast_candidates_create(points, point_count, size_count, ISOCAST_FAVOURED_NONE,
                                     &out->candidates);
}

void derive_fitter_free(derive_fitter *fitter) {
    isocast_candidates_free(&fitter->candidates);
    free(fitter->values);
    free(fitter->laws);
    *fitter = (derive_fitter){0};
}

static bool room(derive_fitter *f) {
    if (f->count < f->law_capacity) {
        return true;
    }
    size_t capacity = f->law_capacity > 0 ? 2 * f->law_capacity : 16;
    double *values = realloc(f->values, capacity * f->candidates.point_count * sizeof *f->values);
    f->values = values != NULL ? values : f->values;
    isocast_law *laws = realloc(f->laws, capacity * sizeof *f->laws);
    f->laws = laws != NULL ? laws : f->laws;
    if (values == NULL || laws == NULL) {
        return false;
    }
    f->law_capacity = capacity;
    return true;
}

static isocast_status fit_all(derive_fitter *f, const double *values, isocast_law *law) {
    size_t points = f->candidates.point_count;
    for (size_t i = 0; i < f->count; i++) {
        if (memcmp(f->values + i * points, values, points * sizeof *values) == 0) {
            *law = f->laws[i];
            return ISOCAST_OK;
        }
    }
    if (!room(f)) {
        return ISOCAST_NO_MEMORY;
    }
    isocast_law found = {0};
    isocast_status status = isocast_law_fit(&f->candidates, values, &found);
    if (status == ISOCAST_OK) {
        memcpy(f->values + f->count * points, values, points * sizeof *values);
        f->laws[f->count++] = found;
        *law = found;
    }
    return status;
}

/* The points and values that count, closed up. */
static isocast_status fit_some(derive_fitter *f, const double *values, const bool *known,
                               isocast_favoured_side favoured, isocast_law *law) {
    size_t all = f->candidates.point_count;
    isocast_law_point *points = malloc(all * sizeof *points);
    double *some = malloc(all * sizeof *some);
    isocast_candidates candidates = {0};
    size_t count = 0;
    for (size_t i = 0; points != NULL && some != NULL && i < all; i++) {
        if (known == NULL || known[i]) {
            points[count] = f->candidates.points[i];
            some[count++] = values[i];
        }
    }
    isocast_status status = points != NULL && some != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    isocast_law found = {0};
    if (status == ISOCAST_OK && count > 0) {
        status = isocast_candidates_create(points, count, f->candidates.size_count, favoured,
                                           &candidates);
    }
    if (status == ISOCAST_OK && count > 0) {
        status = isocast_law_fit(&candidates, some, &found);
        isocast_candidates_free(&candidates);
    }
    free(points);
    free(some);
    if (status == ISOCAST_OK) {
        *law = found;
    }
    return status;
}

isocast_status derive_fitter_fit(derive_fitter *fitter, const double *values, const bool *known,
                                 isocast_favoured_side favoured, isocast_law *law) {
    bool all = favoured == ISOCAST_FAVOURED_NONE;
    for (size_t i = 0; known != NULL && i < fitter->candidates.point_count; i++) {
        all = all && known[i];
    }
    return all ? fit_all(fitter, values, law) : fit_some(fitter, values, known, favoured, law);
}
