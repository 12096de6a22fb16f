#include "summa_local.h"

#include <cblas.h>

void summa_multiply(const double *A, const double *B, double *C, size_t rows, size_t columns,
                    size_t depth, int first) {
    if (rows == 0 || columns == 0 || depth == 0) {
        return;
    }
    /* One process per processor: threads would be other processes' processors. */
    openblas_set_num_threads(1);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)rows, (int)columns, (int)depth, 1,
                A, (int)depth, B, (int)columns, first ? 0 : 1, C, (int)columns);
}

double summa_multiply_flops(size_t rows, size_t columns, size_t depth) {
    return 2 * (double)rows * (double)columns * (double)depth;
}
