/* What may be meant by a name in a formula that its scope does not have. */
#ifndef ISOCAST_UNKNOWN_HINT_H
#define ISOCAST_UNKNOWN_HINT_H

#include "scope.h"

/* Appends a hint for the name or call `node`; `in_class`: it stands inside sum_class() and the
 * like. */
void isocast_unknown_hint(const isocast_formula *formula, const isocast_scope *scope, bool in_class,
                          const isocast_formula_node *node, isocast_buffer *hint);

/* Whether it is a call of an operation that a machine file could have, and does not. */
bool isocast_unknown_is_lacking(const isocast_scope *scope, const isocast_formula_node *node);

#endif
