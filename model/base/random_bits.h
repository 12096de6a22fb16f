/* Random numbers by their place: number k of a sequence is computed without those before it. A
 * sweep needs that to go on anywhere, and a process of a kernel to make its own rows; no generator
 * of GSL can do it. What must be the same in every version takes its numbers from here, too:
 * resumed sweeps, the matrices of kernels, and the drawings of the bootstrap, whose figures the
 * documentation has. All other random numbers are GSL's. */
#ifndef ISOCAST_RANDOM_BITS_H
#define ISOCAST_RANDOM_BITS_H

#include <stdint.h>

/* What a state goes on by from a number to the next. */
#define ISOCAST_RANDOM_STEP 0x9E3779B97F4A7C15U

/* The number that a state stands for, of all 64 bits (SplitMix64: Steele, Lea, Flood, OOPSLA 2014).
 */
static inline uint64_t isocast_random_bits(uint64_t state) {
    state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9U;
    state = (state ^ (state >> 27)) * 0x94D049BB133111EBU;
    return state ^ (state >> 31);
}

/* From 0 to below 1, by the upper 53 bits. */
static inline double isocast_random_unit(uint64_t bits) {
    return (double)(bits >> 11) * 0x1p-53;
}

#endif
