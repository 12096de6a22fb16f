#include "input.h"

#include "model/base/random_bits.h"

double input_element(uint64_t seed, unsigned which, size_t i, size_t j) {
    uint64_t place = ((uint64_t)i << 32) + (uint64_t)j + 1;
    uint64_t state = seed + 0x632BE59BD9B4E019u * which + ISOCAST_RANDOM_STEP * place;
    return 2 * isocast_random_unit(isocast_random_bits(state)) - 1;
}
