/* The arithmetic of a fast Fourier transform of N points on one process. No MPI: the kernels and
 * the measurement of their time per flop run the same code. N and lengths are powers of two. */
#ifndef KERNEL_FFT_LOCAL_H
#define KERNEL_FFT_LOCAL_H

#include <complex.h>
/* After complex.h, so that its numbers are C's. */
#include <fftw3.h>
#include <stdbool.h>
#include <stddef.h>

/* Transforms of rows in place, some at a time, so that they stay in a processor's own caches. Start
 * from {0}. */
typedef struct fft_rows {
    size_t rows;
    size_t length;
    size_t block; /* rows at a time, which divide all rows */
    fftw_plan plan;
} fft_rows;

/* Plans the transform of so many rows, a power of two, of `length` points each. It takes time once
 * for each length. False where memory is short or FFTW has none. */
bool fft_rows_plan(fft_rows *transform, size_t rows, size_t length);
void fft_rows_free(fft_rows *transform);

/* points: shape [rows][length]. */
void fft_rows_run(const fft_rows *transform, double complex *points);

/* The roots exp(-2 pi i (first + k step)/N), k from 0; shape [count]. `first` and `step` below
 * 2^31, count*step below 2^62. */
void fft_roots(double complex *roots, size_t count, size_t N, size_t first, size_t step);

/* points[k] *= factors[k]; shape [count]. */
void fft_multiply(double complex *points, const double complex *factors, size_t count);

/* A step of a binary exchange, decimation in frequency. The process with the lower half gets the
 * sum of both, the one with the upper half their difference times the roots. Shape [count]. */
void fft_lower(double complex *own, const double complex *upper, size_t count);
void fft_upper(double complex *own, const double complex *lower, const double complex *roots,
               size_t count);

/* W(N) = 5 N lg N, flop: (N/2) lg N butterflies of 10. */
double fft_work(size_t N);
/* Flop of the transforms of so many points in rows of `length`. */
double fft_rows_flops(size_t points, size_t length);
/* Flop of fft_multiply, fft_lower and fft_upper for each point. */
enum { FFT_MULTIPLY_FLOPS = 6, FFT_LOWER_FLOPS = 2, FFT_UPPER_FLOPS = 8 };

#endif
