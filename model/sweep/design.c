#include "design.h"

#include <gsl/gsl_qrng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/random_bits.h"

/* Number k of the sequence of an axis. */
static uint64_t random_bits(const isocast_design *design, size_t axis, uint64_t k) {
    uint64_t key = isocast_random_bits(design->seed + ISOCAST_RANDOM_STEP * (axis + 1));
    return isocast_random_bits(key + ISOCAST_RANDOM_STEP * (k + 1));
}

enum { ROUNDS = 4 };

/* A permutation of 0 to count-1, of this axis and seed: a Feistel network on the next even number
 * of bits, walked until it is inside. It needs no memory, whatever the count. */
static uint64_t permuted(const isocast_design *design, size_t axis, uint64_t k, uint64_t count) {
    unsigned half = 1;
    while (half < 31 && (uint64_t)1 << (2 * half) < count) {
        half++;
    }
    uint64_t mask = ((uint64_t)1 << half) - 1;
    do {
        uint64_t left = k >> half;
        uint64_t right = k & mask;
        for (uint64_t round = 0; round < ROUNDS; round++) {
            /* Beyond the numbers of draws, which random_bits() has other uses for. */
            uint64_t bits = random_bits(design, axis, right + ((round + 1) << 40));
            uint64_t next = (left ^ bits) & mask;
            left = right;
            right = next;
        }
        k = left << half | right;
    } while (k >= count);
    return k;
}

/* What --design can be. */
static const struct {
    const char *word;
    isocast_design_kind kind;
} kinds[] = {{"random", ISOCAST_DESIGN_RANDOM},
             {"latin", ISOCAST_DESIGN_LATIN},
             {"sobol", ISOCAST_DESIGN_SOBOL}};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static isocast_status refuse(isocast_diagnostics *diagnostics, const isocast_source *source,
                             isocast_span span, const char *hint, const char *message) {
    isocast_diagnostics_add(diagnostics, ISOCAST_ERROR, source, span, hint, "%s", message);
    return ISOCAST_INVALID;
}

/* Digits only: a whole number of draws. */
static double read_draws(const char *text) {
    size_t length = strlen(text);
    bool whole = length > 0 && length < 19 && strspn(text, "0123456789") == length;
    return whole ? strtod(text, NULL) : NAN;
}

static isocast_status read_design(const isocast_source *source, isocast_diagnostics *diagnostics,
                                  isocast_design *out) {
    static const char how[] = "write random:COUNT, latin:COUNT or sobol:COUNT, such as sobol:1000";
    size_t colon = strcspn(source->text, ":");
    size_t i = 0;
    while (i < KINDS &&
           (strlen(kinds[i].word) != colon || memcmp(source->text, kinds[i].word, colon) != 0)) {
        i++;
    }
    if (i == KINDS) {
        return refuse(diagnostics, source, (isocast_span){0, colon > 0 ? colon : 1}, how,
                      "this is not a design");
    }
    isocast_span number = {colon < source->length ? colon + 1 : colon, source->length};
    double draws = read_draws(source->text + number.begin);
    if (number.begin == number.end || isnan(draws) || draws < 1) {
        return refuse(diagnostics, source,
                      number.begin < number.end ? number : (isocast_span){0, colon}, how,
                      "a design has a whole number of draws, at least 1");
    }
    out->kind = kinds[i].kind;
    out->draws = draws;
    return ISOCAST_OK;
}

isocast_status isocast_design_read(const char *label, const char *text,
                                   isocast_diagnostics *diagnostics, isocast_design *out) {
    out->kind = ISOCAST_DESIGN_GRID;
    out->draws = 1;
    if (text == NULL) {
        return ISOCAST_OK;
    }
    isocast_source *source = NULL;
    isocast_status status = isocast_source_create(label, text, strlen(text), &source);
    if (status == ISOCAST_OK) {
        status = read_design(source, diagnostics, out);
        isocast_source_free(source);
    }
    return status;
}

