#include "remarks.h"

#include <math.h>
#include <stdlib.h>

#include "conditioning.h"
#include "model/base/quantity.h"
#include "model/growth/limit.h"
#include "model/spec/algorithm_recorded.h"
#include "model/spec/rules.h"

/* Extrapolation in p further than this is said to be of low confidence. */
static const double far_factor = 4;

static void separate(isocast_buffer *note) {
    if (note->length > 0) {
        isocast_buffer_puts(note, "; ");
    }
}

/* How a sentence calls what is held: "E", "the average speed". */
static const char *symbol_of(const isocast_prediction *prediction) {
    return isocast_metric_row_of(prediction->metric)->symbol;
}

static const char *bare_of(const isocast_prediction *prediction) {
    return isocast_metric_row_of(prediction->metric)->bare;
}

/* E, or what else is held, and the target look alike in four digits where they differ by less than
 * this share. */
static const double reported_apart = 1e-4;

static void put_held(const isocast_prediction *prediction, double value, isocast_buffer *note) {
    isocast_metric_format(prediction->metric, value, 4, note);
}

/* What E does over the range searched, where it never meets the target. */
static void remark_unreachable(const isocast_prediction *prediction,
                               const isocast_prediction_row *row, isocast_buffer *note) {
    const isocast_solution *solution = &row->solution;
    double target = prediction->target;
    const char *symbol = symbol_of(prediction);
    if (row->raise.starts_short) {
        isocast_buffer_printf(note, "with all %.6g processes at work ", row->p);
    }
    if (isnan(solution->best_E)) {
        isocast_buffer_printf(note, "the target is not met up to N = %.6g", solution->N_end);
    } else if (solution->least_E < target * (1 - reported_apart) &&
               solution->best_E > target * (1 + reported_apart)) {
        isocast_buffer_printf(note,
                              "%s is above the target at some N and below it at others, and does "
                              "not meet it up to N = %.6g: it has no value between them",
                              symbol, solution->N_end);
    } else if (solution->least_E > target) {
        isocast_buffer_printf(note,
                              "%s stays above the target up to N = %.6g; the smallest %s found is ",
                              symbol, solution->N_end, bare_of(prediction));
        put_held(prediction, solution->least_E, note);
        isocast_buffer_printf(note, ", at N = %.6g", solution->least_N);
    } else if (solution->best_at_end && target - solution->best_E < reported_apart * target) {
        isocast_buffer_printf(note,
                              "the target is not reached up to N = %.6g, where %s is below it by "
                              "less than can be shown",
                              solution->N_end, symbol);
    } else if (solution->best_at_end) {
        isocast_buffer_printf(note, "the target is not reached up to N = %.6g, where %s is ",
                              solution->N_end, symbol);
        put_held(prediction, solution->best_E, note);
    } else {
        isocast_buffer_printf(note,
                              "the target is not reached up to N = %.6g; the largest %s found is ",
                              solution->N_end, bare_of(prediction));
        put_held(prediction, solution->best_E, note);
        isocast_buffer_printf(note, ", at N = %.6g", solution->best_N);
    }
}

/* What E tends to far beyond the range searched, where that is proved by the formulas themselves;
 * what is not proved is not said. On the way there E may rise and fall. Errors: NO_MEMORY. */
static isocast_status remark_limit(const isocast_prediction *prediction,
                                   const isocast_system *system, const double *other_sizes,
                                   isocast_buffer *note) {
    if (prediction->metric != ISOCAST_METRIC_ISOSPEED_E) {
        return ISOCAST_OK;
    }
    isocast_costs_request request = {.algorithm = isocast_model_algorithm(prediction->model),
                                     .machine = isocast_model_machine(prediction->model),
                                     .names = isocast_model_binding(prediction->model),
                                     .system = system,
                                     .other_sizes = other_sizes};
    isocast_limit limit;
    isocast_status status = isocast_limit_of_E(&request, &limit);
    if (status != ISOCAST_OK || !limit.known) {
        return status;
    }
    separate(note);
    isocast_buffer_printf(note, "as N grows without end E tends to %.6g%s, which is proved",
                          limit.E,
                          limit.E == 0     ? ""
                          : limit.side > 0 ? " from below"
                          : limit.side < 0 ? " from above"
                                           : "");
    return ISOCAST_OK;
}

