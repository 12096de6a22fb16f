#include "trend_branch.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_interp.h>
#include <math.h>
#include <stdlib.h>

#include "model/base/numerics.h"

/* A point that is nearer than this many standard errors may be on either side. */
static const double certain = 2;

/* Halvings of an interval until it is as narrow as a double can be. */
enum { HALVINGS = 100 };

/* The points against one wanted value. */
typedef struct sides {
    const isocast_trend_data *data;
    double wanted;
    bool *over; /* [count]: on which side; a point on the value is on the other side than the point
                   before, so that it counts as reached */
    isocast_trend_branch *found; /* [found_count] */
    size_t found_count;
} sides;

static double error_at(const isocast_trend_data *data, size_t k) {
    double error = data->error != NULL ? data->error[k] : NAN;
    return isnan(error) ? data->noise : error;
}

/* How many standard errors a point is away; infinite where there is no error. */
static double distance(const sides *s, size_t k) {
    double off = fabs(s->data->y[k] - s->wanted);
    double error = error_at(s->data, k);
    return off == 0 ? 0 : error > 0 ? off / error : INFINITY;
}

static void report_sides(sides *s) {
    const double *y = s->data->y;
    size_t first = 0;
    while (first + 1 < s->data->count && y[first] == s->wanted) {
        first++;
    }
    bool before = y[first] > s->wanted;
    for (size_t k = 0; k < s->data->count; k++) {
        s->over[k] = y[k] == s->wanted ? !before : y[k] > s->wanted;
        before = s->over[k];
    }
}

/* The last of the points from `first` to `last` that stays on the first one's side, where points in
 * between are on either: those on the wrong side are as few and as near as can be. */
static size_t split(const sides *s, size_t first, size_t last) {
    double cost = 0;
    double least = INFINITY;
    size_t best = first;
    for (size_t k = first; k < last; k++) {
        double near = fmin(distance(s, k), 1 / (certain * 1e-6));
        cost += s->over[k] == s->over[first] ? -near : near;
        if (cost < least) {
            least = cost;
            best = k;
        }
    }
    return best;
}

static void add_crossing(sides *s, size_t before, bool rises) {
    s->found[s->found_count++] =
        (isocast_trend_branch){.least = before, .most = before + 1, .rises = rises};
}

/* Crossings between points that are certain, the first and the last being taken as they are. */
static void find_certain(sides *s) {
    size_t anchor = 0;
    for (size_t k = 1; k < s->data->count; k++) {
        if (k + 1 == s->data->count || distance(s, k) > certain) {
            if (s->over[k] != s->over[anchor]) {
                add_crossing(s, split(s, anchor, k), s->over[k]);
            }
            anchor = k;
        }
    }
}

/* Where none is certain, but medians are on the other side: that is reported rather than left out.
 */
static void find_doubtful(sides *s) {
    size_t last = s->data->count - 1;
    size_t changes = 0;
    for (size_t k = 0; k < last; k++) {
        changes += s->over[k] != s->over[k + 1];
    }
    if (changes <= 2) {
        for (size_t k = 0; k < last; k++) {
            if (s->over[k] != s->over[k + 1]) {
                add_crossing(s, k, s->over[k + 1]);
            }
        }
        return;
    }
    /* Among many changes the first from the one side to the other for good. */
    size_t end = last;
    while (s->over[end] == s->over[0]) {
        end--;
    }
    add_crossing(s, split(s, 0, end), !s->over[0]);
}

/* The extreme of the points from `first` to `last`: the largest where they are over. */
static size_t extreme(const sides *s, size_t first, size_t last, bool over) {
    size_t best = first;
    for (size_t k = first; k <= last; k++) {
        bool better = over ? s->data->y[k] > s->data->y[best] : s->data->y[k] < s->data->y[best];
        best = better ? k : best;
    }
    return best;
}

/* Between which points the value is passed: all changes in the branch's direction, and beyond them
 * as far as repeated runs do not state on which side a point is. */
