#include "call.h"

#include "memory.h"
#include "state.h"
#include "store.h"

/* Reading the processor time of a thread is a system call, 0.2 to 3 us. So only what took at least
 * LONG_NS is timed by it. Shorter computing is timed by ticks: within that time no other thread had
 * the processor for long. The reading at the begin of a long one is made where the site was
 * followed by a long one the last time, or where the last reading is older than FRESH_NS. Otherwise
 * what was spent since the last reading is taken off, by ticks. */
enum { LONG_NS = 200000, FRESH_NS = 500000 };

/* Reading the ticks takes 10 to 30 ns. A site whose last FAMILIAR calls, and the computing before
 * them, took less than SHORT_NS each is timed by samples: no time is read until calls have gone by
 * that should have taken UNREAD_NS or a little more, each as on average before; then SAMPLED calls
 * are timed. The next reading shows what all of the others took together, so that nothing long is
 * lost. */
enum {
    SHORT_NS = 4000,
    FAMILIAR = 256,
    AGAIN = 64, /* calls that are timed after one that was not short */
    UNREAD_NS = 100000,
    UNREAD_STEP_NS = 800,
    UNREAD_STEPS = 64,
    SAMPLED = 2,
    SMOOTH = 16 /* calls that an average goes over */
};

static bool followed_by_long[RECORD_PART_SITES];
static record_habit habits[RECORD_PART_SITES];

static void read_cpu(uint64_t ticks) {
    record_mine.cpu = record_clock(CLOCK_THREAD_CPUTIME_ID);
    record_mine.cpu_ticks = ticks;
    record_mine.spent = 0;
}

/* ns of processor time of all other threads so far; `own`: that of this one. */
static uint64_t cpu_of_others(uint64_t own) {
    uint64_t all = record_clock(CLOCK_PROCESS_CPUTIME_ID);
    return all > own ? all - own : 0;
}

void record_thread_begin(uint32_t site) {
    uint64_t now = record_ticks();
    record_now.fresh = (uint64_t)(FRESH_NS / record_now.tick);
    record_now.brief = (uint64_t)(SHORT_NS / record_now.tick);
    read_cpu(now);
    record_mine.begun = site != RECORD_PART_NONE;
    record_mine.main = true;
    record_mine.last = &record_quick_none;
    record_mine.site = site;
    record_mine.left = record_ticks();
    record_part_head *head = &record_store->head;
    head->cpu_begin = head->cpu_now = record_mine.cpu;
    head->others_begin = head->others_now = cpu_of_others(record_mine.cpu);
}

void record_thread_end(void) {
    if (record_mine.main) {
        record_part_head *head = &record_store->head;
        head->cpu_now = record_clock(CLOCK_THREAD_CPUTIME_ID);
        head->others_now = cpu_of_others(head->cpu_now);
    }
}

/* What the library itself took since then is no computing of the program. */
static void take_off(uint64_t since) {
    uint64_t own = record_ticks() - since;
    record_mine.left += own;
    record_mine.spent += (double)own * record_now.tick;
}

static __attribute__((noinline)) const record_path *find_path(const void *place,
                                                              const void *stack) {
    uint64_t begin = record_ticks();
    const record_path *path = record_path_find(place, stack);
    if (path->site != RECORD_PART_NONE && habits[path->site].call == 0) {
        habits[path->site] = (record_habit){.unfamiliar = FAMILIAR, .call = 1};
        record_memory_look();
    }
    take_off(begin);
    return path;
}

/* What a call at a site should take, with the computing before it. */
static uint32_t usual_ticks(uint32_t site) {
    return (uint32_t)(habits[site].call + habits[site].before);
}

/* A length that changes does not keep step with the program's loops. */
static void grant_budget(void) {
    record_mine.turn = (record_mine.turn + 7) % UNREAD_STEPS;
    double ns = UNREAD_NS + (double)record_mine.turn * UNREAD_STEP_NS;
    record_mine.budget = record_mine.granted = (uint32_t)(ns / record_now.tick);
    record_quick_settle_some();
}

/* Whether the time of a call at a site is read. */
static bool is_timed(uint32_t site) {
    if (site == RECORD_PART_NONE || habits[site].unfamiliar > 0 || !record_mine.begun) {
        return true;
    }
    if (record_mine.budget >= usual_ticks(site)) {
        record_mine.budget -= usual_ticks(site);
        return false;
    }
    if (record_mine.sampled == 0) {
        record_mine.sampled = SAMPLED;
    }
    return true;
}

bool record_enter(record_call *call, const void *address, const void *stack, bool profiled) {
    if (!record_now.on || record_mine.inside || record_is_in(&record_now.mpi, address)) {
        return false;
    }
    bool fortran = record_is_in(&record_now.fortran, address);
    if (profiled && !fortran) {
        return false;
    }
    const void *place =
        fortran && record_fortran_address != NULL ? record_fortran_address : address;
    record_call_begin(call);
    call->address = fortran ? NULL : address;
    call->before = record_mine.last;
    record_mine.site = record_site_now();
    record_mine.last = &record_quick_none;
    record_lock();
    const record_path *path = record_path_recent(place, stack);
    call->path = path != NULL ? path : find_path(place, stack);
    call->key.site = call->path->site;
    call->timed = is_timed(call->key.site);
    record_unlock();
    call->begin = call->timed ? record_ticks() : 0;
    record_mine.inside = true;
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
    uint64_t elapsed = call->begin - record_mine.left;
    uint64_t unread = record_mine.granted - record_mine.budget;
    if (unread == 0) {
        return elapsed;
    }
    record_mine.spent += (double)unread * record_now.tick;
    uint64_t rest = elapsed > unread ? elapsed - unread : 0;
    uint64_t usual = habits[call->key.site].before;
    return rest > record_now.brief + usual ? rest : usual;
}

