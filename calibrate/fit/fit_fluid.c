#include "fit_fluid.h"

#include <math.h>
#include <stdlib.h>

/* What a message takes on the way back, over what it takes on its way (cross-traffic). */
static const double answers = 0.05;
/* Links that are full within rounding are full at once. */
static const double rounding = 1e-9;

static size_t place_of(const fit_fluid *fluid, uint64_t key) {
    size_t at = (size_t)(key * 0x9E3779B97F4A7C15U) & (fluid->capacity - 1);
    while (fluid->keys[at] != 0 && fluid->keys[at] != key) {
        at = (at + 1) & (fluid->capacity - 1);
    }
    return at;
}

static bool grow(fit_fluid *fluid) {
    enum { FIRST = 1024 };
    fit_fluid larger = {.capacity = fluid->capacity > 0 ? 2 * fluid->capacity : FIRST,
                        .links = fluid->links};
    larger.keys = calloc(larger.capacity, sizeof *larger.keys);
    larger.index = calloc(larger.capacity, sizeof *larger.index);
    larger.widths = calloc(larger.capacity, sizeof *larger.widths);
    larger.left = calloc(larger.capacity, sizeof *larger.left);
    larger.demand = calloc(larger.capacity, sizeof *larger.demand);
    larger.level = calloc(larger.capacity, sizeof *larger.level);
    larger.asking = calloc(larger.capacity, sizeof *larger.asking);
    larger.asked = calloc(larger.capacity, sizeof *larger.asked);
    larger.full = calloc(larger.capacity, sizeof *larger.full);
    if (larger.keys == NULL || larger.index == NULL || larger.widths == NULL ||
        larger.left == NULL || larger.demand == NULL || larger.level == NULL ||
        larger.asking == NULL || larger.asked == NULL || larger.full == NULL) {
        fit_fluid_free(&larger);
        return false;
    }
    for (size_t k = 0; k < fluid->capacity; k++) {
        if (fluid->keys[k] != 0) {
            size_t at = place_of(&larger, fluid->keys[k]);
            larger.keys[at] = fluid->keys[k];
            larger.index[at] = fluid->index[k];
        }
    }
    for (size_t k = 0; k < fluid->links; k++) {
        larger.widths[k] = fluid->widths[k];
    }
    fit_fluid smaller = *fluid;
    *fluid = larger;
    fit_fluid_free(&smaller);
    return true;
}

static bool find_link(fit_fluid *fluid, const fit_link *link, size_t *index) {
    if (2 * (fluid->links + 1) > fluid->capacity && !grow(fluid)) {
        return false;
    }
    size_t at = place_of(fluid, link->key);
    if (fluid->keys[at] == 0) {
        fluid->keys[at] = link->key;
        fluid->widths[fluid->links] = link->width;
        fluid->index[at] = fluid->links++;
    }
    *index = fluid->index[at];
    return true;
}

fit_way *fit_fluid_way(fit_fluid *fluid, const fit_network_map *map, int from, int to) {
    fit_link routes[2][FIT_ROUTE_MAX];
    size_t there = fit_route(map, from, to, routes[0]);
    size_t back = fit_route(map, to, from, routes[1]);
    fit_way *way = malloc(sizeof *way + (there + back) * sizeof way->links[0]);
    bool room = way != NULL;
    for (size_t k = 0; k < there + back && room; k++) {
        size_t link = 0;
        room = find_link(fluid, k < there ? &routes[0][k] : &routes[1][k - there], &link);
        way->links[k] = (uint32_t)link;
    }
    if (!room) {
        free(way);
        return NULL;
    }
    way->count = there;
    way->back = back;
    return way;
}

/* A flow's share of a link goes down with the length of its way, as of round trips. */
static double share_of(const fit_flow *flow) {
    return 1 / (double)flow->way->count;
}

static double weight_of(const fit_flow *flow, size_t k) {
    return k < flow->way->count ? 1 : answers;
}

/* Adds what a flow asks for of its links, and lists those that no other one asked for. */
static void add_demand(fit_fluid *fluid, const fit_flow *flow) {
    for (size_t k = 0; k < flow->way->count + flow->way->back; k++) {
        size_t link = flow->way->links[k];
        if (fluid->asking[link] == 0) {
            fluid->asked[fluid->asked_count++] = link;
            fluid->left[link] = fluid->widths[link];
            fluid->demand[link] = 0;
            fluid->full[link] = false;
        }
        fluid->asking[link]++;
        fluid->demand[link] += weight_of(flow, k) * share_of(flow);
    }
}

static void settle(fit_fluid *fluid, fit_flow *flow, double level) {
    flow->rate = level * share_of(flow);
    flow->settled = true;
    for (size_t k = 0; k < flow->way->count + flow->way->back; k++) {
        size_t link = flow->way->links[k];
        fluid->left[link] -= weight_of(flow, k) * flow->rate;
        fluid->demand[link] -= weight_of(flow, k) * share_of(flow);
        fluid->asking[link]--;
    }
}

static double level_of(const fit_fluid *fluid, size_t link) {
    double left = fluid->left[link];
    return left > 0 ? left / fluid->demand[link] : 0;
}

/* Marks the links that are full first among those that are still asked for; gives the level. */
static double fill(fit_fluid *fluid) {
    double level = INFINITY;
    for (size_t k = 0; k < fluid->asked_count;) {
        size_t link = fluid->asked[k];
        if (fluid->asking[link] > 0) {
            double own = level_of(fluid, link);
            fluid->level[link] = own;
            level = own < level ? own : level;
            k++;
        } else {
            fluid->asked[k] = fluid->asked[--fluid->asked_count];
        }
    }
    for (size_t k = 0; k < fluid->asked_count; k++) {
        size_t link = fluid->asked[k];
        fluid->full[link] = fluid->level[link] <= level * (1 + rounding);
    }
    return level;
}

static bool meets_full(const fit_fluid *fluid, const fit_flow *flow) {
    for (size_t k = 0; k < flow->way->count + flow->way->back; k++) {
        if (fluid->full[flow->way->links[k]]) {
            return true;
        }
    }
    return false;
}

void fit_fluid_rates(fit_fluid *fluid, fit_flow *const *flows, size_t count) {
    fluid->asked_count = 0;
    for (size_t i = 0; i < count; i++) {
        flows[i]->settled = false;
        add_demand(fluid, flows[i]);
    }
    /* All flows of a link that is full keep the rate that they have then: also those that only
     * answer over it. */
    for (size_t settled = 0; settled < count && fluid->asked_count > 0;) {
        double level = fill(fluid);
        for (size_t i = 0; i < count; i++) {
            if (!flows[i]->settled && meets_full(fluid, flows[i])) {
                settle(fluid, flows[i], level);
                settled++;
            }
        }
    }
}

void fit_fluid_free(fit_fluid *fluid) {
    free(fluid->keys);
    free(fluid->index);
    free(fluid->widths);
    free(fluid->left);
    free(fluid->demand);
    free(fluid->level);
    free(fluid->asking);
    free(fluid->asked);
    free(fluid->full);
    *fluid = (fit_fluid){0};
}
