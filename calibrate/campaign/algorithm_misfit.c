#include "algorithm_misfit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/fit/fit_summary.h"
#include "calibrate/fit/machine_text.h"
#include "model/solve/sensitivity.h"
#include "model/solve/uncertainty.h"
#include "model/spec/machine_load.h"

/* Systems of more processes than this take long to simulate. So do runs in which messages take as
 * long as so many messages of this size on a link, times the processes: a simulation takes about as
 * long for a long message as for a short one. */
static const double processes_most = 64;
static const double messages_most = 5e5;
static const double message_size = 8192; /* B */
static const double memory_most = 2.5e8; /* B of a process */
/* Sizes that are looked at: each so many times the one before. */
static const double first_size = 16;
static const double size_step = 1.2;
enum { STEPS = 80 };
/* Runs are at so many sizes with speed-efficiencies between these, at equal ratios: with less the
 * processes do little but send, with more there is little to be seen of that. */
static const double E_least = 0.05;
static const double E_most = 0.9;
enum { SIZES = 6 };

/* A run, as it is predicted. */
typedef struct predicted {
    double N;
    double T;        /* s */
    double E;        /* speed-efficiency */
    double share;    /* of T: all messages */
    double variance; /* of ln T, by the errors of the machine file's numbers */
} predicted;

/* Sums over the runs of a system. */
typedef struct compared {
    double p;
    double squares; /* of ln T: errors, less what is known of them */
    double weights; /* squares of the shares */
    size_t runs;
} compared;

/* What runs are compared with. Start from {0}. */
typedef struct comparison {
    const campaign_misfit_request *request;
    isocast_machine *machine;
    isocast_model *model;
    isocast_uncertainty *uncertainty;
    isocast_system **systems; /* [count], of the machine file */
    size_t count;
    compared *sums; /* [count] */
} comparison;

static void comparison_free(comparison *c) {
    free(c->sums);
    isocast_uncertainty_free(c->uncertainty);
    isocast_systems_free(c->systems, c->count);
    isocast_model_free(c->model);
    isocast_machine_free(c->machine);
}

static isocast_status comparison_begin(const isocast_buffer *text, isocast_diagnostics *diagnostics,
                                       comparison *c) {
    const campaign_misfit_request *q = c->request;
    isocast_status status =
        isocast_machine_read_text(q->name, text->text, text->length, diagnostics, &c->machine);
    if (status == ISOCAST_OK) {
        status = isocast_model_create(q->algorithm, c->machine, diagnostics, &c->model);
    }
    if (status == ISOCAST_OK) {
        status = isocast_systems_parse(c->machine, q->algorithm->kernel, "--systems",
                                       q->systems_text, diagnostics, &c->systems, &c->count);
    }
    if (status == ISOCAST_OK) {
        c->sums = calloc(c->count + 1, sizeof *c->sums);
        status = c->sums != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
    }
    if (status == ISOCAST_OK) {
        /* Who loads the file is warned of what it holds. */
        isocast_diagnostics_clear(diagnostics);
        status = isocast_uncertainty_create(c->machine, q->algorithm, false, 0.9, &c->uncertainty);
    }
    return status;
}

static isocast_status predict(const comparison *c, const isocast_system *system, double N,
                              predicted *out) {
    isocast_effort effort = isocast_effort_of(1);
    isocast_sensitivity s;
    isocast_status status = isocast_sensitivity_find(
        &(isocast_sensitivity_request){
            .model = c->model, .system = system, .N = N, .effort = &effort},
        &s);
    if (status != ISOCAST_OK) {
        return status;
    }
    *out = (predicted){.N = N,
                       .T = s.T,
                       .E = s.W / (s.T * system->C),
                       .share = isocast_misfit_share_of_messages(c->machine, s.of_T.by_parameters)};
    double *gradient = calloc(isocast_uncertainty_count(c->uncertainty) + 1, sizeof *gradient);
    if (gradient == NULL) {
        isocast_sensitivity_free(&s);
        return ISOCAST_NO_MEMORY;
    }
    const isocast_misfits *misfits = isocast_uncertainty_misfits(c->uncertainty);
    memcpy(gradient, s.of_T.by_parameters, misfits->first * sizeof *gradient);
    isocast_misfits_complete(misfits, system->p, gradient);
    out->variance = isocast_uncertainty_variance(c->uncertainty, gradient, NULL) +
                    isocast_uncertainty_of_runs(c->uncertainty, gradient);
    free(gradient);
    isocast_sensitivity_free(&s);
    return ISOCAST_OK;
}

