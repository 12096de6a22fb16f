#include "machine_covariance.h"

bool isocast_machine_need_covariance(isocast_reader *reader, isocast_machine *machine) {
    size_t n = machine->parameter_count;
    if (machine->covariance != NULL) {
        return true;
    }
    machine->covariance = isocast_reader_allocate(reader, n * n, sizeof *machine->covariance);
    for (size_t i = 0; machine->covariance != NULL && i < n; i++) {
        double error = machine->parameters[i].standard_error;
        machine->covariance[i * n + i] = error > 0 ? error * error : 0;
    }
    return machine->covariance != NULL;
}
