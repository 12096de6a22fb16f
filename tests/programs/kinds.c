/* Programs of many kinds, small, for specifications that are derived from their records:
 *
 *     kinds KIND N ROUNDS
 *
 * What a process computes is time of its processor, 1 ns a flop; on simulated platforms it is flop.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROOM = 1 << 22 };
static char *out, *in;
static int rank, p, n, rounds;
static MPI_Comm world;

static void work(double flop) {
#ifdef SMPI_SAMPLE_LOCAL
    smpi_execute_flops(flop);
#else
    struct timespec begin, now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
    do {
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    } while ((double)(now.tv_sec - begin.tv_sec) * 1e9 + (double)(now.tv_nsec - begin.tv_nsec) <
             flop);
#endif
}

static int share(int items, int parts) {
    return (items + parts - 1) / parts;
}

/* Neighbours in a grid of processes of so many dimensions. */
static MPI_Comm grid_of(int dimensions, int periodic, int *sides) {
    int around[3] = {periodic, periodic, periodic};
    MPI_Comm grid;
    memset(sides, 0, 3 * sizeof *sides);
    MPI_Dims_create(p, dimensions, sides);
    MPI_Cart_create(world, dimensions, sides, around, 0, &grid);
    return grid;
}

/* Wavefronts from two corners of a grid. */
static void sweep(void) {
    int sides[3], up, down, left, right;
    MPI_Comm grid = grid_of(2, 0, sides);
    MPI_Cart_shift(grid, 0, 1, &up, &down);
    MPI_Cart_shift(grid, 1, 1, &left, &right);
    int high = 8 * share(n, sides[0]), wide = 8 * share(n, sides[1]);
    for (int i = 0; i < rounds; i++) {
        for (int k = 0; k < 8; k++) {
            MPI_Recv(in, wide, MPI_BYTE, up, 0, grid, MPI_STATUS_IGNORE);
            MPI_Recv(in, high, MPI_BYTE, left, 0, grid, MPI_STATUS_IGNORE);
            work(20.0 * n * n / p);
            MPI_Send(out, wide, MPI_BYTE, down, 0, grid);
            MPI_Send(out, high, MPI_BYTE, right, 0, grid);
        }
        for (int k = 0; k < 8; k++) {
            MPI_Recv(in, wide, MPI_BYTE, down, 1, grid, MPI_STATUS_IGNORE);
            MPI_Recv(in, high, MPI_BYTE, right, 1, grid, MPI_STATUS_IGNORE);
            work(20.0 * n * n / p);
            MPI_Send(out, wide, MPI_BYTE, up, 1, grid);
            MPI_Send(out, high, MPI_BYTE, left, 1, grid);
        }
    }
}

/* Faces of a cube, under way together, and two sums a round. */
static void spectral(void) {
    int sides[3], to[6];
    double one = 1, sum;
    MPI_Comm grid = grid_of(3, 0, sides);
    for (int i = 0; i < 3; i++) {
        MPI_Cart_shift(grid, i, 1, &to[2 * i], &to[2 * i + 1]);
    }
    for (int i = 0; i < rounds; i++) {
        MPI_Request requests[12];
        MPI_Status ends[12];
        for (int k = 0; k < 6; k++) {
            int bytes = 8 * share(n, sides[(k / 2 + 1) % 3]) * share(n, sides[(k / 2 + 2) % 3]);
            MPI_Irecv(in, bytes, MPI_BYTE, to[k], 0, grid, &requests[k]);
            MPI_Isend(out, bytes, MPI_BYTE, to[k], 0, grid, &requests[6 + k]);
        }
        MPI_Waitall(12, requests, ends);
        work(40.0 * n * n * n / p);
        MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, grid);
        work(10.0 * n * n * n / p);
        MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, grid);
    }
}

/* Both neighbours on a line, and a look at the error every tenth round. */
static void line(void) {
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL, right = rank + 1 < p ? rank + 1 : MPI_PROC_NULL;
    double one = 1, sum;
    for (int i = 1; i <= rounds; i++) {
        MPI_Sendrecv(out, 8 * n, MPI_BYTE, right, 0, in, 8 * n, MPI_BYTE, left, 0, world,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(out, 8 * n, MPI_BYTE, left, 1, in, 8 * n, MPI_BYTE, right, 1, world,
                     MPI_STATUS_IGNORE);
        work(30.0 * n * share(n, p));
        if (i % 10 == 0) {
            MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, world);
        }
    }
}

