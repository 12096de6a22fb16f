#include "fit_pattern.h"

#include <math.h>
#include <stdlib.h>

#include "fit_called.h"
#include "fit_sizes.h"
#include "model/base/known_operation.h"
#include "model/base/process_grid.h"

/* Every `stride`-th process from `first` on. False where memory is short. */
static bool make_group(int first, int stride, int count, fit_members *out) {
    int *ranks = malloc((size_t)count * sizeof *ranks);
    for (int i = 0; i < count && ranks != NULL; i++) {
        ranks[i] = first + i * stride;
    }
    *out = (fit_members){.ranks = ranks, .count = count};
    return ranks != NULL;
}

/* Groups that are alike: group k has every `stride`-th process from k*next on. */
typedef struct groups {
    int count;
    int next;
    int stride;
    int members; /* of each */
    double bytes;
} groups;

static int rows_of(const fit_programs *all) {
    return (int)isocast_grid_rows(all->processes);
}

/* All, or the lines that do the operation. */
static groups groups_of(const fit_programs *all) {
    int members = fit_axis_members(all->axis, all->processes);
    int count = all->processes / members;
    bool spread = all->axis == FIT_AXIS_Y;
    return (groups){.count = count,
                    .next = spread ? 1 : members,
                    .stride = spread ? count : 1,
                    .members = members,
                    .bytes = all->m};
}

/* A collective operation in each group, all at once. */
static bool add_calls(fit_programs *all, const groups *these,
                      isocast_collective_operation operation, int root) {
    bool room = true;
    for (int k = 0; k < these->count && room; k++) {
        fit_members g;
        room = make_group(k * these->next, these->stride, these->members, &g);
        g.bytes = these->bytes;
        room = room && fit_members_do(all, &g, operation, root);
        free((int *)g.ranks);
    }
    return room;
}

/* Broadcasts that follow each other, from all members in turn, or from so many of them: fewer where
 * one has many messages. Gives their number; NAN where memory is short. With barriers a few come
 * before, which get them going and do not count. */
static double add_turns(fit_programs *all, const groups *these, bool barriers) {
    enum { ROOTS_MOST = 16, STEPS_MOST = 8192, FIRST_MOST = 3 };
    groups everyone = groups_of(all);
    /* Samples are of all roots. */
    bool sampled = all->rounds == FIT_ROUNDS_SAMPLED;
    double steps_most = sampled ? 2 * STEPS_MOST : STEPS_MOST;
    int roots = sampled || these->members < ROOTS_MOST ? these->members : ROOTS_MOST;
    int first = barriers ? FIRST_MOST : 0;
    bool room = true;
    for (int i = 0; i < first + roots && room; i++) {
        for (int rank = 0; rank < all->processes && i == first && barriers; rank++) {
            all->items[rank].mark = all->items[rank].count;
        }
        int root = (int)((double)i * these->members / roots) % these->members;
        room = add_calls(all, these, COLLECTIVE_BCAST, root) &&
               (!barriers || add_calls(all, &everyone, COLLECTIVE_BARRIER, 0));
        if (i == 0) {
            double steps = (double)all->items[0].count * all->processes;
            roots = (int)fmin(roots, fmax(steps_most / steps - first, 1));
            first = roots < first ? 0 : first;
        }
    }
    return room ? (double)roots : (double)NAN;
}

/* To the neighbour so many rows down and columns to the right, and from the one on the other side.
 */
static void add_shift(fit_programs *all, int down, int right) {
    int rows = rows_of(all);
    int columns = all->processes / rows;
    for (int rank = 0; rank < all->processes; rank++) {
        fit_step step = {.size = 0};
        for (int side = 1; side >= -1; side -= 2) {
            int row = rank / columns + side * down;
            int column = rank % columns + side * right;
            bool there = row >= 0 && row < rows && column >= 0 && column < columns;
            int *other = side > 0 ? &step.to : &step.from;
            *other = there ? row * columns + column : -1;
        }
        fit_program_add(&all->items[rank], step);
    }
}

