#include "rehearsal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "run_state.h"

/* Messages that one process has sent and nobody has received yet, at most: then it waits. */
enum { UNRECEIVED_MOST = 100000 };

static const size_t none = ISOCAST_SCHEDULE_NONE;

/* A message that waits for its receive, a receive that waits for its message, or a process in a
 * collective operation. */
typedef struct entry {
    const isocast_step *step;
    double bytes;
    int process;   /* who sends, receives or takes part */
    int other;     /* from whom it is received, or ANYBODY */
    int tag;       /* of the message */
    size_t handle; /* under which it is open; NONE: a message that its sender does not wait for */
    size_t next;
} entry;

typedef struct queue {
    size_t first, last;
} queue;

/* An operation of a group that not all of it have come to. */
typedef struct meeting {
    isocast_action action; /* of who came first */
    int first;             /* who that is */
    size_t here;
    queue processes;
    size_t next; /* the group's next one; NONE: there is none yet */
} meeting;

/* A process. The handle behind the schedule's own is of what it waits for at once. */
typedef struct player {
    isocast_actions *walk;
    isocast_action action; /* that it is in */
    size_t waits;          /* handle; NONE: it goes on */
    bool any;              /* the receive that it waits for is from anybody */
    bool ended;
    size_t unreceived;
    double flop; /* so far */
} player;

typedef struct stage {
    const isocast_schedule_run *run;
    const isocast_schedule *schedule;
    const char *setting;
    const isocast_rehearsal_watch *watch; /* NULL: nobody */
    isocast_diagnostics *diagnostics;
    double most; /* actions */
    bool is_over;
    int count;
    player *players; /* [count] */
    size_t *open;    /* [count][handle_count + 1]: what is started and not done */
    size_t *place;   /* [count][group_count]: the meeting that the process comes to next; NONE */
    size_t *base;    /* [group_count]: of its colours in `last` */
    size_t *last;    /* by colour: the meeting that was made last; NONE */
    queue *arrived;  /* [count]: messages for a process */
    queue *expected; /* [count]: its receives */
    int *ready;      /* [count]: who can go on */
    int ready_count;
    entry *entries;
    size_t entry_count, entry_room, entry_free;
    meeting *meetings;
    size_t meeting_count, meeting_room, meeting_free;
    isocast_rehearsal sum;
    isocast_status status;
} stage;

/* ---- lists ---- */

static size_t take_entry(stage *s, entry given) {
    size_t at = s->entry_free;
    if (at != none) {
        s->entry_free = s->entries[at].next;
    } else if (isocast_array_grow((void **)&s->entries, s->entry_count, &s->entry_room,
                                  sizeof *s->entries)) {
        at = s->entry_count++;
    } else {
        s->status = ISOCAST_NO_MEMORY;
        return none;
    }
    given.next = none;
    s->entries[at] = given;
    return at;
}

static void put(stage *s, queue *q, entry given) {
    size_t at = take_entry(s, given);
    if (at != none && s->entries != NULL) {
        *(q->first == none ? &q->first : &s->entries[q->last].next) = at;
        q->last = at;
    }
}

/* Takes the first entry of a queue off with the tag that is from a process, or for it; NONE where
 * there is none. ANYBODY on either side is all. */
static size_t take(stage *s, queue *q, int from, int tag, bool by_other) {
    size_t before = none;
    for (size_t at = q->first; at != none && s->entries != NULL;
         before = at, at = s->entries[at].next) {
        int its = by_other ? s->entries[at].other : s->entries[at].process;
        bool meant = its == from || its == ISOCAST_ACTION_ANYBODY || from == ISOCAST_ACTION_ANYBODY;
        if (meant && s->entries[at].tag == tag) {
            *(before == none ? &q->first : &s->entries[before].next) = s->entries[at].next;
            q->last = q->last == at ? before : q->last;
            return at;
        }
    }
    return none;
}

static void give_back(stage *s, size_t at) {
    s->entries[at].next = s->entry_free;
    s->entry_free = at;
}

static size_t *open_of(const stage *s, int process, size_t handle) {
    return &s->open[(size_t)process * (s->schedule->handle_count + 1) + handle];
}

