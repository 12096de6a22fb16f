/* The term is made a function of the key once for each condition: from 0 on it is computed as a
 * polynomial, and at the nearest place at which a comparison in it would turn out otherwise the
 * next piece begins. A sum of it then is a matter of a few pieces. As N grows, all keys grow; so
 * the sum only rises but for what the function falls. */
#include "reach_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PIECES_MAX = 700, PARTS = 4, POWERS = ISOCAST_STEP_POWERS, STEPS_A_PIECE = 10 };

/* Pieces of N that are wider are taken by the integral of the term, where that is one polynomial.
 */
static const double wide = 1.5;

/* Whether an instruction reads a register for which `marks` is true. */
static bool reads(const isocast_instruction *code, const bool *marks) {
    for (size_t k = 0; k < isocast_opcode_operands(code->opcode); k++) {
        if (marks[code->operand[k]]) {
            return true;
        }
    }
    return false;
}

/* The first instruction that takes the running variable and what depends on N together. */
static bool find_key(isocast_reach *r, const isocast_block *block, const bool *moves,
                     isocast_reach_sum *sum) {
    for (size_t i = 0; i < block->code_count; i++) {
        const isocast_instruction *code = &block->code[i];
        bool adds = code->opcode == ISOCAST_OP_ADD;
        if (!adds && code->opcode != ISOCAST_OP_SUBTRACT) {
            continue;
        }
        unsigned a = code->operand[0];
        unsigned b = code->operand[1];
        unsigned offset = a == 0 ? b : a;
        bool one_is_running = (a == 0) != (b == 0);
        if (one_is_running && moves[offset] && (adds || b == 0)) {
            sum->key = code->result;
            sum->falls = !adds;
            sum->has_offset = true;
            sum->offset =
                block->imports[r->origins[block - r->program->blocks][offset].index].outer;
            return true;
        }
    }
    return false;
}

void isocast_reach_sum_shape(isocast_reach *r, size_t index) {
    const isocast_block *block = &r->program->blocks[index];
    isocast_reach_sum *sum = &r->sums[index];
    bool *moves = calloc(2 * (size_t)block->register_count + 2, sizeof *moves);
    if (moves == NULL) {
        r->status = ISOCAST_NO_MEMORY;
        return;
    }
    bool *loose = moves + block->register_count + 1;
    bool any = false;
    for (size_t i = 0; i < block->import_count; i++) {
        bool varies = r->origins[0][block->imports[i].outer].varies;
        moves[block->imports[i].target] = varies;
        any = any || varies;
    }
    bool found = !any || find_key(r, block, moves, sum);
    /* Nothing else may look at the running variable or at what depends on N. */
    for (size_t k = 0; k < block->register_count; k++) {
        loose[k] = moves[k];
    }
    loose[0] = loose[0] || sum->key != 0;
    for (size_t i = 0; found && i < block->code_count; i++) {
        const isocast_instruction *code = &block->code[i];
        loose[code->result] =
            code->result != sum->key && (code->opcode >= ISOCAST_OP_SUM || reads(code, loose));
    }
    sum->usable = found && !loose[block->result];
    free(moves);
}

/* A term on its way to a function of the key. */
typedef struct shaping {
    isocast_reach *r;
    const isocast_block *block;
    const isocast_origin *origins;
    unsigned key;
    double begin; /* the polynomials hold from here */
    double end;   /* to here at least */
    unsigned long stamp;
} shaping;

static bool polynomial_of(shaping *s, unsigned reg, double *out);

static int degree_of(const double *powers) {
    int degree = POWERS - 1;
    while (degree > 0 && powers[degree] == 0) {
        degree--;
    }
    return degree;
}

/* The sign of a difference of two at and behind the beginning, until it changes. False where it is
 * no straight line. */
static bool sign_of(shaping *s, const double *a, const double *b, int *sign) {
    double apart[POWERS];
    for (int k = 0; k < POWERS; k++) {
        apart[k] = a[k] - b[k];
    }
    int degree = degree_of(apart);
    if (degree > 1) {
        return false;
    }
    if (degree == 0) {
        *sign = apart[0] > 0 ? 1 : apart[0] < 0 ? -1 : 0;
        return true;
    }
    double zero = -apart[0] / apart[1];
    bool is_behind = zero <= s->begin * (1 + 1e-15);
    *sign = (apart[1] > 0) == is_behind ? 1 : -1;
    if (!is_behind && zero < s->end) {
        s->end = zero;
    }
    return true;
}

