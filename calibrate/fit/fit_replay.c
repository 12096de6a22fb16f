#include "fit_replay.h"

#include <math.h>
#include <stdlib.h>

#include "fit_fluid.h"

void fit_program_add(fit_program *program, fit_step step) {
    if (program->count == program->capacity) {
        size_t capacity = program->capacity > 0 ? 2 * program->capacity : 16;
        fit_step *steps = realloc(program->steps, capacity * sizeof *steps);
        if (steps == NULL) {
            program->failed = true;
            return;
        }
        program->steps = steps;
        program->capacity = capacity;
    }
    program->steps[program->count++] = step;
}

void fit_program_wait(fit_program *program) {
    fit_program_add(program, (fit_step){.to = -1, .from = -1});
}

void fit_program_wait_for(fit_program *program, size_t step) {
    if (step + 1 == program->count) {
        program->steps[step].posts = false;
        program->steps[step].waits = program->count;
    } else {
        fit_program_add(program, (fit_step){.to = -1, .from = -1, .waits = step + 1});
    }
}

typedef struct message {
    int from, to;
    int size;
    double times;
    size_t sender_step, receiver_step;
    bool sent, expected; /* by its sender, by its receiver */
    bool eager;          /* its sender does not wait */
    double begin;        /* when its first byte arrives */
    double left;         /* of its time on a link of its own, from then on */
    size_t next;         /* message of the same two that waits behind it */
    size_t rated;        /* when its rate was found last */
    fit_flow flow;
} message;

static const size_t none = (size_t)-1;
enum { MESSAGES_LEAST = 64 };

typedef struct process {
    size_t step;
    size_t outstanding; /* messages that are not over */
    size_t waits;       /* for which step alone, counted from 1; 0: for all of these */
    bool *over;         /* of each step: its message */
    bool blocked;
    bool queued;
} process;

typedef struct replay {
    const fit_network_map *map;
    const int *nodes;
    const fit_program *programs;
    size_t count; /* processes */
    fit_replay_rules rules;
    const fit_replay_times *times;
    process *processes; /* [count] */
    bool *over;         /* of all steps */
    message **messages; /* [message_count] */
    size_t message_count, message_capacity;
    size_t *first, *last; /* [count][count], of messages of which one end is there; none */
    fit_way **ways;       /* [count][count], between the nodes of processes; NULL: not met */
    size_t *moving;       /* [moving_count], messages on their way */
    size_t moving_count, moving_capacity;
    size_t *queue; /* [count], processes that go on */
    size_t queued;
    size_t rated;       /* how often rates were found */
    size_t rated_count; /* of how many messages then */
    fit_flow **flows;   /* [moving_capacity], scratch */
    fit_fluid fluid;
    double now;
    double longest; /* time of a message on one link, about */
    bool failed;
} replay;

static size_t new_message(replay *r, int from, int to, int size) {
    if (r->message_count == r->message_capacity) {
        size_t capacity = 2 * r->message_capacity;
        message **messages = realloc(r->messages, capacity * sizeof *messages);
        if (messages == NULL) {
            return none;
        }
        r->messages = messages;
        r->message_capacity = capacity;
    }
    message *own = malloc(sizeof *own);
    if (own == NULL) {
        return none;
    }
    own->from = from;
    own->to = to;
    own->size = size;
    own->times = 0;
    own->sent = own->expected = own->eager = false;
    own->next = none;
    own->rated = 0;
    r->messages[r->message_count] = own;
    return r->message_count++;
}

static bool goes_on(const process *own) {
    return own->waits > 0 ? own->over[own->waits - 1] : own->outstanding == 0;
}

/* One of its messages is over. */
static void wake(replay *r, int index, size_t step) {
    process *own = &r->processes[index];
    own->outstanding--;
    own->over[step] = true;
    if (own->blocked && !own->queued && goes_on(own)) {
        own->queued = true;
        r->queue[r->queued++] = (size_t)index;
    }
}

static bool is_near(const replay *r, const message *own) {
    return r->nodes[own->from] == r->nodes[own->to];
}

