/* Whether collective operations compute what MPI says: every call on several communicators, roots,
 * lengths and types, in place and not, compared with what each process knows of the others' data.
 * Prints the number of calls, or the first that is wrong. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 20000, RANKS = 64 };

static int calls;
static int wrong;

static int value(int rank, int index) {
    return (rank * 7919 + index * 31 + 5) % 1009;
}

static void check(int good, const char *what, int size, int count, int root) {
    calls++;
    if (!good) {
        wrong++;
        int rank;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        printf("wrong: %s, %d processes, count %d, root %d, on %d\n", what, size, count, root,
               rank);
    }
}

/* A matrix product modulo 1009: associative, not commutative. Four ints are one element. */
static void multiply(void *in, void *in_out, int *length, MPI_Datatype *type) {
    (void)type;
    for (int i = 0; i < *length; i++) {
        const int *a = (const int *)in + 4 * i;
        int *b = (int *)in_out + 4 * i;
        int c[4] = {(a[0] * b[0] + a[1] * b[2]) % 1009, (a[0] * b[1] + a[1] * b[3]) % 1009,
                    (a[2] * b[0] + a[3] * b[2]) % 1009, (a[2] * b[1] + a[3] * b[3]) % 1009};
        memcpy(b, c, sizeof c);
    }
}

static void fill(int *data, int rank, int from, int count) {
    for (int i = 0; i < count; i++) {
        data[i] = value(rank, from + i);
    }
}

static int is_of(const int *data, int rank, int from, int count) {
    for (int i = 0; i < count; i++) {
        if (data[i] != value(rank, from + i)) {
            return 0;
        }
    }
    return 1;
}

static int is_sum(const int *data, int processes, int from, int count) {
    for (int i = 0; i < count; i++) {
        int sum = 0;
        for (int rank = 0; rank < processes; rank++) {
            sum += value(rank, from + i);
        }
        if (data[i] != sum) {
            return 0;
        }
    }
    return 1;
}

static int is_product(const int *data, int processes, int from, int elements) {
    for (int i = 0; i < elements; i++) {
        int product[4] = {1, 0, 0, 1};
        for (int rank = processes - 1; rank >= 0; rank--) {
            int factor[4];
            int one = 1;
            fill(factor, rank, from + 4 * i, 4);
            multiply(factor, product, &one, NULL);
        }
        if (memcmp(product, data + 4 * i, sizeof product) != 0) {
            return 0;
        }
    }
    return 1;
}

/* Memory that is overwritten with a pattern between calls. */
static int *send;
static int *receive;

static void clear(int ints) {
    memset(send, 0x55, (size_t)ints * sizeof(int));
    memset(receive, 0x77, (size_t)ints * sizeof(int));
}

static void check_vectors(MPI_Comm c, int count, int root) {
    int rank;
    int size;
    MPI_Comm_rank(c, &rank);
    MPI_Comm_size(c, &size);
    clear(2 * count + 8);
    fill(send, rank == root ? rank : 999, 0, count);
    MPI_Bcast(send, count, MPI_INT, root, c);
    check(is_of(send, root, 0, count), "bcast", size, count, root);
    /* every second int */
    MPI_Datatype gaps;
    MPI_Type_vector(count, 1, 2, MPI_INT, &gaps);
    MPI_Type_commit(&gaps);
    clear(2 * count + 8);
    for (int i = 0; i < count && rank == root; i++) {
        send[2 * i] = value(root, i);
    }
    MPI_Bcast(send, 1, gaps, root, c);
    int good = 1;
    for (int i = 0; i < count; i++) {
        good = good && send[2 * i] == value(root, i) && send[2 * i + 1] == 0x55555555;
    }
    check(good, "bcast with gaps", size, count, root);
    MPI_Type_free(&gaps);

    for (int in_place = 0; in_place < 2; in_place++) {
        clear(count + 8);
        fill(in_place && rank == root ? receive : send, rank, 0, count);
        MPI_Reduce(in_place && rank == root ? MPI_IN_PLACE : send, receive, count, MPI_INT, MPI_SUM,
                   root, c);
        check(rank != root || is_sum(receive, size, 0, count), "reduce", size, count, root);
        check(rank == root || is_of(send, rank, 0, count), "reduce keeps", size, count, root);
        clear(count + 8);
        fill(in_place ? receive : send, rank, 0, count);
        MPI_Allreduce(in_place ? MPI_IN_PLACE : send, receive, count, MPI_INT, MPI_SUM, c);
        check(is_sum(receive, size, 0, count), "allreduce", size, count, 0);
        clear(count + 8);
        fill(in_place ? receive : send, rank, 0, count);
        MPI_Scan(in_place ? MPI_IN_PLACE : send, receive, count, MPI_INT, MPI_SUM, c);
        check(is_sum(receive, rank + 1, 0, count), "scan", size, count, 0);
    }
}

