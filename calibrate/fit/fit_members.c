#include "fit_members.h"

#include <stdlib.h>

/* MPICH's choice (fit_broadcast.h). */
const double fit_members_cut_from = 12288;
const double fit_members_ring_from = 524288;
enum { TREE_MOST = 7 };

static const fit_step nobody = {.to = -1, .from = -1};

void fit_members_send(fit_programs *all, int from, int to, int size) {
    fit_step step = nobody;
    step.size = size;
    step.to = to;
    fit_program_add(&all->items[from], step);
    step = nobody;
    step.from = from;
    fit_program_add(&all->items[to], step);
}

/* A binomial tree over the members, from the first on. */
static void add_tree(fit_programs *all, const fit_members *g) {
    for (int i = 0; i < g->count; i++) {
        int mask = 1;
        while (mask < g->count && (i & mask) == 0) {
            mask *= 2;
        }
        if (i > 0) {
            fit_step step = nobody;
            step.from = g->ranks[i - mask];
            fit_program_add(&all->items[g->ranks[i]], step);
        }
        for (mask /= 2; mask > 0; mask /= 2) {
            if (i + mask < g->count) {
                fit_step step = nobody;
                step.size = g->size;
                step.to = g->ranks[i + mask];
                fit_program_add(&all->items[g->ranks[i]], step);
            }
        }
    }
}

/* Members of the node of member `first`, which follow it. */
static int on_node(const fit_programs *all, const fit_members *g, int first) {
    int count = 1;
    int node = all->placement->nodes[g->ranks[first]];
    while (first + count < g->count && all->placement->nodes[g->ranks[first + count]] == node) {
        count++;
    }
    return count;
}

/* Whether all nodes have as many members. */
static bool is_uniform(const fit_programs *all, const fit_members *g) {
    int each = on_node(all, g, 0);
    for (int first = 0; first < g->count; first += each) {
        if (on_node(all, g, first) != each) {
            return false;
        }
    }
    return true;
}

/* From the root to the first member of its node, down a tree of the nodes, and down one inside
 * each. */
static bool add_relay(fit_programs *all, const fit_members *g, int root) {
    int each = on_node(all, g, 0);
    int top = root - root % each;
    int *ranks = malloc((size_t)g->count * sizeof *ranks);
    if (ranks == NULL) {
        return false;
    }
    if (root > top) {
        fit_members_send(all, g->ranks[root], g->ranks[top], g->size);
    }
    int leaders = 0;
    for (int first = 0; first < g->count; first += each) {
        ranks[leaders++] = g->ranks[(top + first) % g->count];
    }
    add_tree(all, &(fit_members){.ranks = ranks, .count = leaders, .size = g->size});
    for (int first = 0; first < g->count; first += each) {
        add_tree(all, &(fit_members){.ranks = &g->ranks[first], .count = each, .size = g->size});
    }
    free(ranks);
    return true;
}

/* Empty blocks of what is left of the last ones are not told apart. */
static int blocks_of(const fit_members *g, int from, int count) {
    int there = g->count - from;
    return there < count ? there : count;
}

/* Messages of many blocks are nearer to the whole, those of few to a block. */
static void add_part(fit_programs *all, const fit_members *g, int own, int to, int from,
                     int blocks) {
    fit_step step = nobody;
    bool many = blocks * blocks > g->count;
    step.size = many ? g->size : g->block;
    step.times = many ? (double)blocks / g->count : blocks;
    step.to = to < 0 ? -1 : g->ranks[to];
    step.from = from < 0 ? -1 : g->ranks[from];
    fit_program_add(&all->items[g->ranks[own]], step);
}

/* Along a tree from the first member on: each gets the blocks of all behind it. */
static void add_scatter(fit_programs *all, const fit_members *g, int own) {
    int mask = 1;
    while (mask < g->count && (own & mask) == 0) {
        mask *= 2;
    }
    if (mask < g->count) {
        add_part(all, g, own, -1, own - mask, 0);
    }
    for (int half = mask / 2; half > 0; half /= 2) {
        if (own + half < g->count) {
            add_part(all, g, own, own + half, -1, blocks_of(g, own + half, half));
        }
    }
}

/* A message to the next one and from the one before, until each has all blocks. */
static void add_ring(fit_programs *all, const fit_members *g, int own) {
    for (int step = 0; step + 1 < g->count; step++) {
        add_part(all, g, own, (own + 1) % g->count, (own + g->count - 1) % g->count, 1);
    }
}

/* In a step two groups of `mask` members exchange their blocks. Where the second group is cut off,
 * its front `have` members have partners, which pass on what they got to those half of `mask`
 * away, and so on, that have it not. */
static void add_lonely(fit_programs *all, const fit_members *g, int own, int theirs, int mask) {
    int have = g->count - theirs;
    for (int half = mask / 2; half > 0; half /= 2) {
        int place = own % (2 * half);
        if (place < have && place < half && place + half >= have) {
            add_part(all, g, own, own + half, -1, have);
        } else if (place >= have && place >= half && place - half < have) {
            add_part(all, g, own, -1, own - half, 0);
        }
    }
}

