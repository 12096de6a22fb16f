/* The range of ln N around the row's root is cut into cells, and each draw belongs to the one in
 * which what it holds passes the target. A cell is halved until what is held in its middle is what
 * a parabola through what is known around it makes of it, as far as the tolerance asks: for all of
 * its draws together. */
#include "draw_roots.h"

#include <math.h>
#include <stdlib.h>

enum {
    INNER = 2,                      /* reaches to either side that cells cover at first */
    OUTER = ISOCAST_DRAW_ROOTS_FAR, /* at most */
    EDGES = 2 * OUTER + 1,
    NODES_MAX = 1000,
    NODES_EXPECTED = 20,
    LOOKS_EXPECTED = 8, /* at each draw */
    CELLS_MAX = 128,    /* that wait */
    STEPS_OF_NEWTON = 3
};

static const size_t no_cell = (size_t)-1;

/* What is held may jump by so much over the target, as in solver.c. */
static const double small_jump = 0.01;
/* A parabola is taken where it bends by no more than this share of its rise. */
static const double most_bent = 0.125;

/* One N at which draws are looked at. */
typedef struct node {
    double x; /* ln N */
    double ln_W;
    isocast_drawn_point point;
} node;

/* Draws whose root lies between two nodes: members[first] to members[first + count - 1]. */
typedef struct cell {
    double left, right;           /* ln N */
    double ln_W_left, ln_W_right; /* there */
    double ln_W_bend;             /* ln W in the middle is above the chord by this */
    size_t first, count;
} cell;

/* The edges of the first cells. */
typedef struct edges {
    node at[EDGES]; /* rising; those from `begin` to `end` - 1 are open */
    double *off;    /* [EDGES][draws]; NAN where it was not looked at */
    size_t begin, end;
    bool may_begin, may_end; /* whether there are more to the left and to the right */
} edges;

struct isocast_draw_roots {
    const isocast_draw_roots_request *request;
    edges edges;
    size_t next; /* edge at which the next of the first cells begins */
    cell waiting[CELLS_MAX];
    size_t waiting_count;
    int nodes;            /* looked at */
    size_t starts[EDGES]; /* of the draws of each of the first cells, in `members` */
    size_t *members;      /* [draws], by their cells */
    size_t *cells;        /* [draws], the cell of each, of the first ones */
    size_t *without;      /* [draws], that have no root near the row's; [without_count] */
    size_t without_count;
    size_t reported; /* of them, that the caller knows */
    /* [draws] each: what a draw is off by at the left and the right end of its cell, and in the
     * middle above the chord of both. Its unit is that of ln held, near 0. */
    double *left, *right, *bend;
    double *due;     /* [draws], s/flop: held over target is due W/T */
    double *T, *off; /* [draws], of the members that are looked at */
    double *ln_N, *ln_W;
};

static isocast_status open_node(isocast_draw_roots *s, double x, node *out) {
    const isocast_draw_roots_request *request = s->request;
    out->x = x;
    isocast_status status =
        isocast_drawn_times_at(request->times, request->system, request->other_sizes, exp(x),
                               request->effort, &out->point);
    if (status == ISOCAST_OK) {
        out->ln_W = log(out->point.W);
        s->nodes++;
    }
    return status;
}

/* s->off of some draws at a node: 2 (a - b)/(a + b) is ln(a/b) but for third order. */
static void look_at(isocast_draw_roots *s, const node *at, const size_t *which, size_t count) {
    const isocast_draw_roots_request *request = s->request;
    isocast_drawn_times_of(&at->point, request->errors, request->draws, which, count, s->T);
    request->effort->left -= (double)count * (double)(10 + at->point.count);
    for (size_t k = 0; k < count; k++) {
        double wanted = s->due[which[k]] * at->point.W;
        double T = s->T[k];
        s->off[k] = T > 0 ? 2 * (wanted - T) / (wanted + T) : NAN;
    }
}

/* Whether what is held passes the target between two N, as it does at the row's root. */
static bool passes(const isocast_draw_roots *s, double left, double right) {
    return s->request->slope > 0 ? left <= 0 && right >= 0 : left >= 0 && right <= 0;
}

/* How far a draw's root is from the left end of its cell, as a share of the cell: where the
 * parabola left + (right - left) t + 4 bend t (1 - t) is 0, from where its chord is. */
