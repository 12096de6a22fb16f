#include "kernel_time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/fit/machine_text.h"
#include "calibrate/samples/median.h"
#include "model/base/order.h"
#include "model/runs/calm.h"
#include "model/solve/model.h"
#include "model/spec/machine_load.h"
#include "run_plan.h"

static const char head[] =
    "compute:       # time per flop in p and the working set m of one process\n";

/* Where the line of a byte begins. */
static size_t line_of(const isocast_source *source, size_t at) {
    return isocast_source_line(source, at).begin;
}

/* Where the line after that of a byte begins; the end where there is none. */
static size_t line_after(const isocast_source *source, size_t at) {
    size_t end = isocast_source_line(source, at).end;
    return end < source->length ? end + 1 : end;
}

/* The lines with as many blanks before them as the section has, where it has not two. */
static void put_indented(const char *entry, size_t blanks, isocast_buffer *out) {
    static const size_t written = 2;
    for (const char *at = entry; *at != '\0';) {
        size_t length = strcspn(at, "\n") + 1;
        isocast_buffer_printf(out, "%*s", (int)blanks, "");
        isocast_buffer_append(out, at + written, length - written);
        at += length;
    }
}

/* The lines that the entry of the kernel has, as a range of bytes; false where there is none. */
static bool find_lines(const isocast_tree *file, const isocast_tree_node *section,
                       const char *kernel, isocast_span *lines) {
    for (size_t i = 0; i < section->count; i++) {
        if (strcmp(section->entries[i].key.text, kernel) != 0) {
            continue;
        }
        size_t last = section->entries[i].value.span.end;
        last -= last > 0 ? 1 : 0;
        *lines = (isocast_span){line_of(file->source, section->entries[i].key.span.begin),
                                i + 1 < section->count
                                    ? line_of(file->source, section->entries[i + 1].key.span.begin)
                                    : line_after(file->source, last)};
        return true;
    }
    return false;
}

isocast_status campaign_kernel_entry_put(const isocast_tree *file, const char *kernel,
                                         const char *entry, isocast_diagnostics *diagnostics,
                                         isocast_buffer *out) {
    const isocast_source *source = file->source;
    const isocast_tree_entry *section = isocast_tree_find(&file->root, "compute");
    if (section == NULL || section->value.kind != ISOCAST_TREE_MAPPING ||
        section->value.count == 0) {
        isocast_buffer_append(out, source->text, source->length);
        bool ends = source->length > 0 && source->text[source->length - 1] == '\n';
        isocast_buffer_printf(out, "%s%s%s", ends ? "" : "\n", head, entry);
        return out->failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    }
    size_t first = section->value.entries[0].key.span.begin;
    size_t begin = line_of(source, first);
    if (begin <= section->key.span.begin) {
        isocast_diagnostics_add(diagnostics, ISOCAST_ERROR, source, section->key.span,
                                "write 'compute:' and under it a line for each kernel",
                                "a kernel cannot be added to a section in braces");
        return ISOCAST_INVALID;
    }
    isocast_span lines = {begin, begin};
    find_lines(file, &section->value, kernel, &lines);
    isocast_buffer_append(out, source->text, lines.begin);
    /* A key in quotes has its place behind them. */
    put_indented(entry, strspn(source->text + begin, " "), out);
    isocast_buffer_append(out, source->text + lines.end, source->length - lines.end);
    return out->failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
}

/* Times per flop that T is computed with, s/flop: T must lie on a straight line over them. */
static const double trials[] = {1e-9, 2e-9, 3e-9};
enum { TRIALS = sizeof trials / sizeof trials[0] };
static const double straight = 1e-6;

/* Computing that is less of a run is not reported by it: 1 % of the overhead would be 10 % of it.
 */
static const double share_least = 0.1;

/* What runs on a system at a size reported. */
typedef struct point {
    double N;
    double p;      /* processes of the system */
    double memory; /* B of a process; 0 where the algorithm does not say */
    double T;      /* s, median of calm runs */
    double error;  /* s, of T */
    double t_c;    /* s/flop; NAN where it is left out */
    double t_c_error;
} point;

typedef struct computation {
    const campaign_kernel_time_request *request;
    isocast_diagnostics *diagnostics;
    isocast_machine *machines[TRIALS];
    isocast_model *models[TRIALS];
    campaign_run_file runs;
    double *times;   /* [systems][sizes][repetitions], of all runs, s */
    point *points;   /* [systems*sizes], of the systems with as many processes on a node */
    double *scratch; /* [repetitions] */
} computation;

static const campaign_listener *listener_of(const computation *r) {
    return r->request->setup->listener;
}

