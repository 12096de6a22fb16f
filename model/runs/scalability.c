#include "scalability.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/spec/system.h"

/* Values of p or C that differ by less are the same number written twice. */
static const double same_value = 1e-9;

typedef struct computation {
    const isocast_scalability_request *request;
    const isocast_metric_row *metric;
    isocast_diagnostics *diagnostics;
    isocast_run_sizes sizes;
    double *E, *W, *N; /* scratch, [size_count] each */
    bool *settled;     /* [system_count], whose C, p and R_f are known */
    /* Measured on one process at the same further sizes, by the index of a system, [system_count];
     * NULL: none, or not asked for. */
    const isocast_run_system **single;
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
    const double *N; /* of each run, with a stride of value_count */
    size_t value_count;
    const isocast_run_system *single; /* as above */
} group;

/* The first run of a group at an N. */
static const isocast_run *run_at(const group *g, double N) {
    size_t low = 0;
    for (size_t high = g->run_count - 1; low < high;) {
        size_t middle = low + (high - low) / 2;
        if (g->N[middle * g->value_count] < N) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return g->runs[low];
}

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
    bool needs_C = c->metric->size == ISOCAST_SIZE_MARKED_SPEED;
    if (c->request->machine == NULL) {
        isocast_diagnostics_add(
            c->diagnostics, ISOCAST_ERROR, source_of(c), run->places.system,
            needs_C ? "add a column C (marked speed in flop/s), or name a machine file with "
                      "--machine"
                    : "add a column p, name a machine file with --machine, or reference times with "
                      "--reference",
            "the %s of system '%s' is not known", needs_C ? "marked speed" : "number of processes",
            run->system);
        c->status = ISOCAST_INVALID;
        return;
    }
    isocast_system *system = NULL;
    const char *program = isocast_work_algorithm(c->request->work)->kernel;
    isocast_status status = isocast_system_parse(c->request->machine, program, source_of(c),
                                                 run->places.system, c->diagnostics, &system);
    if (status != ISOCAST_OK) {
        c->status = status;
        return;
    }
    isocast_system_size_by(system, c->request->measure);
    bool takes_size = isnan(row->C) || c->request->measure == ISOCAST_SIZE_BY_REFERENCE;
    row->C = takes_size ? system->size : row->C;
    c->result->asked_machine = true;
    row->R_f = needs_C ? row->R_f : system->reference_factor;
    row->p = isnan(row->p) ? system->p : row->p;
    isocast_system_free(system);
}

/* R_f, as the reference has it, or the machine file, or p. */
static void settle_factor(computation *c, const isocast_run *run, isocast_scalability_row *row) {
    const isocast_set_table *reference = c->request->reference;
    const isocast_set_row *found =
        reference != NULL ? isocast_set_table_find(reference, run->system) : NULL;
    if (reference != NULL) {
        row->R_f = found != NULL ? found->R_f : NAN;
    } else if (isnan(row->R_f)) {
        row->R_f = row->p;
    }
    if (isnan(row->R_f)) {
        isocast_diagnostics_add(c->diagnostics, ISOCAST_ERROR, source_of(c), run->places.system,
                                reference != NULL
                                    ? "add the system to the reference times"
                                    : "add a column p, or name a machine file with --machine",
                                "R_f of system '%s' is not known", row->system);
        c->status = ISOCAST_INVALID;
    }
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
    bool needs_R_f = c->metric->size == ISOCAST_SIZE_REFERENCE_FACTOR;
    if (needs_R_f && isnan(row->p)) {
        row->p = isocast_set_processors(g->system->name);
    }
    /* The machine's R_f comes before p, and its R_f C_1 before the runs' own C. */
    bool asked_R_f = c->request->machine != NULL && c->request->machine->reference.count > 0 &&
                     c->request->reference == NULL;
    if (c->request->measure == ISOCAST_SIZE_BY_REFERENCE || (needs_R_f && asked_R_f) ||
        (isnan(row->C) && (!needs_R_f || (isnan(row->p) && c->request->reference == NULL)))) {
        ask_machine(c, g->runs[0], row);
    }
    if (needs_R_f && c->status == ISOCAST_OK) {
        settle_factor(c, g->runs[0], row);
    }
}

