/* Sweeps over points that are dealt out to processes in a line. What differs is how they wait for
 * each other.
 *
 *     sweeps WAY POINTS SWEEPS
 *
 * heat       each exchanges with its neighbours by blocking calls; sweeps overlap
 * wavefront  the points come in blocks from the process before; all wait at the end of each sweep
 * stream     likewise, but no one waits at the end
 * back       the points go to the last process, and back to the first
 * fence      each puts its ends into its neighbours, between two fences
 * reduce     a sum of all is under way while they compute
 * overlap    ends are under way while all compute
 * late       likewise, but all wait before they compute */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 8, ENDS = 2000 };

static int processes;
static int rank;
static int left;
static int right;

/* 20 operations for each point. */
static double compute(double *points, int count, double more) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
        double x = points[i];
        for (int k = 0; k < 10; k++) {
            x = 0.5 * x + more;
        }
        points[i] = x;
        sum += x;
    }
    return sum;
}

static void heat(double *points, int count) {
    double end = 0;
    if (rank > 0) {
        MPI_Send(points, 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD);
        MPI_Recv(&end, 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (rank < processes - 1) {
        MPI_Send(points + count - 1, 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD);
        MPI_Recv(&end, 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    compute(points, count, end);
}

static void stream(double *points, int count) {
    for (int block = 0; block < BLOCKS; block++) {
        double end = 0;
        if (rank > 0) {
            MPI_Recv(&end, 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        end = compute(points, count / BLOCKS, end);
        if (rank < processes - 1) {
            MPI_Send(&end, 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD);
        }
    }
}

static void wavefront(double *points, int count) {
    stream(points, count);
    double all;
    MPI_Allreduce(points, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void back(double *points, int count) {
    double end = 0;
    if (rank > 0) {
        MPI_Recv(&end, 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    end = compute(points, count, end);
    if (rank < processes - 1) {
        MPI_Send(&end, 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD);
        MPI_Recv(&end, 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (rank > 0) {
        MPI_Send(&end, 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD);
    }
}

static void fence(double *points, int count, double *ends, MPI_Win window) {
    MPI_Win_fence(0, window);
    if (rank > 0) {
        MPI_Put(points, 1, MPI_DOUBLE, left, 1, 1, MPI_DOUBLE, window);
    }
    if (rank < processes - 1) {
        MPI_Put(points + count - 1, 1, MPI_DOUBLE, right, 0, 1, MPI_DOUBLE, window);
    }
    MPI_Win_fence(0, window);
    compute(points, count, ends[0] + ends[1]);
}

static void reduce(double *points, int count) {
    double own = points[0];
    double all;
    MPI_Request request;
    MPI_Iallreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    compute(points, count, own);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void overlap(double *points, int count, double *ends, int late) {
    MPI_Request requests[4];
    MPI_Irecv(ends, ENDS, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(ends + ENDS, ENDS, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(points, ENDS, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(points, ENDS, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &requests[3]);
    if (late) {
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        compute(points, count, 1);
    } else {
        compute(points, count, 1);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const char *way = argc > 1 ? argv[1] : "heat";
    int all = argc > 2 ? atoi(argv[2]) : 1000;
    int sweeps = argc > 3 ? atoi(argv[3]) : 10;
    int count = (all + processes - 1) / processes;
    left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    right = rank < processes - 1 ? rank + 1 : MPI_PROC_NULL;
    double *points = calloc((size_t)count + ENDS, sizeof *points);
    double *ends = calloc(2 * (size_t)ENDS, sizeof *ends);
    if (points == NULL || ends == NULL) {
        MPI_Abort(MPI_COMM_WORLD, 1);
        return 1;
    }
    MPI_Win window = MPI_WIN_NULL;
    if (strcmp(way, "fence") == 0) {
        MPI_Win_create(ends, 2 * sizeof *ends, sizeof *ends, MPI_INFO_NULL, MPI_COMM_WORLD,
                       &window);
    }
    for (int i = 0; i < sweeps; i++) {
        if (strcmp(way, "heat") == 0) {
            heat(points, count);
        } else if (strcmp(way, "stream") == 0) {
            stream(points, count);
        } else if (strcmp(way, "wavefront") == 0) {
            wavefront(points, count);
        } else if (strcmp(way, "back") == 0) {
            back(points, count);
        } else if (strcmp(way, "fence") == 0) {
            fence(points, count, ends, window);
        } else if (strcmp(way, "reduce") == 0) {
            reduce(points, count);
        } else {
            overlap(points, count, ends, strcmp(way, "late") == 0);
        }
    }
    if (window != MPI_WIN_NULL) {
        MPI_Win_free(&window);
    }
    free(points);
    free(ends);
    MPI_Finalize();
    return 0;
}
