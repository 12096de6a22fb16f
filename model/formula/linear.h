/* How a program's outputs depend on some of its inputs, reported by its instructions alone: not at
 * all, linearly (all of them together, with an offset), or in some other way. Evaluates nothing. */
#ifndef ISOCAST_LINEAR_H
#define ISOCAST_LINEAR_H

#include "program.h"

typedef enum isocast_dependence {
    ISOCAST_DEPENDENCE_NONE,
    ISOCAST_DEPENDENCE_LINEAR,
    ISOCAST_DEPENDENCE_OTHER /* or it is not known */
} isocast_dependence;

/* `marked` says which inputs are asked about, by the scopes' index, [inputs]. `out`, [outputs], and
 * *ends_move, true where an end of any sum depends on them, may be NULL. Node classes count as
 * given. Errors: NO_MEMORY. */
isocast_status isocast_program_dependence(const isocast_program *program, const bool *marked,
                                          isocast_dependence *out, bool *ends_move);

#endif
