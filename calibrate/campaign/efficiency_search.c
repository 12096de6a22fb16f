#include "efficiency_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/samples/median.h"
#include "model/base/array.h"
#include "model/runs/calm.h"
#include "model/spec/rules.h"

/* The search on one system. */
typedef struct hunt {
    const campaign_search_request *request;
    campaign_run_file *runs;
    size_t index;                      /* of the system */
    isocast_size_search_point *points; /* [count] */
    double *alone;    /* [count], T(W,1) at each point; NAN where the metric does not ask for it */
    double limited_N; /* the smallest whose run took or would take too long; infinite: none */
    size_t count, room, alone_room;
    size_t runs_made, calm; /* at all points */
} hunt;

static const isocast_system *system_of(const hunt *h) {
    return h->request->systems[h->index];
}

/* "E = 0.3", "average speed = 20 Mflop/s". Where memory is short, progress is reported without it.
 */
static void put_value(const hunt *h, double value, isocast_buffer *out) {
    isocast_buffer_printf(out, "%s = ", isocast_metric_row_of(h->request->metric)->bare);
    isocast_metric_format(h->request->metric, value, 4, out);
}

static void report_progress(const hunt *h, const isocast_system *system, double N,
                            long repetition) {
    const campaign_search_request *request = h->request;
    isocast_buffer wanted = {0};
    isocast_buffer last = {0};
    put_value(h, request->search.target, &wanted);
    if (h->count > 0 && !isnan(h->points[h->count - 1].E)) {
        isocast_buffer_puts(&last, "; the last step gave ");
        put_value(h, h->points[h->count - 1].E, &last);
    }
    campaign_report_progress(
        request->setup->listener, h->index + 1, request->system_count,
        "finding %s on %s (system %zu of %zu): step %zu, N = %.0f, run %ld of %ld%s%s",
        wanted.text != NULL ? wanted.text : "", system_of(h)->name, h->index + 1,
        request->system_count, h->count + 1, N, repetition + 1, request->repetitions,
        system == system_of(h) ? "" : " on one process", last.text != NULL ? last.text : "");
    isocast_buffer_free(&wanted);
    isocast_buffer_free(&last);
}

/* Whether there are enough runs of a size: sorts those there are. */
static bool is_enough(const campaign_search_request *request, double *times, size_t count) {
    size_t wanted = (size_t)request->repetitions;
    size_t calm = 0;
    if (count < wanted || request->most == 0 || count >= request->most) {
        return count >= wanted;
    }
    isocast_calm_time(times, count, &calm);
    return count >= request->least && calm >= wanted;
}

/* Median time in s of the repetitions at N that count. Those that the file has are not run again.
 * NAN: N does not fit into memory. */
