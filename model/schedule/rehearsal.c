#include "rehearsal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/base/array.h"
#include "run_state.h"

/* A message on its way, or taken. */
typedef struct message {
    double bytes;
    const isocast_step *step;
} message;

/* From one process to another with one tag: messages are received in the order in which they are
 * sent. */
typedef struct channel {
    message *sent; /* [sent_count] */
    size_t sent_count, room;
    size_t awaited; /* receives that were begun */
} channel;

/* A receive that was begun: it ends when its channel has so many messages. */
typedef struct awaited {
    size_t channel, number;
    double bytes;
    const isocast_step *step;
    size_t handle;
} awaited;

/* A collective operation of one group, which all members reach. */
typedef struct meeting {
    isocast_action first; /* of the member that came first */
    int rank;             /* which */
    int arrived;
} meeting;

typedef struct meetings {
    meeting *items; /* [count], in the order of the calls */
    size_t count, room;
} meetings;

typedef struct player {
    isocast_actions *actions;
    isocast_action now;
    bool begun;      /* the action was begun, and waits */
    size_t *reached; /* [group_count]: calls of each group */
    awaited *waits;  /* [wait_count]: of this action, and of what was started */
    size_t wait_count, wait_room;
    /* Collective operations that were started: group and number, by handle. */
    awaited *joined; /* [join_count] */
    size_t join_count, join_room;
} player;

typedef struct stage {
    const isocast_schedule_run *run;
    const isocast_schedule *schedule;
    const char *setting;
    isocast_diagnostics *diagnostics;
    size_t processes;
    player *players;   /* [processes] */
    channel *channels; /* [channel_count], by tag, from and to */
    size_t channel_count;
    meetings *meetings; /* [group_count * processes], by group and colour */
    double most;        /* actions */
    bool is_over;
    isocast_rehearsal counted;
    isocast_status status;
} stage;

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

static bool grow(stage *s, void **items, size_t count, size_t *room, size_t size) {
    bool done = isocast_array_grow(items, count, room, size);
    s->status = done ? s->status : ISOCAST_NO_MEMORY;
    return done;
}

static size_t rank_of(const stage *s, const player *who) {
    return (size_t)(who - s->players);
}

static size_t channel_of(const stage *s, size_t from, size_t to, int tag) {
    return ((size_t)tag * s->processes + from) * s->processes + to;
}

static size_t from_of(const stage *s, size_t index) {
    return index / s->processes % s->processes;
}

static void send(stage *s, player *who) {
    size_t index = channel_of(s, rank_of(s, who), (size_t)who->now.to, who->now.tag);
    channel *c = &s->channels[index];
    if (grow(s, (void **)&c->sent, c->sent_count, &c->room, sizeof *c->sent)) {
        c->sent[c->sent_count++] = (message){who->now.bytes, who->now.step};
        s->counted.messages++;
        s->counted.bytes += who->now.bytes;
    }
}

/* Whether all that was sent is received. */
static bool is_taken(const channel *c) {
    return c->sent_count == c->awaited;
}

/* Begins a receive from the process, or from any that has sent more than was received. */
static void receive(stage *s, player *who) {
    size_t me = rank_of(s, who);
    size_t from = (size_t)who->now.from;
    if (who->now.from == ISOCAST_ACTION_ANYBODY) {
        from = 0;
        while (from < s->processes && is_taken(&s->channels[channel_of(s, from, me, 0)])) {
            from++;
        }
        if (from == s->processes) {
            return;
        }
        isocast_actions_set_sender(who->actions, (int)from);
    }
    size_t index = channel_of(s, from, me, who->now.tag);
    if (grow(s, (void **)&who->waits, who->wait_count, &who->wait_room, sizeof *who->waits)) {
        who->waits[who->wait_count++] = (awaited){index, s->channels[index].awaited++,
                                                  who->now.bytes, who->now.step, who->now.handle};
        who->begun = true;
    }
}

/* Whether the receives of an action, or of a handle, have ended. */
static bool has_received(stage *s, player *who, size_t handle) {
    size_t kept = 0;
    bool all = true;
    for (size_t i = 0; i < who->wait_count; i++) {
        awaited *w = &who->waits[i];
        const channel *c = &s->channels[w->channel];
        bool here = w->number < c->sent_count;
        if (here && fabs(c->sent[w->number].bytes - w->bytes) > 1) {
            isocast_buffer text = {0};
            isocast_buffer_printf(&text,
                                  "process %zu receives %.10g B here, and process %zu sends "
                                  "%.10g B",
                                  rank_of(s, who), w->bytes, from_of(s, w->channel),
                                  c->sent[w->number].bytes);
            isocast_diagnostics_rely(s->diagnostics, &text);
            refuse(s, w->step, "give both the same bytes", text.text != NULL ? text.text : "");
            isocast_buffer_free(&text);
            return false;
        }
        all = all && (here || w->handle != handle);
        if (!here) {
            who->waits[kept++] = *w;
        }
    }
    who->wait_count = kept;
    return all;
}

