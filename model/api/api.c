#include "api.h"

#include <math.h>
#include <string.h>

#include "model/base/numerics.h"

void isocast_api_enter(isocast_api_call *call, isocast_diagnostics *diagnostics) {
    isocast_numerics_prepare();
    call->unheard = (isocast_diagnostics){0};
    call->diagnostics = diagnostics != NULL ? diagnostics : &call->unheard;
    /* The C library keeps the locale "C" in static memory, so this neither fails nor leaks. */
    call->before = uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
}

isocast_status isocast_api_leave(isocast_api_call *call, isocast_status status) {
    (void)uselocale(call->before);
    bool failed = call->diagnostics->failed;
    isocast_diagnostics_clear(&call->unheard);
    return failed ? ISOCAST_NO_MEMORY : status;
}

double isocast_api_number(const void *record, const size_t *places, size_t count,
                          unsigned quantity) {
    double number = NAN;
    if (record != NULL && quantity < count && places[quantity] != 0) {
        memcpy(&number, (const char *)record + (places[quantity] - 1), sizeof number);
    }
    return number;
}