/* Sets a message on its way. */
static void start(replay *r, size_t index) {
    message *own = r->messages[index];
    if (r->moving_count == r->moving_capacity) {
        size_t capacity = r->moving_capacity > 0 ? 2 * r->moving_capacity : 64;
        size_t *moving = realloc(r->moving, capacity * sizeof *moving);
        r->moving = moving != NULL ? moving : r->moving;
        fit_flow **flows = realloc(r->flows, capacity * sizeof *flows);
        r->flows = flows != NULL ? flows : r->flows;
        if (moving == NULL || flows == NULL) {
            r->failed = true;
            return;
        }
        r->moving_capacity = capacity;
    }
    r->moving[r->moving_count++] = index;
    own->left = r->rules.bytes[own->size] * (own->times > 0 ? own->times : 1);
    double latency = r->rules.latency[own->size];
    own->flow.way = NULL;
    if (is_near(r, own)) {
        own->begin = r->now + latency * r->map->near_latency;
        own->flow.rate = 1 / r->map->near_byte;
    } else {
        fit_way **way = &r->ways[(size_t)own->from * r->count + (size_t)own->to];
        if (*way == NULL) {
            *way = fit_fluid_way(&r->fluid, r->map, r->nodes[own->from], r->nodes[own->to]);
        }
        own->flow.way = *way;
        r->failed = r->failed || *way == NULL;
        own->begin = r->now + latency * (*way != NULL ? (double)(*way)->count : 0);
    }
}

/* The message of a process to another one that has only the other of its ends; else a new one. */
static message *take(replay *r, int from, int to, int size, bool sends, size_t *index) {
    size_t pair = (size_t)from * r->count + (size_t)to;
    size_t first = r->first[pair];
    if (first != none && (sends ? !r->messages[first]->sent : !r->messages[first]->expected)) {
        *index = first;
        r->first[pair] = r->messages[first]->next;
        return r->messages[first];
    }
    *index = new_message(r, from, to, size);
    if (*index == none) {
        r->failed = true;
        return NULL;
    }
    if (first == none) {
        r->first[pair] = *index;
    } else {
        r->messages[r->last[pair]]->next = *index;
    }
    r->last[pair] = *index;
    return r->messages[*index];
}

static void post_send(replay *r, int from, const fit_step *step) {
    process *sender = &r->processes[from];
    size_t index;
    message *own = take(r, from, step->to, step->size, true, &index);
    if (own == NULL) {
        return;
    }
    own->size = step->size;
    own->times = step->times;
    own->sent = true;
    own->sender_step = sender->step - 1;
    own->eager = step->own ? step->eager : r->rules.eager;
    sender->outstanding += own->eager ? 0 : 1;
    sender->over[own->sender_step] = own->eager;
    if (own->expected) {
        start(r, index);
    }
}

static void post_receive(replay *r, int to, const fit_step *step) {
    size_t index;
    message *own = take(r, step->from, to, 0, false, &index);
    if (own == NULL) {
        return;
    }
    own->expected = true;
    own->receiver_step = r->processes[to].step - 1;
    r->processes[to].outstanding++;
    if (own->sent) {
        start(r, index);
    }
}

/* As far as a process comes before it waits. */
static void run(replay *r, size_t index) {
    process *own = &r->processes[index];
    const fit_program *program = &r->programs[index];
    own->blocked = false;
    while (!r->failed && own->step < program->count) {
        const fit_step *step = &program->steps[own->step];
        if (own->step == program->mark) {
            r->times->mark[index] = r->now;
        }
        own->step++;
        if (step->from >= 0) {
            post_receive(r, (int)index, step);
        }
        if (step->to >= 0) {
            post_send(r, (int)index, step);
        }
        own->waits = step->waits;
        if (!step->posts && !goes_on(own)) {
            own->blocked = true;
            return;
        }
    }
    r->times->end[index] = r->now;
}

static void run_queue(replay *r) {
    while (r->queued > 0 && !r->failed) {
        size_t index = r->queue[--r->queued];
        r->processes[index].queued = false;
        run(r, index);
    }
}

static void end_message(replay *r, size_t place) {
    message *own = r->messages[r->moving[place]];
    r->moving[place] = r->moving[--r->moving_count];
    if (!own->eager) {
        wake(r, own->from, own->sender_step);
    }
    wake(r, own->to, own->receiver_step);
}

/* Times that differ by rounding alone are one. */
static double rounding(const replay *r) {
    return 1e-9 * (r->longest + r->now);
}

/* Whether its bytes are on their way. */
static bool is_loading(const replay *r, const message *own) {
    return own->begin <= r->now + rounding(r) && own->left > 0;
}

