/* Conjugate gradients for the 5-point matrix of N x N points, whose rows are shared out in strips.
 *
 *     cg N [ITERATIONS]
 *
 * Prints the residual and the time of the iterations. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct strip {
    int N, rows;
    int before, after; /* ranks of the neighbours */
} strip;

static double dot(const strip *s, const double *a, const double *b) {
    double own = 0;
    double all = 0;
    for (int i = 0; i < s->rows * s->N; i++) {
        own += a[i] * b[i];
    }
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

/* Gets the lines beside the strip: those before and after its own, which start at p. */
static void exchange(const strip *s, double *p) {
    MPI_Sendrecv(p, s->N, MPI_DOUBLE, s->before, 0, p + s->rows * s->N, s->N, MPI_DOUBLE, s->after,
                 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(p + (s->rows - 1) * s->N, s->N, MPI_DOUBLE, s->after, 1, p - s->N, s->N,
                 MPI_DOUBLE, s->before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void multiply(const strip *s, double *p, double *q) {
    int N = s->N;
    exchange(s, p);
    for (int i = 0; i < s->rows; i++) {
        for (int k = 0; k < N; k++) {
            int at = i * N + k;
            q[at] = 4 * p[at] - p[at - N] - p[at + N] - (k > 0 ? p[at - 1] : 0) -
                    (k + 1 < N ? p[at + 1] : 0);
        }
    }
}

static double *vector(const strip *s) {
    double *values = calloc((size_t)(s->rows + 2) * (size_t)s->N, sizeof *values);
    if (values == NULL) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return values;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    strip s = {.N = argc > 1 ? atoi(argv[1]) : 0};
    int iterations = argc > 2 ? atoi(argv[2]) : 100;
    int processes;
    int rank;
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (s.N < processes || iterations < 1) {
        if (rank == 0) {
            fprintf(stderr, "usage: cg N [ITERATIONS], with at least a line for a process\n");
        }
        MPI_Finalize();
        return 2;
    }
    s.rows = s.N / processes + (rank < s.N % processes);
    s.before = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    s.after = rank + 1 < processes ? rank + 1 : MPI_PROC_NULL;
    int count = s.rows * s.N;
    double *p_all = vector(&s);
    double *p = p_all + s.N; /* with a line before and after */
    double *x = vector(&s);
    double *r = vector(&s);
    double *q = vector(&s);
    for (int i = 0; i < count; i++) {
        r[i] = p[i] = 1;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    double old = dot(&s, r, r);
    for (int n = 0; n < iterations && old > 0; n++) {
        multiply(&s, p, q);
        double alpha = old / dot(&s, p, q);
        for (int i = 0; i < count; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        double new = dot(&s, r, r);
        for (int i = 0; i < count; i++) {
            p[i] = r[i] + new / old *p[i];
        }
        old = new;
    }
    double T = MPI_Wtime() - begin;
    if (rank == 0) {
        printf("residual %.6e\nAvg time (s): %.6f\n", sqrt(old), T);
    }
    free(p_all);
    free(x);
    free(r);
    free(q);
    MPI_Finalize();
    return 0;
}
