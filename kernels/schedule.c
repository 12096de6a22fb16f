#include "schedule.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "phases.h"
#include "piecework.h"

static const char *const phase_names[] = {"T_work", "T_rest", NULL};
static const char *const count_names[] = {"messages", "bytes", "calls", "call_bytes", NULL};
enum { EXIT_INVALID = 3 };

/* B that are copied at once. */
static const double copy_most = 0x1p26;
/* B of both buffers of a process. */
static const double room_most = 0x1p30;

/* What puts write to, where the MPI has that: the one of isocast-schedule-quick does not. */
#ifdef MPI_WIN_NULL
typedef MPI_Win windows;
static const bool has_windows = true;
static void window_create(void *memory, double bytes, MPI_Comm communicator, windows *w) {
    MPI_Win_create(memory, (MPI_Aint)bytes, 1, MPI_INFO_NULL, communicator, w);
    MPI_Win_fence(0, *w);
}
static void window_fence(windows w) {
    MPI_Win_fence(0, w);
}
static void window_put(const char *from, int bytes, int to, windows w) {
    MPI_Put(from, bytes, MPI_BYTE, to, 0, bytes, MPI_BYTE, w);
}
static void window_free(windows *w) {
    MPI_Win_fence(0, *w);
    MPI_Win_free(w);
}
#else
typedef int windows;
static const bool has_windows = false;
static void window_create(void *memory, double bytes, MPI_Comm communicator, windows *w) {
    (void)memory;
    (void)bytes;
    (void)communicator;
    *w = 0;
}
static void window_fence(windows w) {
    (void)w;
}
static void window_put(const char *from, int bytes, int to, windows w) {
    (void)from;
    (void)bytes;
    (void)to;
    (void)w;
}
static void window_free(windows *w) {
    (void)w;
}
#endif

/* What is started under a handle. */
typedef struct started {
    MPI_Request *items; /* [count] */
    MPI_Status *ends;   /* likewise */
    size_t count, room, end_room;
    size_t any; /* the last receive from anybody; NONE: there is none */
    int **kept; /* [kept_count]: counts of parts that are in use until then */
    size_t kept_count, kept_room;
} started;

typedef struct schedule_state {
    KERNEL_STATE;
    const schedule_plan *plan;
    const isocast_schedule_run *steps;
    const isocast_schedule *schedule;
    MPI_Comm *groups; /* [group_count] */
    bool has_window;
    windows window; /* what puts write to: all that is received */
    /* [handle_count + 1 + tag_count]; one is for what is awaited at once, those behind it are for
     * messages that passes expect ahead. */
    started *handles;
    int *counts;    /* [4][processes], of parts, and where they begin; of those to get, too */
    char *sent;     /* room for all that an action sends */
    char *received; /* likewise */
    schedule_loop loop;
    isocast_actions *walk;
    isocast_schedule_counts done;
    double wrong; /* messages of other lengths than the program says */
    piecework work;
    double working; /* s, of the last run */
} schedule_state;

/* Of one process, or of all that share its memory. */
static const schedule_plan *in_use;

static double buffer_of(const schedule_plan *plan) {
    double room = fmax(plan->rehearsal.room, fmin(plan->rehearsal.all.copied, copy_most));
    return fmax(room, 16) + 1;
}

static double schedule_memory(const kernel_task *task, int rank, int processes) {
    (void)task;
    (void)rank;
    (void)processes;
    return 2 * buffer_of(in_use);
}

/* ---- what is started ---- */

static void fail(schedule_state *s, isocast_diagnostics *diagnostics, const char *message) {
    isocast_buffer text = {0};
    isocast_diagnostics_render(diagnostics, &text);
    fprintf(stderr, "isocast-schedule: process %d: %s\n%s", s->rank, message,
            text.text != NULL ? text.text : "");
    MPI_Abort(s->communicator, EXIT_INVALID);
}

/* Goes on where there was memory. */
static void rely(schedule_state *s, bool there) {
    if (!there) {
        isocast_diagnostics nothing = {0};
        fail(s, &nothing, "no memory is left for what is started");
        exit(EXIT_FAILURE); /* not reached */
    }
}