/* Of the messages between nodes, unless they are the same ones as before. */
static void find_rates(replay *r) {
    size_t far = 0;
    size_t known = 0;
    for (size_t k = 0; k < r->moving_count; k++) {
        message *own = r->messages[r->moving[k]];
        if (own->flow.way != NULL && is_loading(r, own)) {
            r->flows[far++] = &own->flow;
            known += own->rated == r->rated;
        }
    }
    if (known == far && far == r->rated_count) {
        return;
    }
    r->rated++;
    r->rated_count = far;
    for (size_t k = 0; k < r->moving_count; k++) {
        message *own = r->messages[r->moving[k]];
        if (own->flow.way != NULL && is_loading(r, own)) {
            own->rated = r->rated;
        }
    }
    fit_fluid_rates(&r->fluid, r->flows, far);
}

/* The time until bytes of a message begin to arrive, or end. */
static double next_time(const replay *r) {
    double least = INFINITY;
    for (size_t k = 0; k < r->moving_count; k++) {
        const message *own = r->messages[r->moving[k]];
        double time = is_loading(r, own) ? own->left / own->flow.rate : own->begin - r->now;
        least = time < least ? time : least;
    }
    return fmax(least, 0);
}

/* To the next of these times, and all messages that end then. */
static void advance(replay *r) {
    find_rates(r);
    double time = next_time(r);
    if (!isfinite(time)) {
        r->failed = true;
        return;
    }
    for (size_t k = 0; k < r->moving_count; k++) {
        message *own = r->messages[r->moving[k]];
        if (is_loading(r, own)) {
            own->left -= time * own->flow.rate;
            own->left = own->left <= rounding(r) * own->flow.rate ? 0 : own->left;
        }
    }
    r->now += time;
    for (size_t k = r->moving_count; k-- > 0;) {
        const message *own = r->messages[r->moving[k]];
        if (own->left <= 0 && own->begin <= r->now + rounding(r)) {
            end_message(r, k);
        }
    }
}

static bool prepare(replay *r) {
    size_t pairs = r->count * r->count;
    size_t steps = 0;
    for (size_t k = 0; k < r->count; k++) {
        steps += r->programs[k].count;
    }
    r->over = calloc(steps + 1, sizeof *r->over);
    r->processes = calloc(r->count + 1, sizeof *r->processes);
    r->queue = malloc((r->count + 1) * sizeof *r->queue);
    r->first = malloc((pairs + 1) * sizeof *r->first);
    r->last = malloc((pairs + 1) * sizeof *r->last);
    r->ways = calloc(pairs + 1, sizeof(fit_way *));
    r->message_capacity = MESSAGES_LEAST;
    r->messages = malloc(r->message_capacity * sizeof *r->messages);
    if (r->processes == NULL || r->queue == NULL || r->first == NULL || r->last == NULL ||
        r->ways == NULL || r->messages == NULL || r->over == NULL) {
        return false;
    }
    for (size_t k = 0; k < pairs; k++) {
        r->first[k] = none;
    }
    for (size_t k = r->count; k-- > 0;) {
        steps -= r->programs[k].count;
        r->processes[k].over = &r->over[steps];
        r->times->mark[k] = r->times->end[k] = 0;
        r->processes[k].queued = true;
        r->queue[r->queued++] = k;
        r->failed = r->failed || r->programs[k].failed;
    }
    return true;
}

static bool all_ended(const replay *r) {
    for (size_t k = 0; k < r->count; k++) {
        if (r->processes[k].blocked) {
            return false;
        }
    }
    return true;
}

bool fit_replay(const fit_network_map *map, const int *nodes, const fit_program *programs,
                size_t processes, fit_replay_rules rules, const fit_replay_times *times) {
    replay r = {.map = map,
                .nodes = nodes,
                .programs = programs,
                .count = processes,
                .rules = rules,
                .times = times};
    for (size_t k = 0; k < FIT_SIZES_MAX; k++) {
        r.longest = fmax(r.longest, rules.latency[k] + rules.bytes[k]);
    }
    bool good = prepare(&r);
    if (good) {
        run_queue(&r);
        while (r.moving_count > 0 && !r.failed) {
            advance(&r);
            run_queue(&r);
        }
        good = !r.failed && all_ended(&r);
    }
    for (size_t k = 0; k < r.message_count; k++) {
        free(r.messages[k]);
    }
    for (size_t k = 0; k < processes * processes && r.ways != NULL; k++) {
        free(r.ways[k]);
    }
    free(r.ways);
    free(r.messages);
    free(r.processes);
    free(r.over);
    free(r.queue);
    free(r.first);
    free(r.last);
    free(r.moving);
    free(r.flows);
    fit_fluid_free(&r.fluid);
    return good;
}
