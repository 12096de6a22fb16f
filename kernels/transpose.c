#include "transpose.h"

#include <string.h>

static size_t length_of(const size_t *starts, int q) {
    return starts[q + 1] - starts[q];
}

/* The block for process q: its columns of this process's rows, as rows. In tiles, as rows and
 * columns far apart share no cache line. */
static void pack(const transpose_plan *plan, const double complex *matrix, int q,
                 double complex *block) {
    enum { TILE = 16 };
    size_t rows = length_of(plan->row_starts, plan->rank);
    size_t columns = length_of(plan->column_starts, q);
    size_t width = plan->column_starts[plan->processes];
    size_t step = plan->layers * rows; /* of a column of the block */
    const double complex *from = matrix + plan->column_starts[q];
    for (size_t i = 0; i < step; i += TILE) {
        size_t end = i + TILE < step ? i + TILE : step;
        for (size_t j = 0; j < columns; j++) {
            for (size_t k = i; k < end; k++) {
                block[j * step + k] = from[k * width + j];
            }
        }
    }
}

static void unpack(const transpose_plan *plan, int q, const double complex *block,
                   double complex *matrix) {
    size_t rows = length_of(plan->row_starts, q);
    size_t height = plan->row_starts[plan->processes];
    size_t count = length_of(plan->column_starts, plan->rank) * plan->layers;
    for (size_t i = 0; i < count; i++) {
        memcpy(matrix + i * height + plan->row_starts[q], block + i * rows, rows * sizeof *block);
    }
}

/* On one process there is nothing to exchange. */
static void transpose_here(const transpose_plan *plan, double complex *matrices) {
    if (!plan->modelled) {
        pack(plan, matrices, 0, plan->sent);
        unpack(plan, 0, plan->sent, matrices);
    }
}

void transpose_rows(const transpose_plan *plan, double complex *matrices) {
    if (plan->processes == 1) {
        transpose_here(plan, matrices);
        return;
    }
    size_t rows = length_of(plan->row_starts, plan->rank) * plan->layers;
    size_t columns = length_of(plan->column_starts, plan->rank) * plan->layers;
    int *sent = plan->counts;
    int *sent_from = sent + plan->processes;
    int *received = sent_from + plan->processes;
    int *received_from = received + plan->processes;
    for (int q = 0; q < plan->processes; q++) {
        sent[q] = (int)(rows * length_of(plan->column_starts, q));
        received[q] = (int)(columns * length_of(plan->row_starts, q));
        sent_from[q] = plan->modelled ? 0 : (int)(rows * plan->column_starts[q]);
        received_from[q] = plan->modelled ? 0 : (int)(columns * plan->row_starts[q]);
        if (!plan->modelled) {
            pack(plan, matrices, q, plan->sent + sent_from[q]);
        }
    }
    MPI_Alltoallv(plan->sent, sent, sent_from, MPI_C_DOUBLE_COMPLEX, plan->received, received,
                  received_from, MPI_C_DOUBLE_COMPLEX, plan->communicator);
    for (int q = 0; q < plan->processes && !plan->modelled; q++) {
        unpack(plan, q, plan->received + received_from[q], matrices);
    }
}