static size_t handles_of(const schedule_state *s) {
    return s->schedule->handle_count + 1 + (size_t)s->schedule->tag_count;
}

static MPI_Request *add_request(schedule_state *s, size_t handle) {
    started *list = &s->handles[handle];
    rely(s,
         isocast_array_grow((void **)&list->items, list->count, &list->room, sizeof(MPI_Request)) &&
             isocast_array_grow((void **)&list->ends, list->count, &list->end_room,
                                sizeof(MPI_Status)));
    return &list->items[list->count++];
}

static void finish(schedule_state *s, size_t handle) {
    started *list = &s->handles[handle];
    MPI_Waitall((int)list->count, list->items, list->ends);
    if (list->any != ISOCAST_SCHEDULE_NONE) {
        isocast_actions_set_sender(s->walk, list->ends[list->any].MPI_SOURCE);
    }
    list->count = 0;
    list->any = ISOCAST_SCHEDULE_NONE;
    while (list->kept_count > 0) {
        free(list->kept[--list->kept_count]);
    }
}

/* ---- messages ---- */

static int rank_of(int process) {
    return process == ISOCAST_ACTION_NOBODY    ? MPI_PROC_NULL
           : process == ISOCAST_ACTION_ANYBODY ? MPI_ANY_SOURCE
                                               : process;
}

/* A byte may come of rounding at the two ends, and there is room for it. */
static void check_length(schedule_state *s, const MPI_Status *status, int expected) {
    int length = 0;
    MPI_Get_count(status, MPI_BYTE, &length);
    s->wrong += abs(length - expected) > 1;
}

static void expect(schedule_state *s, const isocast_action *a, double bytes, size_t handle) {
    MPI_Irecv(s->received, (int)lround(bytes) + 1, MPI_BYTE, rank_of(a->from), a->tag,
              s->communicator, add_request(s, handle));
}

/* The message of the next turn may come while the process works. */
static void receive_ahead(schedule_state *s, const isocast_action *a) {
    size_t handle = s->schedule->handle_count + 1 + (size_t)a->tag;
    if (s->handles[handle].count == 0) {
        expect(s, a, a->bytes, handle);
    }
    finish(s, handle);
    check_length(s, s->handles[handle].ends, (int)lround(a->bytes));
    if (a->next_bytes >= 0) {
        expect(s, a, a->next_bytes, handle);
    }
}

static void send_and_receive(schedule_state *s, const isocast_action *a) {
    int bytes = (int)lround(a->bytes);
    int to = rank_of(a->to);
    int from = rank_of(a->from);
    if (a->handle != ISOCAST_SCHEDULE_NONE) {
        if (a->from != ISOCAST_ACTION_NOBODY) {
            expect(s, a, a->bytes, a->handle);
            started *list = &s->handles[a->handle];
            list->any = from == MPI_ANY_SOURCE ? list->count - 1 : list->any;
        }
        if (a->to != ISOCAST_ACTION_NOBODY) {
            MPI_Isend(s->sent, bytes, MPI_BYTE, to, a->tag, s->communicator,
                      add_request(s, a->handle));
        }
        return;
    }
    MPI_Status status;
    if (a->kind == ISOCAST_ACTION_SEND) {
        MPI_Send(s->sent, bytes, MPI_BYTE, to, a->tag, s->communicator);
    } else if (a->kind == ISOCAST_ACTION_RECEIVE && a->step->is_ahead) {
        receive_ahead(s, a);
    } else if (a->kind == ISOCAST_ACTION_RECEIVE) {
        MPI_Recv(s->received, bytes + 1, MPI_BYTE, from, a->tag, s->communicator, &status);
        check_length(s, &status, bytes);
        isocast_actions_set_sender(s->walk, status.MPI_SOURCE);
    } else {
        MPI_Sendrecv(s->sent, bytes, MPI_BYTE, to, a->tag, s->received, bytes + 1, MPI_BYTE, from,
                     a->tag, s->communicator, &status);
        if (a->from != ISOCAST_ACTION_NOBODY) {
            check_length(s, &status, bytes);
        }
    }
}

/* ---- collective operations ---- */

