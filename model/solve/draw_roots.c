/* The range of ln N around the row's root is cut into cells, and each draw belongs to the one in
 * which what it holds passes the target. A cell is halved until what is held in its middle is the
 * mean of both ends, as far as the tolerance asks: for all of its draws together. */
#include "draw_roots.h"

#include <math.h>
#include <stdlib.h>

enum {
    INNER = 2, /* reaches to either side that cells cover at first */
    OUTER = 6, /* at most */
    EDGES = 2 * OUTER + 1,
    NODES_MAX = 1000,
    NODES_EXPECTED = 20,
    LOOKS_EXPECTED = 8, /* at each draw */
    CELLS_MAX = 128     /* that wait */
};

static const size_t no_cell = (size_t)-1;

/* What is held may jump by so much over the target, as in solver.c. */
static const double small_jump = 0.01;

/* One N at which draws are looked at. */
typedef struct node {
    double x; /* ln N */
    double ln_W;
    double ln_held; /* of W/size: ln held is that less ln T */
    isocast_drawn_point point;
} node;

/* Draws whose root lies between two nodes: members[first] to members[first + count - 1]. */
typedef struct cell {
    double left, right;           /* ln N */
    double ln_W_left, ln_W_right; /* there */
    size_t first, count;
} cell;

typedef struct search {
    const isocast_draw_roots_request *request;
    size_t *members; /* [draws], by their cells */
    size_t *cells;   /* [draws], the cell of each, of the first ones */
    double *left;    /* [draws], what a draw is off by at the left end of its cell, ln */
    double *right;   /* likewise */
    double *ln_N, *ln_W;
    int nodes; /* looked at */
} search;

static isocast_status open_node(search *s, double x, node *out) {
    const isocast_draw_roots_request *request = s->request;
    out->x = x;
    isocast_status status =
        isocast_drawn_times_at(request->times, request->system, request->other_sizes, exp(x),
                               request->effort, &out->point);
    if (status == ISOCAST_OK) {
        out->ln_W = log(out->point.W);
        out->ln_held = out->ln_W - log(request->size);
        s->nodes++;
    }
    return status;
}

/* ln held - ln target of a draw. */
static double off_at(const search *s, const node *at, size_t draw) {
    const isocast_draw_roots_request *request = s->request;
    double T = isocast_drawn_time(&at->point, request->errors + draw * request->number_count);
    return at->ln_held - log(T) - request->targets[draw];
}

/* Whether what is held passes the target between two N, as it does at the row's root. */
static bool passes(const search *s, double left, double right) {
    return s->request->slope > 0 ? left <= 0 && right >= 0 : left >= 0 && right <= 0;
}

/* Where a draw with these values at both ends has its root. */
static void take_root(search *s, const cell *c, size_t draw, double left, double right) {
    double share = left == right ? 0 : left / (left - right);
    s->ln_N[draw] = c->left + share * (c->right - c->left);
    s->ln_W[draw] = c->ln_W_left + share * (c->ln_W_right - c->ln_W_left);
}

/* Halves a cell whose middle is known. Draws without a value there have no root. *off gets how far
 * the middle is from the straight line at most, over ln N. `half` gets both halves, whose members
 * stand behind each other where those of the cell were. */
static void halve(search *s, const cell *c, const node *middle, cell half[2], double *off) {
    half[0] = half[1] = *c;
    half[0].right = half[1].left = middle->x;
    half[0].ln_W_right = half[1].ln_W_left = middle->ln_W;
    size_t begin = c->first;
    size_t end = c->first + c->count;
    *off = 0;
    isocast_effort *effort = s->request->effort;
    effort->left -= (double)c->count * (double)(20 + middle->point.count);
    while (begin < end) {
        size_t draw = s->members[begin];
        double left = s->left[draw];
        double right = s->right[draw];
        double at = off_at(s, middle, draw);
        bool is_left = passes(s, left, at);
        if (!isnan(at)) {
            double slope = fabs(right - left) / (c->right - c->left);
            *off = fmax(*off, fabs(at - (left + right) / 2) / slope);
            s->left[draw] = is_left ? left : at;
            s->right[draw] = is_left ? at : right;
        }
        if (is_left) {
            begin++;
        } else {
            /* To the end: it is not looked at again. */
            s->members[begin] = s->members[--end];
            s->members[end] = draw;
            s->left[draw] = isnan(at) ? NAN : s->left[draw];
        }
    }
    half[0].count = end - c->first;
    half[1].first = end;
    half[1].count = c->count - half[0].count;
}