static bool multiply(const double *a, const double *b, double *out) {
    double product[2 * POWERS] = {0};
    if (degree_of(a) + degree_of(b) >= POWERS) {
        return false;
    }
    for (int i = 0; i < POWERS; i++) {
        for (int k = 0; k < POWERS; k++) {
            product[i + k] += a[i] * b[k];
        }
    }
    memcpy(out, product, POWERS * sizeof *out);
    return true;
}

static bool compare(shaping *s, isocast_opcode opcode, const double *a, const double *b,
                    double *out) {
    int sign;
    if (!sign_of(s, a, b, &sign)) {
        return false;
    }
    memset(out, 0, POWERS * sizeof *out);
    out[0] = isocast_opcode_fold(opcode, sign, 0, 0);
    return true;
}

/* A selection follows the side that holds behind the beginning, and looks at no other. */
static bool select_side(shaping *s, const isocast_instruction *code, double *out) {
    double condition[POWERS];
    return polynomial_of(s, code->operand[0], condition) && degree_of(condition) == 0 &&
           polynomial_of(s, code->operand[condition[0] != 0 ? 1 : 2], out);
}

static bool run(shaping *s, const isocast_instruction *code, double *out) {
    if (code->opcode == ISOCAST_OP_SELECT) {
        return select_side(s, code, out);
    }
    double a[POWERS];
    double b[POWERS] = {0};
    size_t operands = isocast_opcode_operands(code->opcode);
    if (code->opcode >= ISOCAST_OP_SUM || !polynomial_of(s, code->operand[0], a) ||
        (operands > 1 && !polynomial_of(s, code->operand[1], b))) {
        return false;
    }
    if (degree_of(a) == 0 && (operands < 2 || degree_of(b) == 0)) {
        memset(out, 0, POWERS * sizeof *out);
        out[0] = isocast_opcode_fold(code->opcode, a[0], operands > 1 ? b[0] : 0, 0);
        return isfinite(out[0]);
    }
    int sign;
    switch (isocast_opcode_family_of(code->opcode)) {
    case ISOCAST_FAMILY_SUM:
        for (int k = 0; k < POWERS; k++) {
            out[k] = isocast_opcode_fold(code->opcode, a[k], b[k], 0);
        }
        return true;
    case ISOCAST_FAMILY_PRODUCT:
        return multiply(a, b, out);
    case ISOCAST_FAMILY_QUOTIENT:
        for (int k = 0; k < POWERS; k++) {
            out[k] = a[k] / b[0];
        }
        return degree_of(b) == 0 && b[0] != 0;
    case ISOCAST_FAMILY_COMPARISON:
        return compare(s, code->opcode, a, b, out);
    case ISOCAST_FAMILY_EXTREME:
        if (!sign_of(s, a, b, &sign)) {
            return false;
        }
        memcpy(out, (sign < 0) == (code->opcode == ISOCAST_OP_MIN) ? a : b, POWERS * sizeof *out);
        return true;
    default:
        return false;
    }
}

static bool compute(shaping *s, unsigned reg, double *out) {
    const isocast_origin *origin = &s->origins[reg];
    memset(out, 0, POWERS * sizeof *out);
    if (reg == s->key) {
        out[1] = 1;
        return true;
    }
    switch (origin->kind) {
    case ISOCAST_ORIGIN_CONSTANT:
        out[0] = s->block->constants[origin->index].value;
        return true;
    case ISOCAST_ORIGIN_IMPORT:
        out[0] = s->r->bands[s->block->imports[origin->index].outer].low;
        return isfinite(out[0]);
    case ISOCAST_ORIGIN_CODE:
        return run(s, &s->block->code[origin->index], out);
    default:
        return false;
    }
}

