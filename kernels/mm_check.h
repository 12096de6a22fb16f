/* Whether a product of two matrices of the input is right. No MPI. */
#ifndef KERNEL_MM_CHECK_H
#define KERNEL_MM_CHECK_H

#include <stddef.h>
#include <stdint.h>

/* Which of the input's numbers (input.h) the matrices and the random vector are. */
enum { MM_INPUT_A, MM_INPUT_B, MM_INPUT_CHECK };

/* The j-th number of the random vector r that a product is checked by. */
double mm_check_vector(uint64_t seed, size_t j);

/* How far C r is from A (B r), relative to the same sums of absolute values, largest over the rows
 * (R. Freivalds, IFIP Congress 1977). A and B are made again, so that a fault in what was sent
 * shows as well. Cr: shape [N]. NAN where memory is short. */
double mm_check_error(uint64_t seed, size_t N, const double *Cr);

#endif
