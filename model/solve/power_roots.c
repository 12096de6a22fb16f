/* With P the sum of the terms of one sign and Q that of the others, in magnitude, the root is where
 * ln P = ln Q. Over x = ln N both are nearly straight lines, the steeper the higher the powers, so
 * that Newton's method on ln P - ln Q takes a few steps from far away. With z = (ln P - ln Q)/2
 * over the difference of the slopes, a step is exp(-2 z), which is (1 - z)/(1 + z) up to z^3;
 * likewise (P - Q)/(P + Q) is half of ln P - ln Q. */
#include "power_roots.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "model/base/wide.h"

enum { LANES = ISOCAST_POWER_LANES, ROUNDS_MAX = 12, STEPS_A_ROUND = 4 };

/* A step is at most this z: a factor of 19. */
static const double longest_step = 0.9;
/* A step that is this short leaves an error of its square. */
static const double last_step = 1e-8;
/* Rounding may not move the root by more than this over the rounding of a double. */
static const double sharpness = 1e4;
/* At the ends of the range the sum must differ from 0 by this share of its terms. */
static const double margin = 1e-6;

/* So that it is compiled for these processors, too. */
#define ISOCAST_INSIDE __attribute__((always_inline)) inline

bool isocast_power_basis_make(const double *exponents, size_t count, isocast_power_basis *out) {
    static const unsigned tried[] = {1, 2, 3, 4, 6, 12};
    if (count < 2 || count > ISOCAST_POWER_TERMS) {
        return false;
    }
    for (size_t t = 0; t < sizeof tried / sizeof *tried; t++) {
        bool fits = true;
        isocast_power_basis basis = {.count = count, .parts = tried[t], .smallest = exponents[0]};
        for (size_t k = 0; k < count; k++) {
            double step = (exponents[k] - exponents[0]) * tried[t];
            fits = fits && fabs(step - round(step)) <= 1e-12 * fmax(1, step) &&
                   step <= ISOCAST_POWER_SPAN;
            basis.steps[k] = fits ? (unsigned)round(step) : 0;
        }
        if (fits) {
            *out = basis;
            return true;
        }
    }
    return false;
}

/* M^(steps to term k) from term k - 1 on, into `power`, which held the power of that term. */
static ISOCAST_INSIDE void raise_power(const isocast_power_basis *b, size_t k, const double *M,
                                       double *power) {
    for (unsigned step = b->steps[k - 1]; step < b->steps[k]; step++) {
        for (size_t l = 0; l < LANES; l++) {
            power[l] *= M[l];
        }
    }
}

/* The sums at M = N^(1/parts), over the smallest power. */
typedef struct sums {
    double sum[LANES];       /* of the terms */
    double magnitude[LANES]; /* of their magnitudes */
    double slope[LANES];     /* of step times term */
    double weight[LANES];    /* of step times magnitude */
} sums;

static ISOCAST_INSIDE void evaluate(const isocast_power_basis *b, const isocast_power_lanes *c,
                                    const double *M, sums *s) {
    double power[LANES] = {0};
    for (size_t l = 0; l < LANES; l++) {
        power[l] = 1;
        s->sum[l] = c[0][l];
        s->magnitude[l] = fabs(c[0][l]);
        s->slope[l] = 0;
        s->weight[l] = 0;
    }
    for (size_t k = 1; k < b->count; k++) {
        raise_power(b, k, M, power);
        double step = (double)b->steps[k];
        for (size_t l = 0; l < LANES; l++) {
            double term = c[k][l] * power[l];
            double size = fabs(term);
            s->sum[l] += term;
            s->magnitude[l] += size;
            s->slope[l] += step * term;
            s->weight[l] += step * size;
        }
    }
}

/* P, Q and the difference of their slopes times both, twice, twice and four times. */
static ISOCAST_INSIDE void split(const sums *s, size_t l, double *P, double *Q, double *steepness) {
    *P = s->magnitude[l] + s->sum[l];
    *Q = s->magnitude[l] - s->sum[l];
    *steepness = (s->weight[l] + s->slope[l]) * *Q - (s->weight[l] - s->slope[l]) * *P;
}

/* Coefficients whose sign changes once, with a plus at the last; *one_change says where that is. */
static ISOCAST_INSIDE void read_signs(const isocast_power_basis *b, const isocast_power_lanes *c,
                                      double *sign, double *one_change) {
    double first[LANES];
    double last[LANES];
    double changes[LANES];
    for (size_t l = 0; l < LANES; l++) {
        first[l] = last[l] = changes[l] = 0;
    }
    for (size_t k = 0; k < b->count; k++) {
        for (size_t l = 0; l < LANES; l++) {
            double v = c[k][l];
            double now = v > 0 ? 1.0 : v < 0 ? -1.0 : 0.0;
            changes[l] += now * last[l] < 0 ? 1.0 : 0.0;
            last[l] = now != 0 ? now : last[l];
            first[l] = first[l] != 0 ? first[l] : now;
        }
    }
    for (size_t l = 0; l < LANES; l++) {
        sign[l] = last[l];
        one_change[l] = changes[l] == 1 ? 1.0 : 0.0;
    }
}