/* The numbers that are added up: as large ones as fill the bytes. */
typedef struct numbers {
    int count;
    MPI_Datatype type;
    MPI_Op op;
} numbers;

static numbers numbers_of(int bytes) {
    if (bytes % (int)sizeof(double) == 0) {
        return (numbers){bytes / (int)sizeof(double), MPI_DOUBLE, MPI_SUM};
    }
    if (bytes % (int)sizeof(float) == 0) {
        return (numbers){bytes / (int)sizeof(float), MPI_FLOAT, MPI_SUM};
    }
    return (numbers){bytes, MPI_BYTE, MPI_BOR};
}

/* The counts of the parts that each process of the group has, and where they begin, one after the
 * other; kept until what is started has ended. */
static int *counts_of(schedule_state *s, const isocast_action *a, int size) {
    int *counts = s->counts;
    if (a->handle != ISOCAST_SCHEDULE_NONE && size > 0) {
        started *list = &s->handles[a->handle];
        rely(s, isocast_array_grow((void **)&list->kept, list->kept_count, &list->kept_room,
                                   sizeof *list->kept));
        counts = calloc(4 * (size_t)s->processes, sizeof *counts);
        rely(s, counts != NULL);
        list->kept[list->kept_count++] = counts;
    }
    bool pairs = isocast_step_has_pairs(a->step->kind);
    for (int way = 0; way < (pairs ? 2 : 1); way++) {
        int *its = counts + 2 * (ptrdiff_t)way * s->processes;
        int at = 0;
        for (int i = 0; i < size; i++) {
            its[i] = (int)lround(pairs ? isocast_actions_bytes_between(s->walk, a, i, way == 0)
                                       : isocast_actions_bytes_of(s->walk, a, i));
            its[s->processes + i] = at;
            at += s->compute->modelled ? 0 : its[i];
        }
    }
    return counts;
}

/* All with all by plain messages, each process beginning with the next one. */
static void exchange(schedule_state *s, const isocast_action *a, MPI_Comm group, int place,
                     int size, size_t handle) {
    int bytes = (int)lround(a->bytes);
    int tag = s->schedule->tag_count; /* of no other message */
    for (int k = 1; k < size; k++) {
        int from = (place - k + size) % size;
        int its = (int)lround(isocast_actions_bytes_of(s->walk, a, from));
        MPI_Irecv(s->received, its, MPI_BYTE, from, tag, group, add_request(s, handle));
    }
    for (int k = 1; k < size; k++) {
        MPI_Isend(s->sent, bytes, MPI_BYTE, (place + k) % size, tag, group, add_request(s, handle));
    }
    if (a->handle == ISOCAST_SCHEDULE_NONE) {
        finish(s, handle);
    }
}

/* A communicator that nobody needs; what makes it waits for all. */
static void make_communicator(schedule_state *s, MPI_Comm group, bool splits) {
    MPI_Comm made;
    if (splits) {
        MPI_Comm_split(group, 0, s->rank, &made);
    } else {
        MPI_Comm_dup(group, &made);
    }
    MPI_Comm_free(&made);
}

/* The operation of MPI, or its twin that does not wait. */
#define CALL(waiting, started, ...)                                                                \
    do {                                                                                           \
        if (a->handle == ISOCAST_SCHEDULE_NONE) {                                                  \
            MPI_##waiting(__VA_ARGS__);                                                            \
        } else {                                                                                   \
            MPI_##started(__VA_ARGS__, add_request(s, a->handle));                                 \
        }                                                                                          \
    } while (0)

