#include "fft_local.h"

#include <math.h>
#include <stdint.h>

/* Rows that are transformed together, and s that FFTW may try how. */
enum { BLOCK = 8 };
static const double planning_most = 2;

bool fft_rows_plan(fft_rows *transform, size_t rows, size_t length) {
    fft_rows made = {.rows = rows, .length = length, .block = rows < BLOCK ? rows : BLOCK};
    int n = (int)length;
    double complex *room = fftw_malloc(made.block * length * sizeof *room);
    if (room == NULL) {
        return false;
    }
    fftw_set_timelimit(planning_most);
    made.plan = fftw_plan_many_dft(1, &n, (int)made.block, room, NULL, 1, n, room, NULL, 1, n,
                                   FFTW_FORWARD, FFTW_MEASURE);
    fftw_set_timelimit(FFTW_NO_TIMELIMIT);
    fftw_free(room);
    if (made.plan == NULL) {
        return false;
    }
    *transform = made;
    return true;
}

void fft_rows_free(fft_rows *transform) {
    fftw_destroy_plan(transform->plan);
    *transform = (fft_rows){0};
}

void fft_rows_run(const fft_rows *transform, double complex *points) {
    for (size_t i = 0; i < transform->rows; i += transform->block) {
        double complex *block = points + i * transform->length;
        fftw_execute_dft(transform->plan, block, block);
    }
}

void fft_roots(double complex *roots, size_t count, size_t N, size_t first, size_t step) {
    double turn = -2 * acos(-1) / (double)N;
    for (size_t k = 0; k < count; k++) {
        double angle = turn * (double)(((uint64_t)first + (uint64_t)k * step) % N);
        roots[k] = cos(angle) + I * sin(angle);
    }
}

/* On the parts of the numbers: C's own complex product also looks for infinities. */
void fft_multiply(double complex *points, const double complex *factors, size_t count) {
    double *restrict a = (double *)points;
    const double *restrict b = (const double *)factors;
    for (size_t k = 0; k < 2 * count; k += 2) {
        double real = a[k] * b[k] - a[k + 1] * b[k + 1];
        a[k + 1] = a[k] * b[k + 1] + a[k + 1] * b[k];
        a[k] = real;
    }
}

void fft_lower(double complex *own, const double complex *upper, size_t count) {
    double *restrict a = (double *)own;
    const double *restrict b = (const double *)upper;
    for (size_t k = 0; k < 2 * count; k++) {
        a[k] += b[k];
    }
}

void fft_upper(double complex *own, const double complex *lower, const double complex *roots,
               size_t count) {
    double *restrict a = (double *)own;
    const double *restrict b = (const double *)lower;
    const double *restrict w = (const double *)roots;
    for (size_t k = 0; k < 2 * count; k += 2) {
        double real = b[k] - a[k];
        double imaginary = b[k + 1] - a[k + 1];
        a[k] = real * w[k] - imaginary * w[k + 1];
        a[k + 1] = real * w[k + 1] + imaginary * w[k];
    }
}

double fft_work(size_t N) {
    return fft_rows_flops(N, N);
}

double fft_rows_flops(size_t points, size_t length) {
    return 5 * (double)points * log2((double)length);
}