/* Processor time of the computing before a call, in ns; `least` is the shortest so far. */
static double computed_before(const record_call *call, uint64_t ticks, double least) {
    double elapsed = (double)ticks * record_now.tick;
    if (elapsed < LONG_NS) {
        record_mine.spent += elapsed;
        return elapsed;
    }
    double before = (double)record_mine.cpu + record_mine.spent;
    read_cpu(call->begin);
    double used = (double)record_mine.cpu - before;
    /* What a call spent without the processor is too much taken off. */
    used = used > least ? used : least;
    return used < elapsed ? used : elapsed;
}

static void smooth(uint64_t *average, uint64_t value) {
    *average = *average - *average / SMOOTH + value / SMOOTH;
}

/* What a call that was timed speaks of those to come at its site. */
static void learn(const record_call *call, uint64_t before) {
    record_habit *own = &habits[call->key.site];
    uint64_t inside = call->end - call->begin;
    bool is_short = inside < record_now.brief && before < record_now.brief;
    if (!is_short) {
        if (own->unfamiliar == 0) {
            record_quick_forget(call->key.site);
        }
        own->unfamiliar = own->unfamiliar < AGAIN ? AGAIN : own->unfamiliar;
    } else if (own->unfamiliar > 0) {
        own->unfamiliar--;
    }
    if (inside < record_now.brief) {
        smooth(&own->call, inside);
    }
    if (record_mine.granted == record_mine.budget && before < record_now.brief) {
        smooth(&own->before, before);
        own->computed = (double)own->before * record_now.tick;
        own->square = own->computed * own->computed;
    }
}

static void count_compute(const record_call *call) {
    record_part_compute *way = record_store_compute(record_mine.site, call->key.site);
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
    followed_by_long[record_mine.site] = time >= LONG_NS;
}

/* Of a call whose time is not read. */
static inline void count_unread(record_call *call) {
    const record_habit *own = &habits[call->key.site];
    record_part_compute *way = record_store_compute(record_mine.site, call->key.site);
    if (way != NULL) {
        way->times++;
        way->time += own->computed;
        way->squares += own->square;
    }
    call->end = own->call;
    record_store->sites[call->key.site].estimated++;
}

record_part_call *record_count(record_call *call, isocast_record_operation operation) {
    record_part_call *row = NULL;
    call->key.operation = operation;
    call->key.communicator =
        call->comm != MPI_COMM_NULL ? record_communicator(call->comm) : RECORD_PART_NONE;
    if (call->key.site != RECORD_PART_NONE) {
        row = record_store_call(&call->key);
    }
    if (row == NULL) {
        record_store->head.lost++;
        return NULL;
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
    return row;
}

void record_correct(record_call *call, record_quick *quick, isocast_record_operation operation) {
    quick->row->calls--;
    quick->hits--;
    quick->way->times++;
    quick->way->time += quick->computed;
    quick->way->squares += quick->square;
    record_store->sites[quick->site].estimated++;
    call->key.site = quick->site;
    call->begin = 0;
    call->end = quick->inside;
    record_count(call, operation);
}

void record_outside(void) {
    record_mine.inside = false;
    record_unlock();
}

/* The slow way: what a call and the computing before it took is known. */
static __attribute__((noinline)) record_part_call *leave_timed(record_call *call,
                                                               isocast_record_operation operation) {
    uint32_t site = call->key.site;
    bool known = site != RECORD_PART_NONE;
    bool first = !record_mine.begun;
    if (known && !first) {
        count_compute(call);
    }
    record_part_call *row = record_count(call, operation);
    record_store->head.now = call->end;
    record_mine.begun = known;
    record_mine.site = site;
    record_mine.left = call->end;
    record_mine.granted = record_mine.budget;
    if (record_mine.sampled > 0 && --record_mine.sampled == 0) {
        grant_budget();
    }
    if (first || (known && followed_by_long[site]) ||
        call->end - record_mine.cpu_ticks > record_now.fresh) {
        read_cpu(call->end);
        record_mine.left = record_ticks();
        if (record_mine.main) {
            record_store->head.cpu_now = record_mine.cpu;
        }
    } else {
        record_mine.spent += (double)(call->end - call->begin) * record_now.tick;
        if (row != NULL && row->calls == 1) {
            take_off(call->end);
        }
    }
    return row;
}

void record_leave(record_call *call, isocast_record_operation operation) {
    uint32_t from = record_mine.site;
    uint32_t site = call->key.site;
    record_part_call *row;
    if (call->timed) {
        row = leave_timed(call, operation);
    } else {
        count_unread(call);
        row = record_count(call, operation);
        record_mine.site = site;
    }
    if (call->like != NULL && site != RECORD_PART_NONE && habits[site].unfamiliar == 0) {
        const record_quick kept = {.address = call->address,
                                   .path = call->path,
                                   .like = *call->like,
                                   .row = row,
                                   .from = from,
                                   .site = site,
                                   .way = record_store_compute(from, site)};
        record_quick_keep(&kept, call->before, &habits[site]);
    }
    record_outside();
}
