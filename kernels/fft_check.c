#include "fft_check.h"

#include <math.h>

#include "input.h"

enum { INPUT_REAL, INPUT_IMAGINARY, INPUT_PLACE };

double complex fft_input(uint64_t seed, size_t j) {
    return input_element(seed, INPUT_REAL, j, 0) + I * input_element(seed, INPUT_IMAGINARY, j, 0);
}

fft_sums fft_sums_start(uint64_t seed, size_t N) {
    double place = fabs(input_element(seed, INPUT_PLACE, 0, 0)) * (double)N;
    return (fft_sums){.N = N, .turns = 2 * ((uint64_t)place % N) + 1};
}

void fft_sums_add_output(fft_sums *sums, size_t k, double complex X) {
    double angle = acos(-1) * (double)(sums->turns * k % (2 * sums->N)) / (double)sums->N;
    sums->outputs += X * (cos(angle) + I * sin(angle));
}

/* With z exp(-2 pi i j/N) = exp(2 i a) it is -2/(exp(2 i a) - 1) = 1 + i cot(a). */
void fft_sums_add_input(fft_sums *sums, size_t j, double complex x) {
    double half = acos(-1) * ((double)sums->turns - 2 * (double)j) / (2 * (double)sums->N);
    sums->inputs += x * (1 + I / tan(half));
    sums->squares += creal(x) * creal(x) + cimag(x) * cimag(x);
}

double fft_sums_error(const fft_sums *sums) {
    return cabs(sums->outputs - sums->inputs) / ((double)sums->N * sqrt(sums->squares));
}