static void call(schedule_state *s, const isocast_action *a) {
    isocast_group_place in = isocast_schedule_run_place(s->steps, a->group, s->rank);
    MPI_Comm group = s->groups[a->group];
    int bytes = (int)lround(a->bytes);
    numbers n = numbers_of(bytes);
    bool is_root = in.place == a->root;
    bool has_parts =
        a->collective == ISOCAST_COLLECTIVE_scatterv || a->collective == ISOCAST_COLLECTIVE_gatherv;
    bool knows_all = a->collective == ISOCAST_COLLECTIVE_allgatherv ||
                     a->collective == ISOCAST_COLLECTIVE_alltoallv || (has_parts && is_root);
    int *counts = counts_of(s, a, knows_all ? in.size : 0);
    switch (a->collective) {
    case ISOCAST_COLLECTIVE_barrier:
        if (a->handle == ISOCAST_SCHEDULE_NONE) {
            MPI_Barrier(group);
        } else {
            MPI_Ibarrier(group, add_request(s, a->handle));
        }
        break;
    case ISOCAST_COLLECTIVE_bcast:
        CALL(Bcast, Ibcast, is_root ? s->sent : s->received, bytes, MPI_BYTE, a->root, group);
        break;
    case ISOCAST_COLLECTIVE_reduce:
        CALL(Reduce, Ireduce, s->sent, s->received, n.count, n.type, n.op, a->root, group);
        break;
    case ISOCAST_COLLECTIVE_allreduce:
        CALL(Allreduce, Iallreduce, s->sent, s->received, n.count, n.type, n.op, group);
        break;
    case ISOCAST_COLLECTIVE_scan:
        CALL(Scan, Iscan, s->sent, s->received, n.count, n.type, n.op, group);
        break;
    case ISOCAST_COLLECTIVE_exscan:
        CALL(Exscan, Iexscan, s->sent, s->received, n.count, n.type, n.op, group);
        break;
    case ISOCAST_COLLECTIVE_reduce_scatter_block:
        CALL(Reduce_scatter_block, Ireduce_scatter_block, s->sent, s->received, n.count, n.type,
             n.op, group);
        break;
    case ISOCAST_COLLECTIVE_scatter:
        CALL(Scatter, Iscatter, s->sent, bytes, MPI_BYTE, s->received, bytes, MPI_BYTE, a->root,
             group);
        break;
    case ISOCAST_COLLECTIVE_gather:
        CALL(Gather, Igather, s->sent, bytes, MPI_BYTE, s->received, bytes, MPI_BYTE, a->root,
             group);
        break;
    case ISOCAST_COLLECTIVE_allgather:
        CALL(Allgather, Iallgather, s->sent, bytes, MPI_BYTE, s->received, bytes, MPI_BYTE, group);
        break;
    case ISOCAST_COLLECTIVE_alltoall:
        CALL(Alltoall, Ialltoall, s->sent, bytes, MPI_BYTE, s->received, bytes, MPI_BYTE, group);
        break;
    case ISOCAST_COLLECTIVE_alltoallv: {
        int *got = counts + 2 * (ptrdiff_t)s->processes;
        CALL(Alltoallv, Ialltoallv, s->sent, counts, counts + s->processes, MPI_BYTE, s->received,
             got, got + s->processes, MPI_BYTE, group);
        break;
    }
    case ISOCAST_COLLECTIVE_win_fence:
        window_fence(s->window);
        break;
    case ISOCAST_COLLECTIVE_scatterv:
        CALL(Scatterv, Iscatterv, s->sent, counts, counts + s->processes, MPI_BYTE, s->received,
             bytes, MPI_BYTE, a->root, group);
        break;
    case ISOCAST_COLLECTIVE_gatherv:
        CALL(Gatherv, Igatherv, s->sent, bytes, MPI_BYTE, s->received, counts,
             counts + s->processes, MPI_BYTE, a->root, group);
        break;
    case ISOCAST_COLLECTIVE_allgatherv:
        CALL(Allgatherv, Iallgatherv, s->sent, bytes, MPI_BYTE, s->received, counts,
             counts + s->processes, MPI_BYTE, group);
        break;
    case ISOCAST_COLLECTIVE_comm_dup:
    case ISOCAST_COLLECTIVE_comm_split:
        make_communicator(s, group, a->collective == ISOCAST_COLLECTIVE_comm_split);
        break;
    case ISOCAST_COLLECTIVE_exchange:
        exchange(s, a, group, in.place, in.size,
                 a->handle != ISOCAST_SCHEDULE_NONE ? a->handle : s->schedule->handle_count);
        break;
    case ISOCAST_COLLECTIVE_COUNT:
        break;
    }
}

/* ---- a run ---- */

