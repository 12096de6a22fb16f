#include "fit_shape.h"

#include <math.h>

#include "model/spec/terms.h"

/* As machine files have them (model/spec/terms.h). */
static const char *const shapes[FIT_SHAPES] = {
    [FIT_SHAPE_TREE] = "tree",
    [FIT_SHAPE_HALVING] = "halving and doubling",
    [FIT_SHAPE_RING] = "ring",
    [FIT_SHAPE_SCATTER_RING] = "scatter and ring",
    [FIT_SHAPE_LINEAR] = "one after the other",
    [FIT_SHAPE_MESSAGE] = "message",
};

static const char *const terms[FIT_SHAPE_TERMS] = {
    [FIT_SHAPE_STEPS] = "step",        [FIT_SHAPE_VOLUME] = "byte",
    [FIT_SHAPE_START] = "start",       [FIT_SHAPE_CONTENTION] = "contention",
    [FIT_SHAPE_PROCESSES] = "process",
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
    return shapes[shape];
}

const char *fit_shape_term_name(fit_shape_term term) {
    return terms[term];
}

const char *fit_shape_term_unit(fit_shape_term term) {
    /* All shapes that have a term have it in the same unit; a tree has all. */
    return isocast_term_find(isocast_terms_of(shapes[FIT_SHAPE_TREE]), terms[term])->unit;
}

const char *fit_shape_term_factor(fit_shape shape, fit_shape_term term) {
    const isocast_term *found = isocast_term_find(isocast_terms_of(shapes[shape]), terms[term]);
    return found != NULL ? found->factor : "";
}