static isocast_status measure(hunt *h, const isocast_system *system, double N, double *T) {
    const campaign_search_request *request = h->request;
    const campaign_kernel_setup *setup = request->setup;
    size_t wanted = (size_t)request->repetitions;
    double *times = malloc((request->most > wanted ? request->most : wanted) * sizeof *times);
    if (times == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    isocast_status status = ISOCAST_OK;
    bool fits = true;
    size_t count = 0;
    while (status == ISOCAST_OK && fits && !is_enough(request, times, count)) {
        double time = campaign_kernel_known(setup, h->runs, system, N, (long)count);
        if (isnan(time)) {
            report_progress(h, system, N, (long)count);
            status = campaign_kernel_run(setup, h->runs, system, N, (long)count, &time);
        }
        fits = !isnan(time);
        times[count++] = time;
    }
    if (status == ISOCAST_OK && fits) {
        size_t calm = 0;
        double typical = isocast_calm_time(times, count, &calm);
        *T = request->most > 0 ? typical : isocast_median(times, count);
        h->runs_made += count;
        h->calm += calm;
    } else if (status == ISOCAST_OK) {
        *T = NAN;
    }
    free(times);
    return status;
}

static isocast_status work_at(const hunt *h, double N, double *W) {
    isocast_status status = isocast_work_evaluate(h->request->work, &N, NULL, 1, W);
    if (status == ISOCAST_OK && isnan(*W)) {
        return campaign_fail(h->request->setup->listener, ISOCAST_INVALID,
                             "the algorithm's work has no value at N = %.0f", N);
    }
    return status;
}

/* What psi is read off at a point. */
static isocast_metric_point point_of(const isocast_system *system, double W, double T,
                                     double T_alone) {
    return (isocast_metric_point){
        .C = system->C, .R_f = system->reference_factor, .W = W, .T = T, .T_alone = T_alone};
}

/* Whether a run at N would take too long: T grows as the work does, from the largest size that was
 * measured. */
static isocast_status foresee(const hunt *h, double N, double W, bool *too_long) {
    const campaign_search_request *request = h->request;
    size_t largest = h->count;
    *too_long = false;
    for (size_t i = 0; i < h->count; i++) {
        bool larger = largest == h->count || h->points[i].N > h->points[largest].N;
        largest = !isnan(h->points[i].T) && larger ? i : largest;
    }
    if (largest == h->count || h->points[largest].N >= N || !(request->longest > 0) ||
        request->setup->simulation != NULL) {
        return ISOCAST_OK;
    }
    double before = NAN;
    isocast_status status = work_at(h, h->points[largest].N, &before);
    double T = h->points[largest].T * W / before;
    *too_long = status == ISOCAST_OK && T > request->longest;
    if (*too_long) {
        campaign_report(request->setup->listener, CAMPAIGN_WARNING,
                        "a run at N = %.0f on %s would take about %.0f s, as N = %.0f took %.3g s: "
                        "the search ends below it (--limit allows runs of more than %g s)",
                        N, system_of(h)->name, T, h->points[largest].N, h->points[largest].T,
                        request->longest);
    }
    return status;
}

/* Measures at N and adds the point. */
static isocast_status take_step(hunt *h, double N) {
    double W = NAN;
    double T = NAN;
    double T_alone = NAN;
    const isocast_system *const alone =
        h->request->alone != NULL ? h->request->alone[h->index] : NULL;
    bool too_long = false;
    isocast_status status = work_at(h, N, &W);
    status = status == ISOCAST_OK ? foresee(h, N, W, &too_long) : status;
    if (status == ISOCAST_OK && !too_long) {
        status = measure(h, system_of(h), N, &T);
    }
    if (status == ISOCAST_OK && alone != NULL && !isnan(T)) {
        status = measure(h, alone, N, &T_alone);
    }
    if (status != ISOCAST_OK) {
        return status;
    }
    const isocast_metric_point at = point_of(system_of(h), W, T, T_alone);
    const isocast_size_search_point point = {N, isocast_metric_held(h->request->metric, &at), T};
    if (!isocast_array_grow((void **)&h->alone, h->count, &h->alone_room, sizeof *h->alone) ||
        !ISOCAST_ARRAY_ADD(h->points, h->count, h->room, point)) {
        return ISOCAST_NO_MEMORY;
    }
    h->alone[h->count - 1] = T_alone;
    /* Whether a program of the user's own had memory is not known, so its limit alone leaves out a
     * size. */
    if (too_long || (isnan(T) && h->request->setup->own != NULL)) {
        h->limited_N = fmin(h->limited_N, N);
    }
    return ISOCAST_OK;
}

static isocast_status note_result(const hunt *h, const isocast_size_search_step *step,
                                  campaign_search_row *row) {
    *row = (campaign_search_row){.system = system_of(h),
                                 .state = step->state,
                                 .N = NAN,
                                 .W = NAN,
                                 .T = NAN,
                                 .E = NAN,
                                 .T_alone = NAN,
                                 .psi = NAN,
                                 .psi_from_base = NAN,
                                 .steps = h->count,
                                 .runs = h->runs_made,
                                 .calm = h->calm,
                                 .nearest_N = NAN,
                                 .nearest_E = NAN,
                                 .refused_N = NAN};
    for (size_t i = 0; i < h->count; i++) {
        if (isnan(h->points[i].E)) {
            row->refused_N = fmin(row->refused_N, h->points[i].N); /* the number, not NAN */
        }
    }
    row->limited = row->refused_N == h->limited_N;
    const isocast_size_search_point none = {NAN, NAN, NAN};
    row->under = step->under < h->count ? h->points[step->under] : none;
    row->over = step->over < h->count ? h->points[step->over] : none;
    if (step->point >= h->count) {
        return ISOCAST_OK;
    }
    row->nearest_N = h->points[step->point].N;
    row->nearest_E = h->points[step->point].E;
    if (step->state == ISOCAST_SIZE_SEARCH_FOUND) {
        row->N = step->N;
        row->E = row->nearest_E;
        row->T = h->points[step->point].T;
        row->T_alone = h->alone[step->point];
        return work_at(h, row->N, &row->W);
    }
    return ISOCAST_OK;
}

/* A system, and the algorithm whose rules the sizes keep on it. */
typedef struct ruled {
    const isocast_algorithm *algorithm;
    const isocast_valid *valid;
    double p;
} ruled;

static isocast_valid_pair nearest_N(const void *context, double N) {
    const ruled *by = context;
    const isocast_rules_point point = {N, NULL, by->p};
    isocast_valid_pair pair = {NAN, NAN};
    isocast_rules_nearest_N(by->algorithm, by->valid, &point, &pair);
    return pair;
}

static isocast_status search_one(const campaign_search_request *request, campaign_run_file *runs,
                                 size_t index, campaign_search_row *row) {
    hunt h = {.request = request, .runs = runs, .index = index, .limited_N = INFINITY};
    isocast_size_search search = request->search;
    const ruled by = {request->rules, &search.valid, request->systems[index]->p};
    if (by.algorithm != NULL && isocast_rules_look_at_N(by.algorithm)) {
        search.nearest = nearest_N;
        search.nearest_context = &by;
    }
    isocast_size_search_step step = isocast_size_search_next(&search, h.points, h.count);
    isocast_status status = ISOCAST_OK;
    while (status == ISOCAST_OK && step.state == ISOCAST_SIZE_SEARCH_MEASURE) {
        status = take_step(&h, step.N);
        step = isocast_size_search_next(&search, h.points, h.count);
    }
    if (status == ISOCAST_OK) {
        status = note_result(&h, &step, row);
    }
    free(h.points);
    free(h.alone);
    return status;
}

/* psi from `a` to `b`; NAN where either has no N. */
static double psi_between(isocast_metric metric, const campaign_search_row *a,
                          const campaign_search_row *b) {
    isocast_metric_point from = point_of(a->system, a->W, a->T, a->T_alone);
    isocast_metric_point to = point_of(b->system, b->W, b->T, b->T_alone);
    return isocast_metric_psi(metric, &from, &to);
}

isocast_status campaign_search(const campaign_search_request *request, campaign_run_file *runs,
                               campaign_search_row *rows) {
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; status == ISOCAST_OK && i < request->system_count; i++) {
        status = search_one(request, runs, i, &rows[i]);
        if (status == ISOCAST_OK && i > 0) {
            rows[i].psi = psi_between(request->metric, &rows[i - 1], &rows[i]);
            rows[i].psi_from_base = psi_between(request->metric, &rows[0], &rows[i]);
        }
    }
    return status;
}

