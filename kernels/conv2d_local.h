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

/* Plans for transforms of length N in place, a few at a time, so that what they work on stays in a
 * processor's own caches. Start from {0}. */
typedef struct conv2d_plans {
    size_t N;
    fftw_plan rows;        /* of a block of rows */
    fftw_plan row;         /* of one row */
    fftw_plan columns;     /* of a block of columns in `block` */
    double complex *block; /* [N][columns of a block] */
} conv2d_plans;

/* Plans transforms of `rows` rows of N numbers and, if `whole`, of N columns. It takes time once
 * for each N. False where memory is short or FFTW has none. */
bool conv2d_plan(conv2d_plans *plans, size_t rows, size_t N, bool whole);
void conv2d_plans_free(conv2d_plans *plans);

/* The forward transform of each row of an image, shape [rows][N], or of rows and columns, shape
 * [N][N]. `conjugate`: what comes out is conjugated, which makes it the end of an inverse. */
void conv2d_transform_rows(const conv2d_plans *plans, double complex *image, size_t rows,
                           bool conjugate);
void conv2d_transform_whole(const conv2d_plans *plans, double complex *image, bool conjugate);

/* The first becomes the conjugate of the product of both over N^2, element by element; shape
 * [count]. Its forward transform is the conjugate of the product's inverse one. */
void conv2d_multiply(double complex *first, const double complex *second, size_t count, size_t N);

/* Flop of one transform of N numbers, as the work counts them: 6 N of them are
 * 66 N^2 lg N + 84 N lg N. */
double conv2d_transform_flops(size_t N);
/* Flop of conv2d_multiply, and all else that is not a transform: 21 an element. */
double conv2d_multiply_flops(size_t count);
/* W(N) = 66 N^2 lg N + 21 N^2 + 84 N lg N, flop [CSW 4.1.3]. */
double conv2d_work(size_t N);

#endif
