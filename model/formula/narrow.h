/* A program for one system and a piece of N alone: what no N of the piece asks for is left out,
 * such as the ranges and tables of message sizes that do not occur there. What is left computes the
 * same numbers in the same order. */
#ifndef ISOCAST_NARROW_H
#define ISOCAST_NARROW_H

#include "program.h"
#include "reach.h"

typedef struct isocast_narrow isocast_narrow;

/* For the piece that `reach`, which was made of the same program, has begun; the program must
 * outlive it. Selections are taken to depend on no input that has another value later but N.
 * Errors: NO_MEMORY. */
isocast_status isocast_narrow_create(const isocast_program *program, isocast_reach *reach,
                                     isocast_narrow **out);
/* NULL is allowed. */
void isocast_narrow_free(isocast_narrow *narrow);

/* The program; it belongs to `narrow`. */
const isocast_program *isocast_narrow_program(const isocast_narrow *narrow);

#endif
