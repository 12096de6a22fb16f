#include "refinement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/samples/environment.h"
#include "calibrate/samples/launches.h"
#include "calibrate/samples/median.h"
#include "model/base/buffer.h"
#include "model/base/operation_name.h"
#include "model/base/order.h"

/* A switch is a step of at least this share of the time on either side, ... */
static const double step_least = 0.2;
/* ... and of so many standard errors of what is compared. */
static const double sigmas_least = 4;
/* A switch is found once the sizes round it are this near to each other. */
static const double near = 1.05;
/* The variance of a median over launches, to that of their mean. */
static const double median_variance = 1.57;
static const double size_step = 8; /* B: whole doubles */

enum { SIZES_MAX = 64, SWITCHES_TOLD = 6 };

/* One size of one operation on one count of processes. */
typedef struct point {
    unsigned operation;
    double p;
    double m;       /* B */
    double seconds; /* median over launches */
    double spread;  /* standard deviation of ln T between launches; NAN for one launch */
    size_t launches;
} point;

/* A step of the time, somewhere between two sizes. */
typedef struct jump {
    unsigned operation;
    double p;
    double below, above; /* B */
    double step;         /* relative; the smaller of both sides */
    bool up;
} jump;

typedef struct size_list {
    double values[SIZES_MAX]; /* B, rising; [count] */
    size_t count;
} size_list;

/* Puts the largest step first. */
static int by_step(const void *left, const void *right) {
    const jump *a = left;
    const jump *b = right;
    int order = isocast_order(b->step, a->step);
    order = order != 0 ? order : isocast_order(a->operation, b->operation);
    order = order != 0 ? order : isocast_order(a->p, b->p);
    return order != 0 ? order : isocast_order(a->below, b->below);
}

/* The rows of one point, sorted; scratch: [2 count]. */
static point summarise(const sample *rows, size_t count, double *scratch) {
    point out = {.operation = rows[0].operation, .p = rows[0].p, .m = rows[0].m};
    double *medians = scratch + count;
    out.launches = launches_medians(rows, count, 1e-15, scratch, medians);
    out.spread = sqrt(launches_variance(medians, out.launches));
    out.seconds = median_of(medians, out.launches);
    return out;
}

/* Rows of operations at sizes above 0, sorted; kernels are measured at problem sizes. */
static size_t copy_messages(const samples *s, sample *rows) {
    size_t count = 0;
    for (size_t k = 0; k < s->count; k++) {
        const sample *row = &s->rows[k];
        if (row->m > 0 && isocast_operation_is_name(s->operations[row->operation])) {
            rows[count++] = *row;
        }
    }
    qsort(rows, count, sizeof *rows, launches_by_point);
    return count;
}

static bool same_curve(const point *a, const point *b) {
    return a->operation == b->operation && a->p == b->p;
}

static size_t count_points(const sample *rows, size_t count) {
    size_t points = 0;
    for (size_t begin = 0; begin < count; begin = launches_point_end(rows, count, begin)) {
        points++;
    }
    return points;
}

/* The points of all curves, each curve's together and rising in m. */
static void make_points(const sample *rows, size_t count, double *scratch, point *points) {
    for (size_t begin = 0; begin < count;) {
        size_t end = launches_point_end(rows, count, begin);
        *points++ = summarise(rows + begin, end - begin, scratch);
        begin = end;
    }
}

/* Spread of a curve's sizes: their median, so that a few restless ones do not hide the others'
 * switches. Few launches make a standard deviation's median too small: chi squared, by
 * Wilson and Hilferty. NAN where no size was measured twice; scratch: [count]. */
static double typical_spread(const point *curve, size_t count, double *scratch) {
    size_t known = 0;
    for (size_t k = 0; k < count; k++) {
        if (curve[k].launches > 1) {
            double freedom = (double)curve[k].launches - 1;
            scratch[known++] = curve[k].spread / pow(1 - 2 / (9 * freedom), 1.5);
        }
    }
    return known > 0 ? median_of(scratch, known) : NAN;
}

/* Standard error of a point's time, s. */
static double error_of(const point *at, double typical) {
    double spread = at->launches > 1 ? fmax(at->spread, typical) : typical;
    return at->seconds * spread * sqrt(fmin(1, median_variance / (double)at->launches));
}

