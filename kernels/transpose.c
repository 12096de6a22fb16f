#include "transpose.h"

#include <string.h>

static size_t rows_of(const transpose_plan *plan, int q) {
    return plan->starts[q + 1] - plan->starts[q];
}

/* The block for process q: its columns of this process's rows, as rows. In tiles, as rows and
 * columns far apart share no cache line. */
static void pack(const transpose_plan *plan, const double complex *matrix, int q,
                 double complex *block) {
    enum { TILE = 16 };
    size_t rows = rows_of(plan, plan->rank);
    size_t columns = rows_of(plan, q);
    const double complex *from = matrix + plan->starts[q];
    for (size_t i = 0; i < rows; i += TILE) {
        size_t end = i + TILE < rows ? i + TILE : rows;
        for (size_t j = 0; j < columns; j++) {
            for (size_t k = i; k < end; k++) {
                block[j * rows + k] = from[k * plan->N + j];
            }
        }
    }
}

static void unpack(const transpose_plan *plan, int q, const double complex *block,
                   double complex *matrix) {
    size_t columns = rows_of(plan, q);
    for (size_t i = 0; i < rows_of(plan, plan->rank); i++) {
        memcpy(matrix + i * plan->N + plan->starts[q], block + i * columns,
               columns * sizeof *block);
    }
}

void transpose_rows(const transpose_plan *plan, double complex *rows) {
    size_t own = rows_of(plan, plan->rank);
    for (int q = 0; q < plan->processes; q++) {
        plan->counts[q] = (int)(own * rows_of(plan, q));
        plan->places[q] = plan->modelled ? 0 : (int)(own * plan->starts[q]);
        if (!plan->modelled) {
            pack(plan, rows, q, plan->sent + plan->places[q]);
        }
    }
    MPI_Alltoallv(plan->sent, plan->counts, plan->places, MPI_C_DOUBLE_COMPLEX, plan->received,
                  plan->counts, plan->places, MPI_C_DOUBLE_COMPLEX, plan->communicator);
    for (int q = 0; q < plan->processes && !plan->modelled; q++) {
        unpack(plan, q, plan->received + plan->places[q], rows);
    }
}
