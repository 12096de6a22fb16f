#include "probe_kernels.h"

#include <fftw3.h>

#include "probe_clock.h"

#define ROW(name, what) [KERNEL_ID_##name] = &probe_kernel_##name,
const probe_kernel *const probe_kernels[KERNEL_COUNT] = {KERNEL_ROWS(ROW)};

const size_t *probe_kernels_problems(const probe_options *o, const probe_kernel *kernel,
                                     size_t *count) {
    bool own = kernel->planned && o->planned_count > 0;
    *count = own ? o->planned_count : o->problem_count;
    return own ? o->planned : o->problems;
}

static size_t next_problem(const size_t *problems, size_t count, size_t above) {
    size_t next = 0;
    for (size_t i = 0; i < count; i++) {
        if (problems[i] > above && (next == 0 || problems[i] < next)) {
            next = problems[i];
        }
    }
    return next;
}

size_t probe_kernels_plan(const probe_context *context, const bool *wanted, const size_t *problems,
                          size_t count, double seconds) {
    double start = probe_clock_steady();
    size_t largest = 0;
    int going = 1;
    for (size_t N; going != 0 && (N = next_problem(problems, count, largest)) != 0;) {
        for (size_t k = 0; k < KERNEL_COUNT; k++) {
            if (probe_kernels[k]->planned && wanted[k]) {
                probe_kernels[k]->prepare(context, N);
            }
        }
        largest = N;
        going = probe_clock_steady() - start < seconds;
        MPI_Bcast(&going, 1, MPI_INT, 0, context->communicator);
    }
    return largest;
}

void probe_kernels_remember(const probe_context *context, const char *file) {
    (void)context;
    if (file != NULL) {
        fftw_import_wisdom_from_filename(file);
    }
}

void probe_kernels_save(const probe_context *context, const char *file) {
    if (file != NULL && context->rank == 0) {
        fftw_export_wisdom_to_filename(file);
    }
}
