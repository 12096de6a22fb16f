#include "held_point.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "computing.h"
#include "derived_text.h"
#include "model/solve/prediction.h"
#include "model/spec/algorithm_load.h"
#include "model/spec/machine_load.h"

/* Whether a point has more processes, or as many and larger sizes, the first one first. */
static bool is_larger(const isocast_law_point *a, const isocast_law_point *b) {
    if (a->p != b->p) {
        return a->p > b->p;
    }
    for (size_t i = 0; i < ISOCAST_DERIVE_SIZES_MAX; i++) {
        if (a->sizes[i] != b->sizes[i]) {
            return a->sizes[i] > b->sizes[i];
        }
    }
    return false;
}

static bool is_same(const isocast_law_point *a, const isocast_law_point *b) {
    return a->p == b->p && isocast_law_same_sizes(a, b);
}

static double value_of(const isocast_law_point *point, size_t size) {
    return size == ISOCAST_DERIVE_SIZES_MAX ? point->p : point->sizes[size];
}

/* Whether formulas are made without a point. beyond: without all that is on as many processes and
 * more, too. */
static bool is_held(const isocast_law_point *point, const isocast_law_point *held, bool beyond) {
    return beyond ? point->p >= held->p : is_same(point, held);
}

/* Whether what is left has as many p, and as many of each size, as formulas need. */
static bool are_enough(const isocast_derived *d, const isocast_law_point *without, bool beyond) {
    bool enough = true;
    for (size_t size = 0; size <= ISOCAST_DERIVE_SIZES_MAX; size++) {
        size_t different = 0;
        for (size_t r = 0; r < d->record_count; r++) {
            bool is_new = !is_held(&d->points[r], without, beyond);
            for (size_t k = 0; k < r && is_new; k++) {
                is_new = is_held(&d->points[k], without, beyond) ||
                         value_of(&d->points[k], size) != value_of(&d->points[r], size);
            }
            different += is_new;
        }
        bool counts = size < d->sizes.count || size == ISOCAST_DERIVE_SIZES_MAX;
        enough = enough && (!counts || different >= ISOCAST_DERIVE_VALUES_LEAST);
    }
    return enough;
}

static void find_largest(const isocast_derived *derived, double processors,
                         isocast_held_point *out) {
    out->reason = "in no record of several processes each had a processor of its own";
    for (size_t r = 0; r < derived->record_count; r++) {
        double p = derived->points[r].p;
        bool alone = derived->seen[r].alone;
        bool may_be = !(processors > 0) || (alone && p > 1 && p <= processors);
        if (may_be && (out->reason != NULL || is_larger(&derived->points[r], &out->point))) {
            out->point = derived->points[r];
            out->reason = NULL;
        }
    }
}

void isocast_held_point_split(const isocast_derived *derived, double processors,
                              const isocast_law_point *at, isocast_record **sorted, size_t *others,
                              isocast_held_point *out) {
    *others = 0;
    *out = (isocast_held_point){0};
    if (at != NULL) {
        out->point = *at;
    } else {
        find_largest(derived, processors, out);
    }
    if (out->reason != NULL) {
        return;
    }
    bool beyond = (at != NULL || !(processors > 0)) && are_enough(derived, &out->point, true);
    if (!beyond && !are_enough(derived, &out->point, false)) {
        out->reason = "too few records: without the largest p and sizes, three of each are needed";
        return;
    }
    size_t last = derived->record_count;
    for (size_t r = 0; r < derived->record_count; r++) {
        bool held = is_held(&derived->points[r], &out->point, beyond);
        sorted[held ? --last : (*others)++] = derived->records[r];
    }
}

/* Of the process with most computing, s. Where processes share processors, what else runs makes
 * some times long: then each even stretch counts by its shortest time, in the usual length. */