static void work(schedule_state *s, double flop) {
    piecework_begin(&s->work);
    if (compute_charge(s->compute, flop)) {
        schedule_loop_run(&s->loop, flop);
    }
    piecework_end(&s->work);
}

static void copy(schedule_state *s, double bytes) {
    double most = buffer_of(s->plan);
    for (double left = bytes; left > 0 && !s->compute->modelled; left -= most) {
        memcpy(s->received, s->sent, (size_t)fmin(left, most));
    }
}

static void execute(void *state) {
    schedule_state *s = state;
    isocast_diagnostics diagnostics = {0};
    isocast_action a = {.kind = ISOCAST_ACTION_WORK};
    s->work = piecework_start(s->compute);
    while (isocast_actions_next(s->walk, &diagnostics, &a) == ISOCAST_OK &&
           a.kind != ISOCAST_ACTION_END) {
        isocast_schedule_count(&a, &s->done);
        switch (a.kind) {
        case ISOCAST_ACTION_WORK:
            work(s, a.flop);
            break;
        case ISOCAST_ACTION_COPY:
            copy(s, a.bytes);
            break;
        case ISOCAST_ACTION_COLLECTIVE:
            call(s, &a);
            break;
        case ISOCAST_ACTION_FINISH:
            finish(s, a.handle);
            break;
        case ISOCAST_ACTION_PUT:
            window_put(s->sent, (int)lround(a.bytes), a.to, s->window);
            break;
        default:
            send_and_receive(s, &a);
            break;
        }
    }
    if (a.kind != ISOCAST_ACTION_END) {
        fail(s, &diagnostics, "the program went on otherwise than it was rehearsed");
    }
    for (size_t h = 0; h < s->schedule->handle_count; h++) {
        finish(s, h);
    }
    s->working = piecework_seconds(&s->work);
}

static void schedule_run(void *state, kernel_result *result) {
    schedule_state *s = state;
    static const kernel_phase phases[] = {execute};
    isocast_diagnostics nothing = {0};
    s->done = (isocast_schedule_counts){0};
    s->wrong = 0;
    if (isocast_actions_create(s->steps, s->rank, &s->walk) != ISOCAST_OK) {
        fail(s, &nothing, "no memory is left for the steps");
    }
    phases_run(s->communicator, s->compute, phases, 1, state, result);
    phases_part(s->communicator, 0, 1, s->working, result);
    isocast_actions_free(s->walk);
    s->walk = NULL;
    double mine[] = {s->done.messages, s->done.bytes, s->done.calls, s->done.call_bytes};
    MPI_Reduce(mine, result->counts, sizeof mine / sizeof mine[0], MPI_DOUBLE, MPI_SUM, 0,
               s->communicator);
}

/* What is not as the formulas have it. */
static void schedule_verify(void *state, kernel_result *result) {
    schedule_state *s = state;
    const isocast_schedule_counts *all = &s->plan->rehearsal.all;
    const double expected[] = {all->messages, all->bytes, all->calls, all->call_bytes};
    MPI_Reduce(&s->wrong, &result->error, 1, MPI_DOUBLE, MPI_SUM, 0, s->communicator);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        result->error += result->counts[i] != expected[i];
    }
    result->error += fabs(result->flops - all->flop) > 1e-9 * all->flop;
}

/* ---- begin and end ---- */

static void schedule_tear_down(void *state) {
    schedule_state *s = state;
    if (s->has_window) {
        window_free(&s->window);
    }
    for (size_t g = 1; s->groups != NULL && g < s->schedule->group_count; g++) {
        if (s->groups[g] != MPI_COMM_NULL) {
            MPI_Comm_free(&s->groups[g]);
        }
    }
    for (size_t h = 0; s->handles != NULL && h < handles_of(s); h++) {
        free(s->handles[h].items);
        free(s->handles[h].ends);
        free(s->handles[h].kept);
    }
    free(s->groups);
    free(s->handles);
    free(s->counts);
    compute_free(s->compute, s->sent);
    if (s->received != s->sent) {
        compute_free(s->compute, s->received);
    }
    free(s);
}

