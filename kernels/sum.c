/* Adding N numbers over MPI [GGKK 5.1]: each process adds its own, shared out by marked speed, and
 * the partial sums are reduced to process 0. The numbers are where they are added. */
#include <math.h>
#include <stdlib.h>

#include "input.h"
#include "model/base/distribution.h"
#include "phases.h"
#include "sum_local.h"

enum { PHASES = 2, INPUT_NUMBERS = 0 };
static const char *const phase_names[] = {"T_add", "T_reduce", NULL};

typedef struct sum_state {
    KERNEL_STATE;
    size_t first;    /* of this process's numbers */
    size_t count;    /* of them */
    double *numbers; /* [count] */
    double partial;
    double sum; /* on process 0 */
} sum_state;

static double sum_memory(const kernel_task *task, int rank, int processes) {
    double total = 0;
    for (int q = 0; q < processes; q++) {
        total += task->speeds[q];
    }
    return (double)sizeof(double) * ceil((double)task->N * task->speeds[rank] / total);
}

static void sum_owners(const kernel_task *task, int processes, int *owner) {
    kernel_mm.owners(task, processes, owner);
}

static void sum_tear_down(void *state) {
    sum_state *s = state;
    compute_free(s->compute, s->numbers);
    free(s);
}

static bool allocate(sum_state *s, const kernel_task *task) {
    int processes;
    MPI_Comm_size(s->communicator, &processes);
    size_t *starts = malloc(((size_t)processes + 1) * sizeof *starts);
    bool shared =
        starts != NULL && isocast_distribution_block(task->N, task->speeds, processes, starts);
    if (shared) {
        s->first = starts[s->rank];
        s->count = starts[s->rank + 1] - s->first;
        s->numbers = compute_allocate(s->compute, s->count, sizeof *s->numbers);
    }
    free(starts);
    return shared && s->numbers != NULL;
}

static void *sum_set_up(const kernel_task *task) {
    sum_state *s = phases_begin(task, sizeof *s);
    bool complete = s != NULL && allocate(s, task);
    s = phases_keep(task->communicator, s, complete, sum_tear_down);
    if (s == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < s->count && !s->compute->modelled; i++) {
        s->numbers[i] = input_element(s->seed, INPUT_NUMBERS, s->first + i, 0);
    }
    return s;
}

static void add(void *state) {
    sum_state *s = state;
    if (compute_charge(s->compute, (double)s->count)) {
        s->partial = sum_add(s->numbers, s->count);
    }
}

static void reduce(void *state) {
    sum_state *s = state;
    MPI_Reduce(&s->partial, &s->sum, 1, MPI_DOUBLE, MPI_SUM, 0, s->communicator);
}

static void sum_run(void *state, kernel_result *result) {
    const sum_state *s = state;
    static const kernel_phase phases[PHASES] = {add, reduce};
    phases_run(s->communicator, s->compute, phases, PHASES, state, result);
}

/* Against the sum of the numbers made again, with twice the digits (T. Dekker, Numer. Math. 18,
 * 1971), relative to the sum of their absolute values. */
static void sum_verify(void *state, kernel_result *result) {
    const sum_state *s = state;
    double parts[] = {0, 0, 0}; /* sum, what rounding left out of it, absolute values */
    for (size_t i = 0; i < s->count; i++) {
        double number = input_element(s->seed, INPUT_NUMBERS, s->first + i, 0);
        double sum = parts[0] + number;
        double taken = sum - parts[0];
        parts[1] += (parts[0] - (sum - taken)) + (number - taken);
        parts[0] = sum;
        parts[2] += fabs(number);
    }
    double all[] = {0, 0, 0};
    MPI_Reduce(parts, all, 3, MPI_DOUBLE, MPI_SUM, 0, s->communicator);
    result->error = s->rank == 0 ? fabs(s->sum - (all[0] + all[1])) / all[2] : 0;
}

const kernel kernel_sum = {
    .id = KERNEL_ID_sum,
    .algorithm = "adding-numbers",
    .summary = "adding numbers, partial sums reduced to process 0",
    .phase_names = phase_names,
    .error_name = "residual",
    .error_most = 1e-13,
    .N_least = 1,
    .work = sum_work,
    .flops = sum_work,
    .memory = sum_memory,
    .set_up = sum_set_up,
    .run = sum_run,
    .verify = sum_verify,
    .tear_down = sum_tear_down,
    .owners = sum_owners,
};