static bool polynomial_of(shaping *s, unsigned reg, double *out) {
    isocast_reach_step *step = &s->r->steps[reg];
    if (step->stamp != s->stamp) {
        s->r->effort += STEPS_A_PIECE;
        if (!compute(s, reg, step->powers)) {
            return false;
        }
        step->stamp = s->stamp;
    }
    memcpy(out, step->powers, sizeof step->powers);
    return true;
}

/* The function of the key for the current condition. */
static void shape_function(isocast_reach *r, size_t index) {
    isocast_reach_sum *sum = &r->sums[index];
    const isocast_block *block = &r->program->blocks[index];
    sum->stamp = r->condition_stamp;
    sum->has_function = false;
    isocast_step_clear(&sum->function);
    shaping s = {.r = r, .block = block, .origins = r->origins[index], .key = sum->key, .end = 0};
    while (isfinite(s.end)) {
        double powers[POWERS];
        bool fits;
        s.begin = s.end;
        s.end = INFINITY;
        s.stamp = ++r->stamp;
        if (sum->function.count == PIECES_MAX || !polynomial_of(&s, block->result, powers)) {
            return;
        }
        if (!isocast_step_add(&sum->function, s.begin, s.end, powers, &fits)) {
            r->status = ISOCAST_NO_MEMORY;
            return;
        }
        if (!fits) {
            return;
        }
    }
    sum->has_function = true;
}

/* A sum at one N: where its keys begin and how many there are. */
typedef struct course {
    double first, count, fraction, beyond; /* `beyond`: key of the term that counts by a fraction */
} course;

static course course_at(const isocast_reach_sum *sum, const isocast_reach_ends *e, double N) {
    double span = e->to_by_N * N + e->to_rest - e->from;
    double offset = e->offset_by_N * N + e->offset_rest;
    course c = {.count = floor(span) + 1, .fraction = span - floor(span)};
    if (sum->falls) {
        /* N falls out of offset - from - (count - 1): so the least key is known at any N, also
         * where numbers no longer count by ones. */
        bool N_falls_out = e->offset_by_N == e->to_by_N;
        c.first = N_falls_out ? e->offset_rest - e->to_rest + c.fraction
                              : offset - e->from - (c.count - 1);
        c.beyond = c.first - 1;
    } else {
        c.first = offset + e->from;
        c.beyond = c.first + c.count;
    }
    return c;
}

/* The sum and the sum of the falls at N; NAN where keys are below 0. */
static double sum_at(isocast_reach *r, const isocast_reach_sum *sum, const isocast_reach_ends *e,
                     double N, double *falls) {
    course c = course_at(sum, e, N);
    r->effort += STEPS_A_PIECE * 4;
    *falls = 0;
    if (c.count < 0) {
        return 0;
    }
    if (!(fmin(c.first, c.beyond) >= 0)) {
        return NAN;
    }
    double total = isocast_step_sum(&sum->function, c.first, c.count);
    if (sum->falls) {
        *falls = isocast_step_sum_of_falls(&sum->function, c.first, c.count);
    }
    if (c.fraction > 0) {
        total += c.fraction * isocast_step_value(&sum->function, c.beyond);
        *falls += sum->falls ? c.fraction * isocast_step_fall(&sum->function, c.beyond) : 0;
    }
    return total;
}

/* Bounds by the values at a few N of the piece, between which the sum rises but for its falls. */
static isocast_band by_ends(isocast_reach *r, const isocast_reach_sum *sum,
                            const isocast_reach_ends *e) {
    double begin = r->piece.begin;
    double end = r->piece.end;
    double falls;
    double first = sum_at(r, sum, e, begin, &falls);
    if (begin == end) {
        return isocast_band_constant(first);
    }
    double last_falls;
    double last = sum_at(r, sum, e, end, &last_falls);
    double length = log(end / begin);
    double degree = first > 0 ? round(2 * log(last / first) / length) / 2 : 0;
    if (!isfinite(last) || !(first >= 0)) {
        return isocast_band_unknown();
    }
    degree = degree > 0 && degree < 8 ? degree : 0;
    isocast_band band = {degree, INFINITY, -INFINITY};
    double left = begin;
    for (int part = 1; part <= PARTS; part++) {
        double right = part == PARTS ? end : begin * exp(length * part / PARTS);
        double right_falls = last_falls;
        double at_right = part == PARTS ? last : sum_at(r, sum, e, right, &right_falls);
        double fallen = fmax(right_falls - falls, 0);
        double over_left = pow(left, -degree);
        double over_right = pow(right, -degree);
        band.low = fmin(band.low, fmax(first - fallen, 0) * over_right);
        band.high = fmax(band.high, (at_right + fallen) * over_left);
        left = right;
        first = at_right;
        falls = right_falls;
    }
    return band;
}

