#include "recheck_measure.h"

#include <math.h>
#include <string.h>

#include "kernels/kernel_table.h"
#include "model/base/known_operation.h"

/* Message sizes that show the latency, the bandwidth and what lies between; problem sizes inside
 * and outside the caches. */
static const char message_sizes[] = "64,4096,65536,1048576";
static const char problem_sizes[] = "128,512,1024";
enum { LAUNCHES = 4 };

static bool has_name(const isocast_operation *list, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Marks what the file has as wanted. Gives its number. */
static size_t choose(const isocast_machine *machine, campaign_selection *selection) {
    size_t count = 0;
    for (size_t i = 0; i < selection->count; i++) {
        campaign_measurable *item = &selection->items[i];
        bool kernel = campaign_measurable_is_kernel(item);
        /* A triad is known at one working set, which none of the sizes here is; what is left of a
         * message when its sender is free may be next to nothing, so a ratio tells nothing. */
        const isocast_known_operation *known = isocast_known_operation_find(item->name);
        bool compares = kernel ? strcmp(item->name, kernel_names[KERNEL_BANDWIDTH]) != 0
                               : known == NULL || !known->is_rest;
        item->wanted =
            compares &&
            has_name(kernel ? machine->compute : machine->operations,
                     kernel ? machine->compute_count : machine->operation_count, item->name);
        count += item->wanted;
    }
    return count;
}

/* The largest number of processes that the file was measured with and that this machine has. */
static double most_processes(const isocast_machine *machine, long processors) {
    double most = 0;
    for (size_t i = 0; i < machine->operation_count; i++) {
        most = machine->operations[i].p_max > most ? machine->operations[i].p_max : most;
    }
    return most > 0 ? fmin(most, (double)processors) : (double)processors;
}

isocast_status campaign_recheck_measure(const isocast_machine *machine, const campaign_site *site,
                                        double budget, double started,
                                        campaign_recorder *recorder) {
    campaign_selection selection;
    isocast_status status = campaign_probe_list(site->probe, recorder->listener, &selection);
    if (status != ISOCAST_OK) {
        return status;
    }
    if (choose(machine, &selection) == 0) {
        return ISOCAST_ARGUMENT;
    }
    double processes[] = {1, most_processes(machine, campaign_site_processors(site))};
    campaign_request request = {.site = *site,
                                .processes = processes,
                                .process_count = processes[1] > 1 ? 2 : 1,
                                .launches = LAUNCHES,
                                .seed = 1,
                                .budget = budget,
                                .started = started,
                                .sizes = message_sizes,
                                .problems = problem_sizes,
                                .selection = &selection};
    double others;
    return campaign_calibrate(&request, recorder, &others);
}
