/* The names that Fortran programs call. Each notes where it was called from, and goes on to the
 * function of that name in the MPI library's Fortran part, which calls a C function that is
 * recorded. Calls of C alone would all have one place: that part. */
#ifndef RECORD_FORTRAN_H
#define RECORD_FORTRAN_H

#include <stdint.h>

extern __thread const void *record_fortran_address __attribute__((tls_model("initial-exec")));

typedef intptr_t (*record_fortran_function)(intptr_t, intptr_t, intptr_t, intptr_t, intptr_t,
                                            intptr_t, intptr_t, intptr_t, intptr_t, intptr_t,
                                            intptr_t, intptr_t, intptr_t, intptr_t, intptr_t,
                                            intptr_t);

/* The function of that name in the next library that has one; ends the program where none has. */
record_fortran_function record_fortran_find(const char *name);

/* Fortran passes addresses, and at most sixteen. Those that a function does not have are whatever
 * stands there. */
#define RECORD_FORTRAN(name)                                                                       \
    __attribute__((visibility("default"))) intptr_t name(                                          \
        intptr_t a, intptr_t b, intptr_t c, intptr_t d, intptr_t e, intptr_t f, intptr_t g,        \
        intptr_t h, intptr_t i, intptr_t j, intptr_t k, intptr_t l, intptr_t m, intptr_t n,        \
        intptr_t o, intptr_t p);                                                                   \
    intptr_t name(intptr_t a, intptr_t b, intptr_t c, intptr_t d, intptr_t e, intptr_t f,          \
                  intptr_t g, intptr_t h, intptr_t i, intptr_t j, intptr_t k, intptr_t l,          \
                  intptr_t m, intptr_t n, intptr_t o, intptr_t p) {                                \
        static record_fortran_function next;                                                       \
        record_fortran_address = __builtin_return_address(0);                                      \
        next = next != 0 ? next : record_fortran_find(#name);                                      \
        return next(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);                               \
    }

#endif
