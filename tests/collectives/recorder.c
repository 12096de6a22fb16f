/* Records which messages the collective operations of an MPI library consist of: who sends how many
 * bytes to whom, and in which order each process begins to send and to receive. Its output is what
 * tests/collectives/facts holds; record.py compiles and starts it.
 *
 * Inside collectives a library calls functions of its own, so calls of the MPI standard show
 * nothing. Open MPI: all messages go through the table mca_pml, whose entries are replaced.
 * MPICH: all messages of collectives go through eight internal functions, whose places in the
 * packaged library record.py finds; a trap is set at the first instruction of each. Both are looked
 * at while one collective runs, and the library does what it does without. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

enum { EVENTS = 4096, LONGEST = 1 << 16 };

typedef struct event {
    char kind; /* '>': begins to send; '<': begins to receive */
    int peer;  /* in its communicator */
    long bytes;
    MPI_Comm communicator;
} event;

static event events[EVENTS];
static int event_count;
static volatile bool looking;

static void note(char kind, int peer, long count, MPI_Datatype type, MPI_Comm communicator) {
    int size;
    if (!looking || peer == MPI_PROC_NULL) {
        return;
    }
    if (event_count == EVENTS) {
        fprintf(stderr, "recorder: more than %d messages\n", EVENTS);
        _exit(1);
    }
    PMPI_Type_size(type, &size);
    events[event_count++] = (event){kind, peer, count * size, communicator};
}

#ifdef OPEN_MPI
/* The table as Open MPI 4.1 has it (ompi/mca/pml/pml.h there). */
typedef int send_function(const void *, size_t, MPI_Datatype, int, int, int, MPI_Comm);
typedef int isend_function(const void *, size_t, MPI_Datatype, int, int, int, MPI_Comm, void **);
typedef int recv_function(void *, size_t, MPI_Datatype, int, int, MPI_Comm, void *);
typedef int irecv_function(void *, size_t, MPI_Datatype, int, int, MPI_Comm, void **);
extern struct {
    void *before[6];
    irecv_function *irecv_init, *irecv;
    recv_function *recv;
    isend_function *isend_init, *isend;
    send_function *send;
} mca_pml;
static irecv_function *real_irecv_init, *real_irecv;
static recv_function *real_recv;
static isend_function *real_isend_init, *real_isend;
static send_function *real_send;

static int own_irecv(void *buffer, size_t count, MPI_Datatype type, int from, int tag,
                     MPI_Comm communicator, void **request) {
    note('<', from, (long)count, type, communicator);
    return real_irecv(buffer, count, type, from, tag, communicator, request);
}

/* Requests that are made first are started in this order. */
static int own_irecv_init(void *buffer, size_t count, MPI_Datatype type, int from, int tag,
                          MPI_Comm communicator, void **request) {
    note('<', from, (long)count, type, communicator);
    return real_irecv_init(buffer, count, type, from, tag, communicator, request);
}

static int own_isend_init(const void *buffer, size_t count, MPI_Datatype type, int to, int tag,
                          int mode, MPI_Comm communicator, void **request) {
    note('>', to, (long)count, type, communicator);
    return real_isend_init(buffer, count, type, to, tag, mode, communicator, request);
}

static int own_recv(void *buffer, size_t count, MPI_Datatype type, int from, int tag,
                    MPI_Comm communicator, void *status) {
    note('<', from, (long)count, type, communicator);
    return real_recv(buffer, count, type, from, tag, communicator, status);
}

static int own_isend(const void *buffer, size_t count, MPI_Datatype type, int to, int tag, int mode,
                     MPI_Comm communicator, void **request) {
    note('>', to, (long)count, type, communicator);
    return real_isend(buffer, count, type, to, tag, mode, communicator, request);
}

static int own_send(const void *buffer, size_t count, MPI_Datatype type, int to, int tag, int mode,
                    MPI_Comm communicator) {
    note('>', to, (long)count, type, communicator);
    return real_send(buffer, count, type, to, tag, mode, communicator);
}

static void begin_to_look(void) {
    real_irecv_init = mca_pml.irecv_init;
    real_isend_init = mca_pml.isend_init;
    mca_pml.irecv_init = own_irecv_init;
    mca_pml.isend_init = own_isend_init;
    real_irecv = mca_pml.irecv;
    real_recv = mca_pml.recv;
    real_isend = mca_pml.isend;
    real_send = mca_pml.send;
    mca_pml.irecv = own_irecv;
    mca_pml.recv = own_recv;
    mca_pml.isend = own_isend;
    mca_pml.send = own_send;
}
#else
/* Functions of MPICH, by the way in which they have their arguments. */
typedef enum mpic { SEND, RECEIVE, EXCHANGE, REPLACE, MPICS } mpic;
static struct {
    uintptr_t address;
    mpic kind;
    unsigned char first[2]; /* bytes of its first instruction */
} traps[16];
static int trap_count;

/* Registers by the number that the instruction push has for them. */
static long long *stack_register(ucontext_t *at, int number) {
    static const int places[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                 REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                 REG_R12, REG_R13, REG_R14, REG_R15};
    return &at->uc_mcontext.gregs[places[number]];
}