static double find_share(double left, double right, double bend) {
    double rise = right - left;
    double t = left == right ? 0 : -left / rise;
    for (int step = 0; step < STEPS_OF_NEWTON && 4 * fabs(bend) <= fabs(rise) / 2; step++) {
        double off = left + rise * t + 4 * bend * t * (1 - t);
        double slope = rise + 4 * bend * (1 - 2 * t);
        t = slope != 0 ? fmin(fmax(t - off / slope, 0), 1) : t;
    }
    return t;
}

/* Halves a cell whose middle was looked at. Draws without a value there have no root. Gives whether
 * both halves are parabolas as far as the tolerance asks. `half` gets both, whose members stand
 * behind each other where those of the cell were. */
static bool halve(isocast_draw_roots *s, const cell *c, const node *middle, cell half[2]) {
    size_t *members = s->members + c->first;
    double width = c->right - c->left;
    double straight = 0; /* how far a middle is from the chord at most, over ln N */
    double bent = 0;     /* likewise, from what was expected there */
    size_t begin = 0;
    size_t end = c->count;
    look_at(s, middle, members, c->count);
    while (begin < end) {
        size_t draw = members[begin];
        double left = s->left[draw];
        double right = s->right[draw];
        double at = s->off[begin];
        bool is_left = passes(s, left, at);
        if (!isnan(at)) {
            double rise = fabs(right - left);
            double bend = at - (left + right) / 2;
            double surprise = fabs(bend - s->bend[draw]);
            bool is_parabola = !isnan(surprise) && fabs(bend) <= most_bent * rise;
            straight = fmax(straight, fabs(bend) / rise);
            bent = fmax(bent, is_parabola ? surprise / rise : INFINITY);
            s->bend[draw] = bend / 4;
            s->left[draw] = is_left ? left : at;
            s->right[draw] = is_left ? at : right;
        }
        if (is_left) {
            begin++;
        } else {
            /* To the end: it is not looked at again. */
            members[begin] = members[--end];
            s->off[begin] = s->off[end];
            members[end] = draw;
            s->left[draw] = isnan(at) ? NAN : s->left[draw];
        }
    }
    half[0] = half[1] = *c;
    half[0].right = half[1].left = middle->x;
    half[0].ln_W_right = half[1].ln_W_left = middle->ln_W;
    half[0].ln_W_bend = half[1].ln_W_bend = (middle->ln_W - (c->ln_W_left + c->ln_W_right) / 2) / 4;
    half[0].count = end;
    half[1].first = c->first + end;
    half[1].count = c->count - end;
    return fmin(straight, bent) * width <= s->request->tolerance;
}

/* Takes the roots of a cell's draws, over which all are parabolas, or which is narrow enough. */
static void take_roots(isocast_draw_roots *s, const cell *c, bool is_narrow) {
    for (size_t i = c->first; i < c->first + c->count; i++) {
        size_t draw = s->members[i];
        double left = s->left[draw];
        double right = s->right[draw];
        if (isnan(left) || (is_narrow && fabs(right - left) > small_jump)) {
            s->without[s->without_count++] = draw;
            continue;
        }
        double t = find_share(left, right, is_narrow ? 0 : s->bend[draw]);
        s->ln_N[draw] = c->left + t * (c->right - c->left);
        s->ln_W[draw] = c->ln_W_left + t * (c->ln_W_right - c->ln_W_left) +
                        4 * (is_narrow ? 0 : c->ln_W_bend) * t * (1 - t);
    }
}

static void give_up(isocast_draw_roots *s, const cell *c) {
    for (size_t i = c->first; i < c->first + c->count; i++) {
        s->without[s->without_count++] = s->members[i];
    }
}

/* Looks into the cell that waits last. */
static isocast_status look_into(isocast_draw_roots *s) {
    cell c = s->waiting[--s->waiting_count];
    bool is_narrow = c.right - c.left <= s->request->tolerance;
    if (c.count == 0 || is_narrow) {
        take_roots(s, &c, is_narrow);
        return ISOCAST_OK;
    }
    if (s->nodes >= NODES_MAX || s->waiting_count + 2 > CELLS_MAX ||
        isocast_effort_is_spent(s->request->effort)) {
        give_up(s, &c);
        return ISOCAST_OK;
    }
    node middle;
    isocast_status status = open_node(s, c.left + (c.right - c.left) / 2, &middle);
    if (status != ISOCAST_OK) {
        return status;
    }
    cell half[2];
    bool is_fine = halve(s, &c, &middle, half);
    isocast_drawn_point_free(&middle.point);
    for (int k = 0; k < 2; k++) {
        if (is_fine) {
            take_roots(s, &half[k], false);
        } else {
            s->waiting[s->waiting_count++] = half[k];
        }
    }
    return ISOCAST_OK;
}