/* The machine with a time per flop of the kernel as it is tried. */
static isocast_status make_model(computation *r, size_t trial) {
    const char *kernel = r->request->algorithm->kernel;
    const isocast_source *file = r->request->text;
    isocast_source *copy = NULL;
    isocast_tree *tree = NULL;
    isocast_buffer entry = {0};
    isocast_buffer text = {0};
    machine_text_key(&entry, "  ", kernel);
    isocast_buffer_printf(&entry, "%.17g s/flop\n", trials[trial]);
    isocast_status status =
        entry.failed ? ISOCAST_NO_MEMORY
                     : isocast_source_create(file->name, file->text, file->length, &copy);
    status = status == ISOCAST_OK ? isocast_tree_parse(copy, r->diagnostics, &tree) : status;
    if (status == ISOCAST_OK) {
        status = campaign_kernel_entry_put(tree, kernel, entry.text, r->diagnostics, &text);
    }
    if (status == ISOCAST_OK) {
        status = isocast_machine_read_text(file->name, text.text, text.length, r->diagnostics,
                                           &r->machines[trial]);
    }
    if (status == ISOCAST_OK) {
        status = isocast_model_create(r->request->algorithm, r->machines[trial], r->diagnostics,
                                      &r->models[trial]);
    }
    if (status == ISOCAST_OK) {
        /* Who loads the file is warned of what it holds. */
        isocast_diagnostics_clear(r->diagnostics);
    }
    isocast_tree_free(tree);
    isocast_buffer_free(&entry);
    isocast_buffer_free(&text);
    return status;
}

/* Median of the repetitions that nothing else slowed, and its standard error by their median
 * absolute deviation. */
static void take_times(computation *r, size_t number, point *at) {
    static const double of_normal = 1.4826;
    size_t calm = 0;
    size_t count = campaign_runs_of(r->request->points, r->times, number, r->scratch);
    at->T = count > 0 ? isocast_calm_time(r->scratch, count, &calm) : NAN;
    for (size_t k = 0; k < calm; k++) {
        r->scratch[k] = fabs(r->scratch[k] - at->T);
    }
    at->error = calm > 2 ? of_normal * isocast_median(r->scratch, calm) * sqrt(acos(-1) / 2) /
                               sqrt((double)calm)
                         : NAN;
}

/* T at the time per flop that is tried. */
static isocast_status predict(const computation *r, size_t trial, const isocast_system *system,
                              double N, double *T, double *memory) {
    isocast_model_points at = {.count = 1, .N = &N, .systems = &system};
    isocast_model_results results = {.T = T, .memory = memory};
    return isocast_model_evaluate(r->models[trial], &at, &results);
}

/* `number`: of the point among all runs. */
static isocast_status compute_point(computation *r, const isocast_system *system, size_t number,
                                    point *at) {
    double T[TRIALS];
    double memory = NAN;
    isocast_status status = ISOCAST_OK;
    for (size_t k = 0; k < TRIALS && status == ISOCAST_OK; k++) {
        status = predict(r, k, system, at->N, &T[k], &memory);
    }
    if (status != ISOCAST_OK) {
        return status;
    }
    take_times(r, number, at);
    at->memory = memory > 0 ? memory : 0;
    double slope = (T[1] - T[0]) / (trials[1] - trials[0]);
    double line = 2 * T[1] - T[0];
    const char *name = r->request->algorithm->name;
    if (!(slope > 0) || !(fabs(T[2] - line) <= straight * fabs(T[2]))) {
        return campaign_fail(listener_of(r), ISOCAST_INVALID,
                             slope > 0 ? "T of %s does not grow as the time per flop does, so no "
                                         "time per flop follows from runs (at N = %.0f on %s)"
                                       : "T of %s does not depend on the time per flop: its "
                                         "'compute' has no t_c (at N = %.0f on %s)",
                             name, at->N, system->name);
    }
    at->t_c = trials[0] + (at->T - T[0]) / slope;
    at->t_c_error = at->error / slope;
    double share = at->t_c * slope / at->T;
    if (!(share >= share_least)) {
        campaign_report(listener_of(r), CAMPAIGN_WARNING,
                        share > 0
                            ? "on %s at N = %.0f the overhead as predicted takes %.3g %% of the "
                              "run, so that its own error would count as computing: the size "
                              "is left out; a larger one shows more of the computation"
                            : "on %s at N = %.0f the overhead as predicted takes longer than "
                              "the run: the size is left out; a larger one shows more of the "
                              "computation",
                        system->name, at->N, 100 * (1 - share));
        at->t_c = NAN;
    }
    return ISOCAST_OK;
}

ISOCAST_ORDER_BY(by_memory, point, x->memory, -x->p)

/* By the working set; of those with the same, that of most processes. Gives how many. */
static size_t keep_points(point *points, size_t count) {
    qsort(points, count, sizeof *points, by_memory);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || points[i].memory > points[kept - 1].memory) {
            points[kept++] = points[i];
        }
    }
    return kept;
}

