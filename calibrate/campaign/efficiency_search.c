#include "efficiency_search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/samples/median.h"

/* The search on one system. */
typedef struct hunt {
    const campaign_search_request *request;
    campaign_run_file *runs;
    size_t index;                      /* of the system */
    isocast_size_search_point *points; /* [count], with room for [capacity] */
    double *times; /* [capacity], T in s at each point; NAN where N does not fit */
    size_t count;
    size_t capacity;
} hunt;

static const isocast_system *system_of(const hunt *h) {
    return h->request->systems[h->index];
}

static void tell_progress(const hunt *h, double N, long repetition) {
    const campaign_search_request *request = h->request;
    char last[64] = "";
    if (h->count > 0 && !isnan(h->points[h->count - 1].E)) {
        snprintf(last, sizeof last, "; the last step gave E = %.4g", h->points[h->count - 1].E);
    }
    campaign_tell_progress(
        request->setup->listener, h->index + 1, request->system_count,
        "finding E = %.4g on %s (system %zu of %zu): step %zu, N = %.0f, run %ld of %ld%s",
        request->search.target, system_of(h)->name, h->index + 1, request->system_count,
        h->count + 1, N, repetition + 1, request->repetitions, last);
}

/* Median time of the repetitions at N, from the file where it has them; NAN: N does not fit. */
static isocast_status measure(const hunt *h, double N, double *T) {
    const campaign_kernel_setup *setup = h->request->setup;
    long repetitions = h->request->repetitions;
    double *times = malloc((size_t)repetitions * sizeof *times);
    if (times == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    isocast_status status = ISOCAST_OK;
    bool fits = true;
    for (long r = 0; status == ISOCAST_OK && fits && r < repetitions; r++) {
        times[r] = campaign_kernel_known(setup, h->runs, system_of(h), N, r);
        if (isnan(times[r])) {
            tell_progress(h, N, r);
            status = campaign_kernel_run(setup, h->runs, system_of(h), N, r, &times[r]);
            fits = !isnan(times[r]);
        }
    }
    if (status == ISOCAST_OK) {
        *T = fits ? median_of(times, (size_t)repetitions) : NAN;
    }
    free(times);
    return status;
}

static bool make_room(hunt *h) {
    if (h->count < h->capacity) {
        return true;
    }
    size_t capacity = 2 * h->capacity + 16;
    isocast_size_search_point *points = realloc(h->points, capacity * sizeof *points);
    h->points = points != NULL ? points : h->points;
    double *times = realloc(h->times, capacity * sizeof *times);
    h->times = times != NULL ? times : h->times;
    if (points == NULL || times == NULL) {
        return false;
    }
    memset(points + h->count, 0, (capacity - h->count) * sizeof *points);
    h->capacity = capacity;
    return true;
}

static isocast_status work_at(const hunt *h, double N, double *W) {
    isocast_status status = isocast_work_evaluate(h->request->work, &N, 1, W);
    if (status == ISOCAST_OK && isnan(*W)) {
        return campaign_fail(h->request->setup->listener, ISOCAST_INVALID,
                             "the algorithm's work has no value at N = %.0f", N);
    }
    return status;
}

/* Measures at N and adds the point. */
static isocast_status take_step(hunt *h, double N) {
    double W = NAN;
    double T = NAN;
    isocast_status status = work_at(h, N, &W);
    if (status == ISOCAST_OK) {
        status = measure(h, N, &T);
    }
    if (status != ISOCAST_OK) {
        return status;
    }
    if (!make_room(h)) {
        return ISOCAST_NO_MEMORY;
    }
    h->times[h->count] = T;
    h->points[h->count++] = (isocast_size_search_point){N, W / (T * system_of(h)->C)};
    return ISOCAST_OK;
}

static void note_result(const hunt *h, const isocast_size_search_step *step,
                        campaign_search_row *row) {
    *row = (campaign_search_row){.system = system_of(h),
                                 .state = step->state,
                                 .N = NAN,
                                 .W = NAN,
                                 .T = NAN,
                                 .E = NAN,
                                 .psi = NAN,
                                 .psi_from_base = NAN,
                                 .steps = h->count,
                                 .nearest_N = NAN,
                                 .nearest_E = NAN};
    if (step->point >= h->count) {
        return;
    }
    row->nearest_N = h->points[step->point].N;
    row->nearest_E = h->points[step->point].E;
    if (step->state == ISOCAST_SIZE_SEARCH_FOUND) {
        row->N = step->N;
        row->E = row->nearest_E;
        row->T = h->times[step->point];
        row->W = row->E * row->T * row->system->C;
    }
}

static isocast_status search_one(const campaign_search_request *request, campaign_run_file *runs,
                                 size_t index, campaign_search_row *row) {
    hunt h = {.request = request, .runs = runs, .index = index};
    isocast_size_search_step step = isocast_size_search_next(&request->search, h.points, h.count);
    isocast_status status = ISOCAST_OK;
    while (status == ISOCAST_OK && step.state == ISOCAST_SIZE_SEARCH_MEASURE) {
        status = take_step(&h, step.N);
        step = isocast_size_search_next(&request->search, h.points, h.count);
    }
    if (status == ISOCAST_OK) {
        note_result(&h, &step, row);
    }
    free(h.points);
    free(h.times);
    return status;
}

/* psi = C'W/(C W') from `a` to `b` [CSW 3.3]; NAN where either has no N. */
static double psi_between(const campaign_search_row *a, const campaign_search_row *b) {
    return b->system->C * a->W / (a->system->C * b->W);
}

isocast_status campaign_search(const campaign_search_request *request, campaign_run_file *runs,
                               campaign_search_row *rows) {
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; status == ISOCAST_OK && i < request->system_count; i++) {
        status = search_one(request, runs, i, &rows[i]);
        if (status == ISOCAST_OK && i > 0) {
            rows[i].psi = psi_between(&rows[i - 1], &rows[i]);
            rows[i].psi_from_base = psi_between(&rows[0], &rows[i]);
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
    case ISOCAST_SIZE_SEARCH_FOUND:
    case ISOCAST_SIZE_SEARCH_MEASURE:
        break;
    }
    return "ok";
}

void campaign_search_note(const campaign_search_row *row, const isocast_size_search *search,
                          isocast_buffer *out) {
    double target = search->target;
    if (row->state == ISOCAST_SIZE_SEARCH_BELOW) {
        isocast_buffer_printf(out,
                              "E is %.4g, above %.4g, already at the smallest N = %.0f; start "
                              "--sizes lower",
                              row->nearest_E, target, row->nearest_N);
    } else if (row->state == ISOCAST_SIZE_SEARCH_ABOVE && isnan(row->nearest_N)) {
        isocast_buffer_puts(out, "not even the smallest N fits into memory");
    } else if (row->state == ISOCAST_SIZE_SEARCH_ABOVE) {
        isocast_buffer_printf(out,
                              "E = %.4g is not reached up to the largest N that fits or --sizes "
                              "allows; the best is %.4g at N = %.0f",
                              target, row->nearest_E, row->nearest_N);
    } else if (fabs(row->E - target) > search->tolerance * target) {
        isocast_buffer_printf(out,
                              "E is %.4g, not %.4g: the next N is on the other side of it; where "
                              "runs differ much, more --repetitions help",
                              row->E, target);
    }
}