/* Opens one edge and looks at the draws that have no cell yet, members[0] to members[count - 1].
 * One out of the range of N stays closed. */
static isocast_status open_edge(isocast_draw_roots *s, size_t k, size_t count, bool *opened) {
    const isocast_draw_roots_request *request = s->request;
    double x = request->centre + ((double)k - OUTER) * request->reach;
    *opened = exp(x) >= request->low && exp(x) <= request->high;
    isocast_status status = *opened ? open_node(s, x, &s->edges.at[k]) : ISOCAST_OK;
    if (status == ISOCAST_OK && *opened) {
        look_at(s, &s->edges.at[k], s->members, count);
        for (size_t i = 0; i < count; i++) {
            s->edges.off[k * request->draws + s->members[i]] = s->off[i];
        }
    }
    return status;
}

/* Opens what is closed of the edges from `begin` to `end` - 1, next to those that are open. */
static isocast_status open_edges(isocast_draw_roots *s, size_t begin, size_t end, size_t count) {
    edges *e = &s->edges;
    isocast_status status = ISOCAST_OK;
    while (e->may_end && e->end < end && status == ISOCAST_OK) {
        status = open_edge(s, e->end, count, &e->may_end);
        e->end += status == ISOCAST_OK && e->may_end;
        e->may_end = e->may_end && e->end < EDGES;
    }
    while (e->may_begin && e->begin > begin && status == ISOCAST_OK) {
        status = open_edge(s, e->begin - 1, count, &e->may_begin);
        e->begin -= status == ISOCAST_OK && e->may_begin;
        e->may_begin = e->may_begin && e->begin > 0;
    }
    return status;
}

/* The cell where a draw passes its target, of several the nearest to its start; no_cell where there
 * is none, or where one that is not open yet may be nearer. */
static size_t find_cell(const isocast_draw_roots *s, size_t draw) {
    const isocast_draw_roots_request *request = s->request;
    const edges *e = &s->edges;
    double start = request->starts[draw];
    double nearest = INFINITY;
    size_t found = no_cell;
    double before = NAN;
    for (size_t k = e->begin; k < e->end; k++) {
        double off = e->off[k * request->draws + draw];
        /* Few edges are passed: how far they are is asked of these alone. */
        if (passes(s, before, off)) {
            double away = fmax(0, fmax(e->at[k - 1].x - start, start - e->at[k].x));
            found = away < nearest ? k - 1 : found;
            nearest = fmin(nearest, away);
        }
        before = off;
    }
    double to_left = e->may_begin ? start - e->at[e->begin].x : INFINITY;
    double to_right = e->may_end ? e->at[e->end - 1].x - start : INFINITY;
    return nearest <= fmax(0, fmin(to_left, to_right)) ? found : no_cell;
}

/* Gives the first `count` members their cells; those that have none come first then, and their
 * number is given. */
static size_t find_cells(isocast_draw_roots *s, size_t count) {
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        size_t draw = s->members[i];
        s->cells[draw] = find_cell(s, draw);
        if (s->cells[draw] == no_cell) {
            s->members[i] = s->members[left];
            s->members[left++] = draw;
        }
    }
    return left;
}

/* What a draw is above the chord in the middle of its cell, as its values at the edges beside it
 * report; NAN where there are none. */
static double expected_bend(const isocast_draw_roots *s, size_t draw) {
    size_t draws = s->request->draws;
    size_t k = s->cells[draw];
    const double *off = s->edges.off + draw;
    double sum = 0;
    int count = 0;
    for (size_t middle = k; middle <= k + 1; middle++) {
        if (middle > s->edges.begin && middle + 1 < s->edges.end) {
            double bend =
                off[middle * draws] - (off[(middle - 1) * draws] + off[(middle + 1) * draws]) / 2;
            sum += isnan(bend) ? 0 : bend / 4;
            count += !isnan(bend);
        }
    }
    return count > 0 ? sum / count : NAN;
}

/* Puts the draws of each cell behind each other; those without a cell are reported. */
static void share_out(isocast_draw_roots *s) {
    size_t draws = s->request->draws;
    size_t places[EDGES] = {0};
    for (size_t d = 0; d < draws; d++) {
        places[s->cells[d] == no_cell ? EDGES - 1 : s->cells[d]]++;
    }
    size_t place = 0;
    for (size_t k = 0; k < EDGES; k++) {
        s->starts[k] = place;
        place += places[k];
        places[k] = s->starts[k];
    }
    for (size_t d = 0; d < draws; d++) {
        size_t k = s->cells[d];
        if (k == no_cell) {
            s->without[s->without_count++] = d;
        } else {
            s->members[places[k]++] = d;
            s->left[d] = s->edges.off[k * draws + d];
            s->right[d] = s->edges.off[(k + 1) * draws + d];
            s->bend[d] = expected_bend(s, d);
        }
    }
}

