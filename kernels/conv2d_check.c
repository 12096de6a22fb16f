#include "conv2d_check.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "input.h"

enum { SERIAL_MAX = 24, PLACES = 4, INPUT_PLACE = 4 };

double complex conv2d_input(uint64_t seed, unsigned which, size_t i, size_t j) {
    return input_element(seed, 2 * which, i, j) + I * input_element(seed, 2 * which + 1, i, j);
}

/* A NaN must count as wrong, and fmax() would drop it. */
static double larger(double error, double most) {
    return error <= most ? most : error;
}

static double norm(uint64_t seed, size_t N, unsigned which) {
    double squares = 0;
    for (size_t i = 0; i < N; i++) {
        for (size_t j = 0; j < N; j++) {
            double complex z = conv2d_input(seed, which, i, j);
            squares += creal(z) * creal(z) + cimag(z) * cimag(z);
        }
    }
    return sqrt(squares);
}

static double complex serial_element(uint64_t seed, size_t N, size_t i, size_t j) {
    double complex sum = 0;
    for (size_t k = 0; k < N; k++) {
        for (size_t l = 0; l < N; l++) {
            sum += conv2d_input(seed, 0, k, l) *
                   conv2d_input(seed, 1, (i + N - k) % N, (j + N - l) % N);
        }
    }
    return sum;
}

static double serial_error(uint64_t seed, size_t N, const double complex *result) {
    double most = 0;
    for (size_t i = 0; i < N; i++) {
        for (size_t j = 0; j < N; j++) {
            most = larger(cabs(result[i * N + j] - serial_element(seed, N, i, j)), most);
        }
    }
    return most;
}

/* The sums of an image times exp(-2 pi i (u row + v column)/N); `result` NULL: of an input. */
static double complex spectrum(uint64_t seed, size_t N, unsigned which,
                               const double complex *result, const double complex *roots, size_t u,
                               size_t v) {
    double complex sum = 0;
    for (size_t i = 0; i < N; i++) {
        double complex row = 0;
        for (size_t j = 0; j < N; j++) {
            double complex z = result != NULL ? result[i * N + j] : conv2d_input(seed, which, i, j);
            row += z * roots[v * j % N];
        }
        sum += row * roots[u * i % N];
    }
    return sum;
}

static double spectrum_error(uint64_t seed, size_t N, const double complex *result) {
    double complex *roots = malloc(N * sizeof *roots);
    if (roots == NULL) {
        return NAN;
    }
    for (size_t k = 0; k < N; k++) {
        roots[k] = cexp(-2 * I * acos(-1) * (double)k / (double)N);
    }
    double most = 0;
    for (size_t place = 0; place < PLACES; place++) {
        /* The sum of all elements first, then places that the seed chooses. */
        double row = fabs(input_element(seed, INPUT_PLACE, place, 0)) * (double)N;
        double column = fabs(input_element(seed, INPUT_PLACE, place, 1)) * (double)N;
        size_t u = place == 0 ? 0 : (size_t)row % N;
        size_t v = place == 0 ? 0 : (size_t)column % N;
        double complex due =
            spectrum(seed, N, 0, NULL, roots, u, v) * spectrum(seed, N, 1, NULL, roots, u, v);
        most = larger(cabs(spectrum(seed, N, 0, result, roots, u, v) - due), most);
    }
    free(roots);
    return most;
}

double conv2d_error(uint64_t seed, size_t N, const double complex *result) {
    double error =
        N <= SERIAL_MAX ? serial_error(seed, N, result) : spectrum_error(seed, N, result);
    return error / (norm(seed, N, 0) * norm(seed, N, 1));
}