static void wake(stage *s, int process) {
    s->players[process].waits = none;
    s->ready[s->ready_count++] = process;
}

/* Something that a process has open under a handle is done. */
static void close_one(stage *s, int process, size_t handle) {
    size_t *open = open_of(s, process, handle);
    (*open)--;
    if (*open == 0 && s->players[process].waits == handle) {
        wake(s, process);
    }
}

/* ---- what is wrong ---- */

static void refuse(stage *s, const isocast_step *step, const char *hint, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void refuse(stage *s, const isocast_step *step, const char *hint, const char *format, ...) {
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0) {
        s->status = ISOCAST_NO_MEMORY;
        return;
    }
    isocast_diagnostics_add(s->diagnostics, ISOCAST_ERROR, s->schedule->source, step->span, hint,
                            "%s, with %s", text, s->setting);
    s->status = ISOCAST_INVALID;
    free(text);
}

/* Whether both ends of a message say the same of it; a byte may come of rounding. */
static void compare(stage *s, const entry *sent, const entry *received) {
    if (fabs(sent->bytes - received->bytes) > 1) {
        refuse(s, received->step, "give both the same bytes",
               "process %d receives %.10g B here, and process %d sends %.10g B", received->process,
               received->bytes, sent->process, sent->bytes);
    }
}

/* The first of its group that has not come to the operation that a process is in; -1: all have. */
static int missing_from(const stage *s, int process, size_t group) {
    isocast_group_place place = isocast_schedule_run_place(s->run, group, process);
    const size_t *next = &s->place[group];
    size_t last = s->last[s->base[group] + (size_t)place.colour];
    for (int i = 0; i < place.size && last != none; i++) {
        int member = isocast_schedule_run_member(s->run, group, process, i);
        if (next[(size_t)member * s->schedule->group_count] != none) {
            return member;
        }
    }
    return -1;
}

/* Speaks of a process that waits where nothing moves any more. */
static void refuse_waiting(stage *s, int process) {
    const isocast_action *a = &s->players[process].action;
    int missing = a->kind == ISOCAST_ACTION_COLLECTIVE ? missing_from(s, process, a->group) : -1;
    if (missing >= 0) {
        refuse(s, a->step, "let all processes of the group come here",
               "process %d waits here forever: process %d of its group never comes", process,
               missing);
        return;
    }
    for (int i = 0; i < s->count; i++) {
        queue *q = &s->arrived[i];
        for (size_t at = q->first; at != none; at = s->entries[at].next) {
            const entry *sent = &s->entries[at];
            if (sent->process == process && sent->handle == s->players[process].waits) {
                refuse(s, sent->step,
                       "messages above 64 KiB wait until they are received, if they are not in "
                       "start: or a sendrecv",
                       "process %d waits here forever: process %d does not receive its message",
                       process, i);
                return;
            }
        }
    }
    size_t at = s->expected[process].first;
    if (at != none && s->entries[at].other >= 0) {
        refuse(s, s->entries[at].step, "let that process send it, before it waits itself",
               "process %d waits here forever: the message from process %d is not sent", process,
               s->entries[at].other);
    } else {
        refuse(s, a->step, "let another process send it",
               "process %d of %d waits here forever: nobody sends a message", process, s->count);
    }
}

static void refuse_unreceived(stage *s) {
    for (int i = 0; i < s->count && s->status == ISOCAST_OK; i++) {
        if (s->arrived[i].first != none) {
            const entry *sent = &s->entries[s->arrived[i].first];
            refuse(s, sent->step, "let that process receive it",
                   "the message from process %d to process %d is never received", sent->process, i);
        }
    }
}

/* ---- messages ---- */

static void match(stage *s, const entry *sent, const entry *received) {
    compare(s, sent, received);
    s->players[sent->process].unreceived--;
    if (received->other == ISOCAST_ACTION_ANYBODY) {
        isocast_actions_set_sender(s->players[received->process].walk, sent->process);
    }
}

