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

static void remark_unreachable(const isocast_prediction *prediction,
                               const isocast_solution *solution, isocast_buffer *note) {
    if (solution->least_E > prediction->target) {
        isocast_buffer_printf(note, "E is never as low as the target: at least %.4g",
                              solution->least_E);
    } else if (solution->best_at_end) {
        isocast_buffer_printf(note, "E only approaches %.4g as N grows", solution->best_E);
    } else {
        isocast_buffer_printf(note, "E is at most %.4g, at N = %.6g", solution->best_E,
                              solution->best_N);
    }
}

static void remark_several(const isocast_solution *solution, isocast_buffer *note) {
    isocast_buffer_puts(note, "the target is met at N =");
    for (size_t i = 0; i < solution->root_count; i++) {
        isocast_buffer_printf(note, "%s %.6g", i == 0 ? "" : ",", solution->roots[i]);
    }
    isocast_buffer_printf(note, "%s; the smallest is given", solution->more_roots ? ", ..." : "");
}

static void remark_not_converged(const isocast_prediction *prediction,
                                 const isocast_solution *solution, isocast_buffer *note) {
    if (!prediction->fixed_size && !isnan(solution->jump_N)) {
        isocast_buffer_printf(note,
                              "E jumps over the target at N = %.6g: no N meets it, this one is the "
                              "first above it",
                              solution->jump_N);
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
        isocast_buffer_printf(note, "at this N only %.6g processes can work", row->concurrency);
        break;
    case ISOCAST_ROW_NOT_CONVERGED:
        remark_not_converged(prediction, &row->solution, note);
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
}

/* The measured range of p that covers all operations; both NAN where nothing was measured. */
static void measured_processes(const isocast_machine *machine, double *p_min, double *p_max) {
    *p_min = NAN;
    *p_max = NAN;
    for (size_t i = 0; i < machine->operation_count; i++) {
        *p_min = fmax(*p_min, machine->operations[i].p_min);
        *p_max = fmin(*p_max, machine->operations[i].p_max);
    }
}

static void remark_range(const isocast_prediction *prediction, const isocast_system *system,
                         isocast_buffer *note) {
    double p_min;
    double p_max;
    measured_processes(isocast_model_machine(prediction->model), &p_min, &p_max);
    if (system->p > p_max) {
        separate(note);
        isocast_buffer_printf(note,
                              "extrapolated: communication was measured on up to %.6g processes%s",
                              p_max, system->p > far_factor * p_max ? " (low confidence)" : "");
    }
    if (system->beyond_machine) {
        separate(note);
        isocast_buffer_puts(note, "more processors or nodes than the machine file has");
    }
}

/* Where the algorithm's formulas hold for some sizes only: the ones next to N. */
static void remark_valid(const isocast_prediction *prediction, const isocast_prediction_row *row,
                         isocast_buffer *note) {
    const isocast_size *size = &isocast_model_algorithm(prediction->model)->sizes[0];
    const isocast_valid *valid = isocast_model_valid(prediction->model);
    if (isnan(row->N) || isocast_valid_holds(valid, row->N)) {
        return;
    }
    isocast_valid_pair next = isocast_valid_nearest(valid, row->N, size->min, size->max);
    separate(note);
    isocast_buffer_puts(note, "the prediction holds only for ");
    isocast_valid_describe(valid, note);
    bool below = !isnan(next.below);
    bool above = !isnan(next.above);
    if (below && above) {
        isocast_buffer_printf(note, "; the nearest %s are %.0f and %.0f", size->name, next.below,
                              next.above);
    } else if (below || above) {
        isocast_buffer_printf(note, "; the nearest %s is %.0f", size->name,
                              below ? next.below : next.above);
    }
}

isocast_status isocast_row_remark(const isocast_prediction *prediction,
                                  const isocast_system *system, isocast_prediction_row *row) {
    isocast_buffer note = {0};
    remark_status(prediction, row, &note);
    remark_valid(prediction, row, &note);
    remark_range(prediction, system, &note);
    if (note.length == 0 && !note.failed) {
        isocast_buffer_free(&note);
        return ISOCAST_OK;
    }
    row->note = isocast_buffer_take(&note);
    return row->note == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
}
