#include "step_sum.h"

#include <math.h>

#include "model/base/array.h"

enum { POWERS = ISOCAST_STEP_POWERS };

/* A jump that is smaller, relative, is none. */
static const double rounding = 1e-12;

static double polynomial(const double *powers, double x) {
    double value = 0;
    for (int k = POWERS - 1; k >= 0; k--) {
        value = powers[k] == 0 && value == 0 ? 0 : value * x + powers[k];
    }
    return value;
}

static double slope(const double *powers, double x) {
    double value = 0;
    for (int k = POWERS - 1; k > 0; k--) {
        value = powers[k] == 0 && value == 0 ? 0 : value * x + k * powers[k];
    }
    return value;
}

static double integral_between(const double *powers, double from, double to) {
    double value = 0;
    double a = from;
    double b = to;
    for (int k = 0; k < POWERS; k++) {
        value += powers[k] == 0 ? 0 : powers[k] * (b - a) / (k + 1);
        a *= from;
        b *= to;
    }
    return value;
}

/* How much the slope changes between both at most, 0 <= from <= to. */
static double bend_between(const double *powers, double from, double to) {
    double bend = powers[2] == 0 ? 0 : 2 * fabs(powers[2]) * (to - from);
    return bend + (powers[3] == 0 ? 0 : 3 * fabs(powers[3]) * (to - from) * (to + from));
}

/* 1 or -1 where it only rises or falls between both, 0 where it does not change; 2 else. The slope
 * is a polynomial of degree 2, looked at from the left end on. */
static int direction(const double *powers, double from, double to) {
    double at_from = slope(powers, from);
    double bend = 2 * powers[2] + 6 * powers[3] * from;
    double twist = powers[3];
    if (at_from >= 0 && bend >= 0 && twist >= 0) {
        return at_from == 0 && bend == 0 && twist == 0 ? 0 : 1;
    }
    if (at_from <= 0 && bend <= 0 && twist <= 0) {
        return -1;
    }
    if (twist == 0 && isfinite(to)) {
        /* The slope is a straight line. */
        double at_to = slope(powers, to);
        return at_from >= 0 && at_to >= 0 ? 1 : at_from <= 0 && at_to <= 0 ? -1 : 2;
    }
    return 2;
}

bool isocast_step_add(isocast_step_function *f, double begin, double end,
                      const double powers[POWERS], bool *fits) {
    if (!isocast_array_grow((void **)&f->pieces, f->count, &f->capacity, sizeof *f->pieces)) {
        return false;
    }
    int way = direction(powers, begin, end);
    double at_begin = polynomial(powers, begin);
    double at_end = isfinite(end) ? polynomial(powers, end) : way < 0 ? -1 : at_begin;
    *fits = way != 2 && at_begin >= 0 && at_end >= 0;
    isocast_step_piece piece = {.begin = begin, .is_continuous = true};
    double fallen = 0;
    if (f->count > 0) {
        const isocast_step_piece *before = &f->pieces[f->count - 1];
        double last = polynomial(before->powers, begin);
        fallen = polynomial(before->falls, begin) + fmax(last - at_begin, 0);
        piece.integral = before->integral + integral_between(before->powers, before->begin, begin);
        piece.variation = before->variation +
                          fabs(last - polynomial(before->powers, before->begin)) +
                          fabs(at_begin - last);
        piece.bending = before->bending + bend_between(before->powers, before->begin, begin) +
                        fabs(slope(powers, begin) - slope(before->powers, begin));
        piece.is_continuous =
            before->is_continuous && fabs(at_begin - last) <= rounding * fmax(at_begin, last);
    }
    for (int k = 0; k < POWERS; k++) {
        piece.powers[k] = powers[k];
        piece.falls[k] = way < 0 ? -powers[k] : 0;
    }
    piece.falls[0] += way < 0 ? fallen + at_begin : fallen;
    f->pieces[f->count++] = piece;
    return true;
}

void isocast_step_clear(isocast_step_function *f) {
    f->count = 0;
}

/* The piece that x is in. */
static const isocast_step_piece *piece_at(const isocast_step_function *f, double x) {
    size_t low = 0;
    size_t high = f->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (f->pieces[middle].begin <= x) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return &f->pieces[low];
}

/* `count` terms of a polynomial around the middle of their places: odd powers cancel there. */
static double add_terms(const double *powers, double first, double count) {
    double middle = first + (count - 1) / 2;
    double spread = (count * count - 1) / 12;
    double sum = powers[0];
    sum += powers[1] == 0 ? 0 : powers[1] * middle;
    sum += powers[2] == 0 ? 0 : powers[2] * (middle * middle + spread);
    sum += powers[3] == 0 ? 0 : powers[3] * middle * (middle * middle + 3 * spread);
    return count * sum;
}

static double add_pieces(const isocast_step_function *f, bool falls, double first, double count) {
    double sum = 0;
    double done = 0;
    for (const isocast_step_piece *p = piece_at(f, first); p < f->pieces + f->count && done < count;
         p++) {
        bool is_last = p + 1 == f->pieces + f->count;
        double end = is_last ? count : fmin(count, ceil(p[1].begin - first));
        if (end > done) {
            sum += add_terms(falls ? p->falls : p->powers, first + done, end - done);
            done = end;
        }
    }
    return sum;
}

double isocast_step_sum(const isocast_step_function *f, double first, double count) {
    return add_pieces(f, false, first, count);
}

double isocast_step_sum_of_falls(const isocast_step_function *f, double first, double count) {
    return add_pieces(f, true, first, count);
}

double isocast_step_value(const isocast_step_function *f, double x) {
    return polynomial(piece_at(f, x)->powers, x);
}

double isocast_step_fall(const isocast_step_function *f, double x) {
    return polynomial(piece_at(f, x)->falls, x);
}

double isocast_step_integral(const isocast_step_function *f, double x) {
    const isocast_step_piece *p = piece_at(f, x);
    return p->integral + integral_between(p->powers, p->begin, x);
}

double isocast_step_variation(const isocast_step_function *f, double x) {
    const isocast_step_piece *p = piece_at(f, x);
    return p->variation + fabs(polynomial(p->powers, x) - polynomial(p->powers, p->begin));
}

void isocast_step_range(const isocast_step_function *f, double from, double to, double *low,
                        double *high) {
    double first = isocast_step_value(f, from);
    double last = isocast_step_value(f, to);
    double way = isocast_step_variation(f, to) - isocast_step_variation(f, from);
    /* What goes beyond both ends has to come back. */
    double beyond = fmax(way - fabs(last - first), 0) / 2;
    *low = fmin(first, last) - beyond;
    *high = fmax(first, last) + beyond;
}

double isocast_step_slope(const isocast_step_function *f, double x) {
    return slope(piece_at(f, x)->powers, x);
}

double isocast_step_bending(const isocast_step_function *f, double x) {
    const isocast_step_piece *p = piece_at(f, x);
    return p->bending + bend_between(p->powers, p->begin, x);
}

bool isocast_step_is_continuous(const isocast_step_function *f, double x) {
    return piece_at(f, x)->is_continuous;
}
