#include "joined.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

#include "model/base/median.h"
#include "model/solve/sensitivity.h"
#include "model/spec/machine.h"

const char *const isocast_joined_status_words[] = {"ok", "open", "none", NULL};

/* What rows are made of. */
typedef struct maker {
    const isocast_model *model;
    const isocast_joint_fit *fit;
    isocast_system *const *systems;
    size_t system_count;
    isocast_joined *out;
} maker;

/* The first number of which runs say nothing that T depends on. */
static isocast_status find_open(const maker *m, const isocast_system *system,
                                isocast_joined_row *row) {
    bool any = false;
    for (size_t j = 0; j < m->fit->count; j++) {
        any = any || m->fit->numbers[j].status == ISOCAST_FITTED_SILENT;
    }
    isocast_effort effort = isocast_effort_of(1);
    const isocast_sensitivity_request wanted = {.model = m->model,
                                                .system = system,
                                                .N = row->N,
                                                .other_sizes = row->other_sizes,
                                                .effort = &effort};
    isocast_sensitivity s;
    isocast_status status = any ? isocast_sensitivity_find(&wanted, &s) : ISOCAST_OK;
    const isocast_machine *machine = isocast_model_machine(m->model);
    for (size_t j = 0; any && status == ISOCAST_OK && j < m->fit->count; j++) {
        const isocast_fitted_number *number = &m->fit->numbers[j];
        size_t at = isocast_machine_parameter(machine, number->name);
        bool hangs = number->status == ISOCAST_FITTED_SILENT && at < machine->parameter_count &&
                     s.of_T.by_parameters[at] != 0;
        row->open = hangs && row->open == NULL ? number->name : row->open;
    }
    if (any && status == ISOCAST_OK) {
        isocast_sensitivity_free(&s);
    }
    return status;
}

/* One end of the band: errors of the numbers and the scatter know nothing of each other. */
static double end_of(double T, double end, double scatter, double sign) {
    double by_numbers = isnan(end) ? 0 : log(end / T);
    double by_scatter = isnan(scatter) ? 0 : log1p(ISOCAST_NORMAL_95 * scatter);
    return T * exp(sign * hypot(by_numbers, by_scatter));
}

static isocast_status add_rows(const maker *m, double N, const double *other_sizes) {
    const isocast_prediction_request request = {.N = N,
                                                .other_sizes = other_sizes,
                                                .efficiency = NAN,
                                                .systems =
                                                    (const isocast_system *const *)m->systems,
                                                .system_count = m->system_count};
    isocast_prediction *prediction = NULL;
    isocast_status status = isocast_predict(m->model, &request, &prediction);
    bool outside = status == ISOCAST_ARGUMENT; /* N is beyond what the algorithm takes */
    status = outside ? ISOCAST_OK : status;
    for (size_t i = 0; status == ISOCAST_OK && i < m->system_count; i++) {
        const isocast_system *system = m->systems[i];
        isocast_joined_row row = {.system = system->name,
                                  .p = system->p,
                                  .N = N,
                                  .other_sizes = other_sizes,
                                  .T = NAN,
                                  .T_low = NAN,
                                  .T_high = NAN,
                                  .E = NAN,
                                  .cost = NAN,
                                  .status = ISOCAST_JOINED_NONE};
        const isocast_prediction_row *of = outside ? NULL : &prediction->rows[i];
        if (of != NULL && isfinite(of->T)) {
            status = find_open(m, system, &row);
            row.status = row.open != NULL ? ISOCAST_JOINED_OPEN : ISOCAST_JOINED_OK;
        }
        if (row.status == ISOCAST_JOINED_OK) {
            double scatter = m->fit->scatter;
            row.T = of->T;
            row.T_low = end_of(of->T, of->T_low, scatter, -1);
            row.T_high = end_of(of->T, of->T_high, scatter, 1);
            row.E = of->E;
            row.cost = system->p * of->T;
        }
        m->out->rows[m->out->count++] = row;
    }
    isocast_prediction_free(prediction);
    return status;
}

/* The N of all runs with the further sizes of a system, each once; rising. Shape [size_count]. */
static size_t list_sizes(const isocast_run_sizes *sizes, const isocast_run_system *like,
                         double *out) {
    size_t count = 0;
    for (size_t i = 0; i < sizes->system_count; i++) {
        const isocast_run_system *system = &sizes->systems[i];
        for (size_t k = 0; isocast_run_sizes_alike(sizes, system, like) && k < system->size_count;
             k++) {
            out[count++] = sizes->sizes[system->first_size + k].N;
        }
    }
    gsl_sort(out, 1, count);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || out[i] != out[kept - 1]) {
            out[kept++] = out[i];
        }
    }
    return kept;
}

static isocast_status fill(const maker *m, const double *N, size_t N_count, double *own) {
    const isocast_run_sizes *sizes = &m->out->sizes;
    size_t room = 0;
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; status == ISOCAST_OK && i < sizes->system_count; i++) {
        bool first = true;
        for (size_t k = 0; k < i; k++) {
            first =
                first && !isocast_run_sizes_alike(sizes, &sizes->systems[k], &sizes->systems[i]);
        }
        size_t count = !first        ? 0
                       : N_count > 0 ? N_count
                                     : list_sizes(sizes, &sizes->systems[i], own);
        const double *at = N_count > 0 ? N : own;
        room = m->out->count + count * m->system_count;
        if (room > ISOCAST_JOINED_ROWS_MAX) {
            return ISOCAST_ARGUMENT;
        }
        isocast_joined_row *rows = realloc(m->out->rows, (room + 1) * sizeof *rows);
        if (rows == NULL) {
            return ISOCAST_NO_MEMORY;
        }
        m->out->rows = rows;
        for (size_t k = 0; status == ISOCAST_OK && k < count; k++) {
            status = add_rows(m, at[k], sizes->systems[i].others);
        }
    }
    return status;
}

isocast_status isocast_joined_make(const isocast_model *model, const isocast_runs *runs,
                                   const char *rows, const isocast_joint_fit *fit,
                                   isocast_system *const *systems, size_t system_count,
                                   const double *N, size_t N_count,
                                   isocast_diagnostics *diagnostics, isocast_joined **out) {
    isocast_joined *joined = calloc(1, sizeof *joined);
    if (joined == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    isocast_status status = isocast_run_sizes_collect(runs, isocast_model_algorithm(model), rows,
                                                      false, diagnostics, &joined->sizes);
    double *own = NULL;
    if (status == ISOCAST_OK) {
        own = malloc((joined->sizes.size_count + 1) * sizeof *own);
        const maker m = {model, fit, systems, system_count, joined};
        status = own != NULL ? fill(&m, N, N_count, own) : ISOCAST_NO_MEMORY;
    }
    free(own);
    if (status != ISOCAST_OK) {
        isocast_joined_free(joined);
        return status;
    }
    *out = joined;
    return ISOCAST_OK;
}

void isocast_joined_free(isocast_joined *joined) {
    if (joined != NULL) {
        isocast_run_sizes_free(&joined->sizes);
        free(joined->rows);
        free(joined);
    }
}
