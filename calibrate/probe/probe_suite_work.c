#include "probe_suite_work.h"

#include <stdlib.h>
#include <string.h>

#include "probe_arrays.h"
#include "probe_clock.h"

/* y = A x with a sparse matrix in compressed rows: that of a stencil of 5 points over N x N
 * unknowns. */

enum { ENTRIES = 5 }; /* of a row */

/* Made anew for each size. */
typedef struct sparse_matrix {
    unsigned *columns; /* [ENTRIES N N] */
    size_t *starts;    /* [N N + 1], of the rows */
} sparse_matrix;
static sparse_matrix sparse;

static double csr_work(size_t N) {
    return 2 * ENTRIES * (double)N * (double)N;
}

static double csr_bytes(const probe_context *context, size_t N) {
    static const double of_a_row =
        ENTRIES * (sizeof(double) + sizeof(unsigned)) + sizeof(size_t) + 2 * sizeof(double);
    (void)context;
    return of_a_row * (double)N * (double)N;
}

/* Neighbours beyond an edge are those at the other one, so that all rows have as many entries. */
static void csr_fill(size_t N) {
    size_t at = 0;
    for (size_t i = 0; i < N; i++) {
        for (size_t j = 0; j < N; j++) {
            const size_t neighbours[ENTRIES] = {(i + N - 1) % N * N + j, i * N + (j + N - 1) % N,
                                                i * N + j, i * N + (j + 1) % N,
                                                (i + 1) % N * N + j};
            sparse.starts[i * N + j] = at;
            for (size_t k = 0; k < ENTRIES; k++) {
                sparse.columns[at++] = (unsigned)neighbours[k];
            }
        }
    }
    sparse.starts[N * N] = at;
}

static void csr_prepare(const probe_context *context, size_t N) {
    free(sparse.columns);
    free(sparse.starts);
    sparse.columns = malloc(ENTRIES * N * N * sizeof *sparse.columns);
    sparse.starts = malloc((N * N + 1) * sizeof *sparse.starts);
    if (sparse.columns == NULL || sparse.starts == NULL) {
        MPI_Abort(context->communicator, 5);
        return;
    }
    csr_fill(N);
    probe_arrays_fill(probe_arrays_room(context, 0, ENTRIES * N * N), ENTRIES * N * N);
    probe_arrays_fill(probe_arrays_room(context, 1, N * N), N * N);
    probe_arrays_fill(probe_arrays_room(context, 2, N * N), N * N);
}

static double csr_call(const probe_context *context, size_t N) {
    (void)context;
    const double *restrict values = probe_arrays[0];
    const double *restrict x = probe_arrays[1];
    double *restrict y = probe_arrays[2];
    double start = MPI_Wtime();
    for (size_t row = 0; row < N * N; row++) {
        double sum = 0;
        for (size_t k = sparse.starts[row]; k < sparse.starts[row + 1]; k++) {
            sum += values[k] * x[sparse.columns[k]];
        }
        y[row] = sum;
    }
    return (MPI_Wtime() - start) / csr_work(N);
}

static const probe_kernel csr = {.id = KERNEL_COUNT,
                                 .work = csr_work,
                                 .bytes = csr_bytes,
                                 .prepare = csr_prepare,
                                 .call = csr_call};

const probe_kernel *probe_suite_work_find(const char *name) {
    static const struct {
        const char *name;
        const probe_kernel *work;
    } others[] = {{"csr", &csr}};
    for (size_t i = 0; i < KERNEL_COUNT; i++) {
        if (strcmp(kernel_names[i], name) == 0) {
            return probe_kernels[i];
        }
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (strcmp(others[i].name, name) == 0) {
            return others[i].work;
        }
    }
    return NULL;
}
