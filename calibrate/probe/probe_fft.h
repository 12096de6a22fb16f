/* What the measurements of the transforms share: a problem of order N has as many points as the
 * power of two that is nearest to N^2. */
#ifndef PROBE_FFT_H
#define PROBE_FFT_H

#include "kernels/fft_local.h"
#include "kernels/fft_shape.h"
#include "probe_kernels.h"

size_t probe_fft_points(size_t N);

/* W of these points, flop. */
double probe_fft_work(size_t N);

/* Processes that take part in a transform: the power of two that is not above theirs. */
size_t probe_fft_processes(const probe_context *context);

/* Room for so many arrays of this process's points, filled with numbers: shape [arrays][points of a
 * process]. */
double complex *probe_fft_room(const probe_context *context, size_t N, size_t arrays);

/* B of so many arrays of this process's points. */
double probe_fft_bytes(const probe_context *context, size_t N, double arrays);

/* Rows of each side of a square or cube, the factors between, and no exchange. */
typedef struct probe_fft_sides {
    fft_shape shape;
    fft_rows rows[FFT_DIMENSIONS_MAX];
} probe_fft_sides;

void probe_fft_prepare_sides(const probe_context *context, size_t N, unsigned dimensions,
                             probe_fft_sides *sides);

/* B that a process of such a transform works on: its points, and what an exchange needs beside
 * them. */
double probe_fft_bytes_sides(const probe_context *context, size_t N);

/* s/flop of all that is done, which is W and the factors. Collective. */
double probe_fft_call_sides(const probe_context *context, size_t N, const probe_fft_sides *sides);

#endif
