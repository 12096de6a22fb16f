/* MPI_Bcast as SimGrid 3.32 renders MPICH's, where it fails itself. Its tree inside each node also
 * sends to the next node where nodes have 3, 5, 6 or 7 processes: programs end with
 * MPI_ERR_TRUNCATE or wait for ever. Linked into programs by 'isocast cc', into the simulated
 * probe and the simulated kernels.
 *
 * Where each node has as many processes of the communicator, a binomial tree of the nodes is
 * followed by one in each node, for messages of any length. Elsewhere it is MPICH's choice
 * (R. Thakur, R. Rabenseifner, W. Gropp, IJHPCA 19(1) 2005, section 4.2): a binomial tree of all
 * for short messages; else the message is scattered in blocks along such a tree, and gathered by
 * recursive doubling on an even number of processes, or round a ring on an odd one and for the
 * longest messages. */
#undef MPI_Alltoall
#undef MPI_Bcast
#include <mpi.h>
#include <simgrid/actor.h>
#include <simgrid/host.h>
#include <simgrid/zone.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "own_calls.h"

enum {
    TAG = 31021,         /* of the messages; programs' own rarely are so high */
    SHORT_BELOW = 12288, /* B: a tree */
    FEW = 8,             /* so many processes, or fewer: a tree */
    LONG_FROM = 524288,  /* B: round a ring */
    REMEMBERED = 16      /* communicators; rows and columns of a grid are two */
};

/* What the platform says (calibrate/campaign/simgrid.c). */
typedef enum broadcast_choice {
    CHOICE_NONE = 1, /* the simulator's broadcast, whatever it is */
    CHOICE_MENDED,   /* the simulator's MPICH, but where it fails */
    CHOICE_OWN       /* another library's is there in the place of MPICH's */
} broadcast_choice;

typedef struct broadcast {
    char *bytes;
    int count; /* of the type */
    MPI_Datatype type;
    size_t length; /* B; 0: not to be cut into blocks */
    int root, rank, processes;
    MPI_Comm communicator;
} broadcast;

static broadcast_choice find_choice(void) {
    static const char name[] = "isocast-bcast";
    const char *value = sg_host_get_property_value(sg_host_self(), name);
    sg_netzone_t zone = value == NULL ? sg_zone_get_by_name("all") : NULL;
    value = zone != NULL ? sg_zone_get_property_value(zone, name) : value;
    if (value == NULL) {
        return CHOICE_NONE;
    }
    return strcmp(value, "own") == 0 ? CHOICE_OWN : CHOICE_MENDED;
}

static broadcast_choice choice(void) {
    static broadcast_choice found;
    found = found == 0 ? find_choice() : found;
    return found;
}

static int compare_hosts(const void *a, const void *b) {
    uintptr_t first = (uintptr_t) * (const sg_host_t *)a;
    uintptr_t second = (uintptr_t) * (const sg_host_t *)b;
    return (first > second) - (first < second);
}

/* So many of the sorted hosts follow each other everywhere; 0: different numbers. */
static int count_each(const sg_host_t *hosts, int count) {
    int each = 0;
    for (int begin = 0, end; begin < count; begin = end) {
        for (end = begin + 1; end < count && hosts[end] == hosts[begin];) {
            end++;
        }
        if (each > 0 && end - begin != each) {
            return 0;
        }
        each = end - begin;
    }
    return each;
}

/* Where the processes of a communicator are: the simulator numbers them from 1 in the order of
 * their ranks. All live until the last is in MPI_Finalize (smpi/finalization-barrier). */
static bool find_hosts(MPI_Comm communicator, int count, int *ranks, sg_host_t *hosts) {
    MPI_Group all;
    MPI_Group group;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Comm_group(communicator, &group);
    for (int i = 0; i < count; i++) {
        ranks[i] = i;
    }
    MPI_Group_translate_ranks(group, count, ranks, all, ranks + count);
    MPI_Group_free(&group);
    MPI_Group_free(&all);
    for (int i = 0; i < count; i++) {
        sg_actor_t process = sg_actor_by_pid(ranks[count + i] + 1);
        if (process == NULL) {
            return false;
        }
        hosts[i] = sg_actor_get_host(process);
    }
    return true;
}

