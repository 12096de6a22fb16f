/* Each kernel's T on one process over that of what it could be at best, for matrices that fill the
 * last-level cache several times: mm over a bare cblas_dgemm, conv2d over bare FFTW making the same
 * transforms and product, ge over the same updates of rows made by cblas_daxpy, which are bound by
 * memory. Kernel and rival run in turns in one run, so that the machine's noise hits both. */
#include <cblas.h>
#include <complex.h>
#include <fftw3.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/kernel.h"

enum { ROUNDS = 5 };

/* What a kernel is measured against. */
typedef struct rival {
    const kernel *kernel;
    const char *name;
    size_t N;
    double wanted; /* the share of the rival's speed that is wanted */
    void *(*set_up)(size_t N);
    void (*refill)(void *state);
    void (*run)(void *state);
    void (*tear_down)(void *state);
} rival;

typedef struct arrays {
    size_t N;
    double *a;
    double *b;
    double *c;
    fftw_plan plans[3];
} arrays;

static void *new_arrays(size_t N, size_t a, size_t b, size_t c) {
    arrays *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return NULL;
    }
    s->N = N;
    s->a = malloc((a + 1) * sizeof *s->a);
    s->b = malloc((b + 1) * sizeof *s->b);
    s->c = malloc((c + 1) * sizeof *s->c);
    for (size_t i = 0; s->a != NULL && i < a; i++) {
        s->a[i] = 1e-3 * (double)(i % 1009);
    }
    for (size_t i = 0; s->b != NULL && i < b; i++) {
        s->b[i] = 1e-3 * (double)(i % 1013);
    }
    return s;
}

static void free_arrays(void *state) {
    arrays *s = state;
    for (size_t k = 0; k < 3; k++) {
        fftw_destroy_plan(s->plans[k]);
    }
    free(s->a);
    free(s->b);
    free(s->c);
    free(s);
}

static void keep(void *state) {
    (void)state;
}

static void *dgemm_set_up(size_t N) {
    return new_arrays(N, N * N, N * N, N * N);
}

static void dgemm_run(void *state) {
    const arrays *s = state;
    int N = (int)s->N;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, N, N, N, 1, s->a, N, s->b, N, 0, s->c,
                N);
}

static void *fftw_set_up(size_t N) {
    arrays *s = new_arrays(N, 2 * N * N, 2 * N * N, 0);
    int n = (int)N;
    if (s != NULL) {
        fftw_complex *a = (fftw_complex *)s->a;
        fftw_complex *b = (fftw_complex *)s->b;
        s->plans[0] = fftw_plan_dft_2d(n, n, a, a, FFTW_FORWARD, FFTW_MEASURE);
        s->plans[1] = fftw_plan_dft_2d(n, n, b, b, FFTW_FORWARD, FFTW_MEASURE);
        s->plans[2] = fftw_plan_dft_2d(n, n, a, a, FFTW_BACKWARD, FFTW_MEASURE);
    }
    return s;
}

/* Transforms in place: what is in the arrays must not grow from run to run. */
static void fftw_refill(void *state) {
    arrays *s = state;
    for (size_t i = 0; i < 2 * s->N * s->N; i++) {
        s->a[i] = 1e-3 * (double)(i % 1009);
        s->b[i] = 1e-3 * (double)(i % 1013);
    }
}

static void fftw_run(void *state) {
    const arrays *s = state;
    fftw_execute(s->plans[0]);
    fftw_execute(s->plans[1]);
    double complex *a = (double complex *)s->a;
    const double complex *b = (const double complex *)s->b;
    double scale = 1 / ((double)s->N * (double)s->N);
    for (size_t k = 0; k < s->N * s->N; k++) {
        double real = (creal(a[k]) * creal(b[k]) - cimag(a[k]) * cimag(b[k])) * scale;
        double imaginary = (creal(a[k]) * cimag(b[k]) + cimag(a[k]) * creal(b[k])) * scale;
        a[k] = real + I * imaginary;
    }
    fftw_execute(s->plans[2]);
}

static void *daxpy_set_up(size_t N) {
    return new_arrays(N, N * (N + 1), 0, 0);
}

static void daxpy_run(void *state) {
    const arrays *s = state;
    size_t width = s->N + 1;
    for (size_t i = 0; i + 1 < s->N; i++) {
        const double *pivot = s->a + i * width;
        for (size_t k = i + 1; k < s->N; k++) {
            cblas_daxpy((int)(width - i - 1), -1e-9, pivot + i + 1, 1, s->a + k * width + i + 1, 1);
        }
    }
}

/* Rounds of one pair; false where memory is short. */
static bool measure(const rival *r) {
    double speed = 1;
    kernel_compute compute = {0};
    kernel_task task = {MPI_COMM_WORLD, r->N, &speed, 1, &compute};
    void *kernel_state = r->kernel->set_up(&task);
    void *rival_state = r->set_up(r->N);
    double own[ROUNDS];
    double bare[ROUNDS];
    double ratio[ROUNDS];
    bool complete = kernel_state != NULL && rival_state != NULL;
    /* The first round pays for caches and is not counted. */
    for (int k = -1; complete && k < ROUNDS; k++) {
        r->refill(rival_state);
        double start = MPI_Wtime();
        r->run(rival_state);
        double seconds = MPI_Wtime() - start;
        kernel_result result = {0};
        r->kernel->run(kernel_state, &result);
        if (k >= 0) {
            own[k] = result.T;
            bare[k] = seconds;
            ratio[k] = seconds / result.T;
        }
    }
    if (complete) {
        gsl_sort(own, 1, ROUNDS);
        gsl_sort(bare, 1, ROUNDS);
        gsl_sort(ratio, 1, ROUNDS);
        printf("%-7s %5zu %9.0f %10.3f %10.3f   %-28s %5.3f  (%.3f to %.3f), wanted %.2f\n",
               kernel_names[r->kernel->id], r->N, 1e-6 * r->kernel->memory(&task, 0, 1),
               gsl_stats_median_from_sorted_data(own, 1, ROUNDS),
               gsl_stats_median_from_sorted_data(bare, 1, ROUNDS), r->name,
               gsl_stats_median_from_sorted_data(ratio, 1, ROUNDS), ratio[1], ratio[ROUNDS - 2],
               r->wanted);
        fflush(stdout);
    }
    if (kernel_state != NULL) {
        r->kernel->tear_down(kernel_state);
    }
    if (rival_state != NULL) {
        r->tear_down(rival_state);
    }
    return complete;
}

int main(int argc, char **argv) {
    static const rival rivals[] = {
        {&kernel_mm, "bare cblas_dgemm", 3000, 0.95, dgemm_set_up, keep, dgemm_run, free_arrays},
        {&kernel_conv2d, "bare FFTW and product", 2400, 0.9, fftw_set_up, fftw_refill, fftw_run,
         free_arrays},
        {&kernel_ge, "the same updates by daxpy", 3400, 0.8, daxpy_set_up, keep, daxpy_run,
         free_arrays},
    };
    MPI_Init(&argc, &argv);
    openblas_set_num_threads(1);
    printf("kernel      N memory/MB        T/s   bare T/s   bare                         ratio  "
           "(middle of %d "
           "rounds)\n",
           ROUNDS);
    bool complete = true;
    for (size_t i = 0; i < sizeof rivals / sizeof rivals[0]; i++) {
        complete = measure(&rivals[i]) && complete;
    }
    MPI_Finalize();
    if (!complete) {
        fprintf(stderr, "bench-kernels: out of memory\n");
    }
    return complete ? EXIT_SUCCESS : EXIT_FAILURE;
}
