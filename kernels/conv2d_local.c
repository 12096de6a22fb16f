#include "conv2d_local.h"

#include <math.h>

static fftw_plan plan_one(double complex *image, size_t rows, size_t N, bool whole, int sign) {
    int n = (int)N;
    if (whole) {
        return fftw_plan_dft_2d(n, n, image, image, sign, FFTW_MEASURE);
    }
    return fftw_plan_many_dft(1, &n, (int)rows, image, NULL, 1, n, image, NULL, 1, n, sign,
                              FFTW_MEASURE);
}

bool conv2d_plan(conv2d_plans *plans, double complex *const images[CONV2D_IMAGES], size_t rows,
                 size_t N, bool whole) {
    if (rows == 0) {
        return true;
    }
    for (size_t k = 0; k < CONV2D_IMAGES; k++) {
        plans->forward[k] = plan_one(images[k], rows, N, whole, FFTW_FORWARD);
    }
    plans->inverse = plan_one(images[0], rows, N, whole, FFTW_BACKWARD);
    return plans->forward[0] != NULL && plans->forward[1] != NULL && plans->inverse != NULL;
}

void conv2d_plans_free(conv2d_plans *plans) {
    for (size_t k = 0; k < CONV2D_IMAGES; k++) {
        fftw_destroy_plan(plans->forward[k]);
    }
    fftw_destroy_plan(plans->inverse);
    *plans = (conv2d_plans){0};
}

/* On the parts of the numbers: C's own complex product also looks for infinities. */
void conv2d_multiply(double complex *first, const double complex *second, size_t count, size_t N) {
    double scale = 1 / ((double)N * (double)N);
    double *restrict a = (double *)first;
    const double *restrict b = (const double *)second;
    for (size_t k = 0; k < 2 * count; k += 2) {
        double real = (a[k] * b[k] - a[k + 1] * b[k + 1]) * scale;
        a[k + 1] = (a[k] * b[k + 1] + a[k + 1] * b[k]) * scale;
        a[k] = real;
    }
}

double conv2d_transform_flops(size_t N) {
    double n = (double)N;
    return (11 * n + 14) * log2(n);
}

double conv2d_multiply_flops(size_t count) {
    return 21 * (double)count;
}

double conv2d_work(size_t N) {
    return 6 * (double)N * conv2d_transform_flops(N) + conv2d_multiply_flops(N * N);
}