static void sort(void) {
    int bytes = 8 * share(n, p);
    for (int i = 0; i < rounds; i++) {
        work(300.0 * n / p);
        for (int phase = 0; phase < p; phase++) {
            int other = (rank + phase) % 2 == 0 ? rank + 1 : rank - 1;
            if (other >= 0 && other < p) {
                MPI_Sendrecv(out, bytes, MPI_BYTE, other, 0, in, bytes, MPI_BYTE, other, 0, world,
                             MPI_STATUS_IGNORE);
                work(40.0 * n / p);
            }
        }
    }
}

/* n tasks of unlike length for whoever asks. */
static void farm(void) {
    int task = 0, tasks = n, stop = -1;
    MPI_Status status;
    if (rank == 0) {
        for (int i = 0; i < tasks + p - 1; i++) {
            MPI_Recv(in, 64, MPI_BYTE, MPI_ANY_SOURCE, 0, world, &status);
            MPI_Send(i < tasks ? &task : &stop, 4, MPI_BYTE, status.MPI_SOURCE, 0, world);
        }
    } else {
        for (;;) {
            MPI_Send(out, 64, MPI_BYTE, 0, 0, world);
            MPI_Recv(&task, 4, MPI_BYTE, 0, 0, world, MPI_STATUS_IGNORE);
            if (task < 0) {
                break;
            }
            work(1e5 * rounds);
        }
    }
}

/* Blocks go round while processes compute, the last one more than the first. */
static void ring(void) {
    int right = (rank + 1) % p, left = (rank + p - 1) % p;
    double mine = 20.0 * n * n / p / p * (1 + 0.4 * (p > 1 ? 2.0 * rank / (p - 1) - 1 : 0));
    for (int i = 0; i < rounds; i++) {
        for (int k = 1; k < p; k++) {
            MPI_Request requests[2];
            MPI_Status ends[2];
            MPI_Irecv(in, 32 * share(n, p), MPI_BYTE, left, 0, world, &requests[0]);
            MPI_Isend(out, 32 * share(n, p), MPI_BYTE, right, 0, world, &requests[1]);
            work(mine);
            MPI_Waitall(2, requests, ends);
        }
        work(mine);
    }
    MPI_Barrier(world);
}

static void cg(void) {
    double one = 1, sum;
    int *counts = malloc(2 * (size_t)p * sizeof *counts);
    for (int i = 0; i < p; i++) {
        counts[i] = 8 * (n / p + (i < n % p));
        counts[p + i] = i > 0 ? counts[p + i - 1] + counts[i - 1] : 0;
    }
    MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, world);
    for (int i = 0; i < rounds; i++) {
        MPI_Allgatherv(out, counts[rank], MPI_BYTE, in, counts, counts + p, MPI_BYTE, world);
        work(20.0 * n * n / p);
        MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, world);
        work(40.0 * n / p);
        MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, world);
    }
    free(counts);
}

/* Edges are put into the memory of both neighbours on a ring; then all send to all. */
static void put(void) {
    MPI_Win window;
    MPI_Win_create(in, ROOM, 1, MPI_INFO_NULL, world, &window);
    int block = 8 * share(n, p);
    for (int i = 0; i < rounds; i++) {
        MPI_Win_fence(0, window);
        MPI_Put(out, 8 * n, MPI_BYTE, (rank + 1) % p, 0, 8 * n, MPI_BYTE, window);
        MPI_Put(out, 8 * n, MPI_BYTE, (rank + p - 1) % p, 8 * n, 8 * n, MPI_BYTE, window);
        MPI_Win_fence(0, window);
        work(500.0 * n / p);
        MPI_Alltoall(out, block, MPI_BYTE, out + ROOM / 2, block, MPI_BYTE, world);
        work(500.0 * n / p);
    }
    MPI_Win_free(&window);
}

