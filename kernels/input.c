#include "input.h"

/* splitmix64: G. Steele, D. Lea, C. Flood, OOPSLA 2014. */
double input_element(uint64_t seed, unsigned which, size_t i, size_t j) {
    uint64_t place = ((uint64_t)i << 32) + (uint64_t)j + 1;
    uint64_t z = seed + 0x632BE59BD9B4E019u * which + 0x9E3779B97F4A7C15u * place;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    return (double)(z >> 11) * 0x1p-52 - 1;
}