/* Opens edges, from the row's N outwards, until all draws have a cell. */
static isocast_status find_first_cells(isocast_draw_roots *s) {
    size_t left = s->request->draws;
    s->edges.begin = s->edges.end = OUTER - INNER;
    s->edges.may_begin = s->edges.may_end = true;
    for (size_t d = 0; d < left; d++) {
        s->members[d] = d;
    }
    isocast_status status = ISOCAST_OK;
    for (size_t far = INNER; far <= OUTER && left > 0 && status == ISOCAST_OK; far++) {
        status = open_edges(s, OUTER - far, OUTER + far + 1, left);
        left = status == ISOCAST_OK ? find_cells(s, left) : left;
    }
    s->next = s->edges.begin;
    share_out(s);
    return status;
}

static isocast_status allocate(isocast_draw_roots *s) {
    size_t draws = s->request->draws;
    double *numbers = malloc((EDGES + 6) * (draws + 1) * sizeof *numbers);
    s->left = numbers;
    s->members = malloc((3 * draws + 1) * sizeof *s->members);
    if (numbers == NULL || s->members == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    s->cells = s->members + draws;
    s->without = s->cells + draws;
    s->right = s->left + draws;
    s->bend = s->right + draws;
    s->due = s->bend + draws;
    s->T = s->due + draws;
    s->off = s->T + draws;
    s->edges.off = s->off + draws;
    return ISOCAST_OK;
}

isocast_status isocast_draw_roots_create(const isocast_draw_roots_request *request, double *ln_N,
                                         double *ln_W, isocast_draw_roots **out) {
    isocast_draw_roots *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    s->request = request;
    s->ln_N = ln_N;
    s->ln_W = ln_W;
    isocast_status status = allocate(s);
    for (size_t d = 0; d < request->draws && status == ISOCAST_OK; d++) {
        bool is_same = d > 0 && request->targets[d] == request->targets[d - 1];
        s->due[d] = is_same ? s->due[d - 1] : exp(-request->targets[d]) / request->size;
        ln_N[d] = ln_W[d] = NAN;
    }
    for (size_t i = 0; i < EDGES * request->draws && status == ISOCAST_OK; i++) {
        s->edges.off[i] = NAN;
    }
    status = status == ISOCAST_OK ? find_first_cells(s) : status;
    if (status != ISOCAST_OK) {
        isocast_draw_roots_free(s);
        return status;
    }
    *out = s;
    return ISOCAST_OK;
}

void isocast_draw_roots_free(isocast_draw_roots *s) {
    if (s != NULL) {
        for (size_t k = s->edges.begin; k < s->edges.end; k++) {
            isocast_drawn_point_free(&s->edges.at[k].point);
        }
        free(s->left);
        free(s->members);
        free(s);
    }
}

/* The next of the first cells that has draws waits. */
static void take_first_cell(isocast_draw_roots *s) {
    const node *at = s->edges.at;
    size_t k = s->next++;
    s->waiting[s->waiting_count++] = (cell){.left = at[k].x,
                                            .right = at[k + 1].x,
                                            .ln_W_left = at[k].ln_W,
                                            .ln_W_right = at[k + 1].ln_W,
                                            .first = s->starts[k],
                                            .count = s->starts[k + 1] - s->starts[k]};
}

isocast_status isocast_draw_roots_go_on(isocast_draw_roots *s, size_t enough,
                                        const size_t **without, size_t *count, bool *done) {
    isocast_status status = ISOCAST_OK;
    bool is_done = false;
    while (s->without_count - s->reported < enough && !is_done && status == ISOCAST_OK) {
        if (s->waiting_count > 0) {
            status = look_into(s);
        } else if (s->next + 1 < s->edges.end) {
            take_first_cell(s);
        } else {
            is_done = true;
        }
    }
    if (status != ISOCAST_OK) {
        return status;
    }
    *without = s->without + s->reported;
    *count = s->without_count - s->reported;
    *done = is_done;
    s->reported = s->without_count;
    return ISOCAST_OK;
}

double isocast_draw_roots_steps(const isocast_drawn_times *times, size_t draws) {
    return NODES_EXPECTED * isocast_drawn_times_steps(times, 0) +
           LOOKS_EXPECTED * isocast_drawn_times_steps(times, draws);
}
