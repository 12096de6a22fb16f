#include "currency.h"

static const struct {
    const char *name;
    isocast_base base;
} currencies[ISOCAST_CURRENCIES] = {
    [ISOCAST_CURRENCY_NONE] = {"", ISOCAST_BASE_COUNT},
    [ISOCAST_CURRENCY_USD] = {"USD", ISOCAST_BASE_USD},
    [ISOCAST_CURRENCY_EUR] = {"EUR", ISOCAST_BASE_EUR},
};

const char *isocast_currency_name(isocast_currency currency) {
    return currencies[currency].name;
}

const char *isocast_currency_unit(isocast_currency currency) {
    return currency != ISOCAST_CURRENCY_NONE ? isocast_currency_name(currency) : NULL;
}

isocast_dimension isocast_currency_dimension(isocast_currency currency) {
    return currency == ISOCAST_CURRENCY_NONE ? isocast_dimension_count
                                             : isocast_dimension_of(currencies[currency].base);
}

isocast_currency isocast_currency_in(isocast_dimension dimension, isocast_dimension per) {
    isocast_dimension amount = isocast_dimension_multiply(dimension, per);
    for (int i = ISOCAST_CURRENCY_USD; i < ISOCAST_CURRENCIES; i++) {
        if (isocast_dimension_equal(amount, isocast_currency_dimension((isocast_currency)i))) {
            return (isocast_currency)i;
        }
    }
    return ISOCAST_CURRENCY_NONE;
}
