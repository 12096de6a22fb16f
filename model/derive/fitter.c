#include "fitter.h"

#include <stdlib.h>
#include <string.h>

isocast_status isocast_derive_fitter_create(const isocast_law_point *points, size_t point_count,
                                            size_t size_count, isocast_favoured_side favoured,
                                            derive_fitter *out) {
    *out = (derive_fitter){0};
    return isocast_candidates_create(points, point_count, size_count, favoured, &out->candidates);
}

static void free_own(derive_fitter *fitter) {
    isocast_candidates_free(&fitter->candidates);
    free(fitter->values);
    free(fitter->laws);
}

/* A part has no parts. */
static void free_part(derive_fitter_part *part) {
    if (part->fitter != NULL) {
        free_own(part->fitter);
    }
    free(part->fitter);
    free(part->known);
    *part = (derive_fitter_part){0};
}

void isocast_derive_fitter_free(derive_fitter *fitter) {
    for (size_t i = 0; i < DERIVE_FITTER_PARTS; i++) {
        free_part(&fitter->parts[i]);
    }
    free_own(fitter);
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

/* How a fitter looks for laws: always in the same way. */
typedef isocast_status (*fit_way)(const isocast_candidates *candidates, const double *values,
                                  isocast_law *law);

static isocast_status fit_all(derive_fitter *f, fit_way way, const double *values,
                              isocast_law *law) {
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
    isocast_status status = way(&f->candidates, values, &found);
    if (status == ISOCAST_OK) {
        memcpy(f->values + f->count * points, values, points * sizeof *values);
        f->laws[f->count++] = found;
        *law = found;
    }
    return status;
}

/* The points that are known, closed up. */
static isocast_status make_part(const derive_fitter *f, const bool *known,
                                isocast_favoured_side favoured, derive_fitter_part *part) {
    size_t all = f->candidates.point_count;
    isocast_law_point *points = calloc(all + 1, sizeof *points);
    derive_fitter_part made = {.known = calloc(all + 1, sizeof *made.known),
                               .favoured = favoured,
                               .fitter = calloc(1, sizeof *made.fitter)};
    bool enough = points != NULL && made.known != NULL && made.fitter != NULL;
    size_t count = 0;
    for (size_t i = 0; enough && i < all; i++) {
        made.known[i] = known[i];
        if (known[i]) {
            points[count++] = f->candidates.points[i];
        }
    }
    isocast_status status =
        enough ? isocast_derive_fitter_create(points, count, f->candidates.size_count, favoured,
                                              made.fitter)
               : ISOCAST_NO_MEMORY;
    free(points);
    if (status != ISOCAST_OK) {
        free_part(&made);
        return status;
    }
    *part = made;
    return ISOCAST_OK;
}

static isocast_status find_part(derive_fitter *f, const bool *known, isocast_favoured_side favoured,
                                derive_fitter **out) {
    size_t all = f->candidates.point_count;
    for (size_t i = 0; i < DERIVE_FITTER_PARTS; i++) {
        const derive_fitter_part *part = &f->parts[i];
        if (part->fitter != NULL && part->favoured == favoured &&
            memcmp(part->known, known, all * sizeof *known) == 0) {
            *out = part->fitter;
            return ISOCAST_OK;
        }
    }
    derive_fitter_part *part = &f->parts[f->part_count % DERIVE_FITTER_PARTS];
    free_part(part);
    isocast_status status = make_part(f, known, favoured, part);
    if (status == ISOCAST_OK) {
        f->part_count++;
        *out = part->fitter;
    }
    return status;
}

/* The values at the runs that are known, one after the other. */
static void close_up(const double *values, const bool *known, size_t count, double *out) {
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        if (known[i]) {
            out[at++] = values[i];
        }
    }
}

/* A law of the runs that are known, `count` of them. */
static isocast_status fit_some(derive_fitter *fitter, const double *values, const bool *which,
                               size_t count, isocast_favoured_side favoured, isocast_law *law) {
    size_t all = fitter->candidates.point_count;
    if (count == all && favoured == ISOCAST_FAVOURED_NONE) {
        return fit_all(fitter, isocast_law_fit, values, law);
    }
    derive_fitter *part = NULL;
    double *some = calloc(count, sizeof *some);
    isocast_status status =
        some != NULL ? find_part(fitter, which, favoured, &part) : ISOCAST_NO_MEMORY;
    if (status == ISOCAST_OK) {
        close_up(values, which, all, some);
        status = fit_all(part, isocast_law_fit, some, law);
    }
    free(some);
    return status;
}

