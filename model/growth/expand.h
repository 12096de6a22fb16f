/* From checked formulas to series (series.h): what a formula comes to on a path. Knows the formula
 * language; knows nothing of algorithms and machines. */
#ifndef ISOCAST_EXPAND_H
#define ISOCAST_EXPAND_H

#include "model/formula/program.h"
#include "series.h"

/* What formulas came to on a path, so that each is expanded once however often it is named. */
typedef struct isocast_formula_memo {
    struct isocast_formula_memo_item *items; /* [size]; unused ones have no formula */
    size_t size, count;
} isocast_formula_memo;

/* What names stand for on the room's path. Start from {0} with these set. */
typedef struct isocast_expansion {
    isocast_series_room *room;
    const isocast_scope *scope;    /* where the system's p is looked up */
    const isocast_series *columns; /* the inputs, by their index */
    size_t class_count;
    const isocast_series *classes[ISOCAST_CLASS_ROWS]; /* each [class_count] */
    isocast_formula_memo memo;                         /* what named formulas came to; owned */
    size_t depth;                                      /* of the expression that is looked at */
} isocast_expansion;

/* A formula that was checked in `scope`. 0 where it failed: the room says why. */
isocast_series isocast_formula_expand(isocast_expansion *e, const isocast_formula *formula,
                                      const isocast_scope *scope);
void isocast_expansion_free(isocast_expansion *e);

#endif