static MPI_Comm communicator_at(long long pointer) {
    return *(MPI_Comm *)pointer; /* the handle is the first member */
}

static void note_call(mpic kind, const long long *r, const long long *stack) {
    MPI_Datatype type = (MPI_Datatype)r[REG_RDX];
    MPI_Comm communicator = communicator_at(kind == EXCHANGE  ? stack[5]
                                            : kind == REPLACE ? stack[2]
                                                              : r[REG_R9]);
    if (kind == EXCHANGE) {
        note('<', (int)stack[3], (long)stack[1], (MPI_Datatype)stack[2], communicator);
    } else if (kind == REPLACE) {
        note('<', (int)r[REG_R9], (long)r[REG_RSI], type, communicator);
    } else if (kind == RECEIVE) {
        note('<', (int)r[REG_RCX], (long)r[REG_RSI], type, communicator);
    }
    if (kind != RECEIVE) {
        note('>', (int)r[REG_RCX], (long)r[REG_RSI], type, communicator);
    }
}

/* Does what the instruction under the trap does: it pushes a register. */
static void step_over(int signal_number, siginfo_t *info, void *context) {
    (void)signal_number;
    (void)info;
    ucontext_t *at = context;
    long long *r = at->uc_mcontext.gregs;
    for (int i = 0; i < trap_count; i++) {
        if (traps[i].address + 1 == (uintptr_t)r[REG_RIP]) {
            note_call(traps[i].kind, r, (const long long *)r[REG_RSP]);
            bool is_high = traps[i].first[0] == 0x41;
            int number =
                (is_high ? 8 : 0) + ((is_high ? traps[i].first[1] : traps[i].first[0]) & 7);
            long long value = *stack_register(at, number);
            r[REG_RSP] -= 8;
            *(long long *)r[REG_RSP] = value;
            r[REG_RIP] += is_high ? 1 : 0;
            return;
        }
    }
    _exit(1);
}

