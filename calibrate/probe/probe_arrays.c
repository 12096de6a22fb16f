#include "probe_arrays.h"

#include <stdlib.h>

double *probe_arrays[PROBE_ARRAYS];
static size_t array_numbers[PROBE_ARRAYS];

size_t probe_arrays_rows(const probe_context *context, size_t N) {
    size_t processes = (size_t)context->processes;
    size_t rank = (size_t)context->rank;
    return N * (rank + 1) / processes - N * rank / processes;
}

double *probe_arrays_room(const probe_context *context, size_t which, size_t numbers) {
    if (array_numbers[which] < numbers) {
        free(probe_arrays[which]);
        probe_arrays[which] = malloc(numbers * sizeof(double));
        array_numbers[which] = numbers;
        if (probe_arrays[which] == NULL) {
            MPI_Abort(context->communicator, 5);
        }
    }
    return probe_arrays[which];
}

void probe_arrays_fill(double *numbers, size_t count) {
    for (size_t k = 0; k < count; k++) {
        numbers[k] = (double)(k % 2003) / 2003 - 0.5;
    }
}
