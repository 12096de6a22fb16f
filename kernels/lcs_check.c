#include "lcs_check.h"

#include <stdlib.h>

#include "lcs_local.h"

enum { WORD = 64 };

/* A bit of a row is 1 where the entry is as long as the one left of it. One more letter of the
 * first string changes a row to (row + met) | (row - met), met being the 1 bits of the row where
 * the second string has that letter. */
static void next_row(uint64_t *row, const uint64_t *matches, size_t words) {
    uint64_t carry = 0;
    for (size_t w = 0; w < words; w++) {
        uint64_t met = row[w] & matches[w];
        uint64_t sum = row[w] + met;
        uint64_t overflow = sum < met;
        sum += carry;
        carry = overflow | (sum < carry);
        row[w] = sum | (row[w] & ~met);
    }
}

static double zeros(const uint64_t *row, size_t N) {
    double count = 0;
    for (size_t j = 0; j < N; j++) {
        count += (row[j / WORD] >> (j % WORD) & 1) == 0;
    }
    return count;
}

double lcs_check_length(uint64_t seed, size_t N) {
    size_t words = N / WORD + 1;
    uint64_t *row = calloc((LCS_LETTERS + 1) * words, sizeof *row);
    if (row == NULL) {
        return -1;
    }
    uint64_t *matches = row + words; /* [LCS_LETTERS][words] */
    for (size_t w = 0; w < words; w++) {
        row[w] = UINT64_MAX;
    }
    for (size_t j = 0; j < N; j++) {
        matches[lcs_letter(seed, 1, j) * words + j / WORD] |= (uint64_t)1 << (j % WORD);
    }
    for (size_t i = 0; i < N; i++) {
        next_row(row, matches + lcs_letter(seed, 0, i) * words, words);
    }
    double length = zeros(row, N);
    free(row);
    return length;
}