/* Takes the roots of a cell's draws, over which all are straight lines, or which is narrow enough.
 */
static void take_roots(search *s, const cell *c, bool is_narrow) {
    for (size_t i = c->first; i < c->first + c->count; i++) {
        size_t draw = s->members[i];
        double left = s->left[draw];
        double right = s->right[draw];
        if (!isnan(left) && !(is_narrow && fabs(right - left) > small_jump)) {
            take_root(s, c, draw, left, right);
        }
    }
}

static isocast_status refine(search *s, const cell *whole) {
    cell waiting[CELLS_MAX];
    size_t count = 0;
    waiting[count++] = *whole;
    isocast_status status = ISOCAST_OK;
    while (count > 0 && status == ISOCAST_OK) {
        cell c = waiting[--count];
        double tolerance = s->request->tolerance;
        bool is_narrow = c.right - c.left <= tolerance;
        if (c.count == 0 || is_narrow) {
            take_roots(s, &c, is_narrow);
            continue;
        }
        if (s->nodes >= NODES_MAX || count + 2 > CELLS_MAX ||
            isocast_effort_is_spent(s->request->effort)) {
            continue;
        }
        node middle;
        status = open_node(s, c.left + (c.right - c.left) / 2, &middle);
        if (status != ISOCAST_OK) {
            return status;
        }
        cell half[2];
        double off;
        halve(s, &c, &middle, half, &off);
        isocast_drawn_point_free(&middle.point);
        for (int k = 0; k < 2; k++) {
            if (off <= tolerance) {
                take_roots(s, &half[k], false);
            } else {
                waiting[count++] = half[k];
            }
        }
    }
    return status;
}

/* The edges of the first cells. */
typedef struct edges {
    node at[EDGES]; /* [EDGES], rising; those from `begin` to `end` - 1 are open */
    double *T;      /* [EDGES][draws], s; of the draws that have a cell, at its ends at least */
    size_t begin, end;
} edges;

/* Opens one edge and takes T of the draws that have no cell yet. One out of the range of N stays
 * closed. */
static isocast_status open_edge(search *s, size_t k, edges *e, bool *opened) {
    const isocast_draw_roots_request *request = s->request;
    double x = request->centre + ((double)k - OUTER) * request->reach;
    *opened = exp(x) >= request->low && exp(x) <= request->high;
    isocast_status status = *opened ? open_node(s, x, &e->at[k]) : ISOCAST_OK;
    double *T = e->T + k * request->draws;
    for (size_t d = 0; d < request->draws && *opened && status == ISOCAST_OK; d++) {
        if (s->cells[d] == no_cell) {
            T[d] = isocast_drawn_time(&e->at[k].point, request->errors + d * request->number_count);
            request->effort->left -= (double)(10 + e->at[k].point.count);
        }
    }
    return status;
}

/* Opens what is closed of the edges from `begin` to `end` - 1, next to those that are open. */
static isocast_status open_edges(search *s, size_t begin, size_t end, edges *e) {
    isocast_status status = ISOCAST_OK;
    bool opened = true;
    while (e->end < end && opened && status == ISOCAST_OK) {
        status = open_edge(s, e->end, e, &opened);
        e->end += status == ISOCAST_OK && opened;
    }
    opened = true;
    while (e->begin > begin && opened && status == ISOCAST_OK) {
        status = open_edge(s, e->begin - 1, e, &opened);
        e->begin -= status == ISOCAST_OK && opened;
    }
    return status;
}

/* Gives each draw without a cell the one where it passes its target, of several the nearest to its
 * start; gives how many are left without. */
