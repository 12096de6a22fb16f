#include "machine_covariance.h"

bool isocast_machine_need_covariance(isocast_reader *reader, isocast_machine *machine) {
    size_t n = machine->parameter_count;
    if (machine->covariance != NULL) {
        return true;
    }
    double *covariance = isocast_reader_allocate(reader, n * n, sizeof *covariance);
    for (size_t i = 0; covariance != NULL && i < n; i++) {
        covariance[i * n + i] = isocast_machine_covariance(machine, i, i);
    }
    machine->covariance = covariance;
    return covariance != NULL;
}
