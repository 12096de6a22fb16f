#include "process.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>

#ifndef QUICK_STACK
#define QUICK_STACK (96 * 1024)
#endif
enum { STACK = QUICK_STACK, NOBODY = -1 };

/* A message whose ends are both there: its first byte comes, or its last one; or a message is there
 * for a receive from anybody. */
typedef struct event {
    double time;
    size_t number;       /* of those at one time the first comes first */
    quick_request *sent; /* NULL: receives from anybody are looked at, of */
    int to, tag, communicator;
    bool ends;
} event;

typedef struct queue {
    quick_request *first, *last;
} queue;

static struct {
    quick_network *network;
    quick_program *program;
    int argc;
    char **argv;
    jmp_buf scheduled, *places; /* places: [processes] */
    bool *begun;                /* [processes] */
    char *stacks;
    double *clocks; /* [processes], s */
    int *ready;     /* [processes], a ring of those that go on */
    int first_ready, ready_count;
    int current, left, status;
    queue *waiting; /* [mask + 1], requests by the hash of who sends what to whom */
    size_t mask;
    quick_request *spare;
    event *heap; /* [events] */
    size_t events, room, numbered;
} all;

int quick_self(void) {
    return all.current;
}

double *quick_clock(void) {
    return &all.clocks[all.current];
}

quick_network *quick_links(void) {
    return all.network;
}

void quick_end(int status) {
    fflush(stdout);
    exit(status);
}

void *quick_checked(void *memory) {
    if (memory == NULL) {
        fprintf(stderr, "%s: no memory is left\n", program_invocation_short_name);
        quick_end(5);
    }
    return memory;
}

/* Contexts begin processes alone: to change between them costs two calls of the system each time,
 * as they keep masks of signals. */
void quick_sleep(void) {
    if (_setjmp(all.places[all.current]) == 0) {
        _longjmp(all.scheduled, 1);
    }
}

void quick_wake(int process) {
    int processes = all.network->processes;
    all.ready[(all.first_ready + all.ready_count++) % processes] = process;
}

static void run_process(void) {
    int own = all.current;
    optind = 0; /* all read the same options */
    int status = all.program(all.argc, all.argv);
    all.status = own == 0 ? status : all.status;
    all.left--;
    _longjmp(all.scheduled, 1);
}

static void begin_process(int process) {
    ucontext_t context;
    getcontext(&context);
    context.uc_stack.ss_sp = all.stacks + (size_t)process * STACK;
    context.uc_stack.ss_size = STACK;
    context.uc_link = NULL;
    makecontext(&context, run_process, 0);
    all.begun[process] = true;
    setcontext(&context);
}

static void go_on(int process) {
    all.current = process;
    if (_setjmp(all.scheduled) == 0) {
        if (all.begun[process]) {
            _longjmp(all.places[process], 1);
        }
        begin_process(process);
    }
}

static bool is_before(const event *a, const event *b) {
    return a->time < b->time || (a->time == b->time && a->number < b->number);
}

static void add_event(event new) {
    if (all.events == all.room) {
        all.room = 2 * all.room + 1024;
        all.heap = quick_checked(realloc(all.heap, all.room * sizeof *all.heap));
    }
    new.number = all.numbered++;
    size_t at = all.events++;
    for (; at > 0 && is_before(&new, &all.heap[(at - 1) / 2]); at = (at - 1) / 2) {
        all.heap[at] = all.heap[(at - 1) / 2];
    }
    all.heap[at] = new;
}

static event take_event(void) {
    event first = all.heap[0];
    event last = all.heap[--all.events];
    size_t at = 0;
    for (size_t next = 1; next < all.events; next = 2 * at + 1) {
        next += next + 1 < all.events && is_before(&all.heap[next + 1], &all.heap[next]);
        if (!is_before(&all.heap[next], &last)) {
            break;
        }
        all.heap[at] = all.heap[next];
        at = next;
    }
    all.heap[at] = last;
    return first;
}

static queue *queue_of(const quick_request *r) {
    uint64_t key = (uint64_t)(unsigned)r->from * 0x9E3779B97F4A7C15U;
    key = (key ^ (unsigned)r->to) * 0xC2B2AE3D27D4EB4FU;
    key = (key ^ (unsigned)r->tag ^ ((uint64_t)(unsigned)r->communicator << 32)) *
          0x165667B19E3779F9U;
    return &all.waiting[(key >> 24) & all.mask];
}

static bool are_ends(const quick_request *a, const quick_request *b) {
    return a->sends != b->sends && a->from == b->from && a->to == b->to && a->tag == b->tag &&
           a->communicator == b->communicator;
}