/* The median over the sizes, with their spread as its error: one number for all working sets. */
static point middle(const point *points, size_t count, double *times) {
    for (size_t i = 0; i < count; i++) {
        times[i] = points[i].t_c;
    }
    point all = {
        .memory = 8, .t_c = isocast_median(times, count), .t_c_error = points[0].t_c_error};
    double spread = 0;
    for (size_t i = 0; i < count; i++) {
        spread = fmax(spread, fabs(points[i].t_c - all.t_c));
    }
    all.t_c_error = count > 1 ? spread : all.t_c_error;
    return all;
}

static void put_row(const point *at, isocast_buffer *out) {
    machine_number number = {at->t_c, at->t_c_error, "s/flop", true};
    isocast_buffer_puts(out, "        ");
    machine_text_size(out, round(at->memory));
    isocast_buffer_puts(out, ": ");
    machine_text_number(out, &number, machine_text_step(at->t_c, "s/flop"));
    isocast_buffer_puts(out, "\n");
}

/* Whether a system of the plan has as many processes on a node as another one. */
static bool is_alike(const computation *r, size_t system, size_t other) {
    isocast_system *const *systems = r->request->points->systems;
    return systems[system]->p_node_max == systems[other]->p_node_max;
}

/* The points that say something of the systems like one, in r->points. */
static isocast_status compute_points(computation *r, size_t system, size_t *known) {
    const campaign_run_points *plan = r->request->points;
    *known = 0;
    for (size_t i = 0; i < plan->system_count; i++) {
        for (size_t k = 0; is_alike(r, i, system) && k < plan->size_count; k++) {
            point at = {.N = plan->sizes[k], .p = plan->systems[i]->p, .t_c = NAN};
            isocast_status status =
                compute_point(r, plan->systems[i], i * plan->size_count + k, &at);
            if (status != ISOCAST_OK) {
                return status;
            }
            if (!isnan(at.t_c)) {
                r->points[(*known)++] = at;
            }
        }
    }
    return ISOCAST_OK;
}

/* "4, 16": the names of the systems like one. */
static void put_names(const computation *r, size_t system, isocast_buffer *out) {
    const campaign_run_points *plan = r->request->points;
    for (size_t i = 0; i < plan->system_count; i++) {
        if (is_alike(r, i, system)) {
            isocast_buffer_printf(out, "%s%s", out->length > 0 ? ", " : "", plan->systems[i]->name);
        }
    }
}

