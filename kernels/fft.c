#include "fft.h"

fft_common fft_begin(const kernel_task *task) {
    fft_common common = {.communicator = task->communicator,
                         .N = task->N,
                         .seed = task->seed,
                         .compute = task->compute};
    MPI_Comm_rank(common.communicator, &common.rank);
    MPI_Comm_size(common.communicator, &common.processes);
    common.count = common.N / (size_t)common.processes;
    return common;
}

static bool is_power(size_t number) {
    return number > 0 && (number & (number - 1)) == 0;
}

const char *fft_refusal(size_t N, int processes) {
    if (!is_power(N) || !is_power((size_t)processes)) {
        return "takes powers of two, for N and for the number of processes";
    }
    return (size_t)processes > N ? "takes at most N processes" : NULL;
}

void fft_fill(const fft_common *common, const void *state, fft_place input,
              double complex *points) {
    for (size_t i = 0; i < common->count && !common->compute->modelled; i++) {
        points[i] = fft_input(common->seed, input(state, i));
    }
}

void fft_verify(const fft_common *common, const void *state, fft_place output,
                const double complex *points, kernel_result *result) {
    fft_sums sums = fft_sums_start(common->seed, common->N);
    for (size_t i = 0; i < common->count; i++) {
        size_t j = (size_t)common->rank * common->count + i;
        fft_sums_add_output(&sums, output(state, i), points[i]);
        fft_sums_add_input(&sums, j, fft_input(common->seed, j));
    }
    double complex own[] = {sums.outputs, sums.inputs, sums.squares};
    double complex all[] = {0, 0, 0};
    MPI_Reduce(own, all, 3, MPI_C_DOUBLE_COMPLEX, MPI_SUM, 0, common->communicator);
    sums.outputs = all[0];
    sums.inputs = all[1];
    sums.squares = creal(all[2]);
    result->error = common->rank == 0 ? fft_sums_error(&sums) : 0;
}

void fft_owners(const kernel_task *task, int processes, int *owner) {
    size_t count = task->N / (size_t)processes;
    for (size_t j = 0; j < task->N; j++) {
        owner[j] = (int)(j / count);
    }
}
