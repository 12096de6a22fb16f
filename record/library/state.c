#include "state.h"

#include <stdatomic.h>

record_state record_now;
__thread const void *record_fortran_address __attribute__((tls_model("initial-exec")));

static atomic_flag lock = ATOMIC_FLAG_INIT;

void record_lock(void) {
    while (record_now.locked && atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) {
    }
}

void record_unlock(void) {
    if (record_now.locked) {
        atomic_flag_clear_explicit(&lock, memory_order_release);
    }
}
