/* The section program: of a derived file. */
#ifndef ISOCAST_DERIVE_STEPS_TEXT_H
#define ISOCAST_DERIVE_STEPS_TEXT_H

#include "step.h"

/* Appends "program:" and its steps, and operations: for machines that lack what these call. */
void isocast_derive_steps_put(const isocast_derived *derived, const derive_program *program,
                              isocast_buffer *out);

#endif