/* One number, where the algorithm states no working set. */
static isocast_status put_middle(const computation *r, const char *names, size_t known,
                                 isocast_buffer *out) {
    double *times = malloc(known * sizeof *times);
    if (times == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    point all = middle(r->points, known, times);
    free(times);
    put_row(&all, out);
    campaign_report(listener_of(r), CAMPAIGN_NOTE,
                    "kernel %s takes %.4g ns/flop on %s, taken as the same at all sizes: the "
                    "algorithm does not state its 'memory'",
                    r->request->algorithm->kernel, 1e9 * all.t_c, names);
    return ISOCAST_OK;
}

/* Between two rows far from each other the table is a straight line, and caches that overflow are
 * none: shows where the largest step is. */
static void report_step(const computation *r, const char *names, size_t kept) {
    static const double step_reported = 1.2;
    size_t at = 0;
    double most = log(step_reported);
    for (size_t k = 1; k < kept; k++) {
        double step = fabs(log(r->points[k].t_c / r->points[k - 1].t_c));
        at = step > most ? k : at;
        most = fmax(most, step);
    }
    if (at > 0) {
        const point *before = &r->points[at - 1];
        const point *behind = &r->points[at];
        campaign_report(
            listener_of(r), CAMPAIGN_NOTE,
            "on %s the time per flop changes by %.0f %% between %.3g MB of a process "
            "(N = %.0f, p = %.0f) and %.3g MB (N = %.0f, p = %.0f): predictions between "
            "them may be off by as much, and more --sizes there make them surer",
            names, 100 * (behind->t_c / before->t_c - 1), 1e-6 * before->memory, before->N,
            before->p, 1e-6 * behind->memory, behind->N, behind->p);
    }
}

/* The rows of the systems like one, in r->points, of which `known` say something; m gets the range
 * of their working sets. */
static isocast_status put_rows(const computation *r, const char *names, size_t known, double m[2],
                               isocast_buffer *out) {
    if (r->request->algorithm->memory == NULL) {
        return put_middle(r, names, known, out);
    }
    size_t kept = keep_points(r->points, known);
    for (size_t k = 0; k < kept; k++) {
        put_row(&r->points[k], out);
    }
    const point *last = &r->points[kept - 1];
    m[0] = fmin(m[0], r->points[0].memory);
    m[1] = fmax(m[1], last->memory);
    campaign_report(
        listener_of(r), CAMPAIGN_NOTE,
        "kernel %s takes %.4g to %.4g ns/flop on %s, where a process works on %.3g to %.3g MB",
        r->request->algorithm->kernel, 1e9 * r->points[0].t_c, 1e9 * last->t_c, names,
        1e-6 * r->points[0].memory, 1e-6 * last->memory);
    report_step(r, names, kept);
    return ISOCAST_OK;
}

/* The table of the systems like one. */
static isocast_status put_table(computation *r, size_t system, double m[2], isocast_buffer *out) {
    size_t known;
    isocast_buffer names = {0};
    put_names(r, system, &names);
    isocast_status status = names.failed ? ISOCAST_NO_MEMORY : compute_points(r, system, &known);
    if (status == ISOCAST_OK && known == 0) {
        campaign_report(listener_of(r), CAMPAIGN_WARNING,
                        "no size shows the time per flop on %s, so that of fewer processes holds "
                        "there; larger --sizes show more",
                        names.text);
    } else if (status == ISOCAST_OK) {
        isocast_buffer_printf(out, "      %.0f:\n",
                              r->request->points->systems[system]->p_node_max);
        status = put_rows(r, names.text, known, m, out);
    }
    isocast_buffer_free(&names);
    return status;
}

/* The first system with the fewest processes on a node that are more than `above`; the count of
 * systems where there is none. */
static size_t next_system(const campaign_run_points *plan, double above) {
    size_t next = plan->system_count;
    for (size_t i = 0; i < plan->system_count; i++) {
        double on_node = plan->systems[i]->p_node_max;
        if (on_node > above &&
            (next == plan->system_count || on_node < plan->systems[next]->p_node_max)) {
            next = i;
        }
    }
    return next;
}

static isocast_status put_entry(computation *r, isocast_buffer *out) {
    const campaign_run_points *plan = r->request->points;
    isocast_buffer tables = {0};
    double m[2] = {INFINITY, 0};
    isocast_status status = ISOCAST_OK;
    double p[2] = {INFINITY, 0}; /* least and most processes on a node */
    size_t next = next_system(plan, 0);
    while (next < plan->system_count && status == ISOCAST_OK) {
        double on_node = plan->systems[next]->p_node_max;
        p[0] = fmin(p[0], on_node);
        p[1] = on_node;
        status = put_table(r, next, m, &tables);
        next = next_system(plan, on_node);
    }
    if (status == ISOCAST_OK && tables.length == 0) {
        status = campaign_fail(listener_of(r), ISOCAST_INVALID,
                               "no run shows the time per flop: name larger --sizes");
    }
    if (status == ISOCAST_OK) {
        machine_text_head(out, "  ", r->request->algorithm->kernel);
        isocast_buffer_printf(out, "    # %s of the program, less the overhead as predicted here\n",
                              r->request->setup->simulation != NULL ? "simulated runs" : "runs");
        if (m[1] > 0) {
            machine_text_measured(out, p, m);
        }
        isocast_buffer_puts(out, "    tables:\n");
        isocast_buffer_append(out, tables.text != NULL ? tables.text : "", tables.length);
        status = out->failed || tables.failed ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    }
    isocast_buffer_free(&tables);
    return status;
}

isocast_status campaign_kernel_time_measure(const campaign_kernel_time_request *request,
                                            isocast_diagnostics *diagnostics, isocast_buffer *out) {
    const campaign_run_points *points = request->points;
    computation r = {.request = request, .diagnostics = diagnostics, .runs = {.file = -1}};
    r.points = calloc(points->system_count * points->size_count + 1, sizeof *r.points);
    r.scratch = calloc(campaign_runs_most(points) + 1, sizeof *r.scratch);
    isocast_status status = r.points == NULL || r.scratch == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    for (size_t k = 0; k < TRIALS && status == ISOCAST_OK; k++) {
        status = make_model(&r, k);
    }
    if (status == ISOCAST_OK) {
        status = campaign_run_file_open(request->runs_path, request->setup->listener, diagnostics,
                                        &r.runs);
    }
    if (status == ISOCAST_OK) {
        status = campaign_runs_make(request->setup, &r.runs, points, &r.times);
    }
    status = status == ISOCAST_OK ? put_entry(&r, out) : status;
    campaign_run_file_close(&r.runs);
    for (size_t k = 0; k < TRIALS; k++) {
        isocast_model_free(r.models[k]);
        isocast_machine_free(r.machines[k]);
    }
    free(r.points);
    free(r.times);
    free(r.scratch);
    return status;
}
