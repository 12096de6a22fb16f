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

void isocast_numerics_prepare(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, turn_default_handler_off);
}