static void send(stage *s, int process, const isocast_action *a, size_t handle) {
    player *p = &s->players[process];
    p->unreceived++;
    bool waits = a->bytes > ISOCAST_REHEARSAL_EAGER || p->unreceived > UNRECEIVED_MOST;
    const entry sent = {a->step, a->bytes, process, a->to, a->tag, waits ? handle : none, none};
    size_t at = take(s, &s->expected[a->to], process, a->tag, true);
    if (at == none) {
        *open_of(s, process, handle) += waits;
        put(s, &s->arrived[a->to], sent);
        return;
    }
    const entry received = s->entries[at];
    give_back(s, at);
    match(s, &sent, &received);
    close_one(s, received.process, received.handle);
}

static void receive(stage *s, int process, const isocast_action *a, size_t handle) {
    const entry received = {a->step, a->bytes, process, a->from, a->tag, handle, none};
    size_t at = take(s, &s->arrived[process], a->from, a->tag, false);
    if (at == none) {
        *open_of(s, process, handle) += 1;
        put(s, &s->expected[process], received);
        return;
    }
    const entry sent = s->entries[at];
    give_back(s, at);
    match(s, &sent, &received);
    if (sent.handle != none) {
        close_one(s, sent.process, sent.handle);
    }
}

/* ---- collective operations ---- */

static bool has_own_bytes(isocast_collective collective) {
    return collective == ISOCAST_COLLECTIVE_scatterv || collective == ISOCAST_COLLECTIVE_gatherv ||
           collective == ISOCAST_COLLECTIVE_allgatherv ||
           collective == ISOCAST_COLLECTIVE_alltoallv || collective == ISOCAST_COLLECTIVE_exchange;
}

/* The operation that a process comes to in a group: one where others are already, or a new one. */
static size_t meeting_of(stage *s, int process, const isocast_action *a) {
    size_t group = a->group;
    isocast_group_place place = isocast_schedule_run_place(s->run, group, process);
    size_t *next = &s->place[(size_t)process * s->schedule->group_count + group];
    size_t *last = &s->last[s->base[group] + (size_t)place.colour];
    size_t at = *next;
    if (at == none) {
        at = s->meeting_free;
        if (at != none) {
            s->meeting_free = s->meetings[at].next;
        } else if (isocast_array_grow((void **)&s->meetings, s->meeting_count, &s->meeting_room,
                                      sizeof *s->meetings)) {
            at = s->meeting_count++;
        } else {
            s->status = ISOCAST_NO_MEMORY;
            return none;
        }
        s->meetings[at] =
            (meeting){.action = *a, .first = process, .processes = {none, none}, .next = none};
        if (*last != none) {
            s->meetings[*last].next = at;
        }
        *last = at;
        for (int i = 0; i < place.size; i++) {
            int member = isocast_schedule_run_member(s->run, group, process, i);
            size_t *its = &s->place[(size_t)member * s->schedule->group_count + group];
            *its = *its == none ? at : *its;
        }
    }
    return at;
}

static void join(stage *s, int process, const isocast_action *a, size_t handle) {
    isocast_group_place place = isocast_schedule_run_place(s->run, a->group, process);
    size_t at = meeting_of(s, process, a);
    if (at == none || s->meetings == NULL) {
        return;
    }
    meeting *m = &s->meetings[at];
    bool same_bytes = has_own_bytes(a->collective) || a->bytes == m->action.bytes;
    if (a->collective != m->action.collective) {
        refuse(s, a->step, "collective operations are for all of a group, in one order",
               "process %d comes to %s while process %d of its group is at %s", process,
               a->step->kind->word, m->first, m->action.step->kind->word);
    } else if (a->root != m->action.root) {
        refuse(s, a->step, "let the root be the same for all of a group",
               "processes %d and %d of a group have different roots", m->first, process);
    } else if (!same_bytes) {
        refuse(s, a->step, "let the bytes be the same for all of a group, or take gatherv and such",
               "processes %d and %d of a group have %.10g B and %.10g B", m->first, process,
               m->action.bytes, a->bytes);
    }
    if (s->status != ISOCAST_OK) {
        return;
    }
    m->here++;
    s->place[(size_t)process * s->schedule->group_count + a->group] = m->next;
    *open_of(s, process, handle) += 1;
    put(s, &m->processes, (entry){a->step, a->bytes, process, process, 0, handle, none});
    if (m->here < (size_t)place.size || s->status != ISOCAST_OK) {
        return;
    }
    for (size_t i = m->processes.first; i != none;) {
        size_t next = s->entries[i].next;
        close_one(s, s->entries[i].process, s->entries[i].handle);
        give_back(s, i);
        i = next;
    }
    size_t *last = &s->last[s->base[a->group] + (size_t)place.colour];
    *last = *last == at ? none : *last;
    m->next = s->meeting_free;
    s->meeting_free = at;
}

