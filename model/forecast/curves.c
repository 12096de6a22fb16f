#include "curves.h"

#include <math.h>

double isocast_curve_term_value(isocast_curve_term term, double p, double p0) {
    double x = p / p0;
    switch (term) {
    case ISOCAST_CURVE_CACHE:
        return pow(x, -1.2);
    case ISOCAST_CURVE_SHARED:
        return 1 / x;
    case ISOCAST_CURVE_SURFACE:
        return pow(x, -2.0 / 3);
    case ISOCAST_CURVE_ROOT:
        return 1 / sqrt(x);
    case ISOCAST_CURVE_SERIAL:
        return 1;
    case ISOCAST_CURVE_TREE:
        return log2(p + 1) / log2(p0 + 1);
    case ISOCAST_CURVE_FOURTH:
        return sqrt(sqrt(x));
    case ISOCAST_CURVE_GRID:
        return sqrt(x);
    case ISOCAST_CURVE_RING:
        return x;
    case ISOCAST_CURVE_LOG:
        return log(x);
    case ISOCAST_CURVE_OUTSIDE:
        return 1 - 1 / sqrt(x);
    case ISOCAST_CURVE_TERM_COUNT:
        break;
    }
    return NAN;
}

double isocast_curve_value(const isocast_curve *curve, const double *terms) {
    double value = 0;
    for (int t = 0; t < ISOCAST_CURVE_TERM_COUNT; t++) {
        value += curve->share[t] * terms[t];
    }
    return value;
}

/* The weights of the families were chosen by looking at strong and weak scaling of six programs
 * (OpenSBLI, GROMACS, CASTEP, AMG, SPARTA, RELeARN; docs/accuracy.md), and are kept round: settings
 * near them forecast alike. What matters is that some of T is nearly always serial, that growth is
 * rare, and that weak scaling has curves which grow ever more slowly. */
static const double weight_falling = 0.60; /* part of T is shared, the rest is one or two terms */
static const double weight_cache = 0.05;   /* the same with caches: faster than 1/x at first */
static const double weight_power = 0.08;   /* hardly anything is shared, and T grows by a power */
static const double weight_slow = 0.25;    /* the same, and T grows ever more slowly */

/* The share of T at p0 that is not 1/x: finer where it is small, as there it decides most. Scaling
 * without any such share weighs as much as three others. */
static const double rests[] = {0,   .005, .01, .02, .04, .06, .08, .11, .14, .18, .22, .27,
                               .32, .37,  .43, .49, .55, .61, .67, .74, .81, .87, .92, .97};
enum { RESTS = sizeof rests / sizeof rests[0] };
static const double weight_no_rest = 3;

/* What such a rest is made of: the first term, and the second with its part of the rest. */
static const struct {
    double weight;
    isocast_curve_term first, second;
    double part;
} mixes[] = {{.33, ISOCAST_CURVE_SERIAL, ISOCAST_CURVE_SERIAL, 0},
             {.12, ISOCAST_CURVE_SURFACE, ISOCAST_CURVE_SURFACE, 0},
             {.08, ISOCAST_CURVE_SURFACE, ISOCAST_CURVE_SERIAL, .5},
             {.06, ISOCAST_CURVE_TREE, ISOCAST_CURVE_TREE, 0},
             {.08, ISOCAST_CURVE_SERIAL, ISOCAST_CURVE_TREE, .5},
             {.05, ISOCAST_CURVE_ROOT, ISOCAST_CURVE_ROOT, 0},
             {.08, ISOCAST_CURVE_SERIAL, ISOCAST_CURVE_GRID, .3},
             {.14, ISOCAST_CURVE_SERIAL, ISOCAST_CURVE_RING, .15},
             {.06, ISOCAST_CURVE_SERIAL, ISOCAST_CURVE_RING, .5},
             {.02, ISOCAST_CURVE_GRID, ISOCAST_CURVE_GRID, 0},
             {.04, ISOCAST_CURVE_FOURTH, ISOCAST_CURVE_FOURTH, 0}};
enum { MIXES = sizeof mixes / sizeof mixes[0] };

