/* What a value can be for all N of a piece: N^degree times a number between two bounds. Over a
 * piece of many decades a quotient of powers stays narrow in this form, where plain bounds say
 * nothing. Bounds are computed without directed rounding; who proves with them leaves a margin. */
#ifndef ISOCAST_BAND_H
#define ISOCAST_BAND_H

#include <stdbool.h>

#include "range.h"

typedef struct isocast_band {
    double degree;
    double low, high; /* NAN: not known */
} isocast_band;

/* A piece, begin <= N <= end, with powers of its ends that are asked for often. */
enum { ISOCAST_BAND_POWERS = 17 };
typedef struct isocast_band_piece {
    double begin, end;                    /* above 0 */
    double at_begin[ISOCAST_BAND_POWERS]; /* begin^-(k/2) */
    double at_end[ISOCAST_BAND_POWERS];
} isocast_band_piece;

void isocast_band_piece_set(isocast_band_piece *piece, double begin, double end);
/* A single N at which all bands are numbers: no powers of it are known, nor needed. */
void isocast_band_piece_set_number(isocast_band_piece *piece, double N);

isocast_band isocast_band_constant(double value);
isocast_band isocast_band_unknown(void);
bool isocast_band_is_known(const isocast_band *a);
/* A number, whatever N is. */
bool isocast_band_is_constant(const isocast_band *a);
/* The value's own bounds over the piece. */
void isocast_band_range(const isocast_band_piece *piece, const isocast_band *a, double *low,
                        double *high);
/* The same, wider by what rounding may have moved them; a constant is what it is. For what decides
 * by them. */
void isocast_band_outer_range(const isocast_band_piece *piece, const isocast_band *a, double *low,
                              double *high);
/* The value at N, where the bounds agree up to rounding. */
double isocast_band_value(const isocast_band *a, double N);

/* Values between those of both. */
isocast_band isocast_band_hull(const isocast_band_piece *piece, const isocast_band *a,
                               const isocast_band *b);

/* (1 - f) a + f b with f from `least` to `most`. */
isocast_band isocast_band_blend(const isocast_band_piece *piece, double least, double most,
                                const isocast_band *a, const isocast_band *b);

/* Beyond this a bound is not a number any more. */
#define ISOCAST_BAND_LARGEST 1e308

/* a and b with the instructions that numbers mostly have, without a call; false for another one. */
static inline bool isocast_band_compute(isocast_opcode opcode, double a, double b, double *out) {
    switch (opcode) {
    case ISOCAST_OP_ADD:
        *out = a + b;
        return true;
    case ISOCAST_OP_SUBTRACT:
        *out = a - b;
        return true;
    case ISOCAST_OP_MULTIPLY:
        *out = a * b;
        return true;
    case ISOCAST_OP_DIVIDE:
        *out = a / b;
        return true;
    default:
        return false;
    }
}

/* What most instructions are, without a call: false where it is something else, which
 * isocast_band_operate does. */
static inline bool isocast_band_operate_quickly(isocast_opcode opcode, const isocast_band *a,
                                                const isocast_band *b, isocast_band *out) {
    isocast_band result;
    if (opcode == ISOCAST_OP_MULTIPLY && a->low >= 0 && b->low >= 0) {
        result = (isocast_band){a->degree + b->degree, a->low * b->low, a->high * b->high};
    } else if (opcode == ISOCAST_OP_ADD && a->degree == b->degree) {
        result = (isocast_band){a->degree, a->low + b->low, a->high + b->high};
    } else if (opcode == ISOCAST_OP_SUBTRACT && a->degree == b->degree) {
        result = (isocast_band){a->degree, a->low - b->high, a->high - b->low};
    } else if (opcode == ISOCAST_OP_DIVIDE && a->low >= 0 && b->low > 0) {
        result = (isocast_band){a->degree - b->degree, a->low / b->high, a->high / b->low};
    } else {
        return false;
    }
    if (!(result.low >= -ISOCAST_BAND_LARGEST && result.high <= ISOCAST_BAND_LARGEST)) {
        return false;
    }
    *out = result;
    return true;
}

/* A pointwise instruction other than SELECT on two operands at most. Comparisons give 0, 1, or
 * both. */
isocast_band isocast_band_operate(const isocast_band_piece *piece, isocast_opcode opcode,
                                  const isocast_band *a, const isocast_band *b);

/* The derivatives of a smooth instruction by its operands, where `value` is what it makes of them;
 * 0 by one that it does not have. Others have rules of their own, and 0 here. */
void isocast_band_derive(const isocast_band_piece *piece, isocast_opcode opcode,
                         const isocast_band operands[2], const isocast_band *value,
                         isocast_band by[2]);

#endif
