/* The arithmetic of the longest common subsequence on the columns of one process. No MPI: the
 * kernel and the measurement of its time per flop run the same code. */
#ifndef KERNEL_LCS_LOCAL_H
#define KERNEL_LCS_LOCAL_H

#include <stddef.h>
#include <stdint.h>

/* Rows of the table in a block, and what an entry counts: a comparison, an addition, a maximum. */
enum { LCS_BLOCK = 64, LCS_ENTRY_FLOPS = 3, LCS_LETTERS = 4 };

/* Some rows of the table, one letter of the first string each. `above` is the row over them with
 * the column left of this process's first, shape [columns + 1], and becomes the last of these rows;
 * left: [rows], that column in these rows; right: [rows], gets the last column. letters: [rows], of
 * the first string; own: [columns], of the second. */
void lcs_block(const uint8_t *letters, size_t rows, const uint8_t *own, size_t columns,
               int32_t *above, const int32_t *left, int32_t *right);

/* What that does, 3 integer operations an entry, each counted as a flop. */
double lcs_block_flops(size_t rows, size_t columns);

/* W(N) = 3 N^2, of two strings of N letters. */
double lcs_work(size_t N);

/* Letter i of the first string (which = 0) or of the second (1). */
uint8_t lcs_letter(uint64_t seed, unsigned which, size_t i);

#endif
