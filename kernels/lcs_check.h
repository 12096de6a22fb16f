/* The length of a longest common subsequence by another algorithm. No MPI. */
#ifndef KERNEL_LCS_CHECK_H
#define KERNEL_LCS_CHECK_H

#include <stddef.h>
#include <stdint.h>

/* Of the two strings of N letters that the seed gives, by 64 entries of the table in one word (H.
 * Hyyro, AWOCA 2004): N^2/64 steps. Negative where memory is short. */
double lcs_check_length(uint64_t seed, size_t N);

#endif