/* Processes on each node; 0 where these are different numbers. */
static int find_each(MPI_Comm communicator, int count) {
    int *ranks = calloc(2 * (size_t)count, sizeof *ranks);
    sg_host_t *hosts = malloc((size_t)count * sizeof(sg_host_t));
    if (ranks == NULL || hosts == NULL || !find_hosts(communicator, count, ranks, hosts)) {
        MPI_Abort(MPI_COMM_WORLD, 5);
        exit(EXIT_FAILURE); /* not reached */
    }
    qsort(hosts, (size_t)count, sizeof(sg_host_t), compare_hosts);
    int each = count_each(hosts, count);
    free(ranks);
    free(hosts);
    return each;
}

/* The same, remembered: the number that Fortran has of a communicator is never given again. */
static int each_of(MPI_Comm communicator, int count) {
    static struct {
        bool known;
        MPI_Fint id;
        int each;
    } remembered[REMEMBERED];
    MPI_Fint id = MPI_Comm_c2f(communicator);
    size_t place = (size_t)(unsigned)id % REMEMBERED;
    if (!remembered[place].known || remembered[place].id != id) {
        remembered[place].each = find_each(communicator, count);
        remembered[place].id = id;
        remembered[place].known = true;
    }
    return remembered[place].each;
}

static void give_all(const broadcast *b, int to) {
    MPI_Send(b->bytes, b->count, b->type, to, TAG, b->communicator);
}

static void take_all(const broadcast *b, int from) {
    MPI_Recv(b->bytes, b->count, b->type, from, TAG, b->communicator, MPI_STATUS_IGNORE);
}

/* Of `count` places from the first on, each `stride` ranks apart: who is at place 0 has the
 * message, and the place of this process is `own`. */
static void pass_down_tree(const broadcast *b, int first, int stride, int own, int count) {
    int mask = 1;
    while (mask < count && (own & mask) == 0) {
        mask *= 2;
    }
    if (mask < count) {
        take_all(b, (first + (own - mask) * stride) % b->processes);
    }
    for (mask /= 2; mask > 0; mask /= 2) {
        if (own + mask < count) {
            give_all(b, (first + (own + mask) * stride) % b->processes);
        }
    }
}

/* A tree of nodes, and one in each. It begins at rank 0, which gets the message first. */
static void pass_by_nodes(const broadcast *b, int each) {
    if (b->root != 0 && b->rank == b->root) {
        give_all(b, 0);
    } else if (b->root != 0 && b->rank == 0) {
        take_all(b, b->root);
    }
    if (b->rank % each == 0) {
        pass_down_tree(b, 0, each, b->rank / each, b->processes / each);
    }
    pass_down_tree(b, b->rank - b->rank % each, 1, b->rank % each, each);
}

/* Where a block begins, by its number from the root on; the last ones may be shorter or empty. */
static size_t block_at(const broadcast *b, int number) {
    size_t each = (b->length + (size_t)b->processes - 1) / (size_t)b->processes;
    size_t at = each * (size_t)number;
    return at < b->length ? at : b->length;
}

/* The blocks from one number to another. */
static size_t blocks(const broadcast *b, int from, int to) {
    int end = to < b->processes ? to : b->processes;
    return from < end ? block_at(b, end) - block_at(b, from) : 0;
}

static int rank_of(const broadcast *b, int place) {
    return (place + b->root) % b->processes;
}

static void give_blocks(const broadcast *b, int from, int end, int to) {
    MPI_Send(b->bytes + block_at(b, from), (int)blocks(b, from, end), MPI_BYTE, to, TAG,
             b->communicator);
}

static void take_blocks(const broadcast *b, int from, int end, int source) {
    MPI_Recv(b->bytes + block_at(b, from), (int)blocks(b, from, end), MPI_BYTE, source, TAG,
             b->communicator, MPI_STATUS_IGNORE);
}

/* Along a binomial tree, each process gets the blocks of all behind it. Empty ones are not sent. */
static void scatter(const broadcast *b, int own) {
    int mask = 1;
    while (mask < b->processes && (own & mask) == 0) {
        mask *= 2;
    }
    if (mask < b->processes && blocks(b, own, own + mask) > 0) {
        take_blocks(b, own, own + mask, rank_of(b, own - mask));
    }
    for (int half = mask / 2; half > 0; half /= 2) {
        if (blocks(b, own + half, own + 2 * half) > 0) {
            give_blocks(b, own + half, own + 2 * half, rank_of(b, own + half));
        }
    }
}

