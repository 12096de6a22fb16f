#include "bill.h"

#include <math.h>
#include <stdlib.h>

static double known_or_zero(double value) {
    return isnan(value) ? 0 : value;
}

isocast_bill isocast_bill_of_nodes(const isocast_machine *machine, const double *nodes) {
    const isocast_purchase *purchase = &machine->purchase;
    isocast_bill bill = {.price = purchase->base_price, .power = purchase->base_power};
    double running = known_or_zero(purchase->running_cost);
    for (size_t i = 0; i < machine->class_count; i++) {
        const isocast_node_class *c = &machine->classes[i];
        if (nodes[i] > 0) {
            bill.nodes += nodes[i];
            bill.price += nodes[i] * c->price;
            bill.power += nodes[i] * c->power;
            running += nodes[i] * known_or_zero(c->running_cost);
        }
    }
    for (size_t i = 0; i < purchase->step_count; i++) {
        double needed = ceil(bill.nodes / purchase->steps[i].nodes);
        bill.price += needed * purchase->steps[i].price;
        bill.power += needed * purchase->steps[i].power;
    }
    double energy = isnan(purchase->energy_price) ? 0 : bill.power * purchase->energy_price;
    double computing = purchase->lifetime * purchase->use; /* s, in all of the lifetime */
    /* Running cost falls due the whole lifetime, and is borne by the time that is used. */
    bill.rate = bill.price / computing + running / purchase->use + energy;
    bill.lifetime_price = bill.price + purchase->lifetime * running + computing * energy;
    return bill;
}

isocast_status isocast_bill_of_system(const isocast_machine *machine, const isocast_system *system,
                                      isocast_bill *out) {
    double *nodes = calloc(machine->class_count + 1, sizeof *nodes);
    if (nodes == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < system->count; i++) {
        nodes[system->classes[i]] +=
            ceil(system->table.rows[ISOCAST_CLASS_PROCESSES][i] / system->each[i]);
    }
    *out = isocast_bill_of_nodes(machine, nodes);
    free(nodes);
    return ISOCAST_OK;
}

bool isocast_machine_has_bill(const isocast_machine *machine) {
    bool any = false;
    for (size_t i = 0; i < machine->class_count; i++) {
        any = any || !isnan(machine->classes[i].price) || !isnan(machine->classes[i].power);
    }
    return any;
}

bool isocast_machine_counts_nodes(const isocast_machine *machine) {
    return machine->reference.count > 0 || isocast_machine_has_bill(machine);
}