/* A number to the power 1/n within a few per cent: its logarithm, by its bits, is divided. */
static ISOCAST_INSIDE double root_near(double x, double over_n) {
    static const double one = 1072693248.0; /* the upper half of the bits of 1.0 */
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    double upper = (double)(int32_t)(bits >> 32);
    int32_t root = (int32_t)((upper - one) * over_n + one);
    bits = (uint64_t)(uint32_t)root << 32;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Where the last term is as large as each of the other sign: the largest of these is near the root.
 */
static ISOCAST_INSIDE void guess(const isocast_power_basis *b, const isocast_power_lanes *c,
                                 double low, double *M) {
    for (size_t l = 0; l < LANES; l++) {
        M[l] = low;
    }
    size_t last = b->count - 1;
    for (size_t k = 0; k < last; k++) {
        double over_n = 1 / (double)(b->steps[last] - b->steps[k]);
        for (size_t l = 0; l < LANES; l++) {
            double ratio = -c[k][l] / c[last][l];
            double near = root_near(ratio, over_n);
            M[l] = ratio > 0 && ratio < 1e300 && near > M[l] ? near : M[l];
        }
    }
}

/* Steps towards the roots; *length gets the length of each last step. */
static ISOCAST_INSIDE void step(const isocast_power_basis *b, const isocast_power_lanes *c,
                                double *M, double *length) {
    sums s;
    evaluate(b, c, M, &s);
    for (size_t l = 0; l < LANES; l++) {
        double P;
        double Q;
        double steepness;
        split(&s, l, &P, &Q, &steepness);
        double up = s.sum[l] * P * Q;
        double down = s.magnitude[l] * steepness;
        double most = longest_step * down;
        up = up > most ? most : up < -most ? -most : up;
        M[l] *= (down - up) / (down + up);
        length[l] = fabs(up) - last_step * down;
    }
}

/* Whether the sum at M differs from 0 by more than what rounding makes of it, with this sign. */
static ISOCAST_INSIDE void look_at(const isocast_power_basis *b, const isocast_power_lanes *c,
                                   const isocast_power_lanes *sizes, double M, const double *sign,
                                   double wanted, double *holds) {
    double power = 1;
    double sum[LANES] = {0};
    double size[LANES] = {0};
    for (size_t k = 0; k < b->count; k++) {
        for (unsigned step_k = k > 0 ? b->steps[k - 1] : 0; step_k < b->steps[k]; step_k++) {
            power *= M;
        }
        for (size_t l = 0; l < LANES; l++) {
            sum[l] += c[k][l] * power;
            size[l] += sizes[k][l] * power;
        }
    }
    for (size_t l = 0; l < LANES; l++) {
        holds[l] = wanted * sign[l] * sum[l] >= margin * size[l] ? holds[l] : 0.0;
    }
}

/* Whether rounding leaves the root where it is. */
static ISOCAST_INSIDE void check_sharpness(const isocast_power_basis *b,
                                           const isocast_power_lanes *c,
                                           const isocast_power_lanes *sizes, const double *M,
                                           double *holds) {
    sums s;
    sums all;
    evaluate(b, c, M, &s);
    evaluate(b, sizes, M, &all);
    for (size_t l = 0; l < LANES; l++) {
        double P;
        double Q;
        double steepness;
        split(&s, l, &P, &Q, &steepness);
        holds[l] = all.sum[l] * Q * (double)b->parts <= sharpness * steepness / 2 ? holds[l] : 0.0;
    }
}

ISOCAST_WIDE
static void find_roots(const isocast_power_question *question, double *roots, bool *known) {
    const isocast_power_basis *b = question->basis;
    const isocast_power_lanes *c = question->coefficients;
    isocast_power_lanes turned[ISOCAST_POWER_TERMS] = {{0}};
    double sign[LANES];
    double holds[LANES];
    double M[LANES];
    double length[LANES];
    double low = pow(question->low, 1 / (double)b->parts);
    double high = pow(question->high, 1 / (double)b->parts);
    read_signs(b, c, sign, holds);
    for (size_t k = 0; k < b->count; k++) {
        for (size_t l = 0; l < LANES; l++) {
            /* What is not asked for goes along as M - 1 and ends at once. */
            double dummy = k == 0 ? -1.0 : k == 1 ? 1.0 : 0.0;
            turned[k][l] = holds[l] != 0 ? sign[l] * c[k][l] : dummy;
        }
    }
    guess(b, turned, low, M);
    for (int round = 0; round < ROUNDS_MAX; round++) {
        for (int i = 0; i < STEPS_A_ROUND; i++) {
            step(b, turned, M, length);
        }
        double longest = length[0];
        for (size_t l = 1; l < LANES; l++) {
            longest = length[l] > longest ? length[l] : longest;
        }
        if (longest <= 0) {
            break;
        }
    }
    look_at(b, c, question->sizes, low, sign, -1, holds);
    look_at(b, c, question->sizes, high, sign, 1, holds);
    check_sharpness(b, turned, question->sizes, M, holds);
    for (size_t l = 0; l < LANES; l++) {
        double N = 1;
        for (unsigned part = 0; part < b->parts; part++) {
            N *= M[l];
        }
        roots[l] = N;
        known[l] = holds[l] != 0 && length[l] <= 0 && N > question->low * (1 + margin) &&
                   N < question->high * (1 - margin);
    }
}

/* What chooses among the clones would be seen outside of the library. */
void isocast_power_roots_find(const isocast_power_question *question, double *roots, bool *known) {
    find_roots(question, roots, known);
}
