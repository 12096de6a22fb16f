#include "above_one.h"

#include <math.h>

#include "model/spec/best_rate.h"
#include "model/spec/kernel_time.h"

static bool marked_speeds_differ(const isocast_system *system) {
    const double *speeds = system->table.rows[ISOCAST_CLASS_MARKED_SPEED];
    bool differ = false;
    for (size_t i = 1; i < system->table.count; i++) {
        differ = differ || speeds[i] != speeds[0];
    }
    return differ;
}

/* The rates on the working set and on the largest data that the file knows of. */
static isocast_status find_rates(const isocast_machine *machine, const isocast_operation *kernel,
                                 double p, isocast_above_one *out) {
    double largest;
    isocast_status status = isocast_kernel_largest(kernel, &largest);
    if (status != ISOCAST_OK) {
        return status;
    }
    const double processes[2] = {p, p};
    /* A formula without m has its value anywhere. */
    const double sets[2] = {isnan(out->m) ? 0 : out->m, isnan(largest) ? 0 : largest};
    double time[2];
    status = isocast_kernel_time_at(machine, kernel, 2, processes, sets, time);
    if (status != ISOCAST_OK) {
        return status;
    }
    bool faster = time[0] > 0 && time[0] * out->marked < 1;
    bool slows = faster && largest > out->m && time[1] > time[0];
    out->rate = faster ? 1 / time[0] : NAN;
    out->larger_m = slows ? largest : NAN;
    out->larger_rate = slows ? 1 / time[1] : NAN;
    return ISOCAST_OK;
}

isocast_status isocast_above_one_find(const isocast_model *model, const isocast_system *system,
                                      double N, const double *other_sizes, isocast_above_one *out) {
    const isocast_machine *machine = isocast_model_machine(model);
    const isocast_algorithm *algorithm = isocast_model_algorithm(model);
    const isocast_operation *kernel = isocast_kernel_time_find(algorithm, machine);
    isocast_above_one found = {.marked = system->C / system->p,
                               .marked_differ = marked_speeds_differ(system),
                               .rate = NAN,
                               .m = NAN,
                               .larger_m = NAN,
                               .larger_rate = NAN};
    isocast_status status = ISOCAST_OK;
    if (kernel != NULL && !algorithm->time_per_flop_given) {
        bool by_m = isocast_kernel_depends(kernel, "m");
        isocast_model_results results = {.memory = &found.m};
        status = by_m ? isocast_model_evaluate_at(model, system, other_sizes, N, NULL, &results)
                      : ISOCAST_OK;
        status =
            status == ISOCAST_OK ? find_rates(machine, kernel, system->p_node_max, &found) : status;
    }
    if (status == ISOCAST_OK) {
        *out = found;
    }
    return status;
}
