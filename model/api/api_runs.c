#include <isocast/runs.h>
#include <math.h>

#include "api.h"
#include "model/runs/runs.h"
#include "model/runs/scalability.h"

isocast_status isocast_runs_load_file(const char *path, isocast_diagnostics *diagnostics,
                                      isocast_runs **out) {
    if (path == NULL || out == NULL) {
        return ISOCAST_ARGUMENT;
    }
    isocast_api_call call;
    isocast_api_enter(&call, diagnostics);
    return isocast_api_leave(&call, isocast_runs_load_list(path, call.diagnostics, out));
}

isocast_status isocast_runs_load_text(const char *name, const char *text, size_t length,
                                      isocast_diagnostics *diagnostics, isocast_runs **out) {
    if (name == NULL || text == NULL || out == NULL) {
        return ISOCAST_ARGUMENT;
    }
    isocast_api_call call;
    isocast_api_enter(&call, diagnostics);
    isocast_source *source = NULL;
    isocast_status status = isocast_source_take(name, text, length, call.diagnostics, &source);
    if (status == ISOCAST_OK) {
        status = isocast_runs_read_list(source, call.diagnostics, out);
    }
    return isocast_api_leave(&call, status);
}

size_t isocast_runs_count(const isocast_runs *runs) {
    return runs->count;
}

isocast_status isocast_runs_scale(const isocast_runs *runs, const isocast_algorithm *algorithm,
                                  const isocast_machine *machine, const char *name,
                                  double efficiency, isocast_diagnostics *diagnostics,
                                  isocast_scalability **out) {
    if (runs == NULL || algorithm == NULL || out == NULL || !isfinite(efficiency) ||
        efficiency < 0) {
        return ISOCAST_ARGUMENT;
    }
    isocast_api_call call;
    isocast_api_enter(&call, diagnostics);
    isocast_work *work = NULL;
    isocast_status status = isocast_work_create(algorithm, call.diagnostics, &work);
    if (status == ISOCAST_OK) {
        isocast_scalability_request request = {.runs = runs,
                                               .work = work,
                                               .machine = machine,
                                               .algorithm = name,
                                               .efficiency = efficiency != 0 ? efficiency : NAN};
        status = isocast_scalability_compute(&request, call.diagnostics, out);
    }
    isocast_work_free(work);
    return isocast_api_leave(&call, status);
}

size_t isocast_scalability_row_count(const isocast_scalability *scalability) {
    return scalability->count;
}

static const isocast_scalability_row *row_at(const isocast_scalability *scalability, size_t row) {
    return row < scalability->count ? &scalability->rows[row] : NULL;
}

const char *isocast_scalability_system(const isocast_scalability *scalability, size_t row) {
    const isocast_scalability_row *r = row_at(scalability, row);
    return r != NULL ? r->system : NULL;
}

isocast_scalability_status isocast_scalability_row_status(const isocast_scalability *scalability,
                                                          size_t row) {
    const isocast_scalability_row *r = row_at(scalability, row);
    return r != NULL ? r->status : ISOCAST_SCALABILITY_TOO_FEW;
}

double isocast_scalability_number(const isocast_scalability *scalability, size_t row,
                                  isocast_quantity quantity) {
    const isocast_scalability_row *r = row_at(scalability, row);
    if (r == NULL) {
        return NAN;
    }
    switch ((int)quantity) {
    case ISOCAST_QUANTITY_P:
        return r->p;
    case ISOCAST_QUANTITY_C:
        return r->C;
    case ISOCAST_QUANTITY_N:
        return r->N;
    case ISOCAST_QUANTITY_N_LOW:
        return r->N_low;
    case ISOCAST_QUANTITY_N_HIGH:
        return r->N_high;
    case ISOCAST_QUANTITY_W:
        return r->W;
    case ISOCAST_QUANTITY_PSI:
        return r->psi;
    case ISOCAST_QUANTITY_PSI_FROM_BASE:
        return r->psi_from_base;
    default:
        return NAN;
    }
}