/* Growth by a power: the share that is shared computation, and what of the rest grows. */
static const struct { double shared, weight; } bases_power[] = {{0, .6}, {.1, .2}, {.3, .2}};
static const double grown[] = {0, .003, .01, .02, .04, .07, .11, .16, .22, .3, .4, .52, .65, .8, 1};
static const struct {
    isocast_curve_term term;
    double weight;
} powers[] = {{ISOCAST_CURVE_TREE, .4},
              {ISOCAST_CURVE_FOURTH, .25},
              {ISOCAST_CURVE_GRID, .2},
              {ISOCAST_CURVE_RING, .15}};

/* Slow growth: the same, and by how much T grows as p grows e times; what is on other nodes
 * saturates at twice that. */
static const struct { double shared, weight; } bases_slow[] = {{0, .75}, {.15, .25}};
static const double slopes[] = {.002, .005, .01, .015, .022, .03, .045, .06, .08, .1,
                                .13,  .17,  .22, .28,  .35,  .43, .52,  .65, .8,  1};
static const struct {
    isocast_curve_term term;
    double times, weight;
} slow[] = {{ISOCAST_CURVE_LOG, 1, .65}, {ISOCAST_CURVE_OUTSIDE, 2, .35}};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
enum { GROWN = COUNT(grown), SLOPES = COUNT(slopes) };
_Static_assert(RESTS + (RESTS - 1) * MIXES + 1 + COUNT(bases_power) * GROWN * COUNT(powers) +
                       COUNT(bases_slow) * SLOPES * COUNT(slow) <=
                   ISOCAST_CURVES_MAX,
               "there is room for all curves");

typedef struct list {
    isocast_curve *curves;
    size_t count;
} list;

/* A new curve of shared computation and a serial part. */
static double *add(list *l, double weight, double shared, double serial) {
    isocast_curve *curve = &l->curves[l->count++];
    *curve = (isocast_curve){.log_prior = log(weight)};
    curve->share[ISOCAST_CURVE_SHARED] = shared;
    curve->share[ISOCAST_CURVE_SERIAL] = serial;
    return curve->share;
}

static void add_falling(list *l) {
    for (size_t i = 0; i < RESTS; i++) {
        double rest = rests[i];
        double weight = (rest > 0 ? 1 : weight_no_rest) / (RESTS - 1 + weight_no_rest);
        for (size_t m = 0; m < (rest > 0 ? MIXES : 1); m++) {
            double of_mix = rest > 0 ? mixes[m].weight : 1;
            double *share = add(l, weight_falling * weight * of_mix, 1 - rest, 0);
            share[mixes[m].first] += rest * (1 - mixes[m].part);
            share[mixes[m].second] += rest * mixes[m].part;
        }
        double *share = add(l, weight_cache * weight, (1 - rest) / 2, rest);
        share[ISOCAST_CURVE_CACHE] = (1 - rest) / 2;
    }
}

static void add_growing(list *l) {
    for (size_t b = 0; b < COUNT(bases_power); b++) {
        for (size_t i = 0; i < GROWN; i++) {
            for (size_t k = 0; k < COUNT(powers); k++) {
                double rest = 1 - bases_power[b].shared;
                double weight = bases_power[b].weight / (double)GROWN * powers[k].weight;
                double *share =
                    add(l, weight_power * weight, bases_power[b].shared, rest * (1 - grown[i]));
                share[powers[k].term] += rest * grown[i];
            }
        }
    }
    for (size_t b = 0; b < COUNT(bases_slow); b++) {
        for (size_t i = 0; i < SLOPES; i++) {
            for (size_t k = 0; k < COUNT(slow); k++) {
                double weight = bases_slow[b].weight / (double)SLOPES * slow[k].weight;
                double *share =
                    add(l, weight_slow * weight, bases_slow[b].shared, 1 - bases_slow[b].shared);
                share[slow[k].term] = slow[k].times * slopes[i];
            }
        }
    }
}

size_t isocast_curves_make(isocast_curve *out) {
    list l = {.curves = out};
    add_falling(&l);
    add_growing(&l);
    return l.count;
}