/* The step from the line through two points to a third one beyond `near_end`, positive upwards from
 * the line; relative to the time there. 0 where it may be noise. */
static double step_from_line(const point *far_end, const point *near_end, const point *beyond,
                             double typical) {
    double reach = (beyond->m - near_end->m) / (near_end->m - far_end->m);
    double line = near_end->seconds + reach * (near_end->seconds - far_end->seconds);
    double miss = beyond->seconds - line;
    double variance = pow((1 + reach) * error_of(near_end, typical), 2) +
                      pow(reach * error_of(far_end, typical), 2) +
                      pow(error_of(beyond, typical), 2);
    double least = fmax(step_least * beyond->seconds, sigmas_least * sqrt(variance));
    return fabs(miss) > least ? miss / beyond->seconds : 0;
}

/* Whether the time steps between at[1] and at[2]. Seen from the left a step up is above the line,
 * seen from the right below it. A bend has both points on one side of the lines, however sharp it
 * is, and so has every smooth curve: it needs no finer sizes. */
static bool find_jump(const point *at, double typical, jump *out) {
    double right = step_from_line(&at[0], &at[1], &at[2], typical);
    double left = step_from_line(&at[3], &at[2], &at[1], typical);
    *out = (jump){.operation = at->operation,
                  .p = at->p,
                  .below = at[1].m,
                  .above = at[2].m,
                  .step = fmin(fabs(right), fabs(left)),
                  .up = right > 0};
    return right * left < 0;
}

/* Up to a size and down after it by about as much is no switch but one size out of line; were it
 * followed, both sides would be halved to the end. Of unequal steps the larger is kept. */
static size_t leave_out_bumps(jump *jumps, size_t count) {
    size_t kept = 0;
    for (size_t k = 0; k < count; k++) {
        jump *before = kept > 0 ? &jumps[kept - 1] : NULL;
        if (before == NULL || before->above != jumps[k].below || before->up == jumps[k].up) {
            jumps[kept++] = jumps[k];
        } else if (fmin(before->step, jumps[k].step) > fmax(before->step, jumps[k].step) / 2) {
            kept--;
        } else if (jumps[k].step > before->step) {
            *before = jumps[k];
        }
    }
    return kept;
}

/* jumps: [count]. */
static size_t find_jumps(const point *points, size_t count, double *scratch, jump *jumps) {
    size_t found = 0;
    for (size_t begin = 0; begin < count;) {
        size_t end = begin;
        while (end < count && same_curve(&points[begin], &points[end])) {
            end++;
        }
        double typical = typical_spread(points + begin, end - begin, scratch);
        size_t own = 0;
        for (size_t k = begin; k + 3 < end && !isnan(typical); k++) {
            own += find_jump(points + k, typical, &jumps[found + own]);
        }
        found += leave_out_bumps(jumps + found, own);
        begin = end;
    }
    qsort(jumps, found, sizeof *jumps, by_step);
    return found;
}

/* Whether a size of the list lies strictly between the two. */
static bool has_between(const size_list *sizes, double below, double above) {
    for (size_t k = 0; k < sizes->count; k++) {
        if (sizes->values[k] > below && sizes->values[k] < above) {
            return true;
        }
    }
    return false;
}

static bool has(const size_list *sizes, double m) {
    return has_between(sizes, m - 0.5, m + 0.5);
}

/* False where the list is full. */
static bool insert(size_list *sizes, double m) {
    if (sizes->count == SIZES_MAX) {
        return false;
    }
    size_t at = sizes->count++;
    for (; at > 0 && sizes->values[at - 1] > m; at--) {
        sizes->values[at] = sizes->values[at - 1];
    }
    sizes->values[at] = m;
    return true;
}

static bool read_sizes(const char *text, size_list *out) {
    bool good = *text != '\0';
    while (good && *text != '\0') {
        char *end = NULL;
        double m = strtod(text, &end);
        good = end != text && (*end == ',' || *end == '\0') && insert(out, m);
        text = end + (*end == ',');
    }
    return good;
}

