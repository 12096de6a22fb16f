/* A system's process 0 working alone, as a system of one process: what T(W,1) is the time on.
 * Decides nothing about times. */
#ifndef ISOCAST_ALONE_H
#define ISOCAST_ALONE_H

#include "system.h"

/* Points into itself and into the system: it must stay where it is, and the system outlive it.
 * Nothing is to be freed. */
typedef struct isocast_alone {
    isocast_system system; /* p = 1, R_f = 1, C = C_j; its name is NULL */
    double rows[ISOCAST_CLASS_ROWS];
} isocast_alone;

/* Fills *out with process 0 of a system of the machine: the same processor, with all memory of its
 * node. */
void isocast_alone_fill(const isocast_machine *machine, const isocast_system *system,
                        isocast_alone *out);

#endif
