/* A system whose processors have other marked speeds than the machine file gives them, each class
 * by a factor of its own. Everything else is that of the system it was made of. */
#ifndef ISOCAST_SCALED_SYSTEM_H
#define ISOCAST_SCALED_SYSTEM_H

#include "model/spec/system.h"

/* Borrows from the system it was made of, which must outlive it. */
typedef struct isocast_scaled_system {
    isocast_system system;
    double *speeds; /* [system.count], flop/s */
} isocast_scaled_system;

/* C, C_j, R_f and the size follow from the speeds; factors: shape [class_count], of the machine's
 * classes. Errors: NO_MEMORY. */
isocast_status isocast_scaled_system_create(const isocast_machine *machine,
                                            const isocast_system *system, const double *factors,
                                            isocast_scaled_system *out);
void isocast_scaled_system_clear(isocast_scaled_system *scaled);

#endif
