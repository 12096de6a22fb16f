#include "ge_rounds.h"

#include "ge_local.h"

static void update(const ge_rounds *r, size_t i, const double *pivot_row) {
    size_t left = r->rows - r->done;
    if (compute_charge(r->compute, ge_update_flops(left, i, r->width))) {
        ge_update(r->local + r->done * r->width, left, r->width, i, r->width, pivot_row);
    }
}

void ge_rounds_make(ge_rounds *r, size_t from, size_t end) {
    for (size_t i = from; i < end; i++) {
        int root = r->owner[i];
        double *pivot_row = r->pivot;
        if (root == r->rank) {
            pivot_row = compute_at(r->compute, r->local, r->done * r->width + i, sizeof *r->local);
            r->done++;
        }
        MPI_Bcast(pivot_row, (int)(r->width - i), MPI_DOUBLE, r->alone ? 0 : root, r->communicator);
        piecework_begin(&r->updates);
        update(r, i, pivot_row);
        piecework_end(&r->updates);
        MPI_Barrier(r->communicator);
    }
}
