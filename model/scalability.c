#include "scalability.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "prediction.h"
#include "system.h"

/* Values of p or C that differ by less are the same number written twice. */
static const double same_value = 1e-9;

typedef struct computation {
    const isocast_scalability_request *request;
    isocast_diagnostics *diagnostics;
    const isocast_run **runs; /* [run_count], those that count: by system, then N, then place */
    size_t run_count;
    double *T, *N, *E, *W; /* scratch, [run_count] each */
    isocast_scalability *result;
    isocast_status status;
} computation;

/* The runs of one system. */
typedef struct group {
    const isocast_run *const *runs; /* [count], N rising */
    size_t count;
} group;

static const isocast_source *source_of(const computation *c) {
    return c->request->runs->source;
}

static bool has_algorithm(const isocast_run *run) {
    return run->algorithm != NULL && run->algorithm[0] != '\0';
}

/* A file about one algorithm is about the work's, whatever it calls it. */
static bool names_several_algorithms(const isocast_runs *runs) {
    const char *first = NULL;
    for (size_t i = 0; i < runs->count; i++) {
        const isocast_run *run = &runs->rows[i];
        if (has_algorithm(run) && first != NULL && strcmp(first, run->algorithm) != 0) {
            return true;
        }
        first = has_algorithm(run) ? run->algorithm : first;
    }
    return false;
}

static int by_system_and_size(const void *left, const void *right) {
    const isocast_run *a = *(const isocast_run *const *)left;
    const isocast_run *b = *(const isocast_run *const *)right;
    int names = strcmp(a->system, b->system);
    if (names != 0) {
        return names;
    }
    if (a->N != b->N) {
        return a->N < b->N ? -1 : 1;
    }
    return (a > b) - (a < b);
}

static void collect_runs(computation *c) {
    const isocast_runs *runs = c->request->runs;
    const char *wanted = isocast_work_algorithm(c->request->work)->name;
    bool several = names_several_algorithms(runs);
    for (size_t i = 0; i < runs->count; i++) {
        const isocast_run *run = &runs->rows[i];
        if (!several || (has_algorithm(run) && strcmp(run->algorithm, wanted) == 0)) {
            c->runs[c->run_count++] = run;
        }
    }
    if (runs->count == 0) {
        isocast_diagnostics_add_file(c->diagnostics, ISOCAST_ERROR, source_of(c)->name, NULL,
                                     "names the columns, but holds no rows");
        c->status = ISOCAST_INVALID;
        return;
    }
    if (c->run_count == 0) {
        isocast_diagnostics_add_file(c->diagnostics, ISOCAST_ERROR, source_of(c)->name,
                                     "where several algorithms are named, the column 'algorithm' "
                                     "tells which rows are meant",
                                     "holds no runs of algorithm '%s'", wanted);
        c->status = ISOCAST_INVALID;
        return;
    }
    qsort(c->runs, c->run_count, sizeof *c->runs, by_system_and_size);
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
    for (size_t k = 0; k < g->count; k++) {
        const isocast_run *run = g->runs[k];
        if (!isnan(run->C)) {
            settle(c, run, "C", run->C, run->places.C, &row->C);
        }
        if (!isnan(run->p)) {
            settle(c, run, "p", run->p, run->places.p, &row->p);
        }
        row->oversubscribed |= run->oversubscribed;
    }
    if (isnan(row->C)) {
        ask_machine(c, g->runs[0], row);
    }
}

/* The median time of each size into T, and the size into N; gives the number of sizes. */
static size_t take_medians(computation *c, const group *g) {
    size_t sizes = 0;
    for (size_t first = 0; first < g->count;) {
        size_t end = first;
        /* What T holds from `first` on is free: there are no more sizes than runs. */
        while (end < g->count && g->runs[end]->N == g->runs[first]->N) {
            c->T[end] = g->runs[end]->T;
            end++;
        }
        gsl_sort(c->T + first, 1, end - first);
        double median = gsl_stats_median_from_sorted_data(c->T + first, 1, end - first);
        c->N[sizes] = g->runs[first]->N;
        c->T[sizes++] = median;
        first = end;
    }
    return sizes;
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
                            "%s of '%s' is no finite number above 0 at %s = %.10g", what,
                            algorithm->name, algorithm->sizes[0].name, N);
    c->status = ISOCAST_INVALID;
}

/* E = W/(T C) at every size measured. */
static void form_efficiencies(computation *c, const group *g, double C, size_t sizes) {
    isocast_status status = isocast_work_evaluate(c->request->work, c->N, sizes, c->W);
    if (status != ISOCAST_OK) {
        c->status = status;
        return;
    }
    for (size_t i = 0; i < sizes; i++) {
        c->E[i] = c->W[i] / (c->T[i] * C);
        require_positive(c, g, "the work W", c->N[i], c->W[i]);
        if (c->status == ISOCAST_OK) {
            require_positive(c, g, "the speed-efficiency W/(T C)", c->N[i], c->E[i]);
        }
    }
}

