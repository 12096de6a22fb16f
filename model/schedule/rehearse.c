#include "rehearse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/array.h"
#include "run_state.h"

/* Messages that one process has sent and nobody has received yet, at most: then it waits. */
enum { UNRECEIVED_MOST = 100000, TOLD_MOST = 3 };

static const size_t none = ISOCAST_SCHEDULE_NONE;

/* A message that waits for its receive, a receive that waits for its message, or a process in a
 * collective operation. */
typedef struct entry {
    const isocast_step *step;
    double bytes;
    int process;   /* who sends, receives or takes part */
    int other;     /* from whom it is received, or ANYBODY */
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
    isocast_diagnostics *diagnostics;
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
    if (at != none) {
        *(q->first == none ? &q->first : &s->entries[q->last].next) = at;
        q->last = at;
    }
}

/* Takes the first entry of a queue off that is from a process, or for it; NONE where there is
 * none. ANYBODY on either side is all. */
static size_t take(stage *s, queue *q, int from, bool by_other) {
    size_t before = none;
    for (size_t at = q->first; at != none; before = at, at = s->entries[at].next) {
        int its = by_other ? s->entries[at].other : s->entries[at].process;
        if (its == from || its == ISOCAST_ACTION_ANYBODY || from == ISOCAST_ACTION_ANYBODY) {
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

static void refuse(stage *s, const isocast_step *step, const char *hint, const char *message) {
    isocast_diagnostics_add(s->diagnostics, ISOCAST_ERROR, s->schedule->source, step->span, hint,
                            "%s", message);
    s->status = ISOCAST_INVALID;
}

/* Whether both ends of a message say the same of it. */
static void compare(stage *s, const entry *sent, const entry *received) {
    if (sent->bytes != received->bytes) {
        size_t line = 0;
        size_t column = 0;
        isocast_source_locate(s->schedule->source, sent->step->span.begin, &line, &column);
        char message[200];
        snprintf(message, sizeof message,
                 "process %d receives %.0f B here, and process %d sends it %.0f B in line %zu",
                 received->process, received->bytes, sent->process, sent->bytes, line);
        refuse(s, received->step, "write the same bytes at both ends of a message", message);
    }
}

static const char *what_waits(const stage *s, int process, char *text, size_t size) {
    const player *p = &s->players[process];
    const isocast_action *a = &p->action;
    if (p->ended) {
        snprintf(text, size, "has ended what it does, and waits for what it has started");
    } else if (a->kind == ISOCAST_ACTION_FINISH) {
        snprintf(text, size, "waits here for what it has started");
    } else if (a->kind == ISOCAST_ACTION_COLLECTIVE) {
        snprintf(text, size, "waits here for the others of its group");
    } else if (a->from == ISOCAST_ACTION_ANYBODY) {
        snprintf(text, size, "waits here for a message from anybody");
    } else if (a->from >= 0) {
        bool gone = s->players[a->from].ended;
        snprintf(text, size, "waits here for a message from process %d%s", a->from,
                 gone ? ", which has ended" : "");
    } else {
        bool gone = s->players[a->to].ended;
        snprintf(text, size, "waits here until process %d receives its message%s", a->to,
                 gone ? ", and that has ended" : "");
    }
    return text;
}

/* Processes that wait for each other: the first ones are told. */
static void refuse_waiting(stage *s) {
    static const char hint[] = "all of a group call the same operations in the same order; a "
                               "message above 64 KiB waits until it is received, if it is not in "
                               "start: or a sendrecv";
    int told = 0;
    for (int i = 0; i < s->count && told < TOLD_MOST; i++) {
        if (s->players[i].waits != none) {
            char what[120];
            char message[200];
            snprintf(message, sizeof message, "process %d of %d %s: the program does not end", i,
                     s->count, what_waits(s, i, what, sizeof what));
            refuse(s, s->players[i].action.step, told == 0 ? hint : NULL, message);
            told++;
        }
    }
}

static void refuse_unreceived(stage *s) {
    for (int i = 0; i < s->count && s->status == ISOCAST_OK; i++) {
        if (s->arrived[i].first != none) {
            const entry *sent = &s->entries[s->arrived[i].first];
            char message[160];
            snprintf(message, sizeof message,
                     "process %d sends a message to process %d here that it does not receive",
                     sent->process, i);
            refuse(s, sent->step, "add the step that receives it", message);
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
    const entry sent = {a->step, a->bytes, process, a->to, waits ? handle : none, none};
    size_t at = take(s, &s->expected[a->to], process, true);
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
    const entry received = {a->step, a->bytes, process, a->from, handle, none};
    size_t at = take(s, &s->arrived[process], a->from, false);
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
           collective == ISOCAST_COLLECTIVE_allgatherv || collective == ISOCAST_COLLECTIVE_exchange;
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
    if (at == none) {
        return;
    }
    meeting *m = &s->meetings[at];
    bool same_bytes = has_own_bytes(a->collective) || a->bytes == m->action.bytes;
    if (a->collective != m->action.collective || a->root != m->action.root || !same_bytes) {
        char message[240];
        snprintf(message, sizeof message,
                 "process %d calls %s here with root %d and %.0f B, while process %d of its group "
                 "calls %s with root %d and %.0f B",
                 process, a->step->kind->word, a->root, a->bytes, m->first,
                 m->action.step->kind->word, m->action.root, m->action.bytes);
        refuse(s, a->step, "all of a group call the same operation with the same root and bytes",
               message);
        return;
    }
    m->here++;
    s->place[(size_t)process * s->schedule->group_count + a->group] = m->next;
    *open_of(s, process, handle) += 1;
    put(s, &m->processes, (entry){a->step, a->bytes, process, process, handle, none});
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
    s->sum.room = fmax(s->sum.room, room_of(s, process, a));
    a->bytes = round(a->bytes);
    s->sum.largest = fmax(s->sum.largest, a->bytes);
    if (a->kind == ISOCAST_ACTION_COLLECTIVE) {
        join(s, process, a, handle);
    } else {
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

static void play(stage *s, int process) {
    player *p = &s->players[process];
    while (s->status == ISOCAST_OK && p->waits == none) {
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
            end(s, process);
            return;
        }
        p->action = next;
        p->flop += next.flop;
        s->sum.flop_most = fmax(s->sum.flop_most, p->flop);
        if (++s->sum.actions > ISOCAST_REHEARSAL_MOST) {
            char message[120];
            snprintf(message, sizeof message,
                     "all processes together take more than %g steps: too many to run",
                     ISOCAST_REHEARSAL_MOST);
            refuse(s, next.step, "take a smaller size, or fewer processes", message);
        } else {
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

isocast_status isocast_schedule_rehearse(const isocast_schedule_run *run,
                                         isocast_diagnostics *diagnostics, isocast_rehearsal *out) {
    stage s = {.run = run,
               .schedule = run->request.schedule,
               .diagnostics = diagnostics,
               .count = run->request.processes,
               .entry_free = none,
               .meeting_free = none};
    s.status = set_up(&s);
    while (s.status == ISOCAST_OK && s.ready_count > 0) {
        play(&s, s.ready[--s.ready_count]);
    }
    bool waits = false;
    for (int i = 0; s.status == ISOCAST_OK && i < s.count; i++) {
        waits = waits || s.players[i].waits != none;
    }
    if (waits) {
        refuse_waiting(&s);
    } else {
        refuse_unreceived(&s);
    }
    if (s.status == ISOCAST_OK) {
        *out = s.sum;
    }
    tear_down(&s);
    return s.status;
}