enum { SHIFTS_MANY = 4, STREAM_MESSAGES = 33 };

/* Up and down each line, as programs do it again and again: the ends have one neighbour. */
static double make_line_shifts(fit_programs *all) {
    bool down = all->axis == FIT_AXIS_Y;
    for (int round = 0; round < SHIFTS_MANY; round++) {
        add_shift(all, down, !down);
        add_shift(all, -down, -!down);
    }
    return 2 * SHIFTS_MANY;
}

/* Makers add an operation's steps; each gives what the time of all is divided by, or NAN where
 * memory is short, or as many processes do not do this. */
static double make_shift(fit_programs *all) {
    int p = all->processes;
    if (all->axis != FIT_AXIS_ALL) {
        return make_line_shifts(all);
    }
    for (int rank = 0; rank < p; rank++) {
        fit_program_add(&all->items[rank],
                        (fit_step){.to = (rank + 1) % p, .from = (rank + p - 1) % p});
    }
    return 1;
}

static double make_chain(fit_programs *all) {
    for (int rank = 0; rank + 1 < all->processes; rank++) {
        fit_members_send(all, rank, rank + 1, 0);
    }
    return 1;
}

/* A process waits for the next message as soon as it has one, and then sends that on. The time of
 * the last one is taken from its first message on. */
static double make_stream(fit_programs *all) {
    int last = all->processes - 1;
    for (int rank = 0; rank <= last; rank++) {
        fit_program *own = &all->items[rank];
        fit_step receive = {.to = -1, .from = rank - 1, .posts = true};
        fit_step send = {.to = rank + 1, .from = -1, .posts = true};
        if (rank > 0) {
            fit_program_add(own, receive);
            fit_program_wait(own);
        }
        own->mark = rank == last ? own->count : 0;
        for (int k = 0; k < STREAM_MESSAGES; k++) {
            if (rank > 0 && k + 1 < STREAM_MESSAGES) {
                fit_program_add(own, receive);
            }
            if (rank < last) {
                fit_program_add(own, send);
            }
            fit_program_wait(own);
        }
    }
    return STREAM_MESSAGES - 1;
}

static double make_butterfly(fit_programs *all) {
    for (int away = all->processes / 2; away > 0; away /= 2) {
        for (int rank = 0; rank < all->processes; rank++) {
            int partner = rank ^ away;
            bool there = partner < all->processes;
            fit_program_add(&all->items[rank],
                            (fit_step){.to = there ? partner : -1, .from = there ? partner : -1});
        }
    }
    return 1;
}

static double parts_if(bool room, double parts) {
    return room ? parts : NAN;
}

/* What the operation calls, by its name. */
static double make_call(fit_programs *all) {
    groups these = groups_of(all);
    isocast_collective_operation operation;
    if (all->axis != FIT_AXIS_ALL && fit_called_find(all->name, &operation) &&
        operation == COLLECTIVE_BCAST) {
        return add_turns(all, &these, false);
    }
    return parts_if(fit_called_find(all->name, &operation) && add_calls(all, &these, operation, 0),
                    1);
}

static double make_rounds(fit_programs *all) {
    groups everyone = groups_of(all);
    return add_turns(all, &everyone, true);
}

/* Each to each of a group. */
static bool add_exchanges(fit_programs *all, groups these) {
    these.bytes = all->bytes[0];
    return add_calls(all, &these, COLLECTIVE_ALLTOALLV, 0);
}

static double make_transpose(fit_programs *all) {
    return parts_if(add_exchanges(all, groups_of(all)), 1);
}