/* Whether a number that the work formula gives can be computed with; shows where it cannot. */
static void require_positive(computation *c, const group *g, const char *what, double N,
                             double value) {
    if (value > 0 && isfinite(value)) {
        return;
    }
    const isocast_algorithm *algorithm = isocast_work_algorithm(c->request->work);
    isocast_diagnostics_add(c->diagnostics, ISOCAST_ERROR, source_of(c), run_at(g, N)->places.N,
                            "leave the row out, or look at the work formula",
                            "%s of '%s' is not a finite number above 0 at %s = %.10g", what,
                            algorithm->name, algorithm->sizes[0].name, N);
    c->status = ISOCAST_INVALID;
}

/* What the metric reads of a row at a size with its time. */
static isocast_metric_point point_at(const computation *c, const group *g,
                                     const isocast_scalability_row *row, double N, double W,
                                     double T) {
    bool alone = c->metric->numerator == ISOCAST_NUMERATOR_TIME_ALONE;
    return (isocast_metric_point){
        .C = row->C,
        .R_f = row->R_f,
        .W = W,
        .T = T,
        .T_alone = alone ? isocast_run_sizes_time_at(&c->sizes, g->single, N) : NAN};
}

static void refuse_time_alone(computation *c, const group *g, double N) {
    const isocast_run_size *sizes = c->sizes.sizes + g->single->first_size;
    isocast_diagnostics_add(c->diagnostics, ISOCAST_ERROR, source_of(c), run_at(g, N)->places.N,
                            "measure this size on one process, too, or leave the row out",
                            "T(W,1) is not known here: '%s' was run from N = %.10g to %.10g",
                            g->single->label, sizes[0].N, sizes[g->single->size_count - 1].N);
    c->status = ISOCAST_INVALID;
}