/* ---- the play ---- */

void isocast_schedule_count(const isocast_action *action, isocast_schedule_counts *counts) {
    counts->flop += action->kind == ISOCAST_ACTION_WORK ? action->flop : 0;
    counts->copied += action->kind == ISOCAST_ACTION_COPY ? round(action->bytes) : 0;
    if (action->kind == ISOCAST_ACTION_COLLECTIVE) {
        counts->calls++;
        counts->call_bytes += round(action->bytes);
    } else if (action->to >= 0) {
        counts->messages++;
        counts->bytes += round(action->bytes);
    }
}

/* Bytes that a process has to have room for, to send or to receive. Of parts of unlike sizes one
 * process counts all. */
static double room_of(const stage *s, int process, const isocast_action *action) {
    if (action->kind != ISOCAST_ACTION_COLLECTIVE) {
        return round(action->bytes);
    }
    isocast_group_place place = isocast_schedule_run_place(s->run, action->group, process);
    bool one = action->root == place.place;
    switch (action->collective) {
    case ISOCAST_COLLECTIVE_bcast:
    case ISOCAST_COLLECTIVE_reduce:
    case ISOCAST_COLLECTIVE_allreduce:
    case ISOCAST_COLLECTIVE_scan:
    case ISOCAST_COLLECTIVE_exscan:
        return round(action->bytes);
    case ISOCAST_COLLECTIVE_scatterv:
    case ISOCAST_COLLECTIVE_gatherv:
    case ISOCAST_COLLECTIVE_allgatherv: {
        double room = 0;
        for (int i = 0; i < place.size && one; i++) {
            room += round(isocast_actions_bytes_of(s->players[process].walk, action, i));
        }
        return fmax(room, round(action->bytes));
    }
    default:
        return round(action->bytes) * place.size;
    }
}

/* Starts an action, and has the process wait where it is not done at once. */
static void act(stage *s, int process, isocast_action *a) {
    player *p = &s->players[process];
    size_t at_once = s->schedule->handle_count;
    size_t handle = a->handle != none ? a->handle : at_once;
    isocast_schedule_count(a, &s->sum.all);
    if (s->watch != NULL) {
        s->watch->see(s->watch->context, process, a);
    }
    s->sum.room = fmax(s->sum.room, room_of(s, process, a));
    a->bytes = round(a->bytes);
    s->sum.largest = fmax(s->sum.largest, a->bytes);
    if (a->kind == ISOCAST_ACTION_COLLECTIVE) {
        join(s, process, a, handle);
    } else if (a->kind != ISOCAST_ACTION_PUT) {
        if (a->from != ISOCAST_ACTION_NOBODY) {
            receive(s, process, a, handle);
        }
        if (a->to != ISOCAST_ACTION_NOBODY) {
            send(s, process, a, handle);
        }
    }
    size_t awaited = a->kind == ISOCAST_ACTION_FINISH ? a->handle : at_once;
    if (*open_of(s, process, awaited) > 0) {
        p->waits = awaited;
    }
}

/* What a process has started and not finished ends with it. */
static void end(stage *s, int process) {
    player *p = &s->players[process];
    p->ended = true;
    for (size_t h = 0; h < s->schedule->handle_count && p->waits == none; h++) {
        p->waits = *open_of(s, process, h) > 0 ? h : none;
    }
}

/* What an action counts: a process that sends a part of its own length to each other one finds as
 * many lengths. */
static double formulas_of(const stage *s, int process, const isocast_action *action) {
    return isocast_step_has_pairs(action->step->kind)
               ? isocast_schedule_run_place(s->run, action->group, process).size
               : 1;
}

