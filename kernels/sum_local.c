#include "sum_local.h"

/* Several sums side by side, as one addition takes longer than a processor needs to start one. */
enum { SUMS = 16 };

double sum_add(const double *numbers, size_t count) {
    double sums[SUMS] = {0};
    size_t whole = count - count % SUMS;
    for (size_t i = 0; i < whole; i += SUMS) {
        for (size_t k = 0; k < SUMS; k++) {
            sums[k] += numbers[i + k];
        }
    }
    for (size_t i = whole; i < count; i++) {
        sums[i - whole] += numbers[i];
    }
    double sum = 0;
    for (size_t k = 0; k < SUMS; k++) {
        sum += sums[k];
    }
    return sum;
}

double sum_work(size_t N) {
    return (double)N;
}
