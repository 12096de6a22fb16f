/* Inputs that depend on their place alone, so that any process can make any part of them again to
 * verify. No MPI. */
#ifndef KERNEL_INPUT_H
#define KERNEL_INPUT_H

#include <stddef.h>
#include <stdint.h>

/* A number in (-1, 1) for the element at row i, column j of array `which`. */
double input_element(uint64_t seed, unsigned which, size_t i, size_t j);

#endif