/* Takes the first request out that is the other end of this one; NULL: it is not there. */
static quick_request *find_other(const quick_request *own) {
    queue *q = queue_of(own);
    quick_request *before = NULL;
    for (quick_request *r = q->first; r != NULL; before = r, r = r->next) {
        if (are_ends(r, own)) {
            *(before != NULL ? &before->next : &q->first) = r->next;
            q->last = r == q->last ? before : q->last;
            return r;
        }
    }
    return NULL;
}

/* Looks at the other end of a request; NULL: it is not there. */
static quick_request *look_for(const quick_request *own) {
    for (quick_request *r = queue_of(own)->first; r != NULL; r = r->next) {
        if (are_ends(r, own)) {
            return r;
        }
    }
    return NULL;
}

/* The message that begins first of those that a receive from anybody may get; NULL: none does. */
static quick_request *look_for_any(const quick_request *own) {
    quick_request asked = *own;
    quick_request *found = NULL;
    for (asked.from = 0; asked.from < all.network->processes; asked.from++) {
        quick_request *sent = look_for(&asked);
        found = sent != NULL && (found == NULL || sent->time < found->time) ? sent : found;
    }
    return found;
}

/* Others may still send what begins earlier: who comes first is known at that time. */
static void await_any(const quick_request *own, const quick_request *sent) {
    add_event((event){.time = fmax(own->time, sent->time),
                      .to = own->to,
                      .tag = own->tag,
                      .communicator = own->communicator});
}

static void match(quick_request *sent, quick_request *expected) {
    expected->eager = sent->eager;
    expected->bytes = sent->bytes;
    sent->other = expected;
    double start = fmax(sent->time, expected->time);
    add_event((event){
        .time = quick_network_reach(all.network, sent->from, expected->to, sent->bytes, start),
        .sent = sent});
}

static quick_request *begin(quick_request start) {
    quick_request *r = all.spare;
    if (r != NULL) {
        all.spare = r->next;
    } else {
        r = quick_checked(malloc(sizeof *r));
    }
    *r = start;
    r->waiting = NOBODY;
    bool from_any = r->from == MPI_ANY_SOURCE;
    quick_request *other = from_any ? look_for_any(r) : find_other(r);
    if (from_any && other != NULL) {
        await_any(r, other);
    } else if (other != NULL) {
        match(r->sends ? r : other, r->sends ? other : r);
        return r;
    } else if (r->sends) {
        quick_request asked = *r;
        asked.from = MPI_ANY_SOURCE;
        other = look_for(&asked);
        if (other != NULL) {
            await_any(other, r);
        }
    }
    queue *q = queue_of(r);
    r->next = NULL;
    if (q->first == NULL) {
        q->first = r;
    } else {
        q->last->next = r;
    }
    q->last = r;
    return r;
}

static void forget(quick_request *r) {
    r->next = all.spare;
    all.spare = r;
}

quick_request *quick_send(int communicator, int to, int tag, double bytes, int rank, bool both) {
    const quick_network *n = all.network;
    bool eager = bytes < n->eager_limit;
    if (eager || both) {
        /* The simulator counts the copy of one that is just as long as the limit. */
        double copied = bytes <= n->eager_limit ? bytes : 0;
        *quick_clock() += (both ? n->send : n->send_alone) + copied * n->send_byte;
    }
    return begin((quick_request){.communicator = communicator,
                                 .from = all.current,
                                 .to = to,
                                 .tag = tag,
                                 .bytes = bytes,
                                 .time = *quick_clock(),
                                 .sends = true,
                                 .rank = rank,
                                 .eager = eager,
                                 .kept = true});
}

quick_request *quick_receive(int communicator, int to, int from, int tag) {
    return begin((quick_request){.communicator = communicator,
                                 .from = from,
                                 .to = to,
                                 .tag = tag,
                                 .time = *quick_clock(),
                                 .kept = true});
}

void quick_wait(quick_request *r, int *rank, double *bytes) {
    if (r->sends && r->eager) {
        r->kept = false;
        if (r->done) {
            forget(r);
        }
        return;
    }
    while (!r->done) {
        r->waiting = all.current;
        quick_sleep();
    }
    if (rank != NULL) {
        *rank = r->rank;
        *bytes = r->bytes;
    }
    double *clock = quick_clock();
    *clock = fmax(*clock, r->time);
    if (!r->sends && r->eager) {
        *clock += isocast_factors_over(&all.network->receive, r->bytes, 0) +
                  r->bytes * isocast_factors_over(&all.network->receive_byte, r->bytes, 0);
    }
    forget(r);
}

