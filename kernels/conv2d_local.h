/* The arithmetic of 2D convolution on the rows of one process. No MPI: the kernel and the
 * measurement of its time per flop run the same code. */
#ifndef KERNEL_CONV2D_LOCAL_H
#define KERNEL_CONV2D_LOCAL_H

#include <complex.h>
/* After complex.h, so that its numbers are C's. */
#include <fftw3.h>
#include <stdbool.h>
#include <stddef.h>

enum { CONV2D_IMAGES = 2 };

/* Plans for transforms in place. Start from {0}. */
typedef struct conv2d_plans {
    fftw_plan forward[CONV2D_IMAGES];
    fftw_plan inverse; /* of the first image */
} conv2d_plans;

/* Plans transforms of the images' rows, shape [rows][N]; `whole`: of both passes at once, rows
 * being N. Overwrites the images. False where FFTW has none. */
bool conv2d_plan(conv2d_plans *plans, double complex *const images[CONV2D_IMAGES], size_t rows,
                 size_t N, bool whole);
void conv2d_plans_free(conv2d_plans *plans);

/* The first becomes the product of both over N^2, element by element; shape [count]. */
void conv2d_multiply(double complex *first, const double complex *second, size_t count, size_t N);

/* Flop of one transform of N numbers, as the work counts them: 6 N of them are
 * 66 N^2 lg N + 84 N lg N. */
double conv2d_transform_flops(size_t N);
/* Flop of conv2d_multiply, and all else that is not a transform: 21 an element. */
double conv2d_multiply_flops(size_t count);
/* W(N) = 66 N^2 lg N + 21 N^2 + 84 N lg N, flop [CSW 4.1.3]. */
double conv2d_work(size_t N);

#endif