isocast_status isocast_design_finish(isocast_design *design, const char *label,
                                     isocast_diagnostics *diagnostics) {
    size_t drawn = 0;
    design->points = design->draws;
    for (size_t i = 0; i < design->axis_count; i++) {
        drawn += design->axes[i].drawn;
        design->points *= design->axes[i].count;
    }
    if (design->kind != ISOCAST_DESIGN_GRID && drawn == 0) {
        isocast_diagnostics_add_file(diagnostics, ISOCAST_ERROR, label,
                                     "vary a range without a number of values: t_c=1ns..5ns:log",
                                     "there is no range to draw from");
        return ISOCAST_INVALID;
    }
    if (design->kind == ISOCAST_DESIGN_SOBOL &&
        (drawn > ISOCAST_DESIGN_SOBOL_AXES || design->draws > ISOCAST_DESIGN_SOBOL_DRAWS)) {
        isocast_diagnostics_add_file(diagnostics, ISOCAST_ERROR, label, "take latin or random",
                                     "Sobol's sequence has at most %d names and %d draws, not %zu "
                                     "and %.0f",
                                     ISOCAST_DESIGN_SOBOL_AXES, ISOCAST_DESIGN_SOBOL_DRAWS, drawn,
                                     design->draws);
        return ISOCAST_INVALID;
    }
    if (!(design->points <= ISOCAST_DESIGN_POINTS_MAX)) {
        isocast_diagnostics_add_file(
            diagnostics, ISOCAST_ERROR, label, "vary fewer names, or give them fewer values",
            "the design has %.6g points (at most %g)", design->points, ISOCAST_DESIGN_POINTS_MAX);
        return ISOCAST_INVALID;
    }
    return ISOCAST_OK;
}

struct isocast_design_cursor {
    const isocast_design *design;
    gsl_qrng *sequence; /* of SOBOL; NULL else */
    double next;        /* the draw that the sequence gives next */
    double *draw;       /* [drawn], the last one that it gave */
};

static size_t drawn_count(const isocast_design *design) {
    size_t drawn = 0;
    for (size_t i = 0; i < design->axis_count; i++) {
        drawn += design->axes[i].drawn;
    }
    return drawn;
}

isocast_status isocast_design_cursor_create(const isocast_design *design,
                                            isocast_design_cursor **out) {
    isocast_design_cursor *cursor = calloc(1, sizeof *cursor);
    if (cursor == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    cursor->design = design;
    size_t drawn = drawn_count(design);
    if (design->kind == ISOCAST_DESIGN_SOBOL) {
        cursor->sequence = gsl_qrng_alloc(gsl_qrng_sobol, (unsigned)drawn);
        cursor->draw = calloc(drawn, sizeof *cursor->draw);
        if (cursor->sequence == NULL || cursor->draw == NULL) {
            isocast_design_cursor_free(cursor);
            return ISOCAST_NO_MEMORY;
        }
    }
    *out = cursor;
    return ISOCAST_OK;
}

void isocast_design_cursor_free(isocast_design_cursor *cursor) {
    if (cursor != NULL) {
        if (cursor->sequence != NULL) {
            gsl_qrng_free(cursor->sequence);
        }
        free(cursor->draw);
        free(cursor);
    }
}

/* Brings the sequence to a draw. */
static void seek(isocast_design_cursor *cursor, double draw) {
    if (draw == cursor->next - 1) {
        return;
    }
    if (draw < cursor->next) {
        gsl_qrng_init(cursor->sequence);
        cursor->next = 0;
    }
    for (; cursor->next <= draw; cursor->next++) {
        (void)gsl_qrng_get(cursor->sequence, cursor->draw);
    }
}

/* A number of the sequence, which has 30 bits, with those of the seed exclusively added: so that
 * equal parts of the range keep equal numbers of draws. */
static double shifted(const isocast_design *design, size_t axis, double number) {
    uint64_t bits = (uint64_t)(number * 0x1p30) ^ (random_bits(design, axis, 0) >> 34);
    return (double)bits * 0x1p-30;
}

/* From 0 to below 1: what an axis has at a draw. `among` is its number among those drawn. */
static double draw_of(isocast_design_cursor *cursor, size_t axis, size_t among, double draw) {
    const isocast_design *design = cursor->design;
    uint64_t k = (uint64_t)draw;
    if (design->kind == ISOCAST_DESIGN_SOBOL) {
        return shifted(design, axis, cursor->draw[among]);
    }
    double number = isocast_random_unit(random_bits(design, axis, k));
    if (design->kind == ISOCAST_DESIGN_LATIN) {
        double part = (double)permuted(design, axis, k, (uint64_t)design->draws);
        return fmin((part + number) / design->draws, 1 - 0x1p-53);
    }
    return number;
}

void isocast_design_point(isocast_design_cursor *cursor, double point, double *values) {
    const isocast_design *design = cursor->design;
    double draw = fmod(point, design->draws);
    double rest = floor(point / design->draws);
    size_t among = drawn_count(design);
    if (cursor->sequence != NULL) {
        seek(cursor, draw);
    }
    for (size_t i = design->axis_count; i-- > 0;) {
        const isocast_axis *axis = &design->axes[i];
        if (axis->drawn) {
            among--;
            values[i] = isocast_axis_draw(axis, draw_of(cursor, i, among, draw));
        } else {
            values[i] = isocast_axis_at(axis, fmod(rest, axis->count));
            rest = floor(rest / axis->count);
        }
    }
}
