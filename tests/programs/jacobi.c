/* Jacobi's method for Laplace's equation on N x N points, in blocks on a grid of processes. An MPI
 * program as anybody would write one: nothing in it knows of isocast.
 *
 *     jacobi N [ITERATIONS]
 *
 * Prints the residual and the time of the iterations. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct block {
    int rows, columns; /* of points that this process owns; a border of one lies around them */
    double *now, *next;
    MPI_Comm grid;
    int up, down, left, right; /* neighbours */
    MPI_Datatype column;
} block;

static int share(int N, int parts, int part) {
    return N / parts + (part < N % parts);
}

static double *at(const block *b, double *values, int row, int column) {
    return values + (size_t)row * (size_t)(b->columns + 2) + (size_t)column;
}

static void exchange(block *b) {
    MPI_Request requests[8];
    MPI_Status statuses[8];
    double *u = b->now;
    MPI_Irecv(at(b, u, 0, 1), b->columns, MPI_DOUBLE, b->up, 0, b->grid, &requests[0]);
    MPI_Irecv(at(b, u, b->rows + 1, 1), b->columns, MPI_DOUBLE, b->down, 1, b->grid, &requests[1]);
    MPI_Irecv(at(b, u, 1, 0), 1, b->column, b->left, 2, b->grid, &requests[2]);
    MPI_Irecv(at(b, u, 1, b->columns + 1), 1, b->column, b->right, 3, b->grid, &requests[3]);
    MPI_Isend(at(b, u, b->rows, 1), b->columns, MPI_DOUBLE, b->down, 0, b->grid, &requests[4]);
    MPI_Isend(at(b, u, 1, 1), b->columns, MPI_DOUBLE, b->up, 1, b->grid, &requests[5]);
    MPI_Isend(at(b, u, 1, b->columns), 1, b->column, b->right, 2, b->grid, &requests[6]);
    MPI_Isend(at(b, u, 1, 1), 1, b->column, b->left, 3, b->grid, &requests[7]);
    MPI_Waitall(8, requests, statuses);
}

/* One sweep; the largest change of a point. */
static double sweep(block *b) {
    double change = 0;
    for (int i = 1; i <= b->rows; i++) {
        for (int k = 1; k <= b->columns; k++) {
            double new = 0.25 * (*at(b, b->now, i - 1, k) + *at(b, b->now, i + 1, k) +
                                 *at(b, b->now, i, k - 1) + *at(b, b->now, i, k + 1));
            double difference = new - *at(b, b->now, i, k);
            difference = difference < 0 ? -difference : difference;
            change = difference > change ? difference : change;
            *at(b, b->next, i, k) = new;
        }
    }
    double *old = b->now;
    b->now = b->next;
    b->next = old;
    return change;
}

/* The upper edge of the whole has the value 1. */
static void start(block *b, int first_row) {
    size_t size = (size_t)(b->rows + 2) * (size_t)(b->columns + 2);
    b->now = calloc(size, sizeof *b->now);
    b->next = calloc(size, sizeof *b->next);
    if (b->now == NULL || b->next == NULL) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int k = 0; first_row && k < b->columns + 2; k++) {
        *at(b, b->now, 0, k) = *at(b, b->next, 0, k) = 1;
    }
    MPI_Type_vector(b->rows, 1, b->columns + 2, MPI_DOUBLE, &b->column);
    MPI_Type_commit(&b->column);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int N = argc > 1 ? atoi(argv[1]) : 0;
    int iterations = argc > 2 ? atoi(argv[2]) : 100;
    int processes;
    int rank;
    int sizes[2] = {0, 0};
    int periods[2] = {0, 0};
    int place[2];
    block b;
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    MPI_Dims_create(processes, 2, sizes);
    MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periods, 1, &b.grid);
    MPI_Comm_rank(b.grid, &rank);
    MPI_Cart_coords(b.grid, rank, 2, place);
    MPI_Cart_shift(b.grid, 0, 1, &b.up, &b.down);
    MPI_Cart_shift(b.grid, 1, 1, &b.left, &b.right);
    if (N < sizes[0] || N < sizes[1] || iterations < 1) {
        if (rank == 0) {
            fprintf(stderr, "usage: jacobi N [ITERATIONS], with at least a point for a process\n");
        }
        MPI_Finalize();
        return 2;
    }
    b.rows = share(N, sizes[0], place[0]);
    b.columns = share(N, sizes[1], place[1]);
    start(&b, place[0] == 0);
    double change = 0;
    MPI_Barrier(b.grid);
    MPI_Pcontrol(1);
    double begin = MPI_Wtime();
    for (int i = 0; i < iterations; i++) {
        exchange(&b);
        double own = sweep(&b);
        MPI_Allreduce(&own, &change, 1, MPI_DOUBLE, MPI_MAX, b.grid);
    }
    double T = MPI_Wtime() - begin;
    MPI_Pcontrol(0);
    if (rank == 0) {
        printf("change %.6e\nAvg time (s): %.6f\n", change, T);
    }
    MPI_Type_free(&b.column);
    MPI_Comm_free(&b.grid);
    free(b.now);
    free(b.next);
    MPI_Finalize();
    return 0;
}