/* Whether a run may be made: it is short, and small. */
static isocast_status is_affordable(const comparison *c, const isocast_system *system,
                                    const predicted *at, bool *affordable) {
    double memory = NAN;
    isocast_model_points points = {.count = 1, .N = &at->N, .systems = &system};
    isocast_model_results results = {.memory = &memory};
    isocast_status status = isocast_model_evaluate(c->model, &points, &results);
    const isocast_network *network = &c->request->simulation->platform->network;
    double message = network->link_latency + message_size / network->link_bandwidth;
    *affordable =
        at->share * at->T * system->p <= messages_most * message && !(memory > memory_most);
    return status;
}

/* The next size above one, that the formulas hold for; NAN where there is none. */
static double next_size(const isocast_size *size, double before) {
    double N = fmax(round(before * size_step), before + 1);
    if (!isocast_valid_holds(&size->valid, N)) {
        N = isocast_valid_nearest(&size->valid, N, size->min, size->max).above;
    }
    return N <= size->max ? N : NAN;
}

/* The sizes that runs are made at, in `chosen`, [SIZES]; gives their number. */
static isocast_status choose_sizes(const comparison *c, const isocast_system *system,
                                   predicted *chosen, size_t *count) {
    const isocast_size *size = &c->request->algorithm->sizes[0];
    predicted seen[STEPS];
    size_t found = 0;
    double N = fmax(first_size, size->min);
    for (size_t i = 0; i < STEPS; i++) {
        N = next_size(size, N);
        predicted at = {0};
        bool affordable = false;
        isocast_status status = isnan(N) ? ISOCAST_OK : predict(c, system, N, &at);
        if (status == ISOCAST_OK && !isnan(N)) {
            status = is_affordable(c, system, &at, &affordable);
        }
        if (status != ISOCAST_OK) {
            return status;
        }
        if (affordable && at.share > 0 && at.E <= E_most) {
            seen[found++] = at;
        }
    }
    /* On a slow network the largest that are short enough may have less than is wanted. */
    size_t first = 0;
    while (first + SIZES < found && seen[first].E < E_least) {
        first++;
    }
    found -= first;
    *count = found < SIZES ? found : SIZES;
    for (size_t k = 0; k < *count; k++) {
        chosen[k] = seen[first + (*count > 1 ? k * (found - 1) / (*count - 1) : 0)];
    }
    return ISOCAST_OK;
}

static isocast_status compare_system(comparison *c, const campaign_kernel_setup *setup,
                                     size_t index) {
    predicted chosen[SIZES];
    size_t count = 0;
    const isocast_system *system = c->systems[index];
    compared *sums = &c->sums[index];
    isocast_status status = choose_sizes(c, system, chosen, &count);
    for (size_t k = 0; k < count && status == ISOCAST_OK; k++) {
        campaign_kernel_row row;
        status =
            campaign_kernel_launch(setup, NULL, c->request->systems[index], chosen[k].N, 0, &row);
        double T = status == ISOCAST_OK ? campaign_kernel_value(&row, "T") : NAN;
        if (T > 0) {
            double off = log(chosen[k].T / T);
            sums->squares += off * off - chosen[k].variance;
            sums->weights += chosen[k].share * chosen[k].share;
            sums->runs++;
        }
    }
    return status;
}

static isocast_status compare_systems(comparison *c, const campaign_kernel_setup *setup) {
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < c->count && status == ISOCAST_OK; i++) {
        c->sums[i].p = c->systems[i]->p;
        bool counts = c->systems[i]->p <= processes_most;
        status = counts ? compare_system(c, setup, i) : ISOCAST_OK;
    }
    return status;
}