/* Whether E is the target from the root on, and not at one N alone. */
static bool is_range(const isocast_solution *solution, size_t root) {
    return solution->root_to[root] > solution->roots[root];
}

static void remark_several(const isocast_prediction_row *row, isocast_buffer *note) {
    const isocast_solution *solution = &row->solution;
    /* More would hide the rest of the note; JSON has all. */
    enum { NAMED = 3 };
    size_t count = solution->root_count;
    size_t named = count <= NAMED + 1 ? count : NAMED;
    isocast_buffer_puts(note, "the target is met at N =");
    for (size_t i = 0; i < named; i++) {
        isocast_buffer_printf(note, "%s %.6g", i == 0 ? "" : ",", solution->roots[i]);
        if (is_range(solution, i)) {
            isocast_buffer_printf(note, " to %.6g", solution->root_to[i]);
        }
    }
    if (named < count) {
        isocast_buffer_printf(note, " and %zu more up to %.6g", count - named,
                              solution->roots[count - 1]);
    }
    bool smallest = solution->complete_to >= solution->N;
    isocast_buffer_puts(note, solution->more_roots ? " and at larger N" : "");
    if (row->N > solution->N) {
        isocast_buffer_printf(note, "; the smallest at which all %.6g processes can work is given",
                              row->p);
    } else {
        isocast_buffer_printf(note, "; the smallest%s is given", smallest ? "" : " of these");
    }
}

/* E is the target at a smaller N, at which fewer processes can work. */
static void remark_raised(const isocast_prediction *prediction, const isocast_prediction_row *row,
                          isocast_buffer *note) {
    const char *size = isocast_model_algorithm(prediction->model)->sizes[0].name;
    const char *symbol = symbol_of(prediction);
    bool above = row->held > prediction->target * (1 + reported_apart);
    bool met = row->N_efficiency == row->solution.N && row->solution.root_count > 0;
    isocast_buffer_printf(note,
                          "the concurrency rules: all %.6g processes can work from %s = %.6g on; ",
                          row->p, size, isocast_quantity_round(row->N, 6, true));
    if (met) {
        isocast_buffer_printf(note, "%s is the target at %s = %.6g already, and %s here", symbol,
                              size, row->N_efficiency,
                              above ? "above it" : "as good as the target");
    } else {
        isocast_buffer_printf(note, "%s would be above the target from %s = %.6g on", symbol, size,
                              isocast_quantity_round(row->N_efficiency, 6, true));
    }
    if (!row->raise.complete) {
        isocast_buffer_printf(note, "; it is not certain that no smaller %s is enough", size);
    }
}

/* Fewer processes can work than there are, and the row could neither be raised nor be computed with
 * those that can. */