static void set_trap(uintptr_t address, mpic kind) {
    unsigned char *code = (unsigned char *)address;
    uintptr_t page = address & ~(uintptr_t)4095;
    bool is_push = (code[0] >= 0x50 && code[0] < 0x58) ||
                   (code[0] == 0x41 && code[1] >= 0x50 && code[1] < 0x58);
    if (!is_push || mprotect((void *)page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) {
        fprintf(stderr, "recorder: no trap can be set in this library\n");
        _exit(1);
    }
    traps[trap_count].address = address;
    traps[trap_count].kind = kind;
    memcpy(traps[trap_count++].first, code, 2);
    code[0] = 0xcc;
}

/* RECORDER_PLACES: offset and kind of each function in the library. */
static void begin_to_look(void) {
    Dl_info library;
    struct sigaction action = {.sa_sigaction = step_over, .sa_flags = SA_SIGINFO | SA_NODEFER};
    const char *place = getenv("RECORDER_PLACES");
    int length;
    unsigned long offset;
    int kind;
    dladdr((void *)PMPI_Init, &library);
    sigaction(SIGTRAP, &action, NULL);
    while (place != NULL && sscanf(place, "%lx:%d %n", &offset, &kind, &length) == 2) {
        set_trap((uintptr_t)library.dli_fbase + offset, (mpic)kind);
        place += length;
    }
}

/* Processes are more than processors: who waits lets others run. */
unsigned ucp_worker_progress(void *worker) {
    static unsigned (*real)(void *);
    if (real == NULL) {
        *(void **)&real = dlsym(RTLD_NEXT, "ucp_worker_progress");
    }
    sched_yield();
    return real(worker);
}
#endif

/* The same operations in the order in which the tests list them. */
static void call(const char *operation, long bytes, int root, MPI_Comm in, char *a, char *b) {
    int p;
    int n = (int)bytes;
    int counts[64];
    int places[64];
    MPI_Comm_size(in, &p);
    for (int i = 0; i < p; i++) {
        counts[i] = n / 4;
        places[i] = i * n;
    }
    if (strcmp(operation, "bcast") == 0) {
        MPI_Bcast(a, n, MPI_BYTE, root, in);
    } else if (strcmp(operation, "reduce") == 0) {
        MPI_Reduce(a, b, n / 4, MPI_INT, MPI_SUM, root, in);
    } else if (strcmp(operation, "allreduce") == 0) {
        MPI_Allreduce(a, b, n / 4, MPI_INT, MPI_SUM, in);
    } else if (strcmp(operation, "barrier") == 0) {
        MPI_Barrier(in);
    } else if (strcmp(operation, "gather") == 0) {
        MPI_Gather(a, n, MPI_BYTE, b, n, MPI_BYTE, root, in);
    } else if (strcmp(operation, "scatter") == 0) {
        MPI_Scatter(a, n, MPI_BYTE, b, n, MPI_BYTE, root, in);
    } else if (strcmp(operation, "allgather") == 0) {
        MPI_Allgather(a, n, MPI_BYTE, b, n, MPI_BYTE, in);
    } else if (strcmp(operation, "alltoall") == 0) {
        MPI_Alltoall(a, n, MPI_BYTE, b, n, MPI_BYTE, in);
    } else if (strcmp(operation, "reduce_scatter") == 0) {
        MPI_Reduce_scatter(a, b, counts, MPI_INT, MPI_SUM, in);
    } else if (strcmp(operation, "reduce_scatter_block") == 0) {
        MPI_Reduce_scatter_block(a, b, n / 4, MPI_INT, MPI_SUM, in);
    } else if (strcmp(operation, "allgatherv") == 0) {
        for (int i = 0; i < p; i++) {
            counts[i] = n;
        }
        MPI_Allgatherv(a, n, MPI_BYTE, b, counts, places, MPI_BYTE, in);
    } else if (strcmp(operation, "alltoallv") == 0) {
        for (int i = 0; i < p; i++) {
            counts[i] = n;
        }
        MPI_Alltoallv(a, counts, places, MPI_BYTE, b, counts, places, MPI_BYTE, in);
    } else if (strcmp(operation, "gatherv") == 0) {
        for (int i = 0; i < p; i++) {
            counts[i] = n;
        }
        MPI_Gatherv(a, n, MPI_BYTE, b, counts, places, MPI_BYTE, root, in);
    } else if (strcmp(operation, "scatterv") == 0) {
        for (int i = 0; i < p; i++) {
            counts[i] = n;
        }
        MPI_Scatterv(a, counts, places, MPI_BYTE, b, n, MPI_BYTE, root, in);
    } else if (strcmp(operation, "scan") == 0) {
        MPI_Scan(a, b, n / 4, MPI_INT, MPI_SUM, in);
    } else {
        fprintf(stderr, "recorder: no operation '%s'\n", operation);
        _exit(1);
    }
}

/* "+1>64 -1<64" of this process: partners by their distance. */
static void write_events(MPI_Comm in, char *text) {
    int rank;
    int p;
    MPI_Group group;
    MPI_Comm_rank(in, &rank);
    MPI_Comm_size(in, &p);
    MPI_Comm_group(in, &group);
    char *at = text;
    *at = '\0';
    for (int i = 0; i < event_count; i++) {
        int peer = events[i].peer;
        bool is_any = peer == MPI_ANY_SOURCE;
        if (!is_any && events[i].communicator != in) {
            MPI_Group other;
            MPI_Comm_group(events[i].communicator, &other);
            MPI_Group_translate_ranks(other, 1, &events[i].peer, group, &peer);
            MPI_Group_free(&other);
        }
        int distance = is_any ? 0 : (peer - rank + p) % p;
        if (events[i].kind == '>') {
            at += sprintf(at, " %d>%ld", distance, events[i].bytes);
        } else {
            /* Bytes of the message, not of the place for it, which may be longer. */
            at += is_any ? sprintf(at, " ?") : sprintf(at, " %d<", distance);
        }
    }
    MPI_Group_free(&group);
}

static void record(const char *operation, long bytes, int root, MPI_Comm in, int each) {
    static char text[LONGEST];
    static char *a;
    static char *b;
    int rank;
    int p;
    MPI_Comm_rank(in, &rank);
    MPI_Comm_size(in, &p);
    free(a);
    free(b);
    a = calloc((size_t)p, (size_t)bytes + 8);
    b = calloc((size_t)p, (size_t)bytes + 8);
    event_count = 0;
    looking = true;
    call(operation, bytes, root, in, a, b);
    looking = false;
    write_events(in, text);
    if (rank == 0) {
        printf("%s %d %d %ld %d\n0%s\n", operation, p, each, bytes, root, text);
        for (int i = 1; i < p; i++) {
            MPI_Recv(text, LONGEST, MPI_CHAR, i, 0, in, MPI_STATUS_IGNORE);
            printf("%d%s\n", i, text);
        }
    } else {
        MPI_Send(text, (int)strlen(text) + 1, MPI_CHAR, 0, 0, in);
    }
}

/* Words: processes a node; numbers of processes; "/"; then cases OPERATION:BYTES. */
int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    begin_to_look();
    int each = atoi(argv[1]);
    int cases = 2;
    while (strcmp(argv[cases], "/") != 0) {
        cases++;
    }
    for (int i = 2; i < cases; i++) {
        int p = atoi(argv[i]);
        MPI_Comm in;
        MPI_Comm_split(MPI_COMM_WORLD, rank < p ? 0 : MPI_UNDEFINED, rank, &in);
        for (int k = cases + 1; k < argc && rank < p; k++) {
            char operation[64];
            long bytes;
            sscanf(argv[k], "%63[^:]:%ld", operation, &bytes);
            const char *rooted = "bcast reduce gather scatter gatherv scatterv";
            bool is_rooted = strstr(rooted, operation) != NULL;
            record(operation, bytes, 0, in, each);
            if (is_rooted) {
                record(operation, bytes, p - 1 - p / 3, in, each);
            }
        }
        if (rank < p) {
            MPI_Comm_free(&in);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
