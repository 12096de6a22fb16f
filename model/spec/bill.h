/* What nodes of a machine cost to buy and to run: amounts in the machine's one currency. Knows the
 * machine file alone, neither an algorithm nor a budget. */
#ifndef ISOCAST_BILL_H
#define ISOCAST_BILL_H

#include "system.h"

/* NAN marks what does not follow from the machine file. */
typedef struct isocast_bill {
    double nodes;          /* that are bought, or used */
    double price;          /* to buy them, with base price and steps; currency */
    double power;          /* W, of nodes, base and steps, whether they compute or wait */
    double rate;           /* what a second of computing costs, currency/s: the price over what the
                              lifetime has of such seconds, running cost, and energy */
    double lifetime_price; /* price, running cost and energy of the whole lifetime; currency */
} isocast_bill;

/* The bill for so many nodes of each class; shape of nodes: [class_count]. A class without nodes
 * counts nothing. `price` needs the price of every class that is used, `rate` and `lifetime_price`
 * need the lifetime; energy counts where the file gives its price, and needs the power then. */
isocast_bill isocast_bill_of_nodes(const isocast_machine *machine, const double *nodes);

/* The bill for the nodes that a system uses. Errors: NO_MEMORY. */
isocast_status isocast_bill_of_system(const isocast_machine *machine, const isocast_system *system,
                                      isocast_bill *out);

/* Whether the machine file says anything of price or power. */
bool isocast_machine_has_bill(const isocast_machine *machine);

/* Whether something besides T depends on how many nodes are used: a bill, or R_f. */
bool isocast_machine_counts_nodes(const isocast_machine *machine);

#endif
