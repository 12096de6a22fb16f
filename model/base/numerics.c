#include "numerics.h"

#include <gsl/gsl_errno.h>
#include <pthread.h>
#include <stddef.h>

static void turn_default_handler_off(void) {
    gsl_error_handler_t *before = gsl_set_error_handler_off();
    /* GSL gives NULL for its default handler. */
    if (before != NULL) {
        gsl_set_error_handler(before);
    }
}

isocast_status isocast_numerics_status(int gsl_status) {
    switch (gsl_status) {
    case GSL_SUCCESS:
        return ISOCAST_OK;
    case GSL_ENOMEM:
        return ISOCAST_NO_MEMORY;
    default:
        return ISOCAST_NUMERIC;
    }
}

void isocast_numerics_prepare(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, turn_default_handler_off);
}