/* With fewer values that differ a sum is one by chance; with fewer than the second number a product
 * is, too. */
enum { DIFFERENT_LEAST = 5, DIFFERENT_ONCE = 3 };

static size_t count_different(const double *values, const bool *which, size_t count) {
    size_t different = 0;
    for (size_t i = 0; i < count; i++) {
        bool is_new = which[i];
        for (size_t k = 0; k < i && is_new; k++) {
            is_new = !which[k] || values[k] != values[i];
        }
        different += is_new;
    }
    return different;
}

/* Loops that leave out a first or last step make (N + 1)*(M - 1), which is a sum of four terms. */
static isocast_status fit_shifted(derive_fitter *fitter, const double *values, const bool *which,
                                  size_t count, isocast_law *law) {
    derive_fitter *part = NULL;
    double *some = calloc(count, sizeof *some);
    isocast_law found = {0};
    isocast_status status =
        some != NULL ? find_part(fitter, which, ISOCAST_FAVOURED_SHIFTS, &part) : ISOCAST_NO_MEMORY;
    if (status == ISOCAST_OK) {
        close_up(values, which, fitter->candidates.point_count, some);
        status = fit_all(part, isocast_law_fit_exact, some, &found);
    }
    free(some);
    size_t different = count_different(values, which, fitter->candidates.point_count);
    if (status == ISOCAST_OK && found.exact &&
        (different >= DIFFERENT_LEAST || found.term_count == 1)) {
        *law = found;
    }
    return status;
}

isocast_status isocast_derive_fitter_fit(derive_fitter *fitter, const double *values,
                                         const bool *known, isocast_favoured_side favoured,
                                         isocast_law *law) {
    size_t all = fitter->candidates.point_count;
    size_t count = 0;
    bool *which = calloc(all + 1, sizeof *which);
    if (which == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < all; i++) {
        which[i] = known == NULL || known[i];
        count += which[i];
    }
    isocast_law found = {0};
    isocast_status status =
        count > 0 ? fit_some(fitter, values, which, count, favoured, &found) : ISOCAST_OK;
    bool shifts = found.known && !found.exact && favoured < ISOCAST_FAVOURED_SHIFTS;
    if (status == ISOCAST_OK && shifts && count_different(values, which, all) >= DIFFERENT_ONCE) {
        status = fit_shifted(fitter, values, which, count, &found);
    }
    free(which);
    if (status == ISOCAST_OK) {
        *law = found;
    }
    return status;
}

isocast_status isocast_derive_fitter_repeats(derive_fitter *fitter, const double *values,
                                             isocast_law *law) {
    return isocast_law_fit_told(&fitter->candidates, values, ISOCAST_LAW_SIZES, law);
}

isocast_status isocast_derive_fitter_nearest(derive_fitter *fitter, const double *values,
                                             const bool *known, size_t terms, isocast_law_kind kind,
                                             double least, isocast_law *law) {
    size_t all = fitter->candidates.point_count;
    bool computing = kind == ISOCAST_LAW_BUSIEST || kind == ISOCAST_LAW_GROWING;
    isocast_favoured_side favoured = computing ? ISOCAST_FAVOURED_COMPUTING : ISOCAST_FAVOURED_NONE;
    derive_fitter *part = NULL;
    double *some = calloc(all + 1, sizeof *some);
    isocast_status status =
        some != NULL ? find_part(fitter, known, favoured, &part) : ISOCAST_NO_MEMORY;
    if (status == ISOCAST_OK) {
        close_up(values, known, all, some);
        memcpy(part->candidates.exponents, fitter->candidates.exponents,
               sizeof part->candidates.exponents);
        part->candidates.bounds = fitter->candidates.bounds;
        status = isocast_law_fit_nearest(&part->candidates, some, terms, kind, least, law);
    }
    free(some);
    return status;
}
