#include "mm_check.h"

#include <math.h>
#include <stdlib.h>

#include "input.h"

double mm_check_vector(uint64_t seed, size_t j) {
    return input_element(seed, MM_INPUT_CHECK, 0, j);
}

double mm_check_error(uint64_t seed, size_t N, const double *Cr) {
    double *r = calloc(3 * N, sizeof *r);
    if (r == NULL) {
        return NAN;
    }
    double *Br = r + N;
    double *size = Br + N;
    for (size_t j = 0; j < N; j++) {
        r[j] = mm_check_vector(seed, j);
    }
    for (size_t k = 0; k < N; k++) {
        for (size_t j = 0; j < N; j++) {
            double b = input_element(seed, MM_INPUT_B, k, j);
            Br[k] += b * r[j];
            size[k] += fabs(b * r[j]);
        }
    }
    double difference = 0;
    double scale = 0;
    for (size_t i = 0; i < N; i++) {
        double sum = Cr[i];
        double sum_of_sizes = 0;
        for (size_t k = 0; k < N; k++) {
            double a = input_element(seed, MM_INPUT_A, i, k);
            sum -= a * Br[k];
            sum_of_sizes += fabs(a) * size[k];
        }
        /* A NaN must count as wrong, and fmax() would drop it. */
        difference = fabs(sum) <= difference ? difference : fabs(sum);
        scale = fmax(scale, sum_of_sizes);
    }
    free(r);
    return difference / scale;
}