/* The polynomial of x, a band, lowest power first. */
static isocast_band polynomial_band(isocast_reach *r, const double *powers, size_t count,
                                    const isocast_band *x) {
    isocast_band total = isocast_band_constant(0);
    isocast_band power = isocast_band_constant(1);
    for (size_t k = 0; k < count; k++) {
        isocast_band factor = isocast_band_constant(powers[k]);
        isocast_band term = isocast_band_operate(&r->piece, ISOCAST_OP_MULTIPLY, &power, &factor);
        if (powers[k] != 0) {
            total = isocast_band_operate(&r->piece, ISOCAST_OP_ADD, &total, &term);
        }
        power = isocast_band_operate(&r->piece, ISOCAST_OP_MULTIPLY, &power, x);
    }
    return total;
}

/* by_N N + rest */
static isocast_band affine_band(isocast_reach *r, double by_N, double rest) {
    isocast_band slope = {1, by_N, by_N};
    isocast_band offset = isocast_band_constant(rest);
    return isocast_band_operate(&r->piece, ISOCAST_OP_ADD, &slope, &offset);
}

/* The integral of the last piece's polynomial to x, and how much the function changes up to there;
 * each term is off its share of the integral by its part of that change at most. */
static isocast_band integral_band(isocast_reach *r, const isocast_step_function *f,
                                  const isocast_band *x, double sign, double rest) {
    const isocast_step_piece *last = &f->pieces[f->count - 1];
    double powers[POWERS + 1];
    powers[0] = last->integral + rest + sign * last->variation;
    double begin = 1;
    for (int k = 0; k < POWERS; k++) {
        powers[0] -= sign * last->powers[k] * (k > 0 ? begin : 0);
        begin *= last->begin;
        powers[0] -= last->powers[k] * begin / (k + 1);
        powers[k + 1] = last->powers[k] / (k + 1);
    }
    for (int k = 1; k < POWERS; k++) {
        powers[k] += sign * last->powers[k];
    }
    return polynomial_band(r, powers, POWERS + 1, x);
}

/* Bounds by the integral, where all of the piece lies behind the last change of the function. */
static isocast_band by_integral(isocast_reach *r, const isocast_reach_sum *sum,
                                const isocast_reach_ends *e) {
    const isocast_step_function *f = &sum->function;
    double begin = f->pieces[f->count - 1].begin;
    double least; /* of the integral's lower end */
    double most;
    double beside; /* what is added to it at most, and at least */
    double at_least;
    isocast_band low_x;
    isocast_band high_x;
    if (!(e->to_by_N * r->piece.begin + e->to_rest >= e->from)) {
        return isocast_band_unknown();
    }
    if (sum->falls) {
        double lowest = e->offset_rest - e->to_rest;
        if (!(lowest >= 1) || e->offset_by_N * r->piece.begin + e->offset_rest - e->from < begin) {
            return isocast_band_unknown();
        }
        low_x = affine_band(r, e->offset_by_N, e->offset_rest - e->from + 0.5);
        high_x = low_x;
        least = isocast_step_integral(f, lowest - 0.5);
        most = isocast_step_integral(f, lowest + 0.5);
        beside = isocast_step_value(f, lowest - 1) + isocast_step_variation(f, lowest);
        at_least = 0;
    } else {
        double first = e->offset_rest + e->from;
        if (!(first >= 0) ||
            e->to_by_N * r->piece.begin + e->to_rest + e->offset_rest - 1 < begin) {
            return isocast_band_unknown();
        }
        low_x = affine_band(r, e->to_by_N, e->to_rest + e->offset_rest - 0.5);
        high_x = affine_band(r, e->to_by_N, e->to_rest + e->offset_rest + 1.5);
        least = isocast_step_integral(f, first + 0.5);
        most = least;
        at_least = isocast_step_value(f, first);
        beside = at_least;
    }
    isocast_band low = integral_band(r, f, &low_x, -1, at_least - most);
    isocast_band high = integral_band(r, f, &high_x, 1, beside - least);
    isocast_band hull = isocast_band_hull(&r->piece, &low, &high);
    if (!isocast_band_is_known(&hull)) {
        return hull;
    }
    return low.degree == high.degree ? (isocast_band){low.degree, fmax(low.low, 0), high.high}
                                     : hull;
}

