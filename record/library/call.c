#include "call.h"

#include "state.h"
#include "store.h"

/* Reading the processor time of a thread is a system call, 0.2 to 3 us. So only what took at least
 * LONG_NS is timed by it. Shorter computing is timed by ticks: within that time no other thread had
 * the processor for long. The reading at the begin of a long one is made where the site was
 * followed by a long one the last time, or where the last reading is older than FRESH_NS. Otherwise
 * what was spent since the last reading is taken off, by ticks. */
enum { LONG_NS = 200000, FRESH_NS = 500000 };

/* The way of a thread since its last call. */
typedef struct thread_state {
    bool begun;
    uint32_t site;      /* of the last call */
    uint64_t left;      /* ticks at its end */
    uint64_t cpu;       /* ns of processor time at the last reading */
    uint64_t cpu_ticks; /* ticks of that reading */
    double spent;       /* ns of short computing and of calls since then */
    bool inside;        /* a call is being recorded */
    bool main;          /* it called MPI_Init */
} thread_state;

static __thread thread_state mine __attribute__((tls_model("initial-exec")));

static bool followed_by_long[RECORD_PART_SITES];

static bool is_in(const record_range *range, const void *address) {
    return (uintptr_t)address - range->begin < range->end - range->begin;
}

static void read_cpu(uint64_t ticks) {
    mine.cpu = record_clock(CLOCK_THREAD_CPUTIME_ID);
    mine.cpu_ticks = ticks;
    mine.spent = 0;
}

void record_thread_begin(uint32_t site) {
    uint64_t now = record_ticks();
    record_now.fresh = (uint64_t)(FRESH_NS / record_now.tick);
    read_cpu(now);
    mine.begun = site != RECORD_PART_NONE;
    mine.main = true;
    mine.site = site;
    mine.left = record_ticks();
    record_store->head.cpu_begin = record_store->head.cpu_now = mine.cpu;
}

void record_thread_end(void) {
    if (mine.main) {
        record_store->head.cpu_now = record_clock(CLOCK_THREAD_CPUTIME_ID);
    }
}

bool record_enter(record_call *call, const void *address, bool profiled) {
    if (!record_now.on || mine.inside || is_in(&record_now.mpi, address)) {
        return false;
    }
    bool fortran = is_in(&record_now.fortran, address);
    if (profiled && !fortran) {
        return false;
    }
    const void *place =
        fortran && record_fortran_address != NULL ? record_fortran_address : address;
    *call = (record_call){.begin = record_ticks(),
                          .key = {.partner = -1, .source = -1, .received = RECORD_PART_NO_SIZE},
                          .comm = MPI_COMM_NULL};
    record_lock();
    call->key.site = record_store_site(place);
    record_unlock();
    mine.inside = true;
    return true;
}

void record_return(record_call *call) {
    call->end = record_ticks();
    record_lock();
}

/* Processor time of the computing before a call, in ns; `least` is the shortest so far. */
static double computed_before(const record_call *call, double least) {
    double elapsed = (double)(call->begin - mine.left) * record_now.tick;
    if (elapsed < LONG_NS) {
        mine.spent += elapsed;
        return elapsed;
    }
    double before = (double)mine.cpu + mine.spent;
    read_cpu(call->begin);
    double used = (double)mine.cpu - before;
    /* What a call spent without the processor is too much taken off. */
    used = used > least ? used : least;
    return used < elapsed ? used : elapsed;
}

static void count_compute(const record_call *call) {
    record_part_compute *way = record_store_compute(mine.site, call->key.site);
    double time = computed_before(call, way != NULL && way->times > 0 ? way->least : 0);
    if (way != NULL) {
        way->times++;
        way->time += time;
        way->squares += time * time;
        way->least = time < way->least ? time : way->least;
        way->most = time > way->most ? time : way->most;
    }
    followed_by_long[mine.site] = time >= LONG_NS;
}

void record_count(record_call *call, isocast_record_operation operation) {
    record_part_call *row = NULL;
    call->key.operation = operation;
    call->key.communicator =
        call->comm != MPI_COMM_NULL ? record_communicator(call->comm) : RECORD_PART_NONE;
    if (call->key.site != RECORD_PART_NONE) {
        row = record_store_call(&call->key);
    }
    if (row == NULL) {
        record_store->head.lost++;
        return;
    }
    row->calls++;
    row->ticks += call->end - call->begin;
    if (row->key.merged != 0) {
        double bytes = (double)call->key.bytes;
        row->sum += bytes;
        row->squares += bytes * bytes;
        row->least = call->key.bytes < row->least ? call->key.bytes : row->least;
        row->most = call->key.bytes > row->most ? call->key.bytes : row->most;
    }
}

void record_outside(void) {
    mine.inside = false;
    record_unlock();
}

void record_leave(record_call *call, isocast_record_operation operation) {
    uint32_t site = call->key.site;
    bool known = site != RECORD_PART_NONE;
    bool first = !mine.begun;
    if (known && !first) {
        count_compute(call);
    }
    record_count(call, operation);
    record_store->head.now = call->end;
    mine.begun = known;
    mine.site = site;
    mine.left = call->end;
    if (first || (known && followed_by_long[site]) ||
        call->end - mine.cpu_ticks > record_now.fresh) {
        read_cpu(call->end);
        mine.left = record_ticks();
        if (mine.main) {
            record_store->head.cpu_now = mine.cpu;
        }
    } else {
        mine.spent += (double)(call->end - call->begin) * record_now.tick;
    }
    record_outside();
}
