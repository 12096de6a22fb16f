/* Which formulas a formula uses through names and calls, in an order in which each comes after
 * those that it uses. Each is looked into once, and without recursion from formula to formula, so
 * chains of any length cost what their text does. Finds cycles. Knows no units. */
#ifndef ISOCAST_USES_H
#define ISOCAST_USES_H

#include "scope.h"

/* A formula that was looked into. */
typedef struct isocast_use {
    const isocast_formula *formula;
    const isocast_scope *scope;   /* where its names are looked up */
    const isocast_symbol *symbol; /* by which it was first found; NULL: it was asked for itself */
    bool finished;                /* all that it uses was looked into */
} isocast_use;

/* Start from {0}. */
typedef struct isocast_uses {
    isocast_use *items; /* [count], as they were found */
    size_t count, capacity;
    size_t *order; /* [ordered], indices: each after those that it uses, but for cycles */
    size_t ordered, order_capacity;
    size_t *table; /* [table_size], index + 1 by the formula's address; 0: free */
    size_t table_size;
} isocast_uses;

/* Looks into a formula and all that it uses, as far as that is not done yet. `what` names it in
 * messages. Errors: INVALID (formulas that need each other, with a diagnostic where the circle
 * closes on the one that comes first in its file), NO_MEMORY. `diagnostics` may be NULL. */
isocast_status isocast_uses_follow(isocast_uses *uses, const isocast_formula *formula,
                                   const isocast_scope *scope, const char *what,
                                   isocast_diagnostics *diagnostics);

/* Index of a formula among the items; `count` where it was not looked into. */
size_t isocast_uses_find(const isocast_uses *uses, const isocast_formula *formula);

void isocast_uses_free(isocast_uses *uses);

#endif