isocast_status campaign_search_repeat(const campaign_search_request *request,
                                      campaign_run_file *runs) {
    isocast_status status = ISOCAST_OK;
    size_t count = runs->runs != NULL ? runs->runs->count : 0;
    for (size_t i = 0; status == ISOCAST_OK && i < request->system_count; i++) {
        hunt h = {.request = request, .runs = runs, .index = i};
        for (size_t k = 0; status == ISOCAST_OK && k < count; k++) {
            const isocast_run *row = &runs->runs->rows[k];
            const isocast_system *system = request->systems[i];
            bool first = row->repetition == 0 && strcmp(row->system, system->name) == 0;
            double T;
            if (first && !isnan(campaign_kernel_known(request->setup, runs, system, row->N, 0))) {
                status = measure(&h, system, row->N, &T);
            }
        }
    }
    return status;
}

const char *campaign_search_status_word(isocast_size_search_state state) {
    switch (state) {
    case ISOCAST_SIZE_SEARCH_ABOVE:
        return "above";
    case ISOCAST_SIZE_SEARCH_BELOW:
        return "below";
    case ISOCAST_SIZE_SEARCH_JUMP:
        return "jump";
    case ISOCAST_SIZE_SEARCH_FOUND:
    case ISOCAST_SIZE_SEARCH_MEASURE:
        break;
    }
    return "ok";
}

