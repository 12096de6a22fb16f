/* The type of a formula's expression: its unit, found from the units of its names. For check.c,
 * which goes through formulas in an order in which no type waits for another. */
#ifndef ISOCAST_INFER_H
#define ISOCAST_INFER_H

#include "scope.h"
#include "uses.h"

/* What is known of an expression's value. */
typedef struct isocast_type {
    isocast_dimension dimension;
    bool plain;  /* made of counts alone: may be taken in the unit of its place */
    bool zero;   /* the literal 0: fits every dimension */
    bool broken; /* already reported: fits everything, so that one slip is told once */
} isocast_type;

/* The types of the formulas that others use. */
typedef struct isocast_types {
    isocast_uses uses;
    isocast_type *types; /* [capacity], by the index of the formula among those used */
    bool *known;         /* likewise: its type is known */
    size_t capacity;
} isocast_types;

/* The type of a formula whose used formulas were typed before; a name whose formula was not needs
 * itself, and is broken. Each problem becomes a diagnostic at the smallest expression to blame;
 * `diagnostics` may be NULL. Where there is a problem, an OK status becomes INVALID; NO_MEMORY is
 * set over either. */
isocast_type isocast_formula_infer(const isocast_formula *formula, const isocast_scope *scope,
                                   const isocast_types *used, isocast_diagnostics *diagnostics,
                                   isocast_status *status);

/* Whether a value of this type may stand where `dimension` is asked for. */
bool isocast_type_fits(isocast_type type, isocast_dimension dimension);

#endif