static void check_ordered(MPI_Comm c, int elements, int root, MPI_Datatype matrix, MPI_Op op) {
    int rank;
    int size;
    int counts[RANKS];
    int begin = 0;
    MPI_Comm_rank(c, &rank);
    MPI_Comm_size(c, &size);
    int count = 4 * elements;
    clear(count * size + 8);
    fill(send, rank, 0, count);
    MPI_Reduce(send, receive, elements, matrix, op, root, c);
    check(rank != root || is_product(receive, size, 0, elements), "ordered reduce", size, elements,
          root);
    MPI_Allreduce(send, receive, elements, matrix, op, c);
    check(is_product(receive, size, 0, elements), "ordered allreduce", size, elements, 0);
    MPI_Scan(send, receive, elements, matrix, op, c);
    check(is_product(receive, rank + 1, 0, elements), "ordered scan", size, elements, 0);
    fill(send, rank, 0, count * size);
    MPI_Reduce_scatter_block(send, receive, elements, matrix, op, c);
    check(is_product(receive, size, rank * count, elements), "ordered reduce_scatter_block", size,
          elements, 0);
    for (int i = 0; i < size; i++) {
        counts[i] = elements + (i % 3 == 1 ? 1 : 0) - (i % 5 == 2 && elements > 0 ? 1 : 0);
        begin += i < rank ? counts[i] : 0;
    }
    fill(send, rank, 0, 4 * (elements + 1) * size);
    MPI_Reduce_scatter(send, receive, counts, matrix, op, c);
    check(is_product(receive, size, 4 * begin, counts[rank]), "ordered reduce_scatter", size,
          elements, 0);
}

static void check_blocks(MPI_Comm c, int count, int root) {
    int rank;
    int size;
    MPI_Comm_rank(c, &rank);
    MPI_Comm_size(c, &size);
    int all = (count + 2) * size + 8;
    for (int in_place = 0; in_place < 2; in_place++) {
        int here = in_place && rank == root;
        int good = 1;
        clear(all);
        fill(here ? receive + rank * count : send, rank, 0, count);
        MPI_Gather(here ? MPI_IN_PLACE : send, count, MPI_INT, receive, count, MPI_INT, root, c);
        for (int i = 0; i < size && rank == root; i++) {
            good = good && is_of(receive + i * count, i, 0, count);
        }
        check(good, "gather", size, count, root);
        clear(all);
        fill(send, root, 0, count * size);
        MPI_Scatter(send, count, MPI_INT, here ? MPI_IN_PLACE : receive, count, MPI_INT, root, c);
        check(here || is_of(receive, root, rank * count, count), "scatter", size, count, root);
        clear(all);
        fill(in_place ? receive + rank * count : send, rank, 0, count);
        MPI_Allgather(in_place ? MPI_IN_PLACE : send, count, MPI_INT, receive, count, MPI_INT, c);
        good = 1;
        for (int i = 0; i < size; i++) {
            good = good && is_of(receive + i * count, i, 0, count);
        }
        check(good, "allgather", size, count, 0);
        clear(all);
        fill(in_place ? receive : send, rank, 0, count * size);
        MPI_Alltoall(in_place ? MPI_IN_PLACE : send, count, MPI_INT, receive, count, MPI_INT, c);
        good = 1;
        for (int i = 0; i < size; i++) {
            good = good && is_of(receive + i * count, i, rank * count, count);
        }
        check(good, "alltoall", size, count, 0);
        clear(all);
        fill(in_place ? receive : send, rank, 0, count * size);
        MPI_Reduce_scatter_block(in_place ? MPI_IN_PLACE : send, receive, count, MPI_INT, MPI_SUM,
                                 c);
        check(is_sum(receive, size, rank * count, count), "reduce_scatter_block", size, count, 0);
    }
}