/* By the operation; NULL where its messages are not known. */
static double (*const makers[ISOCAST_KNOWN_OPERATIONS])(fit_programs *all) = {
    [ISOCAST_KNOWN_sendrecv] = make_shift,
    [ISOCAST_KNOWN_chain] = make_chain,
    [ISOCAST_KNOWN_stream] = make_stream,
    [ISOCAST_KNOWN_barrier] = make_call,
    [ISOCAST_KNOWN_bcast] = make_call,
    [ISOCAST_KNOWN_reduce] = make_call,
    [ISOCAST_KNOWN_allreduce] = make_call,
    [ISOCAST_KNOWN_gather] = make_call,
    [ISOCAST_KNOWN_gatherv] = make_call,
    [ISOCAST_KNOWN_scatter] = make_call,
    [ISOCAST_KNOWN_scatterv] = make_call,
    [ISOCAST_KNOWN_allgather] = make_call,
    [ISOCAST_KNOWN_allgatherv] = make_call,
    [ISOCAST_KNOWN_alltoall] = make_call,
    [ISOCAST_KNOWN_alltoallv] = make_call,
    [ISOCAST_KNOWN_reduce_scatter] = make_call,
    [ISOCAST_KNOWN_reduce_scatter_block] = make_call,
    [ISOCAST_KNOWN_scan] = make_call,
    [ISOCAST_KNOWN_bcast_barrier] = make_rounds,
    [ISOCAST_KNOWN_transpose] = make_transpose,
    [ISOCAST_KNOWN_butterfly] = make_butterfly,
};

static double (*maker_of(const char *name))(fit_programs *all) {
    size_t known = isocast_known_operation_index(name);
    return known < ISOCAST_KNOWN_OPERATIONS ? makers[known] : NULL;
}

bool fit_pattern_known(const char *name) {
    return maker_of(name) != NULL;
}

bool fit_pattern_is_of_lines(const char *name) {
    double (*make)(fit_programs *) = maker_of(name);
    return make == make_shift || make == make_call;
}

/* The longest time from a process's start to its end; of the last process alone where only that has
 * a mark, from there on; the mean from their marks on where all have one. */
static double length_of(const fit_programs *all, const fit_replay_times *times) {
    size_t last = (size_t)all->processes - 1;
    bool each = all->items[0].mark > 0;
    double longest = 0;
    double sum = 0;
    for (size_t k = all->items[last].mark > 0 && !each ? last : 0; k <= last; k++) {
        longest = fmax(longest, times->end[k] - times->mark[k]);
        sum += times->end[k] - times->mark[k];
    }
    return each ? sum / all->processes : longest;
}

double fit_pattern_length(const fit_network_map *map, fit_pattern pattern,
                          const fit_places *placement, fit_replay_rules rules) {
    size_t p = placement->processes;
    fit_sizes sizes = fit_sizes_of(pattern.name);
    double members = fit_axis_members(pattern.axis, (int)p);
    fit_programs all = {.map = map,
                        .name = pattern.name,
                        .placement = placement,
                        .items = calloc(p, sizeof *all.items),
                        .processes = (int)p,
                        .rounds = pattern.rounds,
                        .axis = pattern.axis,
                        .m = rules.m,
                        .sizes = sizes.count};
    for (size_t k = 0; k < sizes.count; k++) {
        all.bytes[k] = fit_size_bytes(&sizes.items[k], rules.m, members);
    }
    double (*make)(fit_programs *) = maker_of(pattern.name);
    double *mark = malloc(p * sizeof *mark);
    double *end = malloc(p * sizeof *end);
    double longest = NAN;
    if (all.items != NULL && mark != NULL && end != NULL && make != NULL) {
        double parts = make(&all);
        fit_replay_times times = {mark, end};
        if (!isnan(parts) && fit_replay(map, placement->nodes, all.items, p, rules, &times)) {
            longest = length_of(&all, &times) / parts;
        }
    }
    for (size_t k = 0; k < p && all.items != NULL; k++) {
        free(all.items[k].steps);
    }
    free(all.items);
    free(mark);
    free(end);
    return longest;
}