static size_t find_cells(search *s, const edges *e) {
    const isocast_draw_roots_request *request = s->request;
    size_t left = 0;
    for (size_t d = 0; d < request->draws; d++) {
        double nearest = INFINITY;
        bool has_cell = s->cells[d] != no_cell;
        double due = exp(-request->targets[d]) / request->size; /* held over target is due W/T */
        double before = NAN;
        for (size_t k = e->begin; k < e->end && !has_cell; k++) {
            double start = request->starts[d];
            double off = due * e->at[k].point.W - e->T[k * request->draws + d];
            double away = k == e->begin ? INFINITY
                                        : fmax(0, fmax(e->at[k - 1].x - start, start - e->at[k].x));
            if (away < nearest && passes(s, before, off)) {
                s->cells[d] = k - 1;
                nearest = away;
            }
            before = off;
        }
        left += s->cells[d] == no_cell;
    }
    return left;
}

/* Puts the draws of each cell behind each other, and tells where those of each begin, [EDGES]; what
 * they are off by at the ends of their cells. */
static void share_out(search *s, const edges *e, size_t *starts) {
    const isocast_draw_roots_request *request = s->request;
    size_t draws = request->draws;
    size_t places[EDGES] = {0};
    for (size_t d = 0; d < draws; d++) {
        places[s->cells[d] == no_cell ? EDGES - 1 : s->cells[d]]++;
    }
    size_t place = 0;
    for (size_t k = 0; k < EDGES; k++) {
        starts[k] = place;
        place += places[k];
        places[k] = starts[k];
    }
    for (size_t d = 0; d < draws; d++) {
        size_t k = s->cells[d];
        if (k != no_cell) {
            s->members[places[k]++] = d;
            s->left[d] = e->at[k].ln_held - log(e->T[k * draws + d]) - request->targets[d];
            s->right[d] =
                e->at[k + 1].ln_held - log(e->T[(k + 1) * draws + d]) - request->targets[d];
        }
    }
}

static isocast_status find(search *s, edges *e) {
    e->begin = e->end = OUTER - INNER;
    for (size_t d = 0; d < s->request->draws; d++) {
        s->cells[d] = no_cell;
    }
    isocast_status status = open_edges(s, OUTER - INNER, OUTER + INNER + 1, e);
    if (status == ISOCAST_OK && find_cells(s, e) > 0) {
        status = open_edges(s, 0, EDGES, e);
        if (status == ISOCAST_OK) {
            find_cells(s, e);
        }
    }
    size_t starts[EDGES] = {0};
    share_out(s, e, starts);
    for (size_t k = e->begin; k + 1 < e->end && status == ISOCAST_OK; k++) {
        cell c = {.left = e->at[k].x,
                  .right = e->at[k + 1].x,
                  .ln_W_left = e->at[k].ln_W,
                  .ln_W_right = e->at[k + 1].ln_W,
                  .first = starts[k],
                  .count = starts[k + 1] - starts[k]};
        status = refine(s, &c);
    }
    for (size_t k = e->begin; k < e->end; k++) {
        isocast_drawn_point_free(&e->at[k].point);
    }
    return status;
}

isocast_status isocast_draw_roots_find(const isocast_draw_roots_request *request, double *ln_N,
                                       double *ln_W) {
    size_t draws = request->draws;
    for (size_t d = 0; d < draws; d++) {
        ln_N[d] = ln_W[d] = NAN;
    }
    edges *e = calloc(1, sizeof *e);
    double *numbers = malloc((EDGES + 2) * (draws + 1) * sizeof *numbers);
    size_t *members = malloc((2 * draws + 1) * sizeof *members);
    isocast_status status =
        e == NULL || numbers == NULL || members == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    if (status == ISOCAST_OK) {
        search s = {.request = request,
                    .members = members,
                    .cells = members + draws,
                    .left = numbers,
                    .right = numbers + draws,
                    .ln_N = ln_N,
                    .ln_W = ln_W};
        e->T = numbers + 2 * draws;
        status = find(&s, e);
    }
    free(e);
    free(numbers);
    free(members);
    return status;
}

double isocast_draw_roots_steps(const isocast_drawn_times *times, size_t draws) {
    return NODES_EXPECTED * isocast_drawn_times_steps(times, 0) +
           LOOKS_EXPECTED * isocast_drawn_times_steps(times, draws);
}
