/* The covariance of a machine's parameters while it is read. */
#ifndef ISOCAST_MACHINE_COVARIANCE_H
#define ISOCAST_MACHINE_COVARIANCE_H

#include "machine.h"
#include "model/yaml/schema.h"

/* Makes the matrix, where there is none, from the standard errors known so far. False where memory
 * is short, which the reader then knows. */
bool isocast_machine_need_covariance(isocast_reader *reader, isocast_machine *machine);

#endif
