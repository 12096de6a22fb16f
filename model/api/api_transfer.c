#include <isocast/runs.h>
#include <math.h>

#include "api.h"
#include "model/runs/transfer.h"

static isocast_transfer_site site_of(isocast_transfer_end end) {
    return end.platform != NULL
               ? (isocast_transfer_site){end.platform->hardware, &end.platform->network}
               : (isocast_transfer_site){end.machine, NULL};
}

isocast_status isocast_runs_transfer(const isocast_runs *runs, isocast_transfer_end from,
                                     isocast_transfer_end to, const isocast_algorithm *algorithm,
                                     const char *name, isocast_diagnostics *diagnostics,
                                     isocast_transfer **out) {
    isocast_transfer_request request = {
        .runs = runs, .from = site_of(from), .to = site_of(to), .algorithm = name};
    if (runs == NULL || out == NULL || request.from.machine == NULL || request.to.machine == NULL) {
        return ISOCAST_ARGUMENT;
    }
    isocast_api_call call;
    isocast_api_enter(&call, diagnostics);
    isocast_work *work = NULL;
    isocast_status status =
        algorithm != NULL ? isocast_work_create(algorithm, call.diagnostics, &work) : ISOCAST_OK;
    request.work = work;
    if (status == ISOCAST_OK) {
        status = isocast_transfer_compute(&request, call.diagnostics, out);
    }
    isocast_work_free(work);
    return isocast_api_leave(&call, status);
}

size_t isocast_transfer_row_count(const isocast_transfer *transfer) {
    return transfer->count;
}

static const isocast_transfer_row *row_at(const isocast_transfer *transfer, size_t row) {
    return row < transfer->count ? &transfer->rows[row] : NULL;
}

double isocast_transfer_nodes(const isocast_transfer *transfer, size_t row) {
    const isocast_transfer_row *r = row_at(transfer, row);
    return r != NULL ? r->nodes : NAN;
}

double isocast_transfer_measured(const isocast_transfer *transfer, size_t row,
                                 isocast_quantity quantity) {
    const isocast_transfer_row *r = row_at(transfer, row);
    switch (r != NULL ? (int)quantity : -1) {
    case ISOCAST_QUANTITY_P:
        return r->p_here;
    case ISOCAST_QUANTITY_N:
        return r->sizes[0];
    case ISOCAST_QUANTITY_W:
        return r->W;
    case ISOCAST_QUANTITY_T:
        return r->T_here;
    case ISOCAST_QUANTITY_E:
        return r->E_here;
    default:
        return NAN;
    }
}

double isocast_transfer_predicted(const isocast_transfer *transfer, size_t row,
                                  isocast_quantity quantity) {
    const isocast_transfer_row *r = row_at(transfer, row);
    switch (r != NULL ? (int)quantity : -1) {
    case ISOCAST_QUANTITY_P:
        return r->p;
    case ISOCAST_QUANTITY_N:
        return r->sizes[0];
    case ISOCAST_QUANTITY_W:
        return r->W;
    case ISOCAST_QUANTITY_T:
        return r->T;
    case ISOCAST_QUANTITY_T_LOW:
        return r->T_low;
    case ISOCAST_QUANTITY_T_HIGH:
        return r->T_high;
    case ISOCAST_QUANTITY_E:
        return r->E;
    case ISOCAST_QUANTITY_E_LOW:
        return r->E_low;
    case ISOCAST_QUANTITY_E_HIGH:
        return r->E_high;
    case ISOCAST_QUANTITY_PSI:
        return r->psi;
    default:
        return NAN;
    }
}

double isocast_transfer_size(const isocast_transfer *transfer, size_t row,
                             isocast_quantity quantity) {
    const isocast_transfer_row *r = row_at(transfer, row);
    switch (r != NULL ? (int)quantity : -1) {
    case ISOCAST_QUANTITY_N:
        return r->N;
    case ISOCAST_QUANTITY_N_LOW:
        return r->N_low;
    case ISOCAST_QUANTITY_N_HIGH:
        return r->N_high;
    default:
        return NAN;
    }
}

double isocast_transfer_by_memory(const isocast_transfer *transfer, size_t row) {
    const isocast_transfer_row *r = row_at(transfer, row);
    return r != NULL ? r->T_by_memory : NAN;
}

double isocast_transfer_by_speed(const isocast_transfer *transfer, size_t row) {
    const isocast_transfer_row *r = row_at(transfer, row);
    return r != NULL ? r->T_by_speed : NAN;
}
