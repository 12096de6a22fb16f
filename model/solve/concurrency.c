#include "concurrency.h"

#include <math.h>
#include <stdlib.h>

#include "model/formula/block.h"
#include "model/spec/machine_scope.h"

/* Whole processes are distinguished from the rounding of a formula by this share. */
static const double rounding = 1e-9;

/* A concurrency that depends on p is asked again with the processes that are left, so many times.
 */
enum { JUMPS_MAX = 64, ROUNDS_MAX = 200 };

bool isocast_concurrency_is_short(double concurrency, double p) {
    return concurrency < p * (1 - rounding);
}

isocast_status isocast_concurrency_least_N(const isocast_model *model, const isocast_system *system,
                                           const double *other_sizes, double least,
                                           isocast_effort *effort, isocast_boundary *out) {
    const isocast_boundary_request request = {.model = model,
                                              .system = system,
                                              .other_sizes = other_sizes,
                                              .quantity = ISOCAST_BOUNDED_CONCURRENCY,
                                              .kind = ISOCAST_BOUNDARY_FIRST_AT_LEAST,
                                              .level = system->p,
                                              .low = least,
                                              .high = INFINITY,
                                              .rounded = true};
    return isocast_boundary_find(&request, effort, out);
}

isocast_status isocast_concurrency_at(const isocast_model *model, const isocast_system *system,
                                      const double *other_sizes, double N, isocast_effort *effort,
                                      double *concurrency) {
    isocast_model_results results = {.concurrency = concurrency};
    return isocast_model_evaluate_at(model, system, other_sizes, N, effort, &results);
}

/* Classes may be reduced inside of sums, too. */
static bool sums_over_classes(const isocast_program *program) {
    for (size_t b = 1; b < program->block_count; b++) {
        for (size_t i = 0; i < program->blocks[b].code_count; i++) {
            if (program->blocks[b].code[i].opcode > ISOCAST_OP_SUM) {
                return true;
            }
        }
    }
    return false;
}

/* Whether the concurrency is computed from anything that the system gives. */
static isocast_status depends_on_system(const isocast_model *model, bool *depends) {
    const isocast_program *program = isocast_model_bounds(model);
    const isocast_block *block = &program->blocks[0];
    size_t sizes = isocast_model_algorithm(model)->size_count;
    bool *varies = calloc(block->register_count + 1, sizeof *varies);
    if (varies == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < block->column_count; i++) {
        const isocast_block_column *column = &block->columns[i];
        varies[column->target] =
            column->column >= sizes && column->column < sizes + ISOCAST_SYSTEM_COLUMNS;
    }
    for (size_t i = 0; i < block->code_count; i++) {
        /* Reductions over the node classes are of the system. */
        varies[block->code[i].result] = block->code[i].opcode > ISOCAST_OP_SUM;
    }
    isocast_program_spread(program, varies);
    *depends = varies[program->outputs[ISOCAST_MODEL_CONCURRENCY]] || sums_over_classes(program);
    free(varies);
    return ISOCAST_OK;
}

isocast_status isocast_concurrency_of_any_system(const isocast_model *model,
                                                 const isocast_system *system,
                                                 const double *other_sizes, double N,
                                                 isocast_effort *effort, double *most) {
    bool depends = true;
    double concurrency = NAN;
    isocast_status status = isocast_model_algorithm(model)->concurrency == NULL
                                ? ISOCAST_OK
                                : depends_on_system(model, &depends);
    if (status == ISOCAST_OK && !depends) {
        status = isocast_concurrency_at(model, system, other_sizes, N, effort, &concurrency);
    }
    if (status == ISOCAST_OK) {
        *most = isnan(concurrency) ? INFINITY : fmax(floor(concurrency * (1 + rounding)), 0);
    }
    return status;
}

/* Processes fill a node before the next one begins, as they do in the whole. Its size and R_f stay
 * those of the whole, so that E counts the idle ones. */
static void take_part(const isocast_system *whole, double p, isocast_one_class *part) {
    part->system = *whole;
    for (size_t row = 0; row < ISOCAST_CLASS_ROWS; row++) {
        part->rows[row] = whole->table.rows[row][0];
        part->system.table.rows[row] = &part->rows[row];
    }
    part->rows[ISOCAST_CLASS_PROCESSES] = p;
    part->system.rows = part->rows;
    part->system.p = p;
    part->system.C = p * part->rows[ISOCAST_CLASS_MARKED_SPEED];
    part->system.nodes = fmin(whole->nodes, ceil(p / whole->p_node));
    part->system.p_node = fmin(whole->p_node, p);
    part->system.p_node_max = fmin(whole->p_node_max, p);
}

/* Whether all processes of the part can work. */
static isocast_status can_work(const isocast_model *model, const isocast_one_class *part,
                               const double *other_sizes, double N, isocast_effort *effort,
                               bool *can, double *concurrency) {
    isocast_status status =
        isocast_concurrency_at(model, &part->system, other_sizes, N, effort, concurrency);
    *can = !isocast_concurrency_is_short(*concurrency, part->system.p);
    return status;
}

/* More processes may have more concurrency, or less. Downwards it is jumped to as many as can work,
 * until these can; between them and the last that could not it is halved. */
isocast_status isocast_concurrency_working_part(const isocast_model *model,
                                                const isocast_system *system,
                                                const double *other_sizes, double N,
                                                isocast_effort *effort, isocast_one_class *out,
                                                double *p) {
    isocast_status status = ISOCAST_OK;
    double enough = 0;
    double many = system->p + 1;
    double tried = system->p;
    for (size_t round = 0; round < ROUNDS_MAX && many - enough > 1; round++) {
        double concurrency = NAN;
        bool can;
        take_part(system, tried, out);
        status = can_work(model, out, other_sizes, N, effort, &can, &concurrency);
        if (status != ISOCAST_OK) {
            return status;
        }
        double next = floor((tried + (can ? many : enough)) / 2);
        if (can) {
            enough = tried;
        } else {
            many = tried;
            double working = floor(concurrency * (1 + rounding));
            next = enough == 0 && working >= 1 && round < JUMPS_MAX ? working : next;
        }
        tried = next;
    }
    *p = enough;
    if (enough > 0) {
        take_part(system, enough, out);
    }
    return ISOCAST_OK;
}

isocast_status isocast_concurrency_evaluate(const isocast_model *model,
                                            const isocast_model_points *point,
                                            isocast_model_results *results, double *p) {
    const isocast_system *whole = point->systems[0];
    double concurrency = NAN;
    *p = whole->p;
    isocast_status status = isocast_model_evaluate(model, point, results);
    if (status == ISOCAST_OK && isocast_model_algorithm(model)->concurrency != NULL) {
        status = isocast_concurrency_at(model, whole, point->other_sizes, *point->N, point->effort,
                                        &concurrency);
    }
    if (status != ISOCAST_OK || !isocast_concurrency_is_short(concurrency, whole->p)) {
        return status;
    }
    isocast_one_class part;
    const isocast_system *working = &part.system;
    *p = 0;
    if (whole->count == 1) {
        status = isocast_concurrency_working_part(model, whole, point->other_sizes, *point->N,
                                                  point->effort, &part, p);
    }
    if (status != ISOCAST_OK || *p == 0) {
        return status;
    }
    isocast_model_points at = *point;
    at.systems = &working;
    return isocast_model_evaluate(model, &at, results);
}
