#include "ge_local.h"

enum { SUMS = 16 };

/* One source, compiled for several instruction sets and chosen at start: a binary from a package
 * runs everywhere and still uses the machine's vectors. Sanitizers start too late for such a
 * choice. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                             \
    !defined(__SANITIZE_ADDRESS__)
#define GE_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define GE_CLONES
#endif

GE_CLONES
void ge_update(double *block, size_t rows, size_t stride, size_t pivot, size_t width,
               const double *pivot_row) {
    size_t length = width - pivot;
    for (size_t r = 0; r < rows; r++) {
        double *restrict row = block + r * stride + pivot;
        const double *restrict from = pivot_row;
        double factor = row[0] / from[0];
        row[0] = 0;
        for (size_t j = 1; j < length; j++) {
            row[j] -= factor * from[j];
        }
    }
}

GE_CLONES
void ge_back_substitute(const double *const *row, size_t N, double *x) {
    for (size_t i = N; i-- > 0;) {
        /* Several sums at once: one alone would wait for each addition to end. */
        double sums[SUMS] = {row[i][N]};
        size_t j = i + 1;
        for (; j + SUMS <= N; j += SUMS) {
            for (size_t k = 0; k < SUMS; k++) {
                sums[k] -= row[i][j + k] * x[j + k];
            }
        }
        for (; j < N; j++) {
            sums[0] -= row[i][j] * x[j];
        }
        for (size_t k = 1; k < SUMS; k++) {
            sums[0] += sums[k];
        }
        x[i] = sums[0] / row[i][i];
    }
}

double ge_work(size_t N) {
    double n = (double)N;
    return 2.0 / 3 * n * n * n - n * n / 2 - 19.0 / 6 * n + 3;
}

double ge_update_flops(size_t rows, size_t pivot, size_t width) {
    return (double)rows * (2 * (double)(width - pivot - 1) + 1);
}

double ge_back_substitute_flops(size_t N) {
    return (double)N * (double)N;
}

double ge_flops(size_t N) {
    double n = (double)N;
    return 2.0 / 3 * n * n * n + 1.5 * n * n - 7.0 / 6 * n;
}