static void add_block_doubling(fit_programs *all, const fit_members *g, int own) {
    for (int mask = 1; mask < g->count; mask *= 2) {
        int partner = own ^ mask;
        int theirs = partner / mask * mask;
        if (partner < g->count) {
            add_part(all, g, own, partner, partner, blocks_of(g, own / mask * mask, mask));
        }
        if (theirs > own && theirs < g->count && theirs + mask > g->count) {
            add_lonely(all, g, own, theirs, mask);
        }
    }
}

static void add_in_blocks(fit_programs *all, const fit_members *g) {
    bool is_power = (g->count & (g->count - 1)) == 0;
    bool rings = g->bytes >= fit_members_ring_from || !is_power;
    for (int own = 0; own < g->count; own++) {
        add_scatter(all, g, own);
        if (rings) {
            add_ring(all, g, own);
        } else {
            add_block_doubling(all, g, own);
        }
    }
}

bool fit_members_broadcast(fit_programs *all, const fit_members *g, int root) {
    if (g->count < 2) {
        return true;
    }
    if (on_node(all, g, 0) > 1 && is_uniform(all, g)) {
        return add_relay(all, g, root);
    }
    int *ranks = malloc((size_t)g->count * sizeof *ranks);
    for (int i = 0; i < g->count && ranks != NULL; i++) {
        ranks[i] = g->ranks[(i + root) % g->count];
    }
    if (ranks != NULL) {
        fit_members turned = *g;
        turned.ranks = ranks;
        bool cut = g->block > 0 && g->bytes >= fit_members_cut_from && g->count > TREE_MOST;
        (cut ? add_in_blocks : add_tree)(all, &turned);
    }
    free(ranks);
    return ranks != NULL;
}

/* Whether all members are on one node. */
static bool is_within(const fit_programs *all, const fit_members *g) {
    return on_node(all, g, 0) == g->count;
}

/* The first member has a message from each other one, from the last to the next. */
static void add_gathering(fit_programs *all, const fit_members *g) {
    for (int i = g->count - 1; i > 0; i--) {
        fit_members_send(all, g->ranks[i], g->ranks[0], g->size);
    }
}

/* A binomial tree over the members, to the first. */
static void add_tree_up(fit_programs *all, const fit_members *g) {
    for (int mask = 1; mask < g->count; mask *= 2) {
        for (int i = mask; i < g->count; i += 2 * mask) {
            fit_members_send(all, g->ranks[i], g->ranks[i - mask], g->size);
        }
    }
}

/* A message to itself: the library copies in that way. */
static void add_copy(fit_programs *all, int rank, int size) {
    fit_program_add(&all->items[rank], (fit_step){.to = rank, .from = rank, .size = size});
}

/* Each with the one 1, 2, 4 ... away. What is beyond a power of two of members leaves its part to
 * its neighbour, and gets the whole from there. */
static void add_doubling(fit_programs *all, const fit_members *g) {
    int power = 1;
    while (2 * power <= g->count) {
        power *= 2;
    }
    int left = g->count - power;
    for (int i = 0; i < g->count; i++) {
        add_copy(all, g->ranks[i], g->size);
    }
    for (int i = 0; i < 2 * left; i += 2) {
        fit_members_send(all, g->ranks[i], g->ranks[i + 1], g->size);
    }
    for (int mask = 1; mask < power; mask *= 2) {
        for (int own = 0; own < power; own++) {
            int other = own ^ mask;
            int to = g->ranks[other < left ? 2 * other + 1 : other + left];
            int from = g->ranks[own < left ? 2 * own + 1 : own + left];
            fit_program_add(&all->items[from], (fit_step){.to = to, .from = to, .size = g->size});
            if (other > own) {
                add_copy(all, from, g->size);
            }
        }
    }
    for (int i = 0; i < 2 * left; i += 2) {
        fit_members_send(all, g->ranks[i + 1], g->ranks[i], g->size);
    }
}

/* Among the members of each node, and among the first of each node. */
static bool on_nodes(fit_programs *all, const fit_members *g,
                     void (*within)(fit_programs *, const fit_members *),
                     void (*between)(fit_programs *, const fit_members *)) {
    int *ranks = malloc((size_t)g->count * sizeof *ranks);
    int leaders = 0;
    for (int first = 0; first < g->count && ranks != NULL;) {
        int each = on_node(all, g, first);
        within(all, &(fit_members){.ranks = &g->ranks[first], .count = each, .size = g->size});
        ranks[leaders++] = g->ranks[first];
        first += each;
    }
    if (ranks != NULL && between != NULL) {
        between(all, &(fit_members){.ranks = ranks, .count = leaders, .size = g->size});
    }
    free(ranks);
    return ranks != NULL;
}

bool fit_members_reduce(fit_programs *all, const fit_members *g) {
    if (is_within(all, g)) {
        add_gathering(all, g);
        return true;
    }
    return on_nodes(all, g, add_tree_up, add_tree_up);
}

bool fit_members_allreduce(fit_programs *all, const fit_members *g) {
    return on_nodes(all, g, add_doubling, add_doubling) && on_nodes(all, g, add_tree, NULL);
}

void fit_members_barrier(fit_programs *all, int size) {
    for (int away = 1; away < all->processes; away *= 2) {
        for (int rank = 0; rank < all->processes; rank++) {
            fit_step step = {.to = (rank + away) % all->processes,
                             .from = (rank + all->processes - away) % all->processes,
                             .size = size};
            fit_program_add(&all->items[rank], step);
        }
    }
}