static void end_request(quick_request *r, double time) {
    r->time = time;
    r->done = true;
    if (!r->kept) {
        forget(r);
    } else if (r->waiting != NOBODY) {
        go_on(r->waiting);
    }
}

static void end_message(quick_request *sent, double time) {
    quick_request *expected = sent->other;
    expected->rank = sent->rank;
    end_request(sent, time);
    end_request(expected, time);
}

/* The first receive from anybody gets the message that begins first, where all are there that begin
 * up to now. */
static void meet_any(const event *e) {
    const quick_request asked = {
        .to = e->to, .tag = e->tag, .communicator = e->communicator, .from = MPI_ANY_SOURCE};
    quick_request sending = asked;
    sending.sends = true;
    const quick_request *own = look_for(&sending);
    const quick_request *sent = own != NULL ? look_for_any(&asked) : NULL;
    if (sent == NULL) {
        return;
    }
    if (fmax(own->time, sent->time) > e->time) {
        await_any(own, sent);
        return;
    }
    quick_request receiving = asked;
    receiving.from = sent->from;
    quick_request *expected = find_other(&sending);
    match(find_other(&receiving), expected);
}

static void handle(const event *e) {
    const quick_request *sent = e->sent;
    if (sent == NULL) {
        meet_any(e);
        return;
    }
    if (e->ends) {
        end_message(e->sent, e->time);
        return;
    }
    if (!quick_network_pass(all.network, sent->from, sent->to, sent->bytes, e->time, e->sent,
                            &e->sent->arrival)) {
        add_event((event){.time = e->sent->arrival, .sent = e->sent, .ends = true});
    }
}

/* Whether as much memory is used as there may be: looked at from time to time. */
static bool is_too_large(void) {
    enum { STEPS = 1 << 16 };
    static size_t steps;
    struct rusage usage;
    return ++steps % STEPS == 0 && all.network->memory_most > 0 &&
           getrusage(RUSAGE_SELF, &usage) == 0 &&
           1024 * (double)usage.ru_maxrss > all.network->memory_most;
}

/* The next that happens, later than now where nothing is left of that. False: nothing does. */
static bool step(double *now) {
    if (is_too_large()) {
        quick_checked(NULL);
    }
    static const double rounding = 1e-13; /* s */
    bool at_once = all.events > 0 && all.heap[0].time <= *now + rounding;
    if (!at_once) {
        quick_request *sent = quick_flows_take(&all.network->flows, *now);
        if (sent != NULL && sent->arrival > *now) {
            add_event((event){.time = sent->arrival, .sent = sent, .ends = true});
            return true;
        }
        if (sent != NULL) {
            end_message(sent, *now);
            return true;
        }
        double flows = quick_flows_end(&all.network->flows, *now);
        if (all.events == 0 || flows < all.heap[0].time) {
            *now = fmax(flows, *now);
            return isfinite(flows);
        }
        *now = all.heap[0].time;
    }
    event first = take_event();
    handle(&first);
    return true;
}

int quick_run(quick_network *network, quick_program *program, int argc, char **argv) {
    size_t processes = (size_t)network->processes;
    all.network = network;
    all.program = program;
    all.argc = argc;
    all.argv = argv;
    all.left = network->processes;
    all.places = quick_checked(calloc(processes, sizeof *all.places));
    all.begun = quick_checked(calloc(processes, sizeof *all.begun));
    all.clocks = quick_checked(calloc(processes, sizeof *all.clocks));
    all.ready = quick_checked(calloc(processes, sizeof *all.ready));
    all.mask = 1023;
    while (all.mask < 4 * processes) {
        all.mask = 2 * all.mask + 1;
    }
    all.waiting = quick_checked(calloc(all.mask + 1, sizeof *all.waiting));
    all.stacks = mmap(NULL, processes * STACK, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    quick_checked(all.stacks != MAP_FAILED ? all.stacks : NULL);
    for (int i = 0; i < network->processes; i++) {
        quick_wake(i);
    }
    double now = 0;
    while (all.left > 0) {
        if (all.ready_count > 0) {
            int next = all.ready[all.first_ready];
            all.first_ready = (all.first_ready + 1) % network->processes;
            all.ready_count--;
            go_on(next);
        } else if (!step(&now)) {
            fprintf(stderr, "%s: all processes wait for messages that nobody sends\n",
                    program_invocation_short_name);
            return 5;
        }
    }
    return all.status;
}
