#include "fft_shape.h"

unsigned fft_log2(size_t power) {
    unsigned log = 0;
    while (((size_t)1 << log) < power) {
        log++;
    }
    return log;
}

/* Powers of two whose product is `whole`, as equal as they can be, the larger ones first. */
static void share(size_t whole, unsigned parts, size_t *out) {
    unsigned rest = fft_log2(whole);
    for (unsigned i = 0; i < parts; i++) {
        unsigned own = (rest + parts - i - 1) / (parts - i);
        out[i] = (size_t)1 << own;
        rest -= own;
    }
}

fft_shape fft_shape_of(size_t N, size_t processes, unsigned dimensions) {
    fft_shape shape = {
        .dimensions = processes > 1 ? dimensions : 1, .n = {N, 1, 1}, .groups = {1, 1}};
    if (processes > 1) {
        share(N, dimensions, shape.n);
        share(processes, dimensions - 1, shape.groups);
    }
    return shape;
}

bool fft_shape_fits(const fft_shape *shape) {
    /* The first exchange shares out n[0] and n[1] to groups[0], the second n[1] and n[2] to
     * groups[1]. */
    return shape->dimensions == 1 || (shape->groups[0] <= shape->n[1] &&
                                      (shape->dimensions == 2 || shape->groups[1] <= shape->n[2]));
}