static isocast_status fit(const computation *c, size_t sizes, isocast_trend **out) {
    return c->request->monotone ? isocast_trend_fit_monotone(c->N, c->E, sizes, out)
                                : isocast_trend_fit(c->N, c->E, sizes, c->request->degree, out);
}

static isocast_scalability_status status_of(isocast_reading_status status) {
    switch (status) {
    case ISOCAST_READING_BELOW:
        return ISOCAST_SCALABILITY_BELOW;
    case ISOCAST_READING_ABOVE:
        return ISOCAST_SCALABILITY_ABOVE;
    case ISOCAST_READING_OK:
        break;
    }
    return ISOCAST_SCALABILITY_OK;
}

static void read_trend(computation *c, size_t sizes, isocast_scalability_row *row) {
    isocast_trend *trend = NULL;
    isocast_reading reading;
    c->status = fit(c, sizes, &trend);
    if (c->status == ISOCAST_OK) {
        c->status = isocast_trend_read(trend, c->request->efficiency, &reading);
    }
    if (c->status == ISOCAST_OK) {
        row->has_trend = true;
        row->trend = isocast_trend_kind_of(trend);
        row->degree = isocast_trend_degree(trend);
        row->validation_error = isocast_trend_validation_error(trend);
        row->N = reading.N;
        row->N_low = reading.low;
        row->N_high = reading.high;
        row->E_first = isocast_trend_evaluate(trend, row->N_first);
        row->E_last = isocast_trend_evaluate(trend, row->N_last);
        row->status = status_of(reading.status);
    }
    isocast_trend_free(trend);
}

static void read_runs(computation *c, const group *g, isocast_scalability_row *row) {
    size_t sizes = take_medians(c, g);
    form_efficiencies(c, g, row->C, sizes);
    row->points = sizes;
    row->N_first = c->N[0];
    row->N_last = c->N[sizes - 1];
    if (c->status != ISOCAST_OK) {
        return;
    }
    size_t due = c->request->degree > 0 ? (size_t)c->request->degree + 1 : 2;
    if (sizes < due) {
        row->status = ISOCAST_SCALABILITY_TOO_FEW;
    } else {
        read_trend(c, sizes, row);
    }
}

/* The row that stands first in the file; a list has no other of the same system. */
static void take_listed(computation *c, const group *g, isocast_scalability_row *row) {
    const isocast_run *first = g->runs[0];
    for (size_t k = 1; k < g->count; k++) {
        first = g->runs[k] < first ? g->runs[k] : first;
    }
    for (size_t k = 0; k < g->count; k++) {
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
    *row = (isocast_scalability_row){.system = strdup(g->runs[0]->system),
                                     .p = NAN,
                                     .C = NAN,
                                     .N = NAN,
                                     .N_low = NAN,
                                     .N_high = NAN,
                                     .W = NAN,
                                     .psi = NAN,
                                     .psi_from_base = NAN,
                                     .validation_error = NAN,
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
    for (size_t first = 0; first < c->run_count && worst != ISOCAST_NO_MEMORY;) {
        size_t end = first;
        while (end < c->run_count && strcmp(c->runs[end]->system, c->runs[first]->system) == 0) {
            end++;
        }
        group g = {c->runs + first, end - first};
        add_row(c, &g);
        worst = c->status != ISOCAST_OK ? c->status : worst;
        first = end;
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
    return request->degree >= 0 && request->degree <= ISOCAST_TREND_DEGREE_MOST &&
           (listed || (request->efficiency > 0 && request->runs->has_times));
}

isocast_status isocast_scalability_compute(const isocast_scalability_request *request,
                                           isocast_diagnostics *diagnostics,
                                           isocast_scalability **out) {
    if (!is_valid(request)) {
        return ISOCAST_ARGUMENT;
    }
    size_t room = request->runs->count + 1;
    computation c = {.request = request,
                     .diagnostics = diagnostics,
                     .runs = malloc(room * sizeof(const isocast_run *)),
                     .T = malloc(4 * room * sizeof(double)),
                     .result = calloc(1, sizeof *c.result)};
    if (c.result != NULL) {
        c.result->efficiency = request->efficiency;
        c.result->rows = calloc(room, sizeof *c.result->rows);
    }
    if (c.runs == NULL || c.T == NULL || c.result == NULL || c.result->rows == NULL) {
        c.status = ISOCAST_NO_MEMORY;
    } else {
        c.N = c.T + room;
        c.E = c.N + room;
        c.W = c.E + room;
        collect_runs(&c);
    }
    if (c.status == ISOCAST_OK) {
        add_rows(&c);
    }
    free(c.T);
    free((void *)c.runs);
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
            free(scalability->rows[i].system);
        }
        free(scalability->rows);
        free(scalability);
    }
}
