#include "fit_shape.h"

#include <math.h>

static const struct {
    const char *name;
    const char *factors[FIT_SHAPE_TERMS];
} shapes[FIT_SHAPES] = {
    [FIT_SHAPE_TREE] = {"tree",
                        {"*ceil(log2(p))", "*m*ceil(log2(p))", "", "*m*ceil(log2(p))*log2(p)",
                         "*(p - 1)"}},
    [FIT_SHAPE_HALVING] = {"halving and doubling",
                           {"*log2(p)", "*m*(p - 1)/p", "", "*m*(p - 1)/p*log2(p)", "*(p - 1)"}},
    [FIT_SHAPE_RING] = {"ring", {"*(p - 1)", "*m*(p - 1)/p", "", "*m*(p - 1)/p*log2(p)", ""}},
    [FIT_SHAPE_SCATTER_RING] = {"scatter and ring",
                                {"*(log2(p) + p - 1)", "*2*m*(p - 1)/p", "",
                                 "*2*m*(p - 1)/p*log2(p)", "*(p - 1)"}},
    [FIT_SHAPE_LINEAR] = {"one after the other",
                          {"*(p - 1)", "*m*(p - 1)", "", "*m*(p - 1)*log2(p)", ""}},
    [FIT_SHAPE_MESSAGE] = {"message", {"", "*m", "", "", ""}},
};

static const struct {
    const char *name;
    const char *unit;
} terms[FIT_SHAPE_TERMS] = {
    [FIT_SHAPE_STEPS] = {"step", "s"},        [FIT_SHAPE_VOLUME] = {"byte", "s/B"},
    [FIT_SHAPE_START] = {"start", "s"},       [FIT_SHAPE_CONTENTION] = {"contention", "s/B"},
    [FIT_SHAPE_PROCESSES] = {"process", "s"},
};

static double steps(fit_shape shape, double p) {
    switch (shape) {
    case FIT_SHAPE_TREE:
        return ceil(log2(p) - 1e-9);
    case FIT_SHAPE_HALVING:
        return log2(p);
    case FIT_SHAPE_RING:
    case FIT_SHAPE_LINEAR:
        return p - 1;
    case FIT_SHAPE_SCATTER_RING:
        return log2(p) + p - 1;
    case FIT_SHAPE_MESSAGE:
    case FIT_SHAPES:
        break;
    }
    return 1;
}

static double volume(fit_shape shape, double p, double m) {
    switch (shape) {
    case FIT_SHAPE_TREE:
        return m * ceil(log2(p) - 1e-9);
    case FIT_SHAPE_HALVING:
    case FIT_SHAPE_RING:
        return m * (p - 1) / p;
    case FIT_SHAPE_SCATTER_RING:
        return 2 * m * (p - 1) / p;
    case FIT_SHAPE_LINEAR:
        return m * (p - 1);
    case FIT_SHAPE_MESSAGE:
    case FIT_SHAPES:
        break;
    }
    return m;
}

double fit_shape_value(fit_shape shape, fit_shape_term term, double p, double m) {
    bool message = shape == FIT_SHAPE_MESSAGE;
    bool all_steps = shape == FIT_SHAPE_RING || shape == FIT_SHAPE_LINEAR;
    switch (term) {
    case FIT_SHAPE_STEPS:
        return steps(shape, p);
    case FIT_SHAPE_VOLUME:
        return volume(shape, p, m);
    case FIT_SHAPE_START:
        return message ? 0 : 1;
    case FIT_SHAPE_CONTENTION:
        return message ? 0 : volume(shape, p, m) * log2(p);
    case FIT_SHAPE_PROCESSES:
        return message || all_steps ? 0 : p - 1;
    case FIT_SHAPE_TERMS:
        break;
    }
    return 0;
}

const char *fit_shape_name(fit_shape shape) {
    return shapes[shape].name;
}

const char *fit_shape_term_name(fit_shape_term term) {
    return terms[term].name;
}

const char *fit_shape_term_unit(fit_shape_term term) {
    return terms[term].unit;
}

const char *fit_shape_term_factor(fit_shape shape, fit_shape_term term) {
    return shapes[shape].factors[term];
}