/* Sums over the systems with at least p processes. */
static compared sum_from(const comparison *c, double p) {
    compared all = {.p = INFINITY};
    for (size_t i = 0; i < c->count; i++) {
        if (c->sums[i].runs > 0 && c->sums[i].p >= p) {
            all.p = fmin(all.p, c->sums[i].p);
            all.squares += c->sums[i].squares;
            all.weights += c->sums[i].weights;
            all.runs += c->sums[i].runs;
        }
    }
    return all;
}

static double variance_of(const compared *sums) {
    return sums->weights > 0 ? fmax(sums->squares, 0) / sums->weights : 0;
}

/* How much the variance on the most processes is above that on fewer, over the squares of the
 * distances, ln(p_max/p). */
static double growth_of(const comparison *c, const compared *last) {
    double grown = 0;
    double distances = 0;
    for (size_t i = 0; i < c->count; i++) {
        const compared *fewer = &c->sums[i];
        if (fewer->runs > 0 && fewer->p < last->p) {
            double distance = log(last->p / fewer->p);
            grown += fmax(variance_of(last) - variance_of(fewer), 0);
            distances += distance * distance;
        }
    }
    return distances > 0 ? grown / distances : 0;
}

static void put_section(const comparison *c, isocast_buffer *text) {
    double most = 0;
    for (size_t i = 0; i < c->count; i++) {
        most = c->sums[i].runs > 0 ? fmax(most, c->sums[i].p) : most;
    }
    /* Errors grow with the processes, and so the smaller half tells that alone. */
    static const double half = 0.5;
    compared all = sum_from(c, 0);
    compared larger = sum_from(c, half * most);
    compared last = sum_from(c, most);
    /* Runs are few, and were not all of one kind. */
    double few = larger.runs > 1 ? fit_few_launches((double)larger.runs - 1) : 1;
    double misfit = sqrt(variance_of(&larger) * few);
    double drift = sqrt(growth_of(c, &last) * few);
    if (!(misfit > 0)) {
        campaign_tell(c->request->listener, CAMPAIGN_NOTE,
                      "%zu runs of %s are as near to its predictions as its operations are known",
                      all.runs, c->request->algorithm->name);
        return;
    }
    campaign_tell(c->request->listener, CAMPAIGN_NOTE,
                  "%zu runs of %s: its formulas miss %.2g %% of the time of its messages, beside "
                  "what its operations miss",
                  all.runs, c->request->algorithm->name, 100 * misfit);
    isocast_buffer_puts(text,
                        "algorithms:    # what their formulas miss, by runs of their programs\n");
    machine_text_key(text, "  ", c->request->algorithm->name);
    isocast_buffer_printf(text, "{misfit: %.3g, ", misfit);
    if (drift > 0) {
        isocast_buffer_printf(text, "drift: %.3g, ", drift);
    }
    isocast_buffer_printf(text, "runs: %zu, measured: {p: [%.0f, %.0f]}}\n", all.runs, all.p, most);
}

isocast_status campaign_algorithm_misfit_append(const campaign_misfit_request *request,
                                                isocast_diagnostics *diagnostics,
                                                isocast_buffer *text) {
    campaign_kernel_list kernels = {0};
    comparison c = {.request = request};
    isocast_status status = campaign_kernels_list(request->lister, request->listener, &kernels);
    const campaign_kernel *kernel =
        status == ISOCAST_OK && request->algorithm->kernel != NULL
            ? campaign_kernels_find(&kernels, request->algorithm->kernel)
            : NULL;
    if (kernel == NULL || strcmp(kernel->algorithm, request->algorithm->name) != 0 ||
        request->algorithm->size_count != 1) {
        return status;
    }
    status = comparison_begin(text, diagnostics, &c);
    campaign_kernel_setup setup = {.listener = request->listener,
                                   .program = request->program,
                                   .kernel = *kernel,
                                   .seed = request->seed,
                                   .machine = request->simulation->platform->hardware,
                                   .simulation = request->simulation};
    if (status == ISOCAST_OK && c.uncertainty != NULL) {
        status = compare_systems(&c, &setup);
    }
    if (status == ISOCAST_OK && c.uncertainty != NULL && sum_from(&c, 0).weights > 0) {
        put_section(&c, text);
    }
    comparison_free(&c);
    return status == ISOCAST_OK && text->failed ? ISOCAST_NO_MEMORY : status;
}
