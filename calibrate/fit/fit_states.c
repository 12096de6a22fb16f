#include "fit_states.h"

#include <math.h>
#include <stdlib.h>

#include "calibrate/samples/median.h"
#include "fit_kinds.h"
#include "model/base/operation_name.h"
#include "model/base/order.h"

/* Launches are of two states where the next slower one takes this many times as long, and those
 * of each state are alike within the second factor: of the slow ones that many, as some launches
 * see both. */
static const double gap_least = 2;
static const double alike = 1.4;
static const double slow_alike_least = 0.75;
/* B: longer messages take long in any state. */
static const double short_most = 1024;
/* Launches that a point needs to say something, and that a state needs. */
enum { LAUNCHES_LEAST = 3, FAST_LEAST = 2 };
/* Fewer launches that differ at random would look like two states too often. */
enum { STATES_LEAST = 8 };

/* How slow a point was in one launch: ln of its time over that in its fastest launch. */
typedef struct slowness {
    unsigned launch;
    double value;
} slowness;

typedef struct finder {
    samples *s;
    sample *rows;    /* [count], short messages of one placement, by point and launch */
    slowness *found; /* [found_count], of all points */
    double *scratch;
    slowness *launches; /* [launch_count], the median of each launch */
    size_t count, found_count, launch_count;
} finder;

static bool is_message(const samples *s, const sample *row) {
    const char *name = s->operations[row->operation];
    return row->p > 1 && isocast_operation_is_name(name) && fit_kind_of(name) != FIT_KIND_WORK;
}

static bool same_placement(const sample *a, const sample *b) {
    return a->p == b->p && a->nodes == b->nodes && a->p_node == b->p_node;
}

ISOCAST_ORDER_BY(by_point, sample, x->operation, x->m, x->launch)

ISOCAST_ORDER_BY(by_launch, slowness, x->launch)

ISOCAST_ORDER_BY(by_value, slowness, x->value)

/* The rows of one point, [count]: how slow it was in each launch. */
static void look_at_point(finder *f, const sample *rows, size_t count) {
    size_t first = f->found_count;
    double least = INFINITY;
    for (size_t begin = 0; begin < count;) {
        size_t end = begin;
        while (end < count && rows[end].launch == rows[begin].launch) {
            f->scratch[end - begin] = rows[end].seconds;
            end++;
        }
        double median = isocast_median(f->scratch, end - begin);
        f->found[f->found_count++] = (slowness){rows[begin].launch, log(fmax(median, 1e-12))};
        least = fmin(least, f->found[f->found_count - 1].value);
        begin = end;
    }
    if (f->found_count - first < LAUNCHES_LEAST) {
        f->found_count = first;
    }
    for (size_t k = first; k < f->found_count; k++) {
        f->found[k].value -= least;
    }
}

/* The median of each launch over its points. */
static void sum_up(finder *f) {
    qsort(f->found, f->found_count, sizeof *f->found, by_launch);
    f->launch_count = 0;
    for (size_t begin = 0; begin < f->found_count;) {
        size_t end = begin;
        while (end < f->found_count && f->found[end].launch == f->found[begin].launch) {
            f->scratch[end - begin] = f->found[end].value;
            end++;
        }
        f->launches[f->launch_count++] =
            (slowness){f->found[begin].launch, isocast_median(f->scratch, end - begin)};
        begin = end;
    }
}

/* Whether most of the slow launches, sorted, are alike. */
static bool are_alike(const slowness *slow, size_t count) {
    double middle = slow[count / 2].value;
    size_t near = 0;
    for (size_t k = 0; k < count; k++) {
        near += fabs(slow[k].value - middle) <= log(alike);
    }
    return (double)near >= slow_alike_least * (double)count;
}

/* How many of the launches, sorted from fast to slow, are fast; all where there is one state. */
static size_t count_fast(const slowness *launches, size_t count) {
    size_t fast = 1;
    while (fast < count && launches[fast].value - launches[fast - 1].value <= log(gap_least)) {
        fast++;
    }
    bool two = count >= STATES_LEAST && fast < count && fast >= FAST_LEAST &&
               launches[fast - 1].value - launches[0].value <= log(alike) &&
               are_alike(launches + fast, count - fast);
    return two ? fast : count;
}

static void note_states(const finder *f, size_t fast, fit_states *out) {
    size_t slow = f->launch_count - fast;
    out->launches += f->launch_count;
    out->slow += slow;
    if (slow > 0) {
        double between = f->launches[fast + slow / 2].value - f->launches[fast / 2].value;
        out->ratio = fmax(out->ratio, exp(between));
    }
}

/* Puts the rows of slow launches behind the others. */
static bool move_slow(finder *f, const sample *placement, size_t fast) {
    samples *s = f->s;
    sample *kept = malloc((s->count + 1) * sizeof *kept);
    if (kept == NULL) {
        return false;
    }
    size_t count = 0;
    size_t end = s->count;
    for (size_t i = 0; i < s->count; i++) {
        const sample *row = &s->rows[i];
        bool slow = false;
        for (size_t k = fast; k < f->launch_count && !slow; k++) {
            slow = is_message(s, row) && same_placement(row, placement) &&
                   row->launch == f->launches[k].launch;
        }
        kept[slow ? --end : count++] = *row;
    }
    for (size_t i = 0; i < s->count; i++) {
        s->rows[i] = kept[i];
    }
    s->count = count;
    free(kept);
    return true;
}

/* The launches of one placement. */
static bool look_at_placement(finder *f, const sample *placement, fit_states *out) {
    f->count = f->found_count = 0;
    for (size_t i = 0; i < f->s->count; i++) {
        const sample *row = &f->s->rows[i];
        if (is_message(f->s, row) && row->m <= short_most && same_placement(row, placement)) {
            f->rows[f->count++] = *row;
        }
    }
    qsort(f->rows, f->count, sizeof *f->rows, by_point);
    for (size_t begin = 0; begin < f->count;) {
        size_t end = begin;
        while (end < f->count && f->rows[end].operation == f->rows[begin].operation &&
               f->rows[end].m == f->rows[begin].m) {
            end++;
        }
        look_at_point(f, f->rows + begin, end - begin);
        begin = end;
    }
    sum_up(f);
    qsort(f->launches, f->launch_count, sizeof *f->launches, by_value);
    size_t fast = count_fast(f->launches, f->launch_count);
    note_states(f, fast, out);
    return fast == f->launch_count || move_slow(f, placement, fast);
}

/* Whether the placement of a row is that of one before it. */
static bool is_known(const samples *s, size_t index) {
    bool known = false;
    for (size_t i = index; i-- > 0 && !known;) {
        known = is_message(s, &s->rows[i]) && same_placement(&s->rows[i], &s->rows[index]);
    }
    return known;
}

bool fit_states_take_fast(samples *s, fit_states *out) {
    size_t room = s->count + 1;
    finder f = {.s = s,
                .rows = malloc(room * sizeof *f.rows),
                .found = malloc(room * sizeof *f.found),
                .scratch = malloc(room * sizeof *f.scratch),
                .launches = malloc(room * sizeof *f.launches)};
    bool complete = f.rows != NULL && f.found != NULL && f.scratch != NULL && f.launches != NULL;
    *out = (fit_states){.ratio = 1};
    for (size_t i = 0; complete && i < s->count; i++) {
        if (is_message(s, &s->rows[i]) && !is_known(s, i)) {
            sample placement = s->rows[i];
            complete = look_at_placement(&f, &placement, out);
        }
    }
    free(f.rows);
    free(f.found);
    free(f.scratch);
    free(f.launches);
    return complete;
}
