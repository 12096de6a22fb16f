#include "refused.h"

#include <stdatomic.h>

static atomic_bool refused;

void isocast_refused_note(void) {
    atomic_store(&refused, true);
}

bool isocast_was_refused(void) {
    return atomic_load(&refused);
}