static void bound(const sides *s, isocast_trend_branch *b) {
    while (b->least > b->first && s->over[b->least] == b->rises) {
        b->least--;
    }
    size_t low = b->least;
    for (size_t k = b->least; k > b->first; k--) {
        low = s->over[k] == b->rises ? k - 1 : low;
    }
    size_t high = b->most;
    for (size_t k = b->most; k < b->last; k++) {
        high = s->over[k] != b->rises ? k + 1 : high;
    }
    bool repeated = s->data->error != NULL;
    while (repeated && low > b->first && s->data->error[low] * certain > 0 &&
           fabs(s->data->y[low] - s->wanted) < certain * s->data->error[low]) {
        low--;
    }
    while (repeated && high < b->last && s->data->error[high] * certain > 0 &&
           fabs(s->data->y[high] - s->wanted) < certain * s->data->error[high]) {
        high++;
    }
    b->least = low;
    b->most = high;
}

static void make_branches(sides *s) {
    size_t start = 0;
    for (size_t i = 0; i < s->found_count; i++) {
        isocast_trend_branch *b = &s->found[i];
        size_t end = i + 1 < s->found_count ? s->found[i + 1].least : s->data->count - 1;
        size_t turn = b->least;
        b->first = i > 0 ? s->found[i - 1].last : extreme(s, start, turn, !b->rises);
        b->last = extreme(s, turn + 1, end, b->rises);
        start = turn + 1;
    }
    for (size_t i = 0; i < s->found_count; i++) {
        bound(s, &s->found[i]);
    }
}

isocast_status isocast_trend_branches(const isocast_trend_data *data, double wanted,
                                      isocast_trend_branch **out, size_t *count) {
    sides s = {.data = data,
               .wanted = wanted,
               .over = malloc(data->count * sizeof *s.over),
               .found = malloc(data->count * sizeof *s.found)};
    if (s.over == NULL || s.found == NULL) {
        free(s.over);
        free(s.found);
        return ISOCAST_NO_MEMORY;
    }
    report_sides(&s);
    find_certain(&s);
    if (s.found_count == 0) {
        find_doubtful(&s);
    }
    make_branches(&s);
    free(s.over);
    *out = s.found;
    *count = s.found_count;
    return ISOCAST_OK;
}

/* A branch made rising, with what interpolates it. */
typedef struct line {
    const double *x;
    double *y; /* [count] */
    size_t count;
    gsl_interp *cubics; /* NULL: a straight line between two points */
} line;

/* Pools neighbours that fall until the means rise (isotonic regression). `mean` and `weight` are
 * scratch of [count] each. */
static void make_rising(double *y, size_t count, double *mean, double *weight) {
    size_t blocks = 0;
    for (size_t k = 0; k < count; k++) {
        mean[blocks] = y[k];
        weight[blocks++] = 1;
        while (blocks > 1 && mean[blocks - 2] >= mean[blocks - 1]) {
            double total = weight[blocks - 2] + weight[blocks - 1];
            mean[blocks - 2] =
                (mean[blocks - 2] * weight[blocks - 2] + mean[blocks - 1] * weight[blocks - 1]) /
                total;
            weight[blocks - 2] = total;
            blocks--;
        }
    }
    size_t k = 0;
    for (size_t block = 0; block < blocks; block++) {
        for (double i = 0; i < weight[block]; i++) {
            y[k++] = mean[block];
        }
    }
}

static double line_at(const line *l, double x) {
    if (l->cubics != NULL) {
        double y = NAN; /* also where there is no such place of the line */
        return gsl_interp_eval_e(l->cubics, l->x, l->y, x, NULL, &y) == GSL_SUCCESS ? y : NAN;
    }
    return l->y[0] + (x - l->x[0]) / (l->x[1] - l->x[0]) * (l->y[1] - l->y[0]);
}

/* Where a rising line reaches a value; NAN where it stays on one side of it. */
static double reach_value(const line *l, double value) {
    if (l->y[0] > value || l->y[l->count - 1] < value) {
        return NAN;
    }
    size_t k = 0;
    while (k < l->count && l->y[k] < value) {
        k++;
    }
    if (k == 0 || l->y[k] == value) {
        return l->x[k];
    }
    double left = l->x[k - 1];
    double right = l->x[k];
    for (int i = 0; i < HALVINGS; i++) {
        double middle = left + (right - left) / 2;
        if (line_at(l, middle) < value) {
            left = middle;
        } else {
            right = middle;
        }
    }
    return right;
}