static bool has_puts(const isocast_steps *steps) {
    bool has = false;
    for (size_t i = 0; i < steps->count && !has; i++) {
        const isocast_step *step = &steps->items[i];
        bool fences = step->kind->role == ISOCAST_STEP_COLLECTIVE &&
                      step->kind->collective == ISOCAST_COLLECTIVE_win_fence;
        has = fences || step->kind->role == ISOCAST_STEP_PUT || has_puts(&step->body) ||
              has_puts(&step->other);
    }
    return has;
}

static bool allocate(schedule_state *s) {
    size_t handles = handles_of(s);
    size_t bytes = (size_t)buffer_of(s->plan);
    s->groups = malloc(s->schedule->group_count * sizeof(MPI_Comm));
    s->handles = calloc(handles, sizeof *s->handles);
    s->counts = calloc(4 * (size_t)s->processes, sizeof *s->counts);
    s->sent = compute_allocate(s->compute, bytes, 1);
    s->received = compute_allocate(s->compute, bytes, 1);
    for (size_t g = 0; s->groups != NULL && g < s->schedule->group_count; g++) {
        s->groups[g] = g == 0 ? s->communicator : MPI_COMM_NULL;
    }
    for (size_t h = 0; s->handles != NULL && h < handles; h++) {
        s->handles[h].any = ISOCAST_SCHEDULE_NONE;
    }
    return s->groups != NULL && s->handles != NULL && s->counts != NULL && s->sent != NULL &&
           s->received != NULL;
}

static void *schedule_set_up(const kernel_task *task) {
    schedule_state *s = phases_begin(task, sizeof *s);
    bool complete = false;
    if (s != NULL) {
        s->plan = in_use;
        s->steps = isocast_algorithm_run_steps(s->plan->run);
        s->schedule = s->plan->algorithm->program;
        complete = allocate(s);
    }
    s = phases_keep(task->communicator, s, complete, schedule_tear_down);
    for (size_t g = 1; s != NULL && g < s->schedule->group_count; g++) {
        isocast_group_place in = isocast_schedule_run_place(s->steps, g, s->rank);
        MPI_Comm_split(s->communicator, in.colour, in.place, &s->groups[g]);
    }
    if (s != NULL && has_puts(&s->schedule->steps)) {
        window_create(s->received, buffer_of(s->plan), s->communicator, &s->window);
        s->has_window = true;
    }
    if (s != NULL && !s->compute->modelled) {
        schedule_loop_calibrate(s->plan->time_per_flop, &s->loop);
    }
    return s;
}

const char *schedule_obstacle(const schedule_plan *plan, bool modelled) {
    bool puts = has_puts(&plan->algorithm->program->steps);
    return puts && !has_windows ? "it puts into the memory of others, which this MPI cannot"
           : !plan->rehearsal.is_complete          ? "there are more than 3e7 steps"
           : plan->rehearsal.largest > INT_MAX - 1 ? "a message is above 2 GiB"
           : !modelled && 2 * buffer_of(plan) > room_most
               ? "a process needs more than 1 GiB of room for its messages"
               : NULL;
}

static kernel executed = {
    .id = KERNEL_COUNT,
    .summary = "the program of an algorithm file",
    .phase_names = phase_names,
    .count_names = count_names,
    .error_name = "mismatches",
    .verifies_modelled = true,
    .memory = schedule_memory,
    .set_up = schedule_set_up,
    .run = schedule_run,
    .verify = schedule_verify,
    .tear_down = schedule_tear_down,
};

/* The name as it can stand in a row whatever the file says: its users know how it is written. */
static const char *plain_name(const schedule_plan *plan) {
    static char plain[64];
    const char *name = plan->algorithm->name;
    size_t length = 0;
    for (; name[length] != '\0' && length + 1 < sizeof plain; length++) {
        bool stays = isalnum((unsigned char)name[length]) || strchr("-_.", name[length]) != NULL;
        plain[length] = stays ? name[length] : '_';
    }
    plain[length] = '\0';
    return plain;
}

const kernel *schedule_use(const schedule_plan *plan) {
    in_use = plan;
    executed.algorithm = plain_name(plan);
    return &executed;
}
