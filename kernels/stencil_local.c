#include "stencil_local.h"

#include <math.h>

#include "input.h"

/* One source, compiled for several instruction sets and chosen at start, as that of ge_local.c. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                             \
    !defined(__SANITIZE_ADDRESS__)
#define STENCIL_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define STENCIL_CLONES
#endif

static const double pi = 3.14159265358979323846;

STENCIL_CLONES
void stencil_sweep(const double *from, double *to, size_t rows, size_t columns) {
    size_t stride = columns + 2;
    for (size_t i = 1; i <= rows; i++) {
        const double *restrict above = from + (i - 1) * stride;
        const double *restrict here = from + i * stride;
        const double *restrict below = from + (i + 1) * stride;
        double *restrict row = to + i * stride;
        for (size_t j = 1; j <= columns; j++) {
            row[j] = 0.25 * ((above[j] + below[j]) + (here[j - 1] + here[j + 1]));
        }
    }
}

double stencil_sweep_flops(size_t rows, size_t columns) {
    return STENCIL_POINT_FLOPS * (double)rows * (double)columns;
}

double stencil_work(size_t N) {
    return STENCIL_SWEEPS * stencil_sweep_flops(N, N);
}

double stencil_exact(uint64_t seed, size_t N, size_t sweeps, size_t i, size_t j) {
    enum { HARMONIC = 5 };
    double h = 1 / ((double)N + 1);
    double x = h * (double)i;
    double y = h * (double)j;
    /* 1, x, y, x y and x^2 - y^2 are their own means over four neighbours. */
    const double parts[HARMONIC] = {1, x, y, x * y, x * x - y * y};
    double value = pow(cos(pi * h), (double)sweeps) * sin(pi * x) * sin(pi * y);
    for (size_t k = 0; k < HARMONIC; k++) {
        value += input_element(seed, 0, k, 0) * parts[k];
    }
    return value;
}
