#include "mm_local.h"

#include <cblas.h>

void mm_multiply(const double *A, const double *B, double *C, size_t rows, size_t N) {
    if (rows > 0) {
        /* One process per processor: threads would be other processes' processors. */
        openblas_set_num_threads(1);
        int n = (int)N;
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)rows, n, n, 1, A, n, B, n, 0, C,
                    n);
    }
}

double mm_multiply_flops(size_t rows, size_t N) {
    return 2 * (double)rows * (double)N * (double)N;
}

double mm_work(size_t N) {
    return mm_multiply_flops(N, N);
}
