/* A further term of T_o that corrects what an algorithm's formulas give. Its numbers are parameters
 * of the machine, so that it has errors as any other term. */
#ifndef ISOCAST_CORRECTION_H
#define ISOCAST_CORRECTION_H

#include "algorithm.h"
#include "machine.h"

typedef struct isocast_correction {
    const char *name;    /* of the term */
    const char *formula; /* s, in the scope of the algorithm's formulas */
    const char *prefix;  /* of the machine's parameters that it may have, which are plain numbers */
} isocast_correction;

/* The algorithm with the term at the end of its overhead; `algorithm` and `machine` must outlive
 * it. Free it with isocast_corrected_free(). Errors: INVALID with diagnostics, NO_MEMORY. */
isocast_status isocast_corrected_create(const isocast_algorithm *algorithm,
                                        const isocast_machine *machine,
                                        const isocast_correction *correction,
                                        isocast_diagnostics *diagnostics, isocast_algorithm **out);
void isocast_corrected_free(isocast_algorithm *corrected);

#endif
