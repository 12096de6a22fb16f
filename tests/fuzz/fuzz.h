/* What a fuzz target is: a function over bytes that aborts where a property does not hold. The same
 * function is driven by libFuzzer, to find inputs, and by replay.c, to run the kept ones as tests.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Says which property was broken, then aborts, so that a fuzzer keeps the input. */
#define FUZZ_REQUIRE(property)                                                                     \
    do {                                                                                           \
        if (!(property)) {                                                                         \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #property);          \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

#endif