/* Whether keys grow with N, or are more of the same. */
static bool moves_on(const isocast_reach_sum *sum, const isocast_reach_ends *ends) {
    bool keeps = sum->falls ? ends->offset_by_N == ends->to_by_N : ends->offset_by_N == 0;
    return sum->has_function && keeps && ends->to_by_N >= 0;
}

isocast_band isocast_reach_sum_band(isocast_reach *r, size_t index,
                                    const isocast_reach_ends *ends) {
    isocast_reach_sum *sum = &r->sums[index];
    if (sum->stamp != r->condition_stamp) {
        shape_function(r, index);
    }
    if (!moves_on(sum, ends)) {
        return isocast_band_unknown();
    }
    if (r->piece.end > wide * r->piece.begin) {
        isocast_band band = by_integral(r, sum, ends);
        if (isocast_band_is_known(&band)) {
            return band;
        }
    }
    return by_ends(r, sum, ends);
}

/* d/dN for keys that rise by what N rises: each term by its slope, and the term that comes in. A
 * sum of slopes is their integral, that is the difference of the function at its ends, and half of
 * both ends, but for what the slope changes. */
static void slope_of_moved_keys(const isocast_step_function *f, double lowest, double span_begin,
                                double span_end, double *low, double *high) {
    bool in_one_step = floor(span_begin) == floor(span_end);
    double part_begin = in_one_step ? span_begin - floor(span_begin) : 0;
    double part_end = in_one_step ? span_end - floor(span_end) : 1;
    double first[2];
    double last[2];
    double beyond[2];
    isocast_step_range(f, lowest + part_begin, lowest + part_end, &first[0], &first[1]);
    isocast_step_range(f, lowest + span_begin, lowest + span_end, &last[0], &last[1]);
    isocast_step_range(f, lowest + part_begin - 1, lowest + part_end - 1, &beyond[0], &beyond[1]);
    double slope = isocast_step_slope(f, lowest);
    double bending = isocast_step_bending(f, lowest + span_end);
    *low = last[0] - first[1] + slope - 3 * bending / 2 + beyond[0] + fmin(slope - bending, 0);
    *high = last[1] - first[0] + slope + 3 * bending / 2 + beyond[1] + fmax(slope + bending, 0);
}

isocast_band isocast_reach_sum_slope(const isocast_reach *r, size_t index,
                                     const isocast_reach_ends *e) {
    const isocast_reach_sum *sum = &r->sums[index];
    const isocast_step_function *f = &sum->function;
    double span_begin = e->to_by_N * r->piece.begin + e->to_rest - e->from;
    double span_end = e->to_by_N * r->piece.end + e->to_rest - e->from;
    if (sum->stamp != r->condition_stamp || !moves_on(sum, e) || !(span_begin >= 0)) {
        return isocast_band_unknown();
    }
    double low;
    double high;
    if (sum->falls) {
        double lowest = e->offset_rest - e->to_rest;
        if (!(lowest >= 1) || !isocast_step_is_continuous(f, lowest + span_end)) {
            return isocast_band_unknown();
        }
        slope_of_moved_keys(f, lowest, span_begin, span_end, &low, &high);
    } else {
        double first = e->offset_rest + e->from;
        if (!(first >= 0)) {
            return isocast_band_unknown();
        }
        isocast_step_range(f, first + span_begin, first + span_end + 1, &low, &high);
    }
    return (isocast_band){1, e->to_by_N * low, e->to_by_N * high};
}
