/* Definitions of an algorithm that come from elsewhere than its file: given by hand (setting.h), or
 * to vary (varied.h). */
#ifndef ISOCAST_DEFINITION_H
#define ISOCAST_DEFINITION_H

#include "algorithm.h"

/* The index of the definition of a name; algorithm->definition_count where there is none. */
size_t isocast_definition_find(const isocast_algorithm *algorithm, const char *name);

/* Gives a name of the algorithm a formula, written in SI units: in place of its definition, or as a
 * new one. `label` is the source's name in messages. *out, which the algorithm owns, is the
 * formula. Errors: INVALID with a diagnostic, NO_MEMORY. */
isocast_status isocast_definition_put(isocast_algorithm *algorithm, const char *name,
                                      const char *label, const char *text,
                                      isocast_diagnostics *diagnostics, isocast_formula **out);

/* Parses a formula whose text the algorithm keeps; the formula is the caller's. Names among
 * `declared` win over units. Errors: as above. */
isocast_status isocast_definition_parse(isocast_algorithm *algorithm, const char *label,
                                        const char *text, isocast_names declared,
                                        isocast_diagnostics *diagnostics, isocast_formula **out);

/* Takes the definition of an index away. */
void isocast_definition_remove(isocast_algorithm *algorithm, size_t index);

#endif