static meetings *meetings_of(stage *s, const player *who, size_t group) {
    isocast_group_place place = isocast_schedule_run_place(s->run, group, (int)rank_of(s, who));
    return &s->meetings[group * s->processes + (size_t)place.colour];
}

/* Comes to the next collective operation of a group, which must be the same for all members. */
static void meet(stage *s, player *who) {
    size_t group = who->now.group;
    meetings *m = meetings_of(s, who, group);
    size_t number = who->reached[group]++;
    if (number == m->count) {
        if (!grow(s, (void **)&m->items, m->count, &m->room, sizeof *m->items)) {
            return;
        }
        m->items[m->count++] = (meeting){who->now, (int)rank_of(s, who), 0};
    }
    meeting *here = &m->items[number];
    here->arrived++;
    who->begun = true;
    const isocast_action *first = &here->first;
    if (first->collective != who->now.collective) {
        isocast_buffer text = {0};
        isocast_buffer_printf(
            &text, "process %zu comes to %s while process %d of its group is at %s",
            rank_of(s, who), who->now.step->kind->word, here->rank, first->step->kind->word);
        isocast_diagnostics_rely(s->diagnostics, &text);
        refuse(s, who->now.step, "collective operations are for all of a group, in one order",
               text.text != NULL ? text.text : "");
        isocast_buffer_free(&text);
    } else if (first->root != who->now.root) {
        refuse(s, who->now.step, "let the root be the same for all of a group",
               "processes %d and %zu of a group have different roots", here->rank, rank_of(s, who));
    }
    if (who->now.handle != ISOCAST_SCHEDULE_NONE &&
        grow(s, (void **)&who->joined, who->join_count, &who->join_room, sizeof *who->joined)) {
        who->joined[who->join_count++] =
            (awaited){group, number, 0, who->now.step, who->now.handle};
    }
}

static bool has_met(stage *s, const player *who, size_t group, size_t number) {
    int size = isocast_schedule_run_place(s->run, group, (int)rank_of(s, who)).size;
    return meetings_of(s, who, group)->items[number].arrived == size;
}

static bool has_finished(stage *s, player *who) {
    size_t kept = 0;
    bool all = has_received(s, who, who->now.handle);
    for (size_t i = 0; i < who->join_count; i++) {
        bool met = has_met(s, who, who->joined[i].channel, who->joined[i].number);
        all = all && (met || who->joined[i].handle != who->now.handle);
        if (!met) {
            who->joined[kept++] = who->joined[i];
        }
    }
    who->join_count = kept;
    return all;
}

/* Begins the action of a process, or goes on with it. True where it has ended. */
static bool play(stage *s, player *who) {
    const isocast_action *now = &who->now;
    bool is_started = now->handle != ISOCAST_SCHEDULE_NONE;
    switch (now->kind) {
    case ISOCAST_ACTION_WORK:
        s->counted.flop += now->flop;
        return true;
    case ISOCAST_ACTION_COPY:
        return true;
    case ISOCAST_ACTION_SEND:
        send(s, who);
        return true;
    case ISOCAST_ACTION_RECEIVE:
    case ISOCAST_ACTION_SENDRECV:
        if (!who->begun && now->to != ISOCAST_ACTION_NOBODY) {
            send(s, who);
        }
        if (!who->begun && now->from != ISOCAST_ACTION_NOBODY) {
            receive(s, who);
        }
        if (now->from == ISOCAST_ACTION_ANYBODY && !who->begun) {
            return false;
        }
        return is_started || now->from == ISOCAST_ACTION_NOBODY ||
               has_received(s, who, ISOCAST_SCHEDULE_NONE);
    case ISOCAST_ACTION_COLLECTIVE:
        if (!who->begun) {
            meet(s, who);
        }
        return is_started || (s->status == ISOCAST_OK &&
                              has_met(s, who, now->group, who->reached[now->group] - 1));
    default:
        return has_finished(s, who);
    }
}

/* Takes a process as far as it gets. True where it got anywhere. */
static bool go_on(stage *s, player *who) {
    bool moved = false;
    while (s->status == ISOCAST_OK && !s->is_over && who->now.kind != ISOCAST_ACTION_END &&
           play(s, who)) {
        moved = true;
        s->counted.actions++;
        who->begun = false;
        isocast_status status = isocast_actions_next(who->actions, s->diagnostics, &who->now);
        s->status = s->status == ISOCAST_OK ? status : s->status;
        s->is_over = s->counted.actions > s->most || isocast_actions_are_over(who->actions);
    }
    return moved;
}

