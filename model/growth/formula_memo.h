/* What formulas came to on a path, so that each is expanded once however often it is named. */
#ifndef ISOCAST_FORMULA_MEMO_H
#define ISOCAST_FORMULA_MEMO_H

#include "model/formula/formula.h"
#include "series.h"

/* Start from {0}. */
typedef struct isocast_formula_memo {
    struct isocast_formula_memo_item *items; /* [size]; unused ones have no formula */
    size_t size, count;
} isocast_formula_memo;

bool isocast_formula_memo_find(const isocast_formula_memo *memo, const isocast_formula *formula,
                               isocast_series *out);
/* Keeps a formula that is not there yet. False without memory. */
bool isocast_formula_memo_add(isocast_formula_memo *memo, const isocast_formula *formula,
                              isocast_series value);
void isocast_formula_memo_free(isocast_formula_memo *memo);

#endif