/* Sends the blocks from `sent` on, and gets those from `got` on, so many of each. */
static void exchange(const broadcast *b, int sent, int to, int got, int from, int count) {
    MPI_Sendrecv(b->bytes + block_at(b, sent), (int)blocks(b, sent, sent + count), MPI_BYTE, to,
                 TAG, b->bytes + block_at(b, got), (int)blocks(b, got, got + count), MPI_BYTE, from,
                 TAG, b->communicator, MPI_STATUS_IGNORE);
}

static void gather_round_ring(const broadcast *b, int own) {
    int right = rank_of(b, own + 1);
    int left = rank_of(b, own + b->processes - 1);
    for (int step = 0; step + 1 < b->processes; step++) {
        int sent = (own + b->processes - step) % b->processes;
        int got = (own + 2 * b->processes - step - 1) % b->processes;
        exchange(b, sent, right, got, left, 1);
    }
}

/* In a step two groups of `mask` processes exchange their blocks. Where the second group is cut
 * off, some of the first have no partner. Those that have one pass on what they got: the front
 * `have` of each part of 2 half processes to those half of it away that have it not. */
static void pass_to_lonely(const broadcast *b, int own, int theirs, int mask) {
    int have = b->processes - theirs;
    for (int half = mask / 2; half > 0; half /= 2) {
        int place = own % (2 * half);
        if (place < have && place < half && place + half >= have) {
            give_blocks(b, theirs, theirs + mask, rank_of(b, own + half));
        } else if (place >= have && place >= half && place - half < have) {
            take_blocks(b, theirs, theirs + mask, rank_of(b, own - half));
        }
    }
}

static void gather_by_doubling(const broadcast *b, int own) {
    for (int mask = 1; mask < b->processes; mask *= 2) {
        int partner = own ^ mask;
        int mine = own / mask * mask;
        int theirs = partner / mask * mask;
        if (partner < b->processes) {
            exchange(b, mine, rank_of(b, partner), theirs, rank_of(b, partner), mask);
        }
        if (theirs > mine && theirs < b->processes && theirs + mask > b->processes) {
            pass_to_lonely(b, own, theirs, mask);
        }
    }
}

static void pass_as_mpich(const broadcast *b) {
    int own = (b->rank - b->root + b->processes) % b->processes;
    bool is_short = b->length < SHORT_BELOW; /* or not to be cut */
    if (is_short || b->processes <= FEW) {
        pass_down_tree(b, b->root, 1, own, b->processes);
        return;
    }
    scatter(b, own);
    if (b->length < LONG_FROM && b->processes % 2 == 0) {
        gather_by_doubling(b, own);
    } else {
        gather_round_ring(b, own);
    }
}

/* B of types without gaps, if MPI can count them; else 0. */
static size_t length_of(int count, MPI_Datatype type) {
    int size;
    MPI_Aint low;
    MPI_Aint extent;
    MPI_Type_size(type, &size);
    MPI_Type_get_extent(type, &low, &extent);
    size_t length = (size_t)size * (size_t)count;
    return low == 0 && extent == size && length <= INT32_MAX ? length : 0;
}

/* Whether the simulator's broadcast is not taken on so many processes of each node. */
static bool is_mended(int each) {
    return choice() == CHOICE_OWN || (each & (each - 1)) != 0;
}

void isocast_bcast_prepare(void) {
    int processes;
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    if (choice() != CHOICE_NONE) {
        each_of(MPI_COMM_WORLD, processes);
    }
}

int isocast_MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm communicator) {
    int is_between;
    MPI_Comm_test_inter(communicator, &is_between);
    if (choice() == CHOICE_NONE || is_between || count <= 0) {
        return MPI_Bcast(buffer, count, type, root, communicator);
    }
    broadcast b = {.bytes = buffer,
                   .count = count,
                   .type = type,
                   .length = length_of(count, type),
                   .root = root,
                   .communicator = communicator};
    MPI_Comm_size(communicator, &b.processes);
    MPI_Comm_rank(communicator, &b.rank);
    int each = each_of(communicator, b.processes);
    if (root < 0 || root >= b.processes || !is_mended(each)) {
        return MPI_Bcast(buffer, count, type, root, communicator);
    }
    if (each > 0) {
        pass_by_nodes(&b, each);
    } else {
        pass_as_mpich(&b);
    }
    return MPI_SUCCESS;
}