/* What E is at the two sizes round the target, and what may help. */
static void put_neighbours(const campaign_search_row *row, isocast_metric metric, double target,
                           isocast_buffer *out) {
    isocast_metric_format(metric, row->under.E, 4, out);
    isocast_buffer_printf(out, " at N = %.0f and ", row->under.N);
    isocast_metric_format(metric, row->over.E, 4, out);
    isocast_buffer_printf(out, " at N = %.0f, and no N is between them", row->over.N);
    if (row->over.T < row->under.T) {
        isocast_buffer_printf(out,
                              ". T falls there from %.3g s to %.3g s: something else slowed runs "
                              "(then more --repetitions, or --calm, help), or the program changes "
                              "its way there",
                              row->under.T, row->over.T);
    } else if (row->state == ISOCAST_SIZE_SEARCH_JUMP) {
        /* Up to the next hundredth, so that it is enough; it is below 1. */
        double due = floor(100 * fabs(row->nearest_E / target - 1) + 1) / 100;
        if (due < 1) {
            isocast_buffer_printf(out, ". '--tolerance %.2f' takes the nearer one, N = %.0f", due,
                                  row->nearest_N);
        }
    }
}

/* Why the search went no further. */
static void put_end(const campaign_search_row *row, isocast_buffer *out) {
    if (isnan(row->refused_N)) {
        isocast_buffer_puts(out, "as far as --sizes leads");
    } else if (row->limited) {
        isocast_buffer_printf(out,
                              "as far as --limit allows: a run at N = %.0f takes longer than that",
                              row->refused_N);
    } else {
        isocast_buffer_printf(out, "as far as memory allows: N = %.0f does not fit",
                              row->refused_N);
    }
}

void campaign_search_note(const campaign_search_row *row, isocast_metric metric,
                          const isocast_size_search *search, isocast_buffer *out) {
    const isocast_metric_row *held = isocast_metric_row_of(metric);
    double target = search->target;
    bool is_off = fabs(row->E - target) > search->tolerance * target;
    if (row->state == ISOCAST_SIZE_SEARCH_BELOW) {
        isocast_buffer_printf(out, "%s is ", held->symbol);
        isocast_metric_format(metric, row->nearest_E, 4, out);
        isocast_buffer_puts(out, ", above ");
        isocast_metric_format(metric, target, 4, out);
        isocast_buffer_printf(out, ", already at the smallest N = %.0f; start --sizes lower",
                              row->nearest_N);
    } else if (row->state == ISOCAST_SIZE_SEARCH_ABOVE && row->steps == 0) {
        isocast_buffer_puts(out, "no N that --sizes allows keeps the rules of the algorithm");
    } else if (row->state == ISOCAST_SIZE_SEARCH_ABOVE && isnan(row->nearest_N)) {
        isocast_buffer_puts(out, row->limited
                                     ? "even the smallest N takes longer than --limit allows"
                                     : "not even the smallest N fits into memory");
    } else if (row->state == ISOCAST_SIZE_SEARCH_ABOVE) {
        isocast_buffer_printf(out, "%s = ", held->bare);
        isocast_metric_format(metric, target, 4, out);
        isocast_buffer_puts(out, " is not reached ");
        put_end(row, out);
        isocast_buffer_puts(out, "; the best is ");
        isocast_metric_format(metric, row->nearest_E, 4, out);
        isocast_buffer_printf(out, " at N = %.0f", row->nearest_N);
    } else if (row->state == ISOCAST_SIZE_SEARCH_JUMP) {
        isocast_buffer_printf(out, "%s jumps over ", held->symbol);
        isocast_metric_format(metric, target, 4, out);
        isocast_buffer_puts(out, ": it is ");
        put_neighbours(row, metric, target, out);
    } else if (is_off) {
        isocast_buffer_printf(out, "%s is ", held->symbol);
        isocast_metric_format(metric, row->E, 4, out);
        isocast_buffer_puts(out, ", not ");
        isocast_metric_format(metric, target, 4, out);
        isocast_buffer_puts(out, ": it is ");
        put_neighbours(row, metric, target, out);
    }
}
