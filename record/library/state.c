#include "state.h"

record_state record_now;
__thread const void *record_fortran_address __attribute__((tls_model("initial-exec")));

atomic_flag record_busy = ATOMIC_FLAG_INIT;
