/* The parameters that an algorithm asks for: opened for runs to say, and put into the
 * place of what a machine has. */
#ifndef ISOCAST_REQUIREMENT_H
#define ISOCAST_REQUIREMENT_H

#include "algorithm.h"
#include "machine.h"
#include "model/yaml/schema.h"

void isocast_requirement_remove(isocast_algorithm *algorithm, size_t index);

/* Opens a name, the bytes `span` of the reader's source, for runs to say: a parameter of the
 * algorithm, one of the machine, t_c, or a definition, which becomes a parameter. Its value so far,
 * where there is one, is what the fit begins at. Errors: INVALID with a diagnostic (no such name, a
 * size), NO_MEMORY. */
isocast_status isocast_requirement_open(isocast_reader *reader, isocast_span span,
                                        isocast_algorithm *algorithm,
                                        const isocast_machine *machine);

/* Makes the algorithm's parameters that have a value of their own, and the definitions that are a
 * plain number, inputs of its formulas, so that each can be varied alone. A definition stays where
 * a rule looks at it, or a unit depends on it as an exponent. Errors: NO_MEMORY. */
isocast_status isocast_requirements_vary(isocast_algorithm *algorithm);

/* A copy of a machine that has the algorithm's parameters which runs said, and those which it lacks
 * that have an error, so that they count in intervals as its own do, or that are varied. It borrows
 * all else, and the names. *out is NULL where there are none. Errors: NO_MEMORY. */
isocast_status isocast_machine_complete(const isocast_machine *machine,
                                        const isocast_algorithm *algorithm, isocast_machine **out);
void isocast_machine_completed_free(isocast_machine *completed);

/* Takes the middle of a range whose max is finite, and an error that covers it: the standard
 * deviation of what is anywhere in it. */
void isocast_requirement_assume(isocast_requirement *requirement);

/* Warns of numbers that no run has said, and which are the middle of their ranges. */
void isocast_requirements_report(const isocast_algorithm *algorithm,
                                 isocast_diagnostics *diagnostics);

/* The text of the algorithm's file with the values that runs said, `comment` above it. A parameter
 * that is still open stays so. Errors: NO_MEMORY. */
isocast_status isocast_algorithm_fitted_text(const isocast_algorithm *algorithm,
                                             const char *comment, isocast_buffer *out);

#endif
