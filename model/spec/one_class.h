/* Systems of one node class that no text names: process 0 of a system working alone, or any number
 * of processes. Decides nothing about times. */
#ifndef ISOCAST_ONE_CLASS_H
#define ISOCAST_ONE_CLASS_H

#include "system.h"

/* Points into itself and into what it was made of: it must stay where it is, and that outlive it.
 * Nothing is to be freed; the system's name is NULL, or that of the system it was made of. */
typedef struct isocast_one_class {
    isocast_system system;
    double rows[ISOCAST_CLASS_ROWS];
} isocast_one_class;

/* Fills *out with process 0 of a system of the machine: the same processor, with all memory of its
 * node. p = 1, R_f = 1, C = C_j. */
void isocast_one_class_alone(const isocast_machine *machine, const isocast_system *system,
                             isocast_one_class *out);

/* Fills *out with p processes of the machine's first class, on full nodes as a system "p" is; p
 * need not be whole. The marked speed is that of `program` (marked_speed.h). R_f is p, and the size
 * C. */
void isocast_one_class_filled(const isocast_machine *machine, const char *program, double p,
                              isocast_one_class *out);

#endif