/* Adds the sizes that earlier rounds found. Gives their number. */
static size_t add_measured(const point *points, size_t count, size_list *sizes) {
    size_t added = 0;
    for (size_t k = 0; k < count; k++) {
        added += !has(sizes, points[k].m) && insert(sizes, points[k].m);
    }
    return added;
}

/* Halves the gaps around jumps. A gap that already has a size inside waits until that size is
 * measured: the size may belong to another operation, or a launch may have had no time for it. */
static void add_middles(const jump *jumps, size_t count, size_t added, size_list *sizes) {
    size_t new = 0;
    for (size_t k = 0; k < count; k++) {
        const jump *at = &jumps[k];
        double middle = round(sqrt(at->below * at->above) / size_step) * size_step;
        bool room = new < CAMPAIGN_REFINEMENT_ROUND_MAX &&added + new < CAMPAIGN_REFINEMENT_MAX;
        if (room && at->above / at->below > near && middle > at->below && middle < at->above &&
            !has_between(sizes, at->below, at->above)) {
            new += insert(sizes, middle);
        }
    }
}

static char *write_sizes(const size_list *sizes) {
    isocast_buffer text = {0};
    for (size_t k = 0; k < sizes->count; k++) {
        isocast_buffer_printf(&text, "%s%.0f", k > 0 ? "," : "", sizes->values[k]);
    }
    return isocast_buffer_take(&text);
}

/* "# refined: 2 message sizes added; switches: T_bcast p=2 10000..10488 B". */
static char *write_note(const samples *s, const jump *jumps, size_t count, size_t added) {
    isocast_buffer text = {0};
    isocast_buffer_printf(&text, "# " ENVIRONMENT_REFINED ": %zu message size%s added%s", added,
                          added == 1 ? "" : "s", count > 0 ? "; switches: " : "");
    for (size_t k = 0; k < count && k < SWITCHES_TOLD; k++) {
        isocast_buffer_printf(&text, "%s%s p=%.0f %.0f..%.0f B", k > 0 ? ", " : "",
                              s->operations[jumps[k].operation], jumps[k].p, jumps[k].below,
                              jumps[k].above);
    }
    if (count > SWITCHES_TOLD) {
        isocast_buffer_printf(&text, ", and %zu more", count - SWITCHES_TOLD);
    }
    return isocast_buffer_take(&text);
}

static bool write_result(const samples *s, const size_list *sizes, const jump *jumps, size_t count,
                         size_t added, campaign_refinement *out) {
    bool noted = added > 0 || count > 0;
    campaign_refinement new = {.sizes = write_sizes(sizes),
                               .note = noted ? write_note(s, jumps, count, added) : NULL};
    if (new.sizes == NULL || (noted && new.note == NULL)) {
        campaign_refinement_free(&new);
        return false;
    }
    campaign_refinement_free(out);
    *out = new;
    return true;
}

static bool refine(const samples *s, const sample *rows, size_t count, size_list *sizes,
                   campaign_refinement *out) {
    size_t point_count = count_points(rows, count);
    double *scratch = malloc((2 * count + 1) * sizeof *scratch);
    point *points = malloc((point_count + 1) * sizeof *points);
    jump *jumps = malloc((point_count + 1) * sizeof *jumps);
    bool good = scratch != NULL && points != NULL && jumps != NULL;
    if (good) {
        make_points(rows, count, scratch, points);
        size_t jump_count = find_jumps(points, point_count, scratch, jumps);
        size_t added = add_measured(points, point_count, sizes);
        add_middles(jumps, jump_count, added, sizes);
        good = write_result(s, sizes, jumps, jump_count, added, out);
    }
    free(scratch);
    free(points);
    free(jumps);
    return good;
}

bool campaign_refinement_find(const samples *s, const char *sizes, campaign_refinement *out) {
    size_list list = {.count = 0};
    sample *rows = malloc((s->count + 1) * sizeof *rows);
    bool good = rows != NULL && read_sizes(sizes, &list) &&
                refine(s, rows, copy_messages(s, rows), &list, out);
    free(rows);
    return good;
}

void campaign_refinement_free(campaign_refinement *r) {
    free(r->sizes);
    free(r->note);
    *r = (campaign_refinement){0};
}
