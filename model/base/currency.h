/* Currencies: dimensions of their own, between which isocast knows no rate. An amount is a number
 * in the whole unit of one of them, never of two. */
#ifndef ISOCAST_CURRENCY_H
#define ISOCAST_CURRENCY_H

#include "dimension.h"

typedef enum isocast_currency {
    ISOCAST_CURRENCY_NONE, /* no amount was stated, or none but 0 */
    ISOCAST_CURRENCY_USD,
    ISOCAST_CURRENCY_EUR,
    ISOCAST_CURRENCIES
} isocast_currency;

/* "EUR"; "" for none. */
const char *isocast_currency_name(isocast_currency currency);
/* Likewise, but NULL for NONE: the unit of amounts, which have none. */
const char *isocast_currency_unit(isocast_currency currency);

/* The dimension of an amount; of a count for none. */
isocast_dimension isocast_currency_dimension(isocast_currency currency);

/* The currency in which a value of this dimension is an amount for each unit of `per`, such as EUR
 * for EUR/s and a `per` of time; NONE where it is no such amount. */
isocast_currency isocast_currency_in(isocast_dimension dimension, isocast_dimension per);

#endif
