#include "scalability.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/solve/prediction.h"
#include "model/spec/system.h"

/* Values of p or C that differ by less are the same number written twice. */
static const double same_value = 1e-9;

typedef struct computation {
    const isocast_scalability_request *request;
    isocast_diagnostics *diagnostics;
    isocast_run_sizes sizes;
    double *E, *W, *N; /* scratch, [size_count] each */
    isocast_scalability *result;
    isocast_status status;
} computation;

/* The runs of one system. */
typedef struct group {
    const isocast_run_system *system;
    const isocast_run *const *runs; /* [run_count], N rising */
    size_t run_count;
    const isocast_run_size *sizes; /* [size_count] */
    size_t size_count;
} group;

static const isocast_source *source_of(const computation *c) {
    return c->request->runs->source;
}

/* Takes a value that all runs of a system must share. */
static void settle(computation *c, const isocast_run *run, const char *what, double value,
                   isocast_span place, double *settled) {
    if (isnan(*settled)) {
        *settled = value;
    } else if (fabs(value - *settled) > same_value * *settled) {
        isocast_diagnostics_add(c->diagnostics, ISOCAST_ERROR, source_of(c), place,
                                "give systems that differ names that differ",
                                "%s of system '%s' is %.10g here and %.10g in another row", what,
                                run->system, value, *settled);
        c->status = ISOCAST_INVALID;
    }
}

/* C, and p where it is not known yet, from the machine. */
static void ask_machine(computation *c, const isocast_run *run, isocast_scalability_row *row) {
    if (c->request->machine == NULL) {
        isocast_diagnostics_add(c->diagnostics, ISOCAST_ERROR, source_of(c), run->places.system,
                                "add a column C (marked speed in flop/s), or name a machine file "
                                "with --machine",
                                "the marked speed of system '%s' is not known", run->system);
        c->status = ISOCAST_INVALID;
        return;
    }
    isocast_system *system = NULL;
    isocast_status status = isocast_system_parse(c->request->machine, source_of(c),
                                                 run->places.system, c->diagnostics, &system);
    if (status != ISOCAST_OK) {
        c->status = status;
        return;
    }
    row->C = system->C;
    row->p = isnan(row->p) ? system->p : row->p;
    isocast_system_free(system);
}

static void settle_system(computation *c, const group *g, isocast_scalability_row *row) {
    for (size_t k = 0; k < g->run_count; k++) {
        const isocast_run *run = g->runs[k];
        if (!isnan(run->C)) {
            settle(c, run, "C", run->C, run->places.C, &row->C);
        }
        if (!isnan(run->p)) {
            settle(c, run, "p", run->p, run->places.p, &row->p);
        }
    }
    row->oversubscribed = g->system->oversubscribed;
    if (isnan(row->C)) {
        ask_machine(c, g->runs[0], row);
    }
}

/* Whether a number that the work formula gives can be reckoned with; tells where it cannot. */
static void require_positive(computation *c, const group *g, const char *what, double N,
                             double value) {
    if (value > 0 && isfinite(value)) {
        return;
    }
    size_t k = 0;
    while (g->runs[k]->N != N) {
        k++;
    }
    const isocast_algorithm *algorithm = isocast_work_algorithm(c->request->work);
    isocast_diagnostics_add(c->diagnostics, ISOCAST_ERROR, source_of(c), g->runs[k]->places.N,
                            "leave the row out, or look at the work formula",
                            "%s of '%s' is not a finite number above 0 at %s = %.10g", what,
                            algorithm->name, algorithm->sizes[0].name, N);
    c->status = ISOCAST_INVALID;
}

/* E = W/(T C) at every size measured. */
static void form_efficiencies(computation *c, const group *g, double C) {
    for (size_t i = 0; i < g->size_count; i++) {
        c->N[i] = g->sizes[i].N;
    }
    isocast_status status = isocast_work_evaluate(c->request->work, c->N, g->size_count, c->W);
    if (status != ISOCAST_OK) {
        c->status = status;
        return;
    }
    for (size_t i = 0; i < g->size_count; i++) {
        c->E[i] = c->W[i] / (g->sizes[i].T * C);
        require_positive(c, g, "the work W", c->N[i], c->W[i]);
        if (c->W[i] > 0 && isfinite(c->W[i])) {
            require_positive(c, g, "the speed-efficiency W/(T C)", c->N[i], c->E[i]);
        }
    }
}

