/* Fast Fourier transform by transposing a square or a cube of points between the processes [GGKK
 * 13.3]: the functions of two kernels. */
#ifndef KERNEL_FFT_TRANSPOSE_H
#define KERNEL_FFT_TRANSPOSE_H

#include "fft.h"

/* Columns of the results: of a square, of a cube. */
extern const char *const fft_square_phases[];
extern const char *const fft_cube_phases[];

const char *fft_transpose_refusal(size_t N, int processes, unsigned dimensions);
double fft_transpose_memory(const kernel_task *task, int processes);
void *fft_transpose_set_up(const kernel_task *task, unsigned dimensions);
void fft_transpose_run(void *state, kernel_result *result);
void fft_transpose_verify(void *state, kernel_result *result);
void fft_transpose_tear_down(void *state);

/* Which process has which points at the start. owner: shape [N]. */
void fft_transpose_owners(const kernel_task *task, int processes, unsigned dimensions, int *owner);

#endif
