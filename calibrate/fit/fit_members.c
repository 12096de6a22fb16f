#include "fit_members.h"

#include <math.h>
#include <stdlib.h>

#include "fit_called.h"
#include "model/base/process_grid.h"
#include "model/collective/choice.h"
#include "model/collective/layout.h"

int fit_axis_members(fit_axis axis, int processes) {
    int rows = (int)isocast_grid_rows(processes);
    return axis == FIT_AXIS_ALL ? processes : axis == FIT_AXIS_Y ? rows : processes / rows;
}

bool fit_axis_is_square(int processes) {
    int rows = (int)isocast_grid_rows(processes);
    return rows > 1 && processes <= 2 * rows * rows;
}

static const fit_step nobody = {.to = -1, .from = -1};

fit_step fit_members_message(const fit_programs *all, int to, double bytes) {
    fit_step step = nobody;
    double nearest = INFINITY;
    for (size_t k = 0; k < all->sizes; k++) {
        double apart = fabs(log(fmax(bytes, 1) / fmax(all->bytes[k], 1)));
        if (apart < nearest) {
            nearest = apart;
            step.size = (int)k;
        }
    }
    static const double none = 1e-12; /* of a message of no bytes: 0 would be once */
    double size = all->bytes[step.size];
    step.to = to;
    step.times = size > 0 ? fmax(bytes / size, none) : 0;
    step.own = true;
    step.eager = bytes < all->map->eager_limit;
    return step;
}

void fit_members_send(fit_programs *all, int from, int to, int size) {
    fit_step step = nobody;
    step.size = size;
    step.to = to;
    fit_program_add(&all->items[from], step);
    step = nobody;
    step.from = from;
    fit_program_add(&all->items[to], step);
}

/* What carries the messages of one member. */
typedef struct carried {
    const fit_programs *all;
    const int *ranks;
    fit_program *own;
    double unit;
    int any; /* members that something was taken from, whoever comes first */
} carried;

static int start(void *self, bool sends, int process, isocast_collective_block block) {
    carried *c = self;
    int other = c->ranks[process == COLLECTIVE_ANY ? ++c->any : process];
    double unit = block.buffer == COLLECTIVE_NOTICE ? 1 : c->unit;
    fit_step step = nobody;
    if (sends) {
        step = fit_members_message(c->all, other, (double)block.count * unit);
    } else {
        step.from = other;
    }
    step.posts = true;
    fit_program_add(c->own, step);
    return (int)c->own->count - 1;
}

static void wait_for(void *self, int started) {
    carried *c = self;
    fit_program_wait_for(c->own, (size_t)started);
}

bool fit_members_do(fit_programs *all, const fit_members *g, isocast_collective_operation operation,
                    int root) {
    static const isocast_collective_carrier carrier = {.start = start, .wait = wait_for};
    size_t count = (size_t)g->count;
    long long *nodes = malloc(count * sizeof *nodes);
    for (size_t i = 0; i < count && nodes != NULL; i++) {
        nodes[i] = all->placement->nodes[g->ranks[i]];
    }
    bool knows_nodes = isocast_collective_knows_nodes(all->map->library);
    isocast_collective_layout *layout =
        knows_nodes && nodes != NULL ? isocast_collective_layout_create(g->count, nodes) : NULL;
    bool room = nodes != NULL && (layout != NULL || !knows_nodes);
    isocast_collective_part part =
        fit_called_part(all->map->library, operation, g->count, g->bytes);
    part.carrier = &carrier;
    part.root = root;
    part.layout = layout;
    for (int i = 0; i < g->count && room; i++) {
        carried self = {all, g->ranks, &all->items[g->ranks[i]], (double)part.unit, 0};
        part.self = &self;
        part.rank = i;
        isocast_collective_do(&part, operation);
    }
    free(layout);
    free(nodes);
    return room;
}
