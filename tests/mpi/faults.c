/* Preloaded into a kernel: what it relies on goes slightly wrong, which its verification must see.
 */
#include <cblas.h>
#include <fftw3.h>
#include <mpi.h>
#include <stdint.h>

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

/* An edge arrives a little larger than it was sent. */
int MPI_Sendrecv(const void *sent, int sent_count, MPI_Datatype sent_type, int target, int sent_tag,
                 void *received, int count, MPI_Datatype type, int source, int tag,
                 MPI_Comm communicator, MPI_Status *status) {
    int result = PMPI_Sendrecv(sent, sent_count, sent_type, target, sent_tag, received, count, type,
                               source, tag, communicator, status);
    if (type == MPI_DOUBLE && count > 0) {
        double *edge = received;
        edge[0] += slightly;
    }
    return result;
}

/* All lengths of a column are one more than they are. */
int MPI_Send(const void *sent, int count, MPI_Datatype type, int target, int tag,
             MPI_Comm communicator) {
    if (type == MPI_INT32_T && count > 1) {
        int32_t *column = (int32_t *)sent;
        for (int i = 0; i < count; i++) {
            column[i]++;
        }
    }
    return PMPI_Send(sent, count, type, target, tag, communicator);
}