/* Lengths that differ, some of them 0, and gaps between the blocks. */
static void check_ragged(MPI_Comm c, int count, int root) {
    int rank;
    int size;
    int counts[RANKS];
    int places[RANKS];
    int to[RANKS];
    int to_places[RANKS];
    MPI_Comm_rank(c, &rank);
    MPI_Comm_size(c, &size);
    int all = (count + 4) * size + 8;
    for (int gap = 0; gap < 2; gap++) {
        int at = 0;
        int begin = 0;
        for (int i = 0; i < size; i++) {
            counts[i] = i % 3 == 0 ? 0 : count + i % 3 - 1;
            places[i] = at;
            at += counts[i] + gap;
            begin += i < rank ? counts[i] : 0;
        }
        int good = 1;
        clear(all);
        fill(send, rank, 0, counts[rank]);
        MPI_Gatherv(send, counts[rank], MPI_INT, receive, counts, places, MPI_INT, root, c);
        for (int i = 0; i < size && rank == root; i++) {
            good = good && is_of(receive + places[i], i, 0, counts[i]);
            good = good && (gap == 0 || receive[places[i] + counts[i]] == 0x77777777);
        }
        check(good, "gatherv", size, count, root);
        clear(all);
        fill(send, root, 0, at);
        MPI_Scatterv(send, counts, places, MPI_INT, receive, counts[rank], MPI_INT, root, c);
        check(is_of(receive, root, places[rank], counts[rank]), "scatterv", size, count, root);
        for (int in_place = 0; in_place < 2; in_place++) {
            clear(all);
            fill(in_place ? receive + places[rank] : send, rank, 0, counts[rank]);
            MPI_Allgatherv(in_place ? MPI_IN_PLACE : send, counts[rank], MPI_INT, receive, counts,
                           places, MPI_INT, c);
            good = 1;
            for (int i = 0; i < size; i++) {
                good = good && is_of(receive + places[i], i, 0, counts[i]);
            }
            check(good, "allgatherv", size, count, 0);
        }
        clear(all);
        fill(send, rank, 0, all);
        MPI_Reduce_scatter(send, receive, counts, MPI_INT, MPI_SUM, c);
        check(is_sum(receive, size, begin, counts[rank]), "reduce_scatter", size, count, 0);
        /* what i sends to k: (i + k) % 4 of count / 3 */
        int send_at = 0;
        int receive_at = 0;
        for (int i = 0; i < size; i++) {
            to[i] = (rank + i) % 4 * count / 3;
            to_places[i] = send_at;
            send_at += to[i] + gap;
            counts[i] = to[i];
            places[i] = receive_at;
            receive_at += counts[i] + gap;
        }
        clear(all);
        for (int i = 0; i < size; i++) {
            fill(send + to_places[i], rank, i, to[i]);
        }
        MPI_Alltoallv(send, to, to_places, MPI_INT, receive, counts, places, MPI_INT, c);
        good = 1;
        for (int i = 0; i < size; i++) {
            good = good && is_of(receive + places[i], i, rank, counts[i]);
        }
        check(good, "alltoallv", size, count, 0);
        clear(all);
        for (int i = 0; i < size; i++) {
            fill(receive + places[i], rank, i, counts[i]);
        }
        MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_INT, receive, counts, places, MPI_INT, c);
        good = 1;
        for (int i = 0; i < size; i++) {
            good = good && is_of(receive + places[i], i, rank, counts[i]);
        }
        check(good, "alltoallv in place", size, count, 0);
    }
}

/* A receive from anybody with any tag is under way, and must not get what belongs to a collective.
 */
static void check_wildcard(MPI_Comm c) {
    int rank;
    int size;
    int got = -1;
    MPI_Request request;
    MPI_Comm_rank(c, &rank);
    MPI_Comm_size(c, &size);
    MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, c, &request);
    int one = 1;
    int sum = 0;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, c);
    MPI_Barrier(c);
    MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 3, c);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check(sum == size && got == (rank + size - 1) % size, "wildcard", size, 1, 0);
}

static void check_communicator(MPI_Comm c, MPI_Datatype matrix, MPI_Op op, int longest) {
    static const int counts[] = {0, 1, 3, 17, 700, 5000};
    int size;
    MPI_Comm_size(c, &size);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0] && counts[i] <= longest; i++) {
        for (int root = 0; root < size; root += size / 2 + 1) {
            check_vectors(c, counts[i], root);
            check_blocks(c, counts[i] % 701, root);
            check_ragged(c, counts[i] % 701, root);
            check_ordered(c, counts[i] % 1000, root, matrix, op);
        }
    }
    check_wildcard(c);
}

int main(int argc, char **argv) {
    int rank;
    int size;
    MPI_Datatype matrix;
    MPI_Op op;
    MPI_Comm part;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int longest = argc > 1 ? atoi(argv[1]) : MOST;
    send = malloc(sizeof(int) * RANKS * MOST);
    receive = malloc(sizeof(int) * RANKS * MOST);
    MPI_Type_contiguous(4, MPI_INT, &matrix);
    MPI_Type_commit(&matrix);
    MPI_Op_create(multiply, 0, &op);
    check_communicator(MPI_COMM_WORLD, matrix, op, longest);
    check_communicator(MPI_COMM_SELF, matrix, op, longest);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 3, -rank, &part);
    check_communicator(part, matrix, op, longest);
    MPI_Comm_free(&part);
    /* Between two groups: the simulator's own. */
    int all;
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%d calls, %d wrong\n", calls, all);
    }
    MPI_Op_free(&op);
    MPI_Type_free(&matrix);
    MPI_Finalize();
    free(send);
    free(receive);
    return all != 0;
}
