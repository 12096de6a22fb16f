/* Names, arity and units of a formula, before anything is compiled. Reports everything it finds. */
#ifndef ISOCAST_CHECK_H
#define ISOCAST_CHECK_H

#include "scope.h"

/* Where a formula stands, and which dimension it must have there. */
typedef struct isocast_formula_place {
    const char *what;            /* for messages: "work", "overhead 'pivot-rows'" */
    isocast_dimension dimension; /* what the formula must come to */
    bool any_dimension;          /* a definition: anything goes */
    /* A second dimension taken as the first, for t_c: a time is read as time per flop. */
    const isocast_dimension *also;
} isocast_formula_place;

/* What checks have learnt of the formulas that others use. Shared by checks in the same scopes, it
 * lets many formulas that use each other cost what their text does. */
typedef struct isocast_check_memory isocast_check_memory;

/* Errors: NO_MEMORY. */
isocast_status isocast_check_memory_create(isocast_check_memory **out);
void isocast_check_memory_free(isocast_check_memory *memory);

/* Checks a formula in a scope. A formula without any unit is taken in the SI unit of its place;
 * the literal 0 fits every dimension. Follows FORMULA symbols to learn their dimension and refuses
 * cycles among them, naming the chain, once for all checks that share a memory. *out gets the
 * dimension (that of the place, where it was coerced). Errors, each with a diagnostic at the
 * smallest expression to blame: INVALID, NO_MEMORY.
 */
isocast_status isocast_formula_check(const isocast_formula *formula, const isocast_scope *scope,
                                     const isocast_formula_place *place,
                                     isocast_diagnostics *diagnostics, isocast_dimension *out);

/* The same with what earlier checks learnt, to which this one adds. */
isocast_status
isocast_formula_check_among(const isocast_formula *formula, const isocast_scope *scope,
                            const isocast_formula_place *place, isocast_check_memory *memory,
                            isocast_diagnostics *diagnostics, isocast_dimension *out);

#endif
