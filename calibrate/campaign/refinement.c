#include "refinement.h"

#include <math.h>
#include <stdlib.h>

#include "calibrate/fit/fit_summary.h"
#include "calibrate/samples/environment.h"
#include "model/base/buffer.h"
#include "model/base/operation_name.h"
#include "model/base/order.h"

/* A switch is a step of at least this share of the time on either side, ... */
static const double step_least = 0.2;
/* ... and of so many standard errors of what is compared. */
static const double sigmas_least = 4;
/* A switch is found once the sizes round it are this near to each other. */
static const double near = 1.05;
/* The variance of the middle over launches, to that of their mean, at most. */
static const double median_variance = 1.57;
static const double size_step = 8; /* B: whole doubles */

enum { SIZES_MAX = 64, SWITCHES_REPORTED = 6 };

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
ISOCAST_ORDER_BY(by_step, jump, -x->step, x->operation, x->p, x->below)

static bool same_curve(const fit_summary *a, const fit_summary *b) {
    return a->operation == b->operation && a->p == b->p && a->nodes == b->nodes &&
           a->p_node == b->p_node;
}

/* Operations at sizes above 0: kernels are measured at problem sizes. Gives how many. */
static size_t keep_messages(const samples *s, fit_summary *points, size_t count) {
    size_t kept = 0;
    for (size_t k = 0; k < count; k++) {
        if (points[k].m > 0 && isocast_operation_is_name(s->operations[points[k].operation])) {
            points[kept++] = points[k];
        }
    }
    return kept;
}

/* Standard error of a point's time, s. */
static double error_of(const fit_summary *at, double typical) {
    double variance = at->launches > 1 ? fmax(at->variance, typical) : typical;
    return at->seconds * sqrt(variance * fmin(1, median_variance / (double)at->launches));
}

/* The step from the line through two points to a third one beyond `near_end`, positive upwards from
 * the line; relative to the time there. 0 where it may be noise. */
static double step_from_line(const fit_summary *far_end, const fit_summary *near_end,
                             const fit_summary *beyond, double typical) {
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
static bool find_jump(const fit_summary *at, double typical, jump *out) {
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

/* jumps: [count]. The spread of a curve's sizes is their typical one, so that a few restless ones
 * do not hide the others' switches; where no size was measured twice, nothing is known of it. */
static size_t find_jumps(const fit_summary *points, size_t count, jump *jumps) {
    size_t found = 0;
    for (size_t begin = 0; begin < count;) {
        size_t end = begin;
        bool repeated = false;
        for (; end < count && same_curve(&points[begin], &points[end]); end++) {
            repeated = repeated || points[end].launches > 1;
        }
        double typical = fit_typical_variance(points + begin, end - begin);
        size_t own = 0;
        for (size_t k = begin; k + 3 < end && repeated && !isnan(typical); k++) {
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
static size_t add_measured(const fit_summary *points, size_t count, size_list *sizes) {
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
    for (size_t k = 0; k < count && k < SWITCHES_REPORTED; k++) {
        isocast_buffer_printf(&text, "%s%s p=%.0f %.0f..%.0f B", k > 0 ? ", " : "",
                              s->operations[jumps[k].operation], jumps[k].p, jumps[k].below,
                              jumps[k].above);
    }
    if (count > SWITCHES_REPORTED) {
        isocast_buffer_printf(&text, ", and %zu more", count - SWITCHES_REPORTED);
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

bool campaign_refinement_find(const samples *s, const char *sizes, campaign_refinement *out) {
    size_list list = {.count = 0};
    fit_summaries all = {0};
    bool good = read_sizes(sizes, &list) && fit_summarise(s, &all);
    size_t count = good ? keep_messages(s, all.items, all.count) : 0;
    jump *jumps = malloc((count + 1) * sizeof *jumps);
    good = good && jumps != NULL;
    if (good) {
        size_t jump_count = find_jumps(all.items, count, jumps);
        size_t added = add_measured(all.items, count, &list);
        add_middles(jumps, jump_count, added, &list);
        good = write_result(s, &list, jumps, jump_count, added, out);
    }
    fit_summaries_free(&all);
    free(jumps);
    return good;
}

void campaign_refinement_free(campaign_refinement *r) {
    free(r->sizes);
    free(r->note);
    *r = (campaign_refinement){0};
}
