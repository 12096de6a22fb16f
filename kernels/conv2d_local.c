#include "conv2d_local.h"

#include <math.h>
#include <string.h>

/* Rows, or columns, that are transformed together: two lines of a cache of columns. */
enum { BLOCK = 8 };

/* `count` transforms, the numbers of each `stride` apart, each `distance` from the next. Planning
 * overwrites them. */
static fftw_plan plan_block(double complex *numbers, size_t N, size_t count, size_t stride,
                            size_t distance) {
    int n = (int)N;
    return fftw_plan_many_dft(1, &n, (int)count, numbers, NULL, (int)stride, (int)distance, numbers,
                              NULL, (int)stride, (int)distance, FFTW_FORWARD, FFTW_MEASURE);
}

bool conv2d_plan(conv2d_plans *plans, size_t rows, size_t N, bool whole) {
    conv2d_plans made = {.N = N, .block = fftw_malloc(BLOCK * N * sizeof *made.block)};
    if (made.block == NULL) {
        return false;
    }
    bool blocks = rows >= BLOCK;
    bool single = rows % BLOCK != 0;
    made.rows = blocks ? plan_block(made.block, N, BLOCK, 1, N) : NULL;
    made.row = single ? plan_block(made.block, N, 1, 1, N) : NULL;
    made.columns = whole ? plan_block(made.block, N, BLOCK, BLOCK, 1) : NULL;
    if ((blocks && made.rows == NULL) || (single && made.row == NULL) ||
        (whole && made.columns == NULL)) {
        conv2d_plans_free(&made);
        return false;
    }
    memset(made.block, 0, BLOCK * N * sizeof *made.block);
    *plans = made;
    return true;
}

void conv2d_plans_free(conv2d_plans *plans) {
    fftw_destroy_plan(plans->rows);
    fftw_destroy_plan(plans->row);
    fftw_destroy_plan(plans->columns);
    fftw_free(plans->block);
    *plans = (conv2d_plans){0};
}

static void conjugate_all(double complex *numbers, size_t count) {
    double *parts = (double *)numbers;
    for (size_t k = 0; k < count; k++) {
        parts[2 * k + 1] = -parts[2 * k + 1];
    }
}

void conv2d_transform_rows(const conv2d_plans *plans, double complex *image, size_t rows,
                           bool conjugate) {
    for (size_t i = 0; i < rows;) {
        size_t count = rows - i >= BLOCK ? BLOCK : 1;
        double complex *block = image + i * plans->N;
        fftw_execute_dft(count == BLOCK ? plans->rows : plans->row, block, block);
        if (conjugate) {
            conjugate_all(block, count * plans->N);
        }
        i += count;
    }
}

/* Columns are taken out of the image: rows far apart would meet in the same lines of a cache. */
static void transform_columns(const conv2d_plans *plans, double complex *image, size_t first,
                              size_t count, bool conjugate) {
    size_t N = plans->N;
    for (size_t i = 0; i < N; i++) {
        memcpy(plans->block + i * BLOCK, image + i * N + first, count * sizeof *image);
    }
    fftw_execute_dft(plans->columns, plans->block, plans->block);
    if (conjugate) {
        conjugate_all(plans->block, BLOCK * N);
    }
    for (size_t i = 0; i < N; i++) {
        memcpy(image + i * N + first, plans->block + i * BLOCK, count * sizeof *image);
    }
}

void conv2d_transform_whole(const conv2d_plans *plans, double complex *image, bool conjugate) {
    conv2d_transform_rows(plans, image, plans->N, false);
    for (size_t j = 0; j < plans->N; j += BLOCK) {
        size_t count = plans->N - j < BLOCK ? plans->N - j : BLOCK;
        transform_columns(plans, image, j, count, conjugate);
    }
}

/* On the parts of the numbers: C's own complex product also looks for infinities. */
void conv2d_multiply(double complex *first, const double complex *second, size_t count, size_t N) {
    double scale = 1 / ((double)N * (double)N);
    double *restrict a = (double *)first;
    const double *restrict b = (const double *)second;
    for (size_t k = 0; k < 2 * count; k += 2) {
        double real = (a[k] * b[k] - a[k + 1] * b[k + 1]) * scale;
        a[k + 1] = -(a[k] * b[k + 1] + a[k + 1] * b[k]) * scale;
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
