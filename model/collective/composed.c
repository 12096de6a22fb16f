#include "algorithm.h"

/* The processes of this one's node, or the first ones of all nodes, as a part of their own; they do
 * what the library does where nodes do not count. */
static isocast_collective_part of_node(const isocast_collective_part *p) {
    const isocast_collective_layout *l = p->layout;
    int node = l->node[p->rank];
    isocast_collective_part q = *p;
    q.layout = NULL;
    q.ranks = l->ranks + l->begins[node];
    q.size = l->begins[node + 1] - l->begins[node];
    q.rank = l->local[p->rank];
    q.root = 0;
    return q;
}

static isocast_collective_part of_leaders(const isocast_collective_part *p) {
    isocast_collective_part q = *p;
    q.layout = NULL;
    q.ranks = p->layout->leaders;
    q.size = p->layout->nodes;
    q.rank = p->layout->node[p->rank];
    q.root = p->layout->node[p->root];
    return q;
}

static bool leads(const isocast_collective_part *p) {
    return p->layout->local[p->rank] == 0;
}

static bool is_on_root_node(const isocast_collective_part *p) {
    return p->layout->node[p->rank] == p->layout->node[p->root];
}

static void among_leaders(const isocast_collective_part *p,
                          isocast_collective_operation operation) {
    isocast_collective_part leaders = of_leaders(p);
    if (leads(p)) {
        p->as_library(&leaders, operation);
    }
}

static void inside_node(const isocast_collective_part *p, isocast_collective_operation operation) {
    isocast_collective_part node = of_node(p);
    p->as_library(&node, operation);
}

static isocast_collective_block whole(const isocast_collective_part *p) {
    return isocast_collective_piece(COLLECTIVE_OUTPUT, 0, p->count);
}

/* One process has the vector and another is to have it. */
static void hand_over(const isocast_collective_part *p, int from, int to) {
    if (from != to && p->rank == from) {
        isocast_collective_send(p, to, whole(p));
    } else if (from != to && p->rank == to) {
        isocast_collective_receive(p, from, whole(p));
    }
}

void isocast_collective_bcast_by_leaders(const isocast_collective_part *p) {
    hand_over(p, p->root, p->layout->leaders[p->layout->node[p->root]]);
    among_leaders(p, COLLECTIVE_BCAST);
    inside_node(p, COLLECTIVE_BCAST);
}

void isocast_collective_bcast_root_node_first(const isocast_collective_part *p) {
    isocast_collective_part node = of_node(p);
    bool is_first = is_on_root_node(p) && p->layout->local[p->root] > 0;
    if (is_first) {
        node.root = p->layout->local[p->root];
        p->as_library(&node, COLLECTIVE_BCAST);
    }
    among_leaders(p, COLLECTIVE_BCAST);
    if (!is_first) {
        inside_node(p, COLLECTIVE_BCAST);
    }
}

void isocast_collective_reduce_by_leaders(const isocast_collective_part *p) {
    inside_node(p, COLLECTIVE_REDUCE);
    isocast_collective_part leaders = of_leaders(p);
    leaders.root = 0;
    if (leads(p)) {
        p->as_library(&leaders, COLLECTIVE_REDUCE);
    }
    hand_over(p, 0, p->root);
}

void isocast_collective_reduce_root_node_last(const isocast_collective_part *p) {
    if (!is_on_root_node(p)) {
        inside_node(p, COLLECTIVE_REDUCE);
    }
    among_leaders(p, COLLECTIVE_REDUCE);
    if (is_on_root_node(p)) {
        isocast_collective_part node = of_node(p);
        node.root = p->layout->local[p->root];
        p->as_library(&node, COLLECTIVE_REDUCE);
    }
}

void isocast_collective_allreduce_by_leaders(const isocast_collective_part *p) {
    inside_node(p, COLLECTIVE_REDUCE);
    among_leaders(p, COLLECTIVE_ALLREDUCE);
    inside_node(p, COLLECTIVE_BCAST);
}

/* A broadcast of so many bytes inside each node, of which only the fact counts. */
static void notify_node(const isocast_collective_part *p, size_t bytes) {
    isocast_collective_part node = of_node(p);
    node.vector = COLLECTIVE_NOTICE;
    node.count = bytes;
    node.unit = 1;
    p->as_library(&node, COLLECTIVE_BCAST);
}

void isocast_collective_barrier_by_leaders(const isocast_collective_part *p) {
    inside_node(p, COLLECTIVE_BARRIER);
    among_leaders(p, COLLECTIVE_BARRIER);
    notify_node(p, 1);
}

void isocast_collective_allreduce_of_reduce_bcast(const isocast_collective_part *p) {
    isocast_collective_part q = *p;
    q.root = 0;
    p->as_library(&q, COLLECTIVE_REDUCE);
    p->as_library(&q, COLLECTIVE_BCAST);
}

static void reduce_then(const isocast_collective_part *p, isocast_collective_operation scatter) {
    isocast_collective_part q = *p;
    q.root = 0;
    q.count = isocast_collective_total(p);
    q.starts = NULL;
    p->as_library(&q, COLLECTIVE_REDUCE);
    q.count = p->count;
    q.starts = p->starts;
    p->as_library(&q, scatter);
}

void isocast_collective_reduce_scatter_of_reduce_scatterv(const isocast_collective_part *p) {
    reduce_then(p, COLLECTIVE_SCATTERV);
}

void isocast_collective_reduce_scatter_of_reduce_scatter(const isocast_collective_part *p) {
    reduce_then(p, COLLECTIVE_SCATTER);
}

static void gather_then_bcast(const isocast_collective_part *p,
                              isocast_collective_operation gather) {
    isocast_collective_part q = *p;
    q.root = 0;
    p->as_library(&q, gather);
    q.count = isocast_collective_total(p);
    q.starts = NULL;
    p->as_library(&q, COLLECTIVE_BCAST);
}

void isocast_collective_allgather_of_gather_bcast(const isocast_collective_part *p) {
    gather_then_bcast(p, COLLECTIVE_GATHER);
}

void isocast_collective_allgather_of_gatherv_bcast(const isocast_collective_part *p) {
    gather_then_bcast(p, COLLECTIVE_GATHERV);
}

/* Scans inside nodes; the last process of each node has the node's sum, which the first takes. The
 * first ones scan these sums and hand theirs on, and state their nodes whether there is one before.
 */
void isocast_collective_scan_by_leaders(const isocast_collective_part *p) {
    const isocast_collective_layout *l = p->layout;
    int node = l->node[p->rank];
    int size = l->begins[node + 1] - l->begins[node];
    int leader = l->leaders[node];
    int last = l->ranks[l->begins[node + 1] - 1];
    isocast_collective_block own = isocast_collective_piece(COLLECTIVE_KEPT, 0, p->count);
    if (size > 1) {
        inside_node(p, COLLECTIVE_SCAN);
    }
    isocast_collective_copy(p, own, whole(p));
    if (size > 1) {
        hand_over(p, last, leader);
    }
    if (leads(p)) {
        among_leaders(p, COLLECTIVE_SCAN);
        if (node + 1 < l->nodes) {
            isocast_collective_send(p, l->leaders[node + 1], whole(p));
        }
        if (node > 0) {
            isocast_collective_receive(p, l->leaders[node - 1], whole(p));
        }
    }
    if (size > 1) {
        notify_node(p, 4);
    }
    if (node > 0) {
        inside_node(p, COLLECTIVE_BCAST);
        isocast_collective_reduce(p, own, whole(p), true);
    }
    isocast_collective_copy(p, whole(p), own);
}
