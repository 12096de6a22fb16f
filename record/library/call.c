#include "call.h"

#include "state.h"
#include "store.h"

/* Reading the processor time of a thread is a system call, 0.2 to 3 us. So only what took at least
 * LONG_NS is timed by it. Shorter computing is timed by ticks: within that time no other thread had
 * the processor for long. The reading at the begin of a long one is made where the site was
 * followed by a long one the last time, or where the last reading is older than FRESH_NS. Otherwise
 * what was spent since the last reading is taken off, by ticks. */
enum { LONG_NS = 200000, FRESH_NS = 500000 };

/* Reading the ticks takes 10 to 30 ns. A site whose last FAMILIAR calls, and the computing before
 * them, took less than SHORT_NS each is timed by samples: of UNREAD or a few more calls in a row no
 * time is read, and each counts as what it took on average before; then SAMPLED calls are timed.
 * The next reading tells what all of the others took together, so that nothing long is lost. */
enum {
    SHORT_NS = 4000,
    FAMILIAR = 1024,
    AGAIN = 64, /* calls that are timed after one that was not short */
    UNREAD = 50,
    UNREAD_MORE = 16,
    SAMPLED = 2,
    SMOOTH = 16 /* calls that an average goes over */
};

/* What is known of a site's calls. */
typedef struct habit {
    uint32_t unfamiliar;     /* calls that are timed before it is sampled */
    uint64_t call, before;   /* ticks on average: inside of a call, and of computing before it */
    double computed, square; /* the latter in ns, and ns^2 */
} habit;

/* The way of a thread since its last call. */
typedef struct thread_state {
    bool begun;
    uint32_t site;      /* of the last call */
    uint64_t left;      /* ticks at the last end that was read */
    uint64_t unread;    /* ticks that calls and computing since then should have taken */
    uint64_t cpu;       /* ns of processor time at the last reading */
    uint64_t cpu_ticks; /* ticks of that reading */
    double spent;       /* ns of short computing and of calls since then */
    uint32_t skip;      /* calls whose time need not be read */
    uint32_t sampled;   /* calls of this sample that are still to be timed */
    uint32_t turn;
    bool inside; /* a call is being recorded */
    bool main;   /* it called MPI_Init */
} thread_state;

static __thread thread_state mine __attribute__((tls_model("initial-exec")));

static bool followed_by_long[RECORD_PART_SITES];
static habit habits[RECORD_PART_SITES];

/* Sites by their addresses: what was called lately is found without the table. */
enum { RECENT = 256 };
static struct {
    const void *address;
    uint32_t site;
} recent[RECENT];

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
    record_now.brief = (uint64_t)(SHORT_NS / record_now.tick);
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

static uint32_t site_at(const void *place) {
    uintptr_t number = (uintptr_t)place;
    size_t slot = (number ^ (number >> 8)) % RECENT;
    if (recent[slot].address != place) {
        uint32_t site = record_store_site(place);
        if (site != RECORD_PART_NONE && habits[site].call == 0) {
            habits[site] = (habit){.unfamiliar = FAMILIAR, .call = 1};
        }
        recent[slot].site = site;
        recent[slot].address = site != RECORD_PART_NONE ? place : NULL;
    }
    return recent[slot].site;
}

/* Whether the time of a call at a site is read. */
static bool is_timed(uint32_t site) {
    if (site == RECORD_PART_NONE || habits[site].unfamiliar > 0 || !mine.begun) {
        return true;
    }
    if (mine.skip > 0) {
        mine.skip--;
        return false;
    }
    if (mine.sampled > 0) {
        mine.sampled--;
        return true;
    }
    /* A length that changes does not keep step with the program's loops. */
    mine.turn = (mine.turn + 7) % UNREAD_MORE;
    mine.skip = UNREAD + mine.turn;
    mine.sampled = SAMPLED;
    return true;
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
    *call = (record_call){.key = {.partner = -1, .source = -1, .received = RECORD_PART_NO_SIZE},
                          .comm = MPI_COMM_NULL};
    record_lock();
    call->key.site = site_at(place);
    call->timed = is_timed(call->key.site);
    record_unlock();
    call->begin = call->timed ? record_ticks() : 0;
    mine.inside = true;
    return true;
}

void record_return(record_call *call) {
    call->end = call->timed ? record_ticks() : 0;
    record_lock();
}

/* Ticks of the computing before a timed call. Of calls since the last reading whose time was not
 * read, what is left is theirs or of the computing before this one: where it is short, an average
 * stands for it. */
static uint64_t ticks_before(const record_call *call) {
    uint64_t elapsed = call->begin - mine.left;
    if (mine.unread == 0) {
        return elapsed;
    }
    mine.spent += (double)mine.unread * record_now.tick;
    uint64_t rest = elapsed > mine.unread ? elapsed - mine.unread : 0;
    uint64_t usual = habits[call->key.site].before;
    return rest > record_now.brief + usual ? rest : usual;
}

/* Processor time of the computing before a call, in ns; `least` is the shortest so far. */
static double computed_before(const record_call *call, uint64_t ticks, double least) {
    double elapsed = (double)ticks * record_now.tick;
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

static void smooth(uint64_t *average, uint64_t value) {
    *average = *average - *average / SMOOTH + value / SMOOTH;
}

/* What a call that was timed tells of those to come at its site. */
static void learn(const record_call *call, uint64_t before) {
    habit *own = &habits[call->key.site];
    uint64_t inside = call->end - call->begin;
    bool is_short = inside < record_now.brief && before < record_now.brief;
    if (!is_short) {
        own->unfamiliar = own->unfamiliar < AGAIN ? AGAIN : own->unfamiliar;
    } else if (own->unfamiliar > 0) {
        own->unfamiliar--;
    }
    if (inside < record_now.brief) {
        smooth(&own->call, inside);
    }
    if (mine.unread == 0 && before < record_now.brief) {
        smooth(&own->before, before);
        own->computed = (double)own->before * record_now.tick;
        own->square = own->computed * own->computed;
    }
}

static void count_compute(const record_call *call) {
    record_part_compute *way = record_store_compute(mine.site, call->key.site);
    uint64_t ticks = ticks_before(call);
    double time = computed_before(call, ticks, way != NULL && way->times > 0 ? way->least : 0);
    if (way != NULL) {
        way->times++;
        way->time += time;
        way->squares += time * time;
        way->least = time < way->least ? time : way->least;
        way->most = time > way->most ? time : way->most;
    }
    learn(call, ticks);
    followed_by_long[mine.site] = time >= LONG_NS;
}

/* Of a call whose time is not read. */
static inline void count_unread(record_call *call) {
    const habit *own = &habits[call->key.site];
    record_part_compute *way = record_store_compute(mine.site, call->key.site);
    if (way != NULL) {
        way->times++;
        way->time += own->computed;
        way->squares += own->square;
    }
    call->end = own->call;
    mine.unread += own->call + own->before;
    record_store->sites[call->key.site].estimated++;
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

/* The slow way: what a call and the computing before it took is known. */
static __attribute__((noinline)) void leave_timed(record_call *call,
                                                  isocast_record_operation operation) {
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
    mine.unread = 0;
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
}

void record_leave(record_call *call, isocast_record_operation operation) {
    if (call->timed) {
        leave_timed(call, operation);
    } else {
        count_unread(call);
        record_count(call, operation);
        mine.site = call->key.site;
    }
    record_outside();
}