/* What is held, such as E = W/(T C), at every size measured. */
static void form_efficiencies(computation *c, const group *g, const isocast_scalability_row *row) {
    for (size_t i = 0; i < g->size_count; i++) {
        c->N[i] = g->sizes[i].N;
    }
    isocast_status status =
        isocast_work_evaluate(c->request->work, c->N, g->system->others, g->size_count, c->W);
    if (status != ISOCAST_OK) {
        c->status = status;
        return;
    }
    for (size_t i = 0; i < g->size_count; i++) {
        isocast_metric_point at = point_at(c, g, row, c->N[i], c->W[i], g->sizes[i].T);
        c->E[i] = isocast_metric_held(c->request->metric, &at);
        require_positive(c, g, "the work W", c->N[i], c->W[i]);
        if (c->metric->numerator == ISOCAST_NUMERATOR_TIME_ALONE && isnan(at.T_alone)) {
            refuse_time_alone(c, g, c->N[i]);
        } else if (c->W[i] > 0 && isfinite(c->W[i])) {
            isocast_buffer what = {0};
            isocast_buffer_printf(&what, "the %s %s", c->metric->held, c->metric->formula);
            isocast_diagnostics_rely(c->diagnostics, &what);
            require_positive(c, g, what.text != NULL ? what.text : "", c->N[i], c->E[i]);
            isocast_buffer_free(&what);
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
    form_efficiencies(c, g, row);
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
    row->N = g->sizes[0].N;
}

static void take_work(computation *c, const group *g, isocast_scalability_row *row) {
    c->status = isocast_work_evaluate(c->request->work, &row->N, g->system->others, 1, &row->W);
    if (c->status == ISOCAST_OK && isnan(c->request->efficiency)) {
        require_positive(c, g, "the work W", row->N, row->W);
    }
    if (c->status == ISOCAST_OK && !isnan(c->request->efficiency)) {
        /* What is held is numerator/(size T). */
        isocast_metric_point at = point_at(c, g, row, row->N, row->W, 1);
        row->T = isocast_metric_held(c->request->metric, &at) / c->request->efficiency;
        row->T_alone = at.T_alone;
    }
}

static void start_row(computation *c, const group *g) {
    isocast_scalability_row *row = &c->result->rows[c->result->count++];
    *row = (isocast_scalability_row){.system = strdup(g->system->label),
                                     .p = NAN,
                                     .C = NAN,
                                     .R_f = NAN,
                                     .T = NAN,
                                     .T_alone = NAN,
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
    size_t others = c->sizes.value_count - 1;
    row->other_sizes = malloc((others + 1) * sizeof *row->other_sizes);
    while (
        !isocast_run_sizes_alike(&c->sizes, g->system, &c->sizes.systems[row->other_sizes_group])) {
        row->other_sizes_group++;
    }
    c->status = row->system == NULL || row->other_sizes == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    for (size_t i = 0; c->status == ISOCAST_OK && i < others; i++) {
        row->other_sizes[i] = g->system->others[i];
    }
    if (c->status == ISOCAST_OK) {
        settle_system(c, g, row);
    }
}

static void read_row(computation *c, const group *g, isocast_scalability_row *row) {
    c->status = ISOCAST_OK;
    if (isnan(c->request->efficiency)) {
        take_listed(c, g, row);
    } else {
        read_runs(c, g, row);
    }
    if (c->status == ISOCAST_OK && !isnan(row->N)) {
        take_work(c, g, row);
    }
}

static void free_row(isocast_scalability_row *row) {
    free(row->system);
    free(row->other_sizes);
    free(row->measured_N);
    free(row->measured_E);
    free(row->line_N);
    free(row->line_E);
}

/* A system whose times are T(W,1) has the efficiency 1 at every N: it can hold no other, so it is
 * named, and has no row. Rows are in the order of the systems. */
static void drop_single(computation *c) {
    isocast_scalability *s = c->result;
    size_t kept = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (c->single[i] != &c->sizes.systems[i]) {
            s->rows[kept++] = s->rows[i];
            continue;
        }
        if (s->single == NULL) {
            s->single = s->rows[i].system;
            s->rows[i].system = NULL;
        }
        free_row(&s->rows[i]);
    }
    s->count = kept;
}

static group group_of(const computation *c, size_t index) {
    const isocast_run_system *system = &c->sizes.systems[index];
    return (group){.system = system,
                   .runs = c->sizes.order + system->first_run,
                   .run_count = system->run_count,
                   .sizes = c->sizes.sizes + system->first_size,
                   .size_count = system->size_count,
                   .N = c->sizes.values + system->first_run * c->sizes.value_count,
                   .value_count = c->sizes.value_count,
                   .single = c->single[index]};
}

/* Finds the systems of one process, whose times are T(W,1). */
static void find_singles(computation *c) {
    for (size_t i = 0; i < c->result->count && c->status == ISOCAST_OK; i++) {
        const isocast_run_system *system = &c->sizes.systems[i];
        for (size_t k = 0; k < c->result->count && c->single[i] == NULL; k++) {
            bool alone = c->result->rows[k].p == 1 &&
                         isocast_run_sizes_alike(&c->sizes, system, &c->sizes.systems[k]);
            c->single[i] = alone ? &c->sizes.systems[k] : NULL;
        }
        if (c->single[i] == NULL) {
            isocast_diagnostics_add_file(c->diagnostics, ISOCAST_ERROR, source_of(c)->name,
                                         "add runs on one process, with p = 1",
                                         "%s needs T(W,1), and no system has one process%s",
                                         c->metric->name,
                                         c->sizes.several ? " at each of the further sizes" : "");
            c->status = ISOCAST_INVALID;
        }
    }
}

/* Every system is looked at even after one with problems, so that all of them are reported. */
static void add_rows(computation *c) {
    isocast_status worst = ISOCAST_OK;
    for (size_t i = 0; i < c->sizes.system_count && worst != ISOCAST_NO_MEMORY; i++) {
        group g = group_of(c, i);
        start_row(c, &g);
        c->settled[i] = c->status == ISOCAST_OK;
        worst = c->status != ISOCAST_OK ? c->status : worst;
    }
    bool alone = c->metric->numerator == ISOCAST_NUMERATOR_TIME_ALONE;
    if (worst == ISOCAST_OK && alone) {
        c->status = ISOCAST_OK;
        find_singles(c);
        worst = c->status;
    }
    for (size_t i = 0; i < c->sizes.system_count && worst != ISOCAST_NO_MEMORY; i++) {
        if (!c->settled[i] || (alone && c->single[i] == NULL)) {
            continue;
        }
        group g = group_of(c, i);
        read_row(c, &g, &c->result->rows[i]);
        worst = c->status != ISOCAST_OK ? c->status : worst;
    }
    c->status = worst;
    if (worst == ISOCAST_OK && alone) {
        drop_single(c);
    }
}

static isocast_metric_point point_of(const isocast_scalability_row *row) {
    return (isocast_metric_point){
        .C = row->C, .R_f = row->R_f, .W = row->W, .T = row->T, .T_alone = row->T_alone};
}

/* Those with the same further sizes together, in the order of the runs. */
static int by_group(const isocast_scalability_row *a, const isocast_scalability_row *b) {
    return (a->other_sizes_group > b->other_sizes_group) -
           (a->other_sizes_group < b->other_sizes_group);
}

static int by_C(const void *left, const void *right) {
    const isocast_scalability_row *a = left;
    const isocast_scalability_row *b = right;
    int groups = by_group(a, b);
    return groups != 0    ? groups
           : a->C != b->C ? (a->C < b->C ? -1 : 1)
                          : strcmp(a->system, b->system);
}

static int by_R_f(const void *left, const void *right) {
    const isocast_scalability_row *a = left;
    const isocast_scalability_row *b = right;
    int groups = by_group(a, b);
    return groups != 0        ? groups
           : a->R_f != b->R_f ? (a->R_f < b->R_f ? -1 : 1)
                              : strcmp(a->system, b->system);
}

double isocast_scalability_psi(const isocast_scalability *scalability, size_t from, size_t to) {
    isocast_metric_point a = point_of(&scalability->rows[from]);
    isocast_metric_point b = point_of(&scalability->rows[to]);
    if (by_group(&scalability->rows[from], &scalability->rows[to]) != 0) {
        return NAN;
    }
    return isocast_metric_psi(scalability->metric, &a, &b);
}

static void chain(const computation *c, isocast_scalability *s) {
    bool by_factor = c->metric->size == ISOCAST_SIZE_REFERENCE_FACTOR;
    qsort(s->rows, s->count, sizeof *s->rows, by_factor ? by_R_f : by_C);
    size_t base = 0;
    for (size_t i = 1; i < s->count; i++) {
        base = by_group(&s->rows[base], &s->rows[i]) == 0 ? base : i;
        s->rows[i].psi = isocast_scalability_psi(s, i - 1, i);
        s->rows[i].psi_from_base = base < i ? isocast_scalability_psi(s, base, i) : NAN;
    }
}

static bool is_valid(const isocast_scalability_request *request) {
    bool listed = isnan(request->efficiency);
    if ((unsigned)request->metric >= ISOCAST_METRICS ||
        (listed && isocast_metric_row_of(request->metric)->reading != ISOCAST_READ_WORK)) {
        return false;
    }
    return request->degree >= 0 && request->degree <= ISOCAST_TREND_DEGREE_MAX &&
           (listed || (request->efficiency > 0 && request->runs->has_times));
}

/* Room for the rows and for what is computed of one system at a time. */
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
    c->result->metric = c->request->metric;
    c->result->measure = c->request->measure;
    c->result->efficiency = c->request->efficiency;
    c->result->rows = calloc(c->sizes.system_count + 1, sizeof *c->result->rows);
    c->settled = calloc(c->sizes.system_count + 1, sizeof *c->settled);
    c->single = calloc(c->sizes.system_count + 1, sizeof *c->single);
    c->status = c->result->rows == NULL || c->settled == NULL || c->single == NULL
                    ? ISOCAST_NO_MEMORY
                    : ISOCAST_OK;
}

isocast_status isocast_scalability_compute(const isocast_scalability_request *request,
                                           isocast_diagnostics *diagnostics,
                                           isocast_scalability **out) {
    if (!is_valid(request)) {
        return ISOCAST_ARGUMENT;
    }
    computation c = {.request = request,
                     .metric = isocast_metric_row_of(request->metric),
                     .diagnostics = diagnostics};
    c.status = isocast_run_sizes_collect(request->runs, isocast_work_algorithm(request->work),
                                         request->algorithm, false, diagnostics, &c.sizes);
    if (c.status == ISOCAST_OK) {
        make_room(&c);
    }
    if (c.status == ISOCAST_OK) {
        add_rows(&c);
    }
    free(c.E);
    free(c.settled);
    free((void *)c.single);
    isocast_run_sizes_free(&c.sizes);
    if (c.status != ISOCAST_OK) {
        isocast_scalability_free(c.result);
        return c.status;
    }
    chain(&c, c.result);
    *out = c.result;
    return ISOCAST_OK;
}

void isocast_scalability_free(isocast_scalability *scalability) {
    if (scalability != NULL) {
        for (size_t i = 0; i < scalability->count; i++) {
            free_row(&scalability->rows[i]);
        }
        free(scalability->single);
        free(scalability->rows);
        free(scalability);
    }
}