static void remark_beyond_concurrency(const isocast_prediction *prediction,
                                      const isocast_system *system,
                                      const isocast_prediction_row *row, isocast_buffer *note) {
    const char *size = isocast_model_algorithm(prediction->model)->sizes[0].name;
    if (isnan(row->N)) {
        isocast_buffer_printf(note, "all %.6g processes %s up to %s = %.6g", row->p,
                              row->raise.complete ? "can work at no N"
                                                  : "were found to work at no N",
                              size, row->raise.looked_to);
        return;
    }
    isocast_buffer_printf(note, "at this %s only %.6g of %.6g processes can work, ", size,
                          floor(row->concurrency), row->p);
    bool given = prediction->fixed_size || row == &prediction->base;
    if (given && system->count > 1) {
        isocast_buffer_puts(note, "and the nodes differ, so it is not known which of them these "
                                  "are; no T and no E are given");
    } else if (given) {
        isocast_buffer_puts(note, "so no T and no E are given");
    } else if (row->raise.outcome == ISOCAST_RAISE_NONE) {
        isocast_buffer_printf(note,
                              "and %s up to %s = %.6g at which all can; no T and no E are given",
                              row->raise.complete ? "there is no larger one" : "none was found",
                              size, row->raise.looked_to);
    } else {
        isocast_buffer_printf(note, "and %s; no T and no E are given",
                              row->raise.complete
                                  ? "where all can, the target is not met"
                                  : "no N was found at which all can and the target is met");
    }
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

/* Why there is no speed-efficiency at the row's N: which formula is to blame, and what it gives. */
static void remark_unsound(const isocast_prediction *prediction, const isocast_prediction_row *row,
                           isocast_buffer *note) {
    const isocast_algorithm *algorithm = isocast_model_algorithm(prediction->model);
    size_t term = 0;
    while (term < prediction->term_count && isfinite(row->terms[term])) {
        term++;
    }
    if (isnan(row->N)) {
        isocast_buffer_puts(note, "wherever N was tried, the work is negative, or T is not above "
                                  "0, or one of them is not finite");
    } else if (!isfinite(row->given_W)) {
        isocast_buffer_puts(note, "the work has no finite value here");
    } else if (row->given_W < 0) {
        isocast_buffer_puts(note, "the work is negative here: ");
        isocast_quantity_format(row->given_W, "flop", 4, note);
    } else if (isfinite(row->given_T)) {
        isocast_buffer_puts(note, "T is not above 0 here: T_c + T_o = ");
        isocast_quantity_format(row->given_T, "s", 4, note);
    } else if (term < prediction->term_count) {
        isocast_buffer_printf(note, "the overhead %s has no finite value here",
                              algorithm->overhead[term].name);
    } else {
        isocast_buffer_puts(note, "T_c has no finite value here");
    }
}

static void remark_not_converged(const isocast_prediction *prediction,
                                 const isocast_prediction_row *row, isocast_buffer *note) {
    const isocast_solution *solution = &row->solution;
    if (isinf(row->sum_error)) {
        isocast_buffer_puts(note, "a sum is not known: too many of its terms follow no rule");
    } else if (row->sum_error > ISOCAST_SUM_ERROR_MAX) {
        isocast_buffer_printf(note,
                              "a sum is not known well enough at this N: its relative error is "
                              "up to %.1e, and at most %.0e is allowed",
                              row->sum_error, ISOCAST_SUM_ERROR_MAX);
    } else if (!prediction->fixed_size && !isnan(solution->jump_N)) {
        isocast_buffer_printf(
            note,
            "%s jumps over the target at N = %.6g: no N meets it, this one is the "
            "first above it",
            symbol_of(prediction), solution->jump_N);
    } else if (!prediction->fixed_size && solution->gave_up) {
        isocast_buffer_puts(note, "the search for N takes more computing than one command may");
    } else {
        remark_unsound(prediction, row, note);
    }
}

static void remark_memory(const isocast_prediction_row *row, isocast_buffer *note) {
    int digits = isocast_quantity_digits_apart(row->memory_limit, row->memory, 4);
    isocast_buffer_puts(note, "needs ");
    isocast_quantity_format(row->memory, "B", digits, note);
    isocast_buffer_puts(note, " per process, the system has ");
    isocast_quantity_format(row->memory_limit, "B", digits, note);
}

static void remark_status(const isocast_prediction *prediction, const isocast_system *system,
                          const isocast_prediction_row *row, isocast_buffer *note) {
    switch (row->status) {
    case ISOCAST_ROW_OK:
        if (!isnan(row->N_efficiency)) {
            remark_raised(prediction, row, note);
        } else if (!prediction->fixed_size && row->solution.every_N) {
            isocast_buffer_printf(note, "%s is the target at every N; the smallest N is given",
                                  symbol_of(prediction));
        } else if (!prediction->fixed_size && row->solution.root_count > 0 &&
                   is_range(&row->solution, 0)) {
            isocast_buffer_printf(note,
                                  "%s is the target, up to rounding, from N = %.6g to N = %.6g "
                                  "wherever it was looked at; the smallest N is given",
                                  symbol_of(prediction), row->N, row->solution.root_to[0]);
        }
        break;
    case ISOCAST_ROW_UNREACHABLE:
        remark_unreachable(prediction, row, note);
        break;
    case ISOCAST_ROW_SEVERAL:
        remark_several(row, note);
        break;
    case ISOCAST_ROW_BEYOND_MEMORY:
        remark_memory(row, note);
        break;
    case ISOCAST_ROW_BEYOND_CONCURRENCY:
        remark_beyond_concurrency(prediction, system, row, note);
        break;
    case ISOCAST_ROW_NOT_CONVERGED:
        remark_not_converged(prediction, row, note);
        break;
    case ISOCAST_ROW_NOT_VALID:
        return;
    }
    if (row->p_working < row->p) {
        separate(note);
        isocast_buffer_printf(note,
                              "computed with %.6g of %.6g processes: no more can work at this N, "
                              "and E counts all of them",
                              row->p_working, row->p);
    }
    bool solved = row->status == ISOCAST_ROW_OK || row->status == ISOCAST_ROW_SEVERAL;
    if (solved && !prediction->fixed_size && !isnan(row->solution.jump_N)) {
        separate(note);
        if (row->solution.jump_N == row->solution.N) {
            isocast_buffer_printf(note, "%s jumps over the target at this N, by 1 %% or less",
                                  symbol_of(prediction));
        } else {
            isocast_buffer_printf(note, "%s also jumps over the target at N = %.6g",
                                  symbol_of(prediction), row->solution.jump_N);
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
    isocast_buffer beyond = {0};
    isocast_recorded_put_beyond(isocast_model_algorithm(prediction->model), system->p, N,
                                other_sizes, &beyond);
    if (beyond.length > 0) {
        separate(note);
        isocast_buffer_printf(note, "extrapolated: %s", beyond.text);
    }
    note->failed = note->failed || beyond.failed;
    isocast_buffer_free(&beyond);
    if (system->beyond_machine) {
        separate(note);
        isocast_buffer_puts(note, "more processors or nodes than the machine file has");
    }
    return ISOCAST_OK;
}

/* Where R_f counts and the machine file has some, but not that of the system. */
static void remark_reference(const isocast_prediction *prediction, const isocast_system *system,
                             isocast_buffer *note) {
    const isocast_metric_row *metric = isocast_metric_row_of(prediction->metric);
    bool counts = system->measure == ISOCAST_SIZE_BY_REFERENCE ||
                  metric->size == ISOCAST_SIZE_REFERENCE_FACTOR;
    const isocast_machine *machine = isocast_model_machine(prediction->model);
    if (counts && machine->reference.count > 0 &&
        system->reference_origin == ISOCAST_REFERENCE_UNKNOWN) {
        separate(note);
        isocast_buffer_printf(note, "R_f of this processor set is not known: %.6g is taken, %s",
                              system->reference_factor,
                              system->reference_factor == system->p ? "the number of processes"
                                                                    : "C/C_j");
    }
}

/* N' is too uncertain to use where its interval is wider than this factor: the work then differs by
 * far more, as it grows faster than N. */
static const double uncertain_factor = 4;

static void remark_interval(const isocast_prediction_row *row, double level, isocast_buffer *note) {
    double factor = row->N_high / row->N_low;
    if (factor > uncertain_factor) {
        separate(note);
        isocast_buffer_printf(note, "too uncertain to use: the %.4g %% interval of N ",
                              100 * level);
        if (isfinite(factor)) {
            isocast_buffer_printf(note, "spans a factor of %.3g", factor);
        } else {
            isocast_buffer_puts(note, "has no end");
        }
    }
    if (row->interval_left_out) {
        separate(note);
        isocast_buffer_printf(note,
                              "the %.4g %% interval of N takes more computing than was left for "
                              "this row; ask for fewer systems in one command",
                              100 * level);
    }
    if (row->interval_is_rough && factor <= uncertain_factor) {
        separate(note);
        isocast_buffer_puts(note, "the interval of N is rough: errors of the parameters this large "
                                  "do not move N in proportion, and no better interval was found");
    }
}

static void remark_conditioning(const isocast_prediction *prediction,
                                const isocast_prediction_row *row, isocast_buffer *note) {
    if (!(row->condition > ISOCAST_ILL_CONDITIONED)) {
        return;
    }
    separate(note);
    if (isinf(row->condition)) {
        isocast_buffer_printf(note, "N is ill-conditioned: %s does not change with N here",
                              symbol_of(prediction));
    } else {
        isocast_buffer_printf(note,
                              "N is ill-conditioned: a relative error of %s counts %.3g times in N",
                              bare_of(prediction), row->condition);
    }
}

/* Operations that the machine file gives for other algorithms only. */
static void remark_restrictions(const isocast_prediction *prediction, isocast_buffer *note) {
    const isocast_machine *machine = isocast_model_machine(prediction->model);
    size_t named = 0;
    for (size_t r = 0; r < machine->restriction_count; r++) {
        const isocast_restriction *restriction = &machine->restrictions[r];
        for (size_t i = 0; i < restriction->operation_count; i++) {
            if (isocast_model_misuses(prediction->model, r, i)) {
                if (named == 0) {
                    separate(note);
                }
                isocast_buffer_printf(note, "%s%s", named++ == 0 ? "" : ", ",
                                      machine->operations[restriction->operations[i]].name);
            }
        }
    }
    if (named > 0) {
        isocast_buffer_printf(note, " of %s %s not hold for %s", machine->name,
                              named == 1 ? "does" : "do",
                              isocast_model_algorithm(prediction->model)->name);
    }
}

/* Operations that the machine file does not give. */
static void remark_stand_ins(const isocast_prediction *prediction, const isocast_system *system,
                             isocast_buffer *note) {
    const char *names = isocast_binding_stand_ins(isocast_model_binding(prediction->model));
    if (names != NULL && names[0] != '\0' && system->p > 1) {
        separate(note);
        isocast_buffer_printf(note, "%s has no time for %s: formulas of plain messages stand in",
                              isocast_model_machine(prediction->model)->name, names);
    }
}

static void append_nearest(const char *name, isocast_valid_pair next, isocast_buffer *note) {
    bool below = !isnan(next.below);
    bool above = !isnan(next.above);
    if (below && above) {
        isocast_buffer_printf(note, "; the nearest %s are %.0f and %.0f", name, next.below,
                              next.above);
    } else if (below || above) {
        isocast_buffer_printf(note, "; the nearest %s is %.0f", name,
                              below ? next.below : next.above);
    }
}

/* Where the algorithm's formulas hold for some sizes only: the ones next to N. */
static isocast_status remark_valid(const isocast_prediction *prediction, const double *other_sizes,
                                   isocast_prediction_row *row, isocast_buffer *note) {
    const isocast_algorithm *algorithm = isocast_model_algorithm(prediction->model);
    const isocast_valid *valid = isocast_model_valid(prediction->model);
    const isocast_rules_point point = {row->N, other_sizes, row->p};
    if (isnan(row->N)) {
        return ISOCAST_OK;
    }
    const char *broken;
    isocast_status status = isocast_rules_broken(algorithm, true, &point, &broken);
    if (status == ISOCAST_OK) {
        status = isocast_rules_nearest_N(algorithm, valid, &point, &row->valid_N);
    }
    bool holds = isocast_valid_holds(valid, row->N);
    if (status != ISOCAST_OK || (broken == NULL && holds)) {
        return status;
    }
    separate(note);
    if (!holds) {
        isocast_buffer_puts(note, "the prediction holds only for ");
        isocast_valid_describe(valid, note);
    }
    if (broken != NULL) {
        isocast_buffer_printf(note, "%s%s", holds ? "" : "; ", broken);
    }
    append_nearest(algorithm->sizes[0].name, row->valid_N, note);
    return ISOCAST_OK;
}

/* The rule that the system breaks, and the numbers of processes next to its that break none. */
static isocast_status remark_system(const isocast_prediction *prediction, const double *other_sizes,
                                    const isocast_prediction_row *row, isocast_buffer *note) {
    const isocast_algorithm *algorithm = isocast_model_algorithm(prediction->model);
    const isocast_rules_point point = {NAN, other_sizes, row->p};
    isocast_valid_pair next = {NAN, NAN};
    const char *broken = NULL;
    isocast_status status = isocast_rules_broken(algorithm, false, &point, &broken);
    if (status == ISOCAST_OK && broken != NULL) {
        status = isocast_rules_nearest_p(algorithm, &point, &next);
        isocast_buffer_puts(note, broken);
        append_nearest("valid p", next, note);
    }
    return status;
}

/* A share of T that is worth no words. */
static const double little = 0.001;

/* What the algorithm says is not certain, by its share of T. */
static isocast_status remark_uncertain(const isocast_prediction *prediction,
                                       const isocast_system *system, const double *other_sizes,
                                       isocast_prediction_row *row, isocast_buffer *note) {
    const isocast_algorithm *algorithm = isocast_model_algorithm(prediction->model);
    if (algorithm->uncertain_count == 0 || !(row->T > 0)) {
        return ISOCAST_OK;
    }
    double *times = calloc(algorithm->uncertain_count, sizeof *times);
    isocast_status status = times == NULL ? ISOCAST_NO_MEMORY
                                          : isocast_model_uncertain(prediction->model, system,
                                                                    row->N, other_sizes, times);
    bool any = false;
    row->uncertain_low = row->uncertain_high = 1;
    for (size_t i = 0; status == ISOCAST_OK && i < algorithm->uncertain_count; i++) {
        double share = times[i] / row->T;
        row->uncertain_low -= isfinite(share) ? fmax(-share, 0) : 1;
        row->uncertain_high += isfinite(share) ? fmax(share, 0) : INFINITY;
        if (fabs(share) < little) {
            continue;
        }
        if (!any) {
            separate(note);
        }
        isocast_buffer_puts(note, any ? ", " : "T may be ");
        if (isfinite(share)) {
            isocast_buffer_printf(note, fabs(share) < 1 ? "%.2g %% %s" : "%.0f %% %s",
                                  100 * fabs(share), share > 0 ? "longer" : "shorter");
        } else {
            isocast_buffer_puts(note, "off by an unknown time");
        }
        isocast_buffer_printf(note, " because of '%s'", algorithm->uncertain[i].name);
        any = true;
    }
    isocast_buffer_puts(note, any ? ", which the algorithm file has under 'uncertain'" : "");
    free(times);
    return status;
}

/* A size or a count below 0, which no program has: the formula does not hold there. */
static isocast_status remark_negative(const isocast_prediction *prediction,
                                      const isocast_system *system, const double *other_sizes,
                                      const isocast_prediction_row *row, isocast_buffer *note) {
    isocast_negative found = {.formula = NULL};
    isocast_status status = isnan(row->N) ? ISOCAST_OK
                                          : isocast_model_negative(prediction->model, system,
                                                                   row->N, other_sizes, &found);
    if (status == ISOCAST_OK && found.formula != NULL) {
        const isocast_source *source = found.formula->source;
        size_t line;
        size_t column;
        isocast_source_locate(source, found.formula->span.begin, &line, &column);
        separate(note);
        isocast_buffer_printf(note, "T does not hold: %s:%zu:%zu gives ", source->name, line,
                              column);
        if (found.is_count) {
            isocast_buffer_printf(note, "%.6g calls", found.value);
        } else {
            const isocast_formula *traffic = isocast_model_algorithm(prediction->model)->traffic;
            bool is_traffic = traffic != NULL && traffic->root == found.formula->root;
            isocast_buffer_printf(note, "%s of %.6g B", is_traffic ? "a traffic" : "a message",
                                  found.value);
        }
    }
    return status;
}

isocast_status isocast_row_remark(const isocast_prediction *prediction,
                                  const isocast_system *system, const double *other_sizes,
                                  isocast_prediction_row *row) {
    isocast_buffer note = {0};
    remark_status(prediction, system, row, &note);
    isocast_status status = ISOCAST_OK;
    if (row->status == ISOCAST_ROW_NOT_VALID) {
        status = remark_system(prediction, other_sizes, row, &note);
    } else if (row->status == ISOCAST_ROW_UNREACHABLE && !prediction->fixed_size) {
        status = remark_limit(prediction, system, other_sizes, &note);
    }
    if (status == ISOCAST_OK && row->status != ISOCAST_ROW_NOT_VALID) {
        status = remark_valid(prediction, other_sizes, row, &note);
    }
    if (status == ISOCAST_OK) {
        status = remark_range(prediction, system, other_sizes, row->N, &note);
    }
    if (status == ISOCAST_OK) {
        status = remark_negative(prediction, system, other_sizes, row, &note);
    }
    if (status == ISOCAST_OK) {
        status = remark_uncertain(prediction, system, other_sizes, row, &note);
    }
    if (status != ISOCAST_OK) {
        isocast_buffer_free(&note);
        return status;
    }
    remark_reference(prediction, system, &note);
    remark_interval(row, prediction->level, &note);
    remark_conditioning(prediction, row, &note);
    remark_restrictions(prediction, &note);
    remark_stand_ins(prediction, system, &note);
    if (note.length == 0 && !note.failed) {
        isocast_buffer_free(&note);
        return ISOCAST_OK;
    }
    row->note = isocast_buffer_take(&note);
    return row->note == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
}