#ifdef SMPI_SAMPLE_LOCAL
/* SimGrid 3.32 has no such call. */
static void all_neighbours(int bytes, MPI_Comm grid) {
    MPI_Request requests[8];
    MPI_Status ends[8];
    int count = 0;
    for (int i = 0; i < 2; i++) {
        int by[2];
        MPI_Cart_shift(grid, i, 1, &by[0], &by[1]);
        for (int k = 0; k < 2; k++) {
            MPI_Irecv(in, bytes, MPI_BYTE, by[k], k, grid, &requests[count++]);
            MPI_Isend(out, bytes, MPI_BYTE, by[k], 1 - k, grid, &requests[count++]);
        }
    }
    MPI_Waitall(count, requests, ends);
}
#else
static void all_neighbours(int bytes, MPI_Comm grid) {
    MPI_Neighbor_alltoall(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, grid);
}
#endif

/* A halo by one call, while a sum is under way. */
static void neighbours(void) {
    int sides[3];
    double one = 1, sum;
    MPI_Comm grid = grid_of(2, 1, sides);
    for (int i = 0; i < rounds; i++) {
        MPI_Request request;
        MPI_Iallreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, grid, &request);
        all_neighbours(8 * n, grid);
        work(20.0 * n * n / p);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

/* The size is that of a process. */
static void weak(void) {
    int right = (rank + 1) % p, left = (rank + p - 1) % p;
    for (int i = 0; i < rounds; i++) {
        MPI_Sendrecv(out, 8 * n, MPI_BYTE, right, 0, in, 8 * n, MPI_BYTE, left, 0, world,
                     MPI_STATUS_IGNORE);
        work(1000.0 * n);
    }
}

/* Each process looks n things up at all others. */
static void look(void) {
    int *counts = malloc(2 * (size_t)p * sizeof *counts);
    for (int i = 0; i < p; i++) {
        counts[i] = 8 * share(n, p);
        counts[p + i] = i * counts[i];
    }
    for (int i = 0; i < rounds; i++) {
        work(200.0 * n);
        MPI_Alltoallv(out, counts, counts + p, MPI_BYTE, in, counts, counts + p, MPI_BYTE, world);
        work(100.0 * n);
        MPI_Alltoallv(in, counts, counts + p, MPI_BYTE, out, counts, counts + p, MPI_BYTE, world);
    }
    free(counts);
}

static void elimination(void) {
    for (int i = 0; i < n - 1; i++) {
        MPI_Bcast(i % p == rank ? out : in, 8 * (n + 1 - i), MPI_BYTE, i % p, world);
        work(20.0 * (n - i) * (n - i) / p * rounds);
    }
}

static void butterfly(void) {
    for (int i = 0; i < rounds; i++) {
        for (int by = 1; by < p; by *= 2) {
            MPI_Sendrecv(out, 8 * n, MPI_BYTE, rank ^ by, 0, in, 8 * n, MPI_BYTE, rank ^ by, 0,
                         world, MPI_STATUS_IGNORE);
            work(100.0 * n);
        }
    }
}

/* Rows and columns of a grid have collectives of their own. */
static void summa(void) {
    int sides[3], rows[2] = {0, 1}, columns[2] = {1, 0};
    MPI_Comm row, column, grid = grid_of(2, 0, sides);
    MPI_Cart_sub(grid, rows, &row);
    MPI_Cart_sub(grid, columns, &column);
    int wide;
    MPI_Comm_size(row, &wide);
    for (int i = 0; i < rounds * wide; i++) {
        MPI_Bcast(out, 8 * n * share(n, sides[0]), MPI_BYTE, i % wide, row);
        MPI_Bcast(in, 8 * n * share(n, sides[1]), MPI_BYTE, 0, column);
        work(40.0 * n * n * n / p / wide);
    }
}

static const struct {
    const char *name;
    void (*run)(void);
} kinds[] = {{"sweep", sweep},
             {"spectral", spectral},
             {"line", line},
             {"sort", sort},
             {"farm", farm},
             {"ring", ring},
             {"cg", cg},
             {"put", put},
             {"neighbours", neighbours},
             {"weak", weak},
             {"look", look},
             {"elimination", elimination},
             {"butterfly", butterfly},
             {"summa", summa}};

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    world = MPI_COMM_WORLD;
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &p);
    n = argc > 2 ? atoi(argv[2]) : 0;
    rounds = argc > 3 ? atoi(argv[3]) : 0;
    out = calloc(ROOM, 1);
    in = calloc(ROOM, 1);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (argc == 4 && strcmp(argv[1], kinds[i].name) == 0) {
            kinds[i].run();
        }
    }
    free(out);
    free(in);
    return MPI_Finalize();
}