static isocast_scalability_status status_of(isocast_reading_status status) {
    switch (status) {
    case ISOCAST_READING_BELOW:
        return ISOCAST_SCALABILITY_BELOW;
    case ISOCAST_READING_ABOVE:
        return ISOCAST_SCALABILITY_ABOVE;
    case ISOCAST_READING_SEVERAL:
        return ISOCAST_SCALABILITY_SEVERAL;
    case ISOCAST_READING_MISFIT:
        return ISOCAST_SCALABILITY_MISFIT;
    case ISOCAST_READING_OK:
        break;
    }
    return ISOCAST_SCALABILITY_OK;
}

/* The line that was read, as a picture shows it. */
static isocast_status keep_line(const isocast_trend *trend, isocast_scalability_row *row) {
    row->line_N = malloc(ISOCAST_TREND_PLACES * sizeof *row->line_N);
    row->line_E = malloc(ISOCAST_TREND_PLACES * sizeof *row->line_E);
    if (row->line_N == NULL || row->line_E == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    double step = log(row->N_last / row->N_first) / (ISOCAST_TREND_PLACES - 1);
    for (int k = 0; k < ISOCAST_TREND_PLACES; k++) {
        row->line_N[k] = fmin(row->N_first * exp(step * k), row->N_last);
    }
    return isocast_trend_line(trend, &row->reading, ISOCAST_TREND_PLACES, row->line_N, row->line_E);
}

static void read_trend(computation *c, const group *g, isocast_scalability_row *row) {
    isocast_trend *trend = NULL;
    int degree = c->request->monotone ? ISOCAST_DEGREE_MONOTONE : c->request->degree;
    row->status = ISOCAST_SCALABILITY_TOO_FEW;
    c->status = isocast_run_sizes_fit(&c->sizes, g->system, c->E, degree, &trend);
    if (c->status != ISOCAST_OK || trend == NULL) {
        return;
    }
    c->status = isocast_trend_read(trend, c->request->efficiency, &row->reading);
    if (c->status == ISOCAST_OK) {
        row->has_trend = true;
        row->status = status_of(row->reading.status);
        if (row->reading.count > 0) {
            row->N = row->reading.crossings[0].N;
            row->N_low = row->reading.crossings[0].low;
            row->N_high = row->reading.crossings[0].high;
        }
        c->status = keep_line(trend, row);
    }
    isocast_trend_free(trend);
}

static isocast_status keep_points(const computation *c, const group *g,
                                  isocast_scalability_row *row) {
    size_t bytes = g->size_count * sizeof *row->measured_N;
    row->measured_N = malloc(bytes + 1);
    row->measured_E = malloc(bytes + 1);
    if (row->measured_N == NULL || row->measured_E == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    memcpy(row->measured_N, c->N, bytes);
    memcpy(row->measured_E, c->E, bytes);
    return ISOCAST_OK;
}

static void read_runs(computation *c, const group *g, isocast_scalability_row *row) {
    form_efficiencies(c, g, row->C);
    row->points = g->size_count;
    row->N_first = g->sizes[0].N;
    row->N_last = g->sizes[g->size_count - 1].N;
    if (c->status == ISOCAST_OK) {
        c->status = keep_points(c, g, row);
    }
    if (c->status == ISOCAST_OK && g->size_count > 0) {
        row->E_first = c->E[0];
        row->E_last = c->E[g->size_count - 1];
        read_trend(c, g, row);
    }
}

/* The row that stands first in the file; a list has no other of the same system. */
static void take_listed(computation *c, const group *g, isocast_scalability_row *row) {
    const isocast_run *first = g->runs[0];
    for (size_t k = 1; k < g->run_count; k++) {
        first = g->runs[k] < first ? g->runs[k] : first;
    }
    for (size_t k = 0; k < g->run_count; k++) {
        if (g->runs[k] != first) {
            isocast_diagnostics_add(
                c->diagnostics, ISOCAST_ERROR, source_of(c), g->runs[k]->places.system,
                "measured runs, of which a system may have many, need a "
                "column T in seconds",
                "a second row of system '%s' in a list without times", row->system);
            c->status = ISOCAST_INVALID;
        }
    }
    row->N = first->N;
}

static void take_work(computation *c, const group *g, isocast_scalability_row *row) {
    c->status = isocast_work_evaluate(c->request->work, &row->N, 1, &row->W);
    if (c->status == ISOCAST_OK && isnan(c->request->efficiency)) {
        require_positive(c, g, "the work W", row->N, row->W);
    }
}

static void add_row(computation *c, const group *g) {
    isocast_scalability_row *row = &c->result->rows[c->result->count++];
    *row = (isocast_scalability_row){.system = strdup(g->system->name),
                                     .p = NAN,
                                     .C = NAN,
                                     .N = NAN,
                                     .N_low = NAN,
                                     .N_high = NAN,
                                     .W = NAN,
                                     .psi = NAN,
                                     .psi_from_base = NAN,
                                     .N_first = NAN,
                                     .N_last = NAN,
                                     .E_first = NAN,
                                     .E_last = NAN};
    c->status = row->system == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    if (c->status == ISOCAST_OK) {
        settle_system(c, g, row);
    }
    if (c->status == ISOCAST_OK && isnan(c->request->efficiency)) {
        take_listed(c, g, row);
    } else if (c->status == ISOCAST_OK) {
        read_runs(c, g, row);
    }
    if (c->status == ISOCAST_OK && !isnan(row->N)) {
        take_work(c, g, row);
    }
}

/* Every system is looked at even after one with problems, so that all of them are told. */
static void add_rows(computation *c) {
    isocast_status worst = ISOCAST_OK;
    for (size_t i = 0; i < c->sizes.system_count && worst != ISOCAST_NO_MEMORY; i++) {
        const isocast_run_system *system = &c->sizes.systems[i];
        group g = {.system = system,
                   .runs = c->sizes.order + system->first_run,
                   .run_count = system->run_count,
                   .sizes = c->sizes.sizes + system->first_size,
                   .size_count = system->size_count};
        add_row(c, &g);
        worst = c->status != ISOCAST_OK ? c->status : worst;
    }
    c->status = worst;
}

static int by_marked_speed(const void *left, const void *right) {
    const isocast_scalability_row *a = left;
    const isocast_scalability_row *b = right;
    if (a->C != b->C) {
        return a->C < b->C ? -1 : 1;
    }
    return strcmp(a->system, b->system);
}

static void chain(isocast_scalability *s) {
    qsort(s->rows, s->count, sizeof *s->rows, by_marked_speed);
    for (size_t i = 1; i < s->count; i++) {
        const isocast_scalability_row *base = &s->rows[0];
        const isocast_scalability_row *before = &s->rows[i - 1];
        isocast_scalability_row *row = &s->rows[i];
        row->psi = isocast_psi(before->C, before->W, row->C, row->W);
        row->psi_from_base = isocast_psi(base->C, base->W, row->C, row->W);
    }
}

static bool is_valid(const isocast_scalability_request *request) {
    bool listed = isnan(request->efficiency);
    return request->degree >= 0 && request->degree <= ISOCAST_TREND_DEGREE_MAX &&
           (listed || (request->efficiency > 0 && request->runs->has_times));
}

/* Room for the rows and for what is reckoned of one system at a time. */
static void make_room(computation *c) {
    size_t sizes = c->sizes.size_count + 1;
    c->result = calloc(1, sizeof *c->result);
    c->E = malloc(3 * sizes * sizeof *c->E);
    if (c->result == NULL || c->E == NULL) {
        c->status = ISOCAST_NO_MEMORY;
        return;
    }
    c->W = c->E + sizes;
    c->N = c->W + sizes;
    c->result->efficiency = c->request->efficiency;
    c->result->rows = calloc(c->sizes.system_count + 1, sizeof *c->result->rows);
    c->status = c->result->rows == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
}

isocast_status isocast_scalability_compute(const isocast_scalability_request *request,
                                           isocast_diagnostics *diagnostics,
                                           isocast_scalability **out) {
    if (!is_valid(request)) {
        return ISOCAST_ARGUMENT;
    }
    computation c = {.request = request, .diagnostics = diagnostics};
    c.status = isocast_run_sizes_collect(request->runs, isocast_work_algorithm(request->work),
                                         request->algorithm, false, diagnostics, &c.sizes);
    if (c.status == ISOCAST_OK) {
        make_room(&c);
    }
    if (c.status == ISOCAST_OK) {
        add_rows(&c);
    }
    free(c.E);
    isocast_run_sizes_free(&c.sizes);
    if (c.status != ISOCAST_OK) {
        isocast_scalability_free(c.result);
        return c.status;
    }
    chain(c.result);
    *out = c.result;
    return ISOCAST_OK;
}

void isocast_scalability_free(isocast_scalability *scalability) {
    if (scalability != NULL) {
        for (size_t i = 0; i < scalability->count; i++) {
            isocast_scalability_row *row = &scalability->rows[i];
            free(row->system);
            free(row->measured_N);
            free(row->measured_E);
            free(row->line_N);
            free(row->line_E);
        }
        free(scalability->rows);
        free(scalability);
    }
}
