#include "lcs_local.h"

#include <math.h>

#include "input.h"

static int32_t larger(int32_t a, int32_t b) {
    return a > b ? a : b;
}

void lcs_block(const uint8_t *letters, size_t rows, const uint8_t *own, size_t columns,
               int32_t *above, const int32_t *left, int32_t *right) {
    for (size_t i = 0; i < rows; i++) {
        uint8_t letter = letters[i];
        int32_t diagonal = above[0];
        int32_t before = left[i];
        above[0] = before;
        for (size_t j = 0; j < columns; j++) {
            int32_t over = above[j + 1];
            int32_t longer = diagonal + (letter == own[j]);
            before = larger(before, larger(over, longer));
            diagonal = over;
            above[j + 1] = before;
        }
        right[i] = before;
    }
}

double lcs_block_flops(size_t rows, size_t columns) {
    return LCS_ENTRY_FLOPS * (double)rows * (double)columns;
}

double lcs_work(size_t N) {
    return lcs_block_flops(N, N);
}

uint8_t lcs_letter(uint64_t seed, unsigned which, size_t i) {
    return (uint8_t)floor((input_element(seed, which, i, 0) + 1) * LCS_LETTERS / 2);
}