static void play(stage *s, int process) {
    player *p = &s->players[process];
    while (s->status == ISOCAST_OK && !s->is_over && p->waits == none) {
        isocast_action next;
        if (p->ended) {
            end(s, process);
            return;
        }
        s->status = isocast_actions_next(p->walk, s->diagnostics, &next);
        if (s->status != ISOCAST_OK) {
            return;
        }
        if (next.kind == ISOCAST_ACTION_END) {
            s->is_over = s->is_over || isocast_actions_are_over(p->walk);
            end(s, process);
            return;
        }
        p->action = next;
        p->flop += next.flop;
        s->sum.flop_most = fmax(s->sum.flop_most, p->flop);
        s->sum.actions += formulas_of(s, process, &next);
        s->is_over = s->sum.actions > s->most || isocast_actions_are_over(p->walk);
        if (!s->is_over) {
            act(s, process, &p->action);
        }
    }
}

static isocast_status set_up(stage *s) {
    size_t count = (size_t)s->count;
    size_t groups = s->schedule->group_count;
    size_t handles = s->schedule->handle_count + 1;
    s->base = calloc(groups + 1, sizeof *s->base);
    size_t colours = 0;
    for (size_t g = 0; s->base != NULL && g < groups; g++) {
        s->base[g] = colours;
        colours += count / (size_t)isocast_schedule_run_place(s->run, g, 0).size;
    }
    s->players = calloc(count, sizeof *s->players);
    s->open = calloc(count * handles, sizeof *s->open);
    s->place = malloc((count * groups + 1) * sizeof *s->place);
    s->last = malloc((colours + 1) * sizeof *s->last);
    s->arrived = malloc(count * sizeof *s->arrived);
    s->expected = malloc(count * sizeof *s->expected);
    s->ready = malloc(count * sizeof *s->ready);
    if (s->base == NULL || s->players == NULL || s->open == NULL || s->place == NULL ||
        s->last == NULL || s->arrived == NULL || s->expected == NULL || s->ready == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    memset(s->place, 0xff, (count * groups + 1) * sizeof *s->place);
    memset(s->last, 0xff, (colours + 1) * sizeof *s->last);
    memset(s->arrived, 0xff, count * sizeof *s->arrived);
    memset(s->expected, 0xff, count * sizeof *s->expected);
    isocast_status status = ISOCAST_OK;
    for (int i = s->count; i-- > 0 && status == ISOCAST_OK;) {
        wake(s, i);
        status = isocast_actions_create(s->run, i, &s->players[i].walk);
    }
    return status;
}

static void tear_down(stage *s) {
    for (int i = 0; s->players != NULL && i < s->count; i++) {
        isocast_actions_free(s->players[i].walk);
    }
    free(s->base);
    free(s->players);
    free(s->open);
    free(s->place);
    free(s->last);
    free(s->arrived);
    free(s->expected);
    free(s->ready);
    free(s->entries);
    free(s->meetings);
}

/* Where nobody goes on: all have ended, or wait for each other. */
static void judge(stage *s) {
    for (int i = 0; s->status == ISOCAST_OK && i < s->count; i++) {
        if (s->players[i].waits != none) {
            refuse_waiting(s, i);
        }
    }
    refuse_unreceived(s);
    s->sum.is_complete = s->status == ISOCAST_OK;
}

isocast_status isocast_schedule_rehearse(const isocast_schedule_run *run, double most,
                                         const char *setting, const isocast_rehearsal_watch *watch,
                                         isocast_diagnostics *diagnostics, isocast_rehearsal *out) {
    stage s = {.run = run,
               .schedule = run->request.schedule,
               .setting = setting,
               .watch = watch,
               .diagnostics = diagnostics,
               .most = most,
               .count = run->request.processes,
               .entry_free = none,
               .meeting_free = none};
    s.status = set_up(&s);
    while (s.status == ISOCAST_OK && !s.is_over && s.ready_count > 0) {
        play(&s, s.ready[--s.ready_count]);
    }
    if (s.status == ISOCAST_OK && !s.is_over) {
        judge(&s);
    }
    *out = s.sum;
    tear_down(&s);
    return s.status;
}
