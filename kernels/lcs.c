/* The longest common subsequence of two strings of N letters by dynamic programming [GGKK 12.3.1].
 * A process has some columns of the table, shared out by marked speed, and goes through them in
 * blocks of rows: it gets the column left of a block from the process before it and sends the last
 * column of the block to the one after it, so that the blocks of a diagonal are worked on at once.
 * It waits for one column ahead, which arrives while it works on another. With more of them a link
 * that is slower than the work would carry several at once. Where they share its bandwidth, they
 * then arrive in bunches that change from process to process. */
#include <math.h>
#include <stdlib.h>

#include "lcs_check.h"
#include "lcs_local.h"
#include "model/base/distribution.h"
#include "phases.h"
#include "piecework.h"

static const char *const phase_names[] = {"T_table", "T_pipeline", NULL};
enum { TAG_COLUMN = 1, TAG_LENGTH = 2 };

typedef struct lcs_state {
    KERNEL_STATE;
    size_t first;     /* of its columns */
    size_t columns;   /* of this process */
    uint8_t *letters; /* [N], the first string */
    uint8_t *own;     /* [columns], its part of the second string */
    int32_t *row;     /* [columns + 1], the last row of the table that is done */
    int32_t *left;    /* [N], the column left of its own */
    int32_t *right;   /* [N], its last one */
    int32_t length;   /* what the last run came to; on the last process */
    double working;   /* s, in the blocks of the last run */
} lcs_state;

static double lcs_memory(const kernel_task *task, int rank, int processes) {
    double N = (double)task->N;
    return 9 * N + 5 * ceil(N * isocast_distribution_share(task->speeds, processes, rank));
}

static void lcs_owners(const kernel_task *task, int processes, int *owner) {
    kernel_mm.owners(task, processes, owner);
}

static void lcs_tear_down(void *state) {
    lcs_state *s = state;
    compute_free(s->compute, s->letters);
    compute_free(s->compute, s->own);
    compute_free(s->compute, s->row);
    compute_free(s->compute, s->left);
    compute_free(s->compute, s->right);
    free(s);
}

static size_t blocks_of(const lcs_state *s) {
    return (s->N + LCS_BLOCK - 1) / LCS_BLOCK;
}

static size_t rows_of(const lcs_state *s, size_t block) {
    size_t left = s->N - block * LCS_BLOCK;
    return left < LCS_BLOCK ? left : LCS_BLOCK;
}

/* A column of a block, of those that come or of those that go, for a message. */
static int32_t *column_at(const lcs_state *s, int32_t *column, size_t block) {
    return compute_at(s->compute, column, block * LCS_BLOCK, sizeof *column);
}

static bool allocate(lcs_state *s, const kernel_task *task) {
    size_t *starts = malloc(((size_t)s->processes + 1) * sizeof *starts);
    bool dealt =
        starts != NULL && isocast_distribution_block(s->N, task->speeds, s->processes, starts);
    if (dealt) {
        s->first = starts[s->rank];
        s->columns = starts[s->rank + 1] - s->first;
    }
    free(starts);
    s->letters = compute_allocate(s->compute, s->N, sizeof *s->letters);
    s->own = compute_allocate(s->compute, s->columns, sizeof *s->own);
    s->row = compute_allocate(s->compute, s->columns + 1, sizeof *s->row);
    s->left = compute_allocate(s->compute, s->N, sizeof *s->left);
    s->right = compute_allocate(s->compute, s->N, sizeof *s->right);
    return dealt && s->letters != NULL && s->own != NULL && s->row != NULL && s->left != NULL &&
           s->right != NULL;
}

static void fill(const lcs_state *s) {
    for (size_t i = 0; i < s->N; i++) {
        s->letters[i] = lcs_letter(s->seed, 0, i);
    }
    for (size_t j = 0; j < s->columns; j++) {
        s->own[j] = lcs_letter(s->seed, 1, s->first + j);
    }
}

static void *lcs_set_up(const kernel_task *task) {
    lcs_state *s = phases_begin(task, sizeof *s);
    bool complete = s != NULL && allocate(s, task);
    s = phases_keep(task->communicator, s, complete, lcs_tear_down);
    if (s == NULL) {
        return NULL;
    }
    if (!s->compute->modelled) {
        fill(s);
    }
    return s;
}

/* The column left of a block, if there is one. */
static void expect(const lcs_state *s, size_t block, MPI_Request *coming) {
    if (s->rank > 0 && block < blocks_of(s)) {
        MPI_Irecv(column_at(s, s->left, block), (int)rows_of(s, block), MPI_INT32_T, s->rank - 1,
                  TAG_COLUMN, s->communicator, coming);
    }
}

static void go_through(void *state) {
    lcs_state *s = state;
    piecework work = piecework_start(s->compute);
    MPI_Request coming = MPI_REQUEST_NULL;
    expect(s, 0, &coming);
    for (size_t k = 0; k < blocks_of(s); k++) {
        size_t first = k * LCS_BLOCK;
        size_t rows = rows_of(s, k);
        if (s->rank > 0) {
            MPI_Wait(&coming, MPI_STATUS_IGNORE);
            expect(s, k + 1, &coming);
        }
        piecework_begin(&work);
        if (compute_charge(s->compute, lcs_block_flops(rows, s->columns))) {
            lcs_block(s->letters + first, rows, s->own, s->columns, s->row, s->left + first,
                      s->right + first);
        }
        piecework_end(&work);
        if (s->rank + 1 < s->processes) {
            MPI_Send(column_at(s, s->right, k), (int)rows, MPI_INT32_T, s->rank + 1, TAG_COLUMN,
                     s->communicator);
        }
    }
    s->working = piecework_seconds(&work);
}

/* The table starts from a row of zeros, and the first process has a column of zeros at its left. */
static void lcs_run(void *state, kernel_result *result) {
    lcs_state *s = state;
    static const kernel_phase phases[] = {go_through};
    for (size_t j = 0; j <= s->columns && !s->compute->modelled; j++) {
        s->row[j] = 0;
    }
    phases_run(s->communicator, s->compute, phases, 1, state, result);
    phases_part(s->communicator, 0, 1, s->working, result);
    s->length = s->compute->modelled ? 0 : s->row[s->columns];
}

/* How far the length is from that of another algorithm, relative to N. */
static void lcs_verify(void *state, kernel_result *result) {
    lcs_state *s = state;
    int last = s->processes - 1;
    if (last > 0 && s->rank == last) {
        MPI_Send(&s->length, 1, MPI_INT32_T, 0, TAG_LENGTH, s->communicator);
    }
    if (s->rank == 0) {
        int32_t length = s->length;
        if (last > 0) {
            MPI_Recv(&length, 1, MPI_INT32_T, last, TAG_LENGTH, s->communicator, MPI_STATUS_IGNORE);
        }
        double right = lcs_check_length(s->seed, s->N);
        result->error = right < 0 ? NAN : fabs(length - right) / (double)s->N;
    }
}

const kernel kernel_lcs = {
    .id = KERNEL_ID_lcs,
    .algorithm = "longest-common-subsequence",
    .summary = "Longest common subsequence, heterogeneous column-block, a pipeline of blocks",
    .phase_names = phase_names,
    .error_name = "residual",
    .error_most = 0,
    .N_least = 1,
    .work = lcs_work,
    .flops = lcs_work,
    .memory = lcs_memory,
    .set_up = lcs_set_up,
    .run = lcs_run,
    .verify = lcs_verify,
    .tear_down = lcs_tear_down,
    .owners = lcs_owners,
};