static isocast_status busiest_time(const isocast_derived *laws, const isocast_record *record,
                                   const isocast_compute_seen *seen, double *out) {
    *out = seen->most;
    if (seen->alone) {
        return ISOCAST_OK;
    }
    double *times = calloc(record->process_count + 1, sizeof *times);
    if (times == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    isocast_derive_calm_times(laws, record, times);
    *out = 0;
    for (size_t i = 0; i < record->process_count; i++) {
        *out = fmax(*out, laws->usual * times[i]);
    }
    free(times);
    return ISOCAST_OK;
}

/* What is predicted of a file of steps on processors as those of the records, whose flop is a
 * nanosecond. */
typedef struct reading {
    isocast_algorithm *algorithm;
    isocast_machine *machine;
    isocast_model *model;
    isocast_system **systems;
    size_t count;
    isocast_prediction *prediction;
} reading;

static isocast_status read_texts(const isocast_derived *laws, double processes, reading *r,
                                 isocast_diagnostics *diagnostics) {
    isocast_buffer text = {0};
    isocast_buffer machine = {0};
    isocast_status status = isocast_derived_write_at(laws, NULL, &text);
    isocast_buffer_printf(
        &machine,
        "machine: records\nnodes: {node: {count: %.0f, processors: 1, marked_speed: "
        "1 Gflop/s}}\nparameters: {t_c: 1 ns/flop}\n"
        "operations: {T_send: 0 s, T_recv: 0 s}\n",
        processes);
    status = status == ISOCAST_OK && (text.failed || machine.failed) ? ISOCAST_NO_MEMORY : status;
    if (status == ISOCAST_OK) {
        status = isocast_algorithm_read_text("steps", text.text, text.length, diagnostics,
                                             &r->algorithm);
    }
    if (status == ISOCAST_OK) {
        status = isocast_machine_read_text("records", machine.text, machine.length, diagnostics,
                                           &r->machine);
    }
    isocast_buffer_free(&text);
    isocast_buffer_free(&machine);
    return status;
}

isocast_status isocast_derive_computing_of_steps(const isocast_derived *laws,
                                                 const isocast_law_point *at, double *T_c) {
    isocast_diagnostics diagnostics = {0};
    reading r = {0};
    char system[32];
    *T_c = NAN;
    snprintf(system, sizeof system, "%.0f", at->p);
    isocast_status status = read_texts(laws, at->p, &r, &diagnostics);
    if (status == ISOCAST_OK) {
        status = isocast_systems_parse(r.machine, r.algorithm->kernel, "records", system,
                                       &diagnostics, &r.systems, &r.count);
    }
    if (status == ISOCAST_OK) {
        status = isocast_model_create(r.algorithm, r.machine, &diagnostics, &r.model);
    }
    if (status == ISOCAST_OK) {
        const isocast_prediction_request request = {.N = at->sizes[0],
                                                    .other_sizes = at->sizes + 1,
                                                    .efficiency = NAN,
                                                    .systems =
                                                        (const isocast_system *const *)r.systems,
                                                    .system_count = r.count,
                                                    .numbers_only = true};
        status = isocast_predict(r.model, &request, &r.prediction);
    }
    if (status == ISOCAST_OK && r.prediction->row_count == 1) {
        *T_c = r.prediction->rows[0].T_c;
    }
    isocast_prediction_free(r.prediction);
    isocast_model_free(r.model);
    isocast_systems_free(r.systems, r.count);
    isocast_machine_free(r.machine);
    isocast_algorithm_free(r.algorithm);
    isocast_diagnostics_clear(&diagnostics);
    return isocast_status_is_of_system(status) ? status : ISOCAST_OK;
}

isocast_status isocast_held_point_compare(const isocast_derived *laws,
                                          isocast_record *const *records, size_t count,
                                          isocast_held_point *out) {
    double *times = calloc(count + 1, sizeof *times);
    if (times == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    isocast_held_point held = {0};
    for (size_t r = 0; r < count; r++) {
        isocast_law_point point;
        isocast_size_words_point(&laws->sizes, records[r], &point);
        held.point = r == 0 || is_larger(&point, &held.point) ? point : held.point;
    }
    isocast_status status = ISOCAST_OK;
    size_t found = 0;
    for (size_t r = 0; r < count && status == ISOCAST_OK; r++) {
        isocast_law_point point;
        isocast_compute_seen seen;
        isocast_size_words_point(&laws->sizes, records[r], &point);
        status = isocast_compute_observe(records[r], &seen);
        if (status == ISOCAST_OK && is_same(&point, &held.point)) {
            status = busiest_time(laws, records[r], &seen, &times[found++]);
            held.shared = held.shared || !seen.alone;
        }
    }
    if (status == ISOCAST_OK && found > 0) {
        gsl_sort(times, 1, found);
        /* Sharing makes times longer, and none shorter. */
        held.seen = held.shared ? times[0] : gsl_stats_median_from_sorted_data(times, 1, found);
        held.differs = found > 1 && times[0] > 0 ? times[found - 1] / times[0] - 1 : 0;
        bool seen = laws->work.known && held.seen > 0 && laws->program != NULL;
        status =
            seen ? isocast_derive_computing_of_steps(laws, &held.point, &held.predicted) : status;
        held.known = seen && isfinite(held.predicted) && held.predicted > 0;
        held.reason = held.known ? NULL
                      : seen     ? "the steps give none there"
                                 : "the records have no processor time";
        *out = held;
    }
    free(times);
    return status;
}
