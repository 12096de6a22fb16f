#include "remarks.h"

#include <math.h>

#include "quantity.h"

/* Extrapolation in p further than this is said to be of low confidence. */
static const double far_factor = 4;

static void separate(isocast_buffer *note) {
    if (note->length > 0) {
        isocast_buffer_puts(note, "; ");
    }
}

/* What E does over the range searched, where it never meets the target. A limit beyond is not
 * known.
 */
static void remark_unreachable(const isocast_prediction *prediction,
                               const isocast_solution *solution, isocast_buffer *note) {
    double target = prediction->target;
    if (solution->least_E > target) {
        isocast_buffer_printf(note,
                              "E stays above the target up to N = %.6g; the smallest E found is "
                              "%.4g, at N = %.6g",
                              solution->N_end, solution->least_E, solution->least_N);
    } else if (solution->best_at_end) {
        isocast_buffer_printf(note, "the target is not reached up to N = %.6g, where E is %.4g",
                              solution->N_end, solution->best_E);
    } else {
        isocast_buffer_printf(note,
                              "the target is not reached up to N = %.6g; the largest E found is "
                              "%.4g, at N = %.6g",
                              solution->N_end, solution->best_E, solution->best_N);
    }
}

static void remark_several(const isocast_solution *solution, isocast_buffer *note) {
    isocast_buffer_puts(note, "the target is met at N =");
    for (size_t i = 0; i < solution->root_count; i++) {
        isocast_buffer_printf(note, "%s %.6g", i == 0 ? "" : ",", solution->roots[i]);
    }
    bool smallest = solution->complete_to >= solution->N;
    isocast_buffer_printf(note, "%s; the smallest%s is given",
                          solution->more_roots ? " and at larger N" : "",
                          smallest ? "" : " of these");
}

static void remark_completeness(const isocast_solution *solution, isocast_buffer *note) {
    if (solution->complete) {
        return;
    }
    separate(note);
    isocast_buffer_printf(note,
                          "it is not certain that all solutions were found: some beyond "
                          "N = %.6g may be missing",
                          solution->complete_to);
}

static void remark_not_converged(const isocast_prediction *prediction,
                                 const isocast_prediction_row *row, isocast_buffer *note) {
    double jump_N = row->solution.jump_N;
    if (row->sum_error > ISOCAST_SUM_ERROR_MOST) {
        isocast_buffer_printf(note,
                              "a sum is not known well enough at this N: its relative error is "
                              "up to %.1e, and at most %.0e is allowed",
                              row->sum_error, ISOCAST_SUM_ERROR_MOST);
    } else if (!prediction->fixed_size && !isnan(jump_N)) {
        isocast_buffer_printf(note,
                              "E jumps over the target at N = %.6g: no N meets it, this one is the "
                              "first above it",
                              jump_N);
    } else {
        isocast_buffer_puts(note, "a formula of the algorithm has no finite value here");
    }
}

static void remark_status(const isocast_prediction *prediction, const isocast_prediction_row *row,
                          isocast_buffer *note) {
    switch (row->status) {
    case ISOCAST_ROW_OK:
        if (!prediction->fixed_size && row->solution.every_N) {
            isocast_buffer_puts(note, "E is the target at every N; the smallest N is given");
        }
        break;
    case ISOCAST_ROW_UNREACHABLE:
        remark_unreachable(prediction, &row->solution, note);
        break;
    case ISOCAST_ROW_SEVERAL:
        remark_several(&row->solution, note);
        break;
    case ISOCAST_ROW_BEYOND_MEMORY:
        isocast_buffer_puts(note, "needs ");
        isocast_quantity_format(row->memory, "B", 4, note);
        isocast_buffer_puts(note, " per process, the system has ");
        isocast_quantity_format(row->memory_limit, "B", 4, note);
        break;
    case ISOCAST_ROW_BEYOND_CONCURRENCY:
        isocast_buffer_printf(note,
                              "at this N only %.6g processes can work; the formulas hold where all "
                              "%.6g do, so no T and no E are given",
                              row->concurrency, row->p);
        break;
    case ISOCAST_ROW_NOT_CONVERGED:
        remark_not_converged(prediction, row, note);
        break;
    }
    bool solved = row->status == ISOCAST_ROW_OK || row->status == ISOCAST_ROW_SEVERAL;
    if (solved && !prediction->fixed_size && !isnan(row->solution.jump_N)) {
        separate(note);
        if (row->solution.jump_N == row->solution.N) {
            isocast_buffer_puts(note, "E jumps over the target at this N, by 1 % or less");
        } else {
            isocast_buffer_printf(note, "E also jumps over the target at N = %.6g",
                                  row->solution.jump_N);
        }
    }
    if (!prediction->fixed_size && row != &prediction->base) {
        remark_completeness(&row->solution, note);
    }
}

static isocast_status remark_range(const isocast_prediction *prediction,
                                   const isocast_system *system, const double *other_sizes,
                                   double N, isocast_buffer *note) {
    double p_max;
    isocast_status status =
        isocast_model_measured_processes(prediction->model, system, N, other_sizes, &p_max);
    if (status != ISOCAST_OK) {
        return status;
    }
    if (!isnan(p_max)) {
        separate(note);
        isocast_buffer_printf(note,
                              "extrapolated: communication was measured on up to %.6g processes%s",
                              p_max, system->p > far_factor * p_max ? " (low confidence)" : "");
    }
    if (system->beyond_machine) {
        separate(note);
        isocast_buffer_puts(note, "more processors or nodes than the machine file has");
    }
    return ISOCAST_OK;
}

isocast_status isocast_row_remark(const isocast_prediction *prediction,
                                  const isocast_system *system, const double *other_sizes,
                                  isocast_prediction_row *row) {
    isocast_buffer note = {0};
    remark_status(prediction, row, &note);
    isocast_status status = remark_range(prediction, system, other_sizes, row->N, &note);
    if (status != ISOCAST_OK) {
        isocast_buffer_free(&note);
        return status;
    }
    if (note.length == 0 && !note.failed) {
        isocast_buffer_free(&note);
        return ISOCAST_OK;
    }
    row->note = isocast_buffer_take(&note);
    return row->note == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
}