static double sign_of(const isocast_trend_branch *branch) {
    return branch->rises ? 1 : -1;
}

static void line_free(line *l) {
    gsl_interp_free(l->cubics);
    free(l->y);
}

/* Free in either case. Errors: NO_MEMORY, NUMERIC. */
static isocast_status line_make(const isocast_trend_data *data, const isocast_trend_branch *branch,
                                line *l) {
    size_t count = branch->last - branch->first + 1;
    bool curved = count >= gsl_interp_type_min_size(gsl_interp_steffen);
    *l = (line){.x = data->x + branch->first,
                .y = malloc(3 * count * sizeof *l->y),
                .count = count,
                .cubics = curved ? gsl_interp_alloc(gsl_interp_steffen, count) : NULL};
    if (l->y == NULL || (curved && l->cubics == NULL)) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t k = 0; k < count; k++) {
        l->y[k] = sign_of(branch) * data->y[branch->first + k];
    }
    make_rising(l->y, count, l->y + count, l->y + 2 * count);
    return curved ? isocast_numerics_status(gsl_interp_init(l->cubics, l->x, l->y, count))
                  : ISOCAST_OK;
}

isocast_status isocast_trend_branch_read(const isocast_trend_data *data,
                                         const isocast_trend_branch *branch, double wanted,
                                         double reach, double *x, double *low, double *high) {
    line l;
    double value = sign_of(branch) * wanted;
    isocast_status status = line_make(data, branch, &l);
    if (status == ISOCAST_OK) {
        *x = reach_value(&l, value);
        *low = isnan(reach) ? NAN : reach_value(&l, value - reach);
        *high = isnan(reach) ? NAN : reach_value(&l, value + reach);
    }
    line_free(&l);
    return status;
}

isocast_status isocast_trend_branch_line(const isocast_trend_data *data,
                                         const isocast_trend_branch *branch, size_t count,
                                         const double *x, double *y) {
    line l;
    isocast_status status = line_make(data, branch, &l);
    for (size_t k = 0; status == ISOCAST_OK && k < count; k++) {
        if (x[k] >= data->x[branch->first] && x[k] <= data->x[branch->last]) {
            y[k] = sign_of(branch) * line_at(&l, x[k]);
        }
    }
    line_free(&l);
    return status;
}

/* What two neighbours, or up to four, say of the point between them. `three` and `four` are scratch
 * for cubics through so many. */
static isocast_status from_neighbours(const double *x, const double *y, size_t count, size_t k,
                                      gsl_interp *three, gsl_interp *four, double *out) {
    double x_near[4];
    double y_near[4];
    size_t near = 0;
    for (size_t i = k < 2 ? 0 : k - 2; i <= k + 2 && i < count; i++) {
        if (i != k) {
            x_near[near] = x[i];
            y_near[near++] = y[i];
        }
    }
    if (near < 3) {
        *out = line_at(&(line){.x = x_near, .y = y_near, .count = near}, x[k]);
        return ISOCAST_OK;
    }
    gsl_interp *cubics = near == 3 ? three : four;
    int failed = gsl_interp_init(cubics, x_near, y_near, near);
    failed = failed != 0 ? failed : gsl_interp_eval_e(cubics, x_near, y_near, x[k], NULL, out);
    return isocast_numerics_status(failed);
}

isocast_status isocast_trend_leave_one_out(const double *x, const double *y, size_t count,
                                           double *errors) {
    gsl_interp *three = gsl_interp_alloc(gsl_interp_steffen, 3);
    gsl_interp *four = gsl_interp_alloc(gsl_interp_steffen, 4);
    isocast_status status = three != NULL && four != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    for (size_t k = 0; status == ISOCAST_OK && k < count; k++) {
        double there = y[k];
        if (k > 0 && k + 1 < count) {
            status = from_neighbours(x, y, count, k, three, four, &there);
        }
        errors[k] = there - y[k];
    }
    gsl_interp_free(three);
    gsl_interp_free(four);
    return status;
}
