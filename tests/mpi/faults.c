/* Preloaded into a kernel: what it relies on goes slightly wrong, which its verification must see.
 */
#include <cblas.h>
#include <fftw3.h>
#include <mpi.h>

static const double slightly = 1e-3;

/* One element of the product is off. */
void cblas_dgemm(OPENBLAS_CONST enum CBLAS_ORDER order, OPENBLAS_CONST enum CBLAS_TRANSPOSE a,
                 OPENBLAS_CONST enum CBLAS_TRANSPOSE b, OPENBLAS_CONST blasint M,
                 OPENBLAS_CONST blasint N, OPENBLAS_CONST blasint K, OPENBLAS_CONST double alpha,
                 OPENBLAS_CONST double *A, OPENBLAS_CONST blasint lda, OPENBLAS_CONST double *B,
                 OPENBLAS_CONST blasint ldb, OPENBLAS_CONST double beta, double *C,
                 OPENBLAS_CONST blasint ldc) {
    (void)order;
    (void)a;
    (void)b;
    for (blasint i = 0; i < M; i++) {
        for (blasint j = 0; j < N; j++) {
            double sum = 0;
            for (blasint k = 0; k < K; k++) {
                sum += A[i * lda + k] * B[k * ldb + j];
            }
            C[i * ldc + j] = alpha * sum + beta * C[i * ldc + j];
        }
    }
    C[0] += slightly;
}

/* No transform at all. */
void fftw_execute_dft(const fftw_plan plan, fftw_complex *in, fftw_complex *out) {
    (void)plan;
    (void)in;
    (void)out;
}

/* A row arrives a little larger than it was sent. */
int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm communicator) {
    int status = PMPI_Bcast(buffer, count, type, root, communicator);
    if (type == MPI_DOUBLE && count > 1) {
        double *row = buffer;
        row[1] += slightly;
    }
    return status;
}