/* Where nothing moves and somebody has not ended. */
static void tell_stuck(stage *s, const player *who) {
    size_t me = rank_of(s, who);
    const isocast_step *step = who->now.step;
    if (who->now.kind == ISOCAST_ACTION_COLLECTIVE) {
        size_t group = who->now.group;
        int size = isocast_schedule_run_place(s->run, group, (int)me).size;
        for (int i = 0; i < size; i++) {
            size_t other = (size_t)isocast_schedule_run_member(s->run, group, (int)me, i);
            if (s->players[other].reached[group] < who->reached[group]) {
                refuse(s, step, "let all processes of the group come here",
                       "process %zu waits here for ever: process %zu of its group never comes", me,
                       other);
                return;
            }
        }
    }
    size_t from = who->wait_count > 0 ? from_of(s, who->waits[0].channel) : s->processes;
    if (from < s->processes) {
        refuse(s, who->waits[0].step, "let that process send it, before it waits itself",
               "process %zu waits here for ever: the message from process %zu is not sent", me,
               from);
    } else {
        refuse(s, step, "let another process send it",
               "process %zu of %zu waits here for ever: nobody sends a message", me, s->processes);
    }
}

static void play_all(stage *s) {
    bool moved = true;
    bool all = false;
    while (moved && !all && s->status == ISOCAST_OK) {
        moved = false;
        all = true;
        for (size_t i = 0; i < s->processes && s->status == ISOCAST_OK; i++) {
            moved = go_on(s, &s->players[i]) || moved;
            all = all && s->players[i].now.kind == ISOCAST_ACTION_END;
            if (s->is_over) {
                return;
            }
        }
    }
    for (size_t i = 0; !all && i < s->processes && s->status == ISOCAST_OK; i++) {
        if (s->players[i].now.kind != ISOCAST_ACTION_END) {
            tell_stuck(s, &s->players[i]);
        }
    }
    for (size_t i = 0; i < s->channel_count && s->status == ISOCAST_OK; i++) {
        const channel *c = &s->channels[i];
        if (c->awaited < c->sent_count) {
            refuse(s, c->sent[c->awaited].step, "let that process receive it",
                   "the message from process %zu to process %zu is never received", from_of(s, i),
                   i % s->processes);
        }
    }
    s->counted.is_complete = s->status == ISOCAST_OK;
}

static void prepare(stage *s) {
    size_t p = s->processes;
    size_t groups = s->schedule->group_count;
    s->players = calloc(p, sizeof *s->players);
    s->channel_count = p * p * (size_t)s->schedule->tag_count;
    s->channels = calloc(s->channel_count, sizeof *s->channels);
    s->meetings = calloc(groups * p, sizeof *s->meetings);
    if (s->players == NULL || s->channels == NULL || s->meetings == NULL) {
        s->status = ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < p && s->status == ISOCAST_OK; i++) {
        player *who = &s->players[i];
        who->reached = calloc(groups, sizeof *who->reached);
        s->status = who->reached == NULL ? ISOCAST_NO_MEMORY
                                         : isocast_actions_create(s->run, (int)i, &who->actions);
        if (s->status == ISOCAST_OK) {
            s->status = isocast_actions_next(who->actions, s->diagnostics, &who->now);
            s->is_over = s->is_over || isocast_actions_are_over(who->actions);
        }
    }
}

static void clear(stage *s) {
    for (size_t i = 0; s->players != NULL && i < s->processes; i++) {
        isocast_actions_free(s->players[i].actions);
        free(s->players[i].reached);
        free(s->players[i].waits);
        free(s->players[i].joined);
    }
    for (size_t i = 0; s->channels != NULL && i < s->channel_count; i++) {
        free(s->channels[i].sent);
    }
    for (size_t i = 0; s->meetings != NULL && i < s->schedule->group_count * s->processes; i++) {
        free(s->meetings[i].items);
    }
    free(s->players);
    free(s->channels);
    free(s->meetings);
}

isocast_status isocast_schedule_rehearse(const isocast_schedule_run *run, double most,
                                         const char *setting, isocast_diagnostics *diagnostics,
                                         isocast_rehearsal *out) {
    stage s = {.run = run,
               .schedule = run->request.schedule,
               .setting = setting,
               .diagnostics = diagnostics,
               .most = most,
               .processes = (size_t)run->request.processes};
    prepare(&s);
    if (s.status == ISOCAST_OK && !s.is_over) {
        play_all(&s);
    }
    clear(&s);
    *out = s.counted;
    return s.status;
}
