#include "elasticity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "held.h"
#include "misfit.h"
#include "model/base/buffer.h"
#include "model/base/order.h"
#include "model/base/quantity.h"
#include "model/spec/kernel_time.h"
#include "model/spec/machine.h"
#include "sensitivity.h"
#include "variation.h"

enum { FACTORS_MAX = 8, SIZE_DIGITS = 3 };

/* Where in a formula a parameter stands: for which p and m, and what it is multiplied by. */
typedef struct place {
    double p_low, p_high; /* processes, both included */
    double m_low, m_high; /* B; of a block m/p where `blocks` */
    double m_at;          /* B, of the point of a table; NAN: it is in none */
    bool blocks;
    const isocast_formula_node *factors[FACTORS_MAX];
    size_t factor_count;
} place;

static bool is_name(const isocast_formula_node *node, const char *name) {
    return node->kind == ISOCAST_FORMULA_NAME && strcmp(node->name, name) == 0;
}

static bool is_call(const isocast_formula_node *node, const char *name, size_t count) {
    return node->kind == ISOCAST_FORMULA_CALL && node->count == count &&
           strcmp(node->name, name) == 0;
}

static bool is_number(const isocast_formula_node *node, double value) {
    return node->kind == ISOCAST_FORMULA_NUMBER && node->value == value;
}

static bool is_block(const isocast_formula_node *node) {
    return node->kind == ISOCAST_FORMULA_DIVIDE && is_name(node->arguments[0], "m") &&
           is_name(node->arguments[1], "p");
}

/* Narrows p or m by "p <= 1", "p == 4", "m < 8 B", "m/p < 8 B", several of them joined by "and", or
 * by what holds where that does not. Other conditions say nothing here. */
static void narrow(const isocast_formula_node *condition, bool holds, place *at) {
    if (condition->kind == ISOCAST_FORMULA_AND && holds) {
        narrow(condition->arguments[0], true, at);
        narrow(condition->arguments[1], true, at);
        return;
    }
    if (condition->kind == ISOCAST_FORMULA_EQUAL && holds &&
        is_name(condition->arguments[0], "p") &&
        condition->arguments[1]->kind == ISOCAST_FORMULA_NUMBER) {
        at->p_low = at->p_high = condition->arguments[1]->value;
        return;
    }
    bool strict = condition->kind == ISOCAST_FORMULA_LESS;
    if ((!strict && condition->kind != ISOCAST_FORMULA_LESS_EQUAL) ||
        condition->arguments[1]->kind != ISOCAST_FORMULA_NUMBER) {
        return;
    }
    const isocast_formula_node *left = condition->arguments[0];
    double bound = condition->arguments[1]->value;
    if (is_name(left, "p") && holds) {
        at->p_high = fmin(at->p_high, strict ? ceil(bound) - 1 : floor(bound));
    } else if (is_name(left, "p")) {
        at->p_low = fmax(at->p_low, strict ? ceil(bound) : floor(bound) + 1);
    } else if (is_name(left, "m") || is_block(left)) {
        at->blocks = is_block(left);
        at->m_high = holds ? fmin(at->m_high, bound) : at->m_high;
        at->m_low = holds ? at->m_low : fmax(at->m_low, bound);
    }
}

/* The m at which the first argument of a table has a value; NAN where it is no plain scale. */
static double size_at(const isocast_formula_node *scale, double value) {
    if (is_call(scale, "log2", 1)) {
        return size_at(scale->arguments[0], exp2(value));
    }
    if (scale->kind == ISOCAST_FORMULA_DIVIDE && is_name(scale->arguments[0], "m") &&
        scale->arguments[1]->kind == ISOCAST_FORMULA_NUMBER) {
        return value * scale->arguments[1]->value;
    }
    return is_name(scale, "m") ? value : NAN;
}

static bool find(const isocast_formula_node *node, const char *name, place *at);

/* Takes the place in an argument over where the name is in it. */
static bool find_within(const isocast_formula_node *node, const char *name, place within,
                        place *at) {
    bool found = find(node, name, &within);
    if (found) {
        *at = within;
    }
    return found;
}

static bool find_in_table(const isocast_formula_node *node, const char *name, place *at) {
    for (size_t i = 2; i < node->count; i += 2) {
        place within = *at;
        if (node->arguments[i - 1]->kind == ISOCAST_FORMULA_NUMBER) {
            within.m_at = size_at(node->arguments[0], node->arguments[i - 1]->value);
        }
        if (find_within(node->arguments[i], name, within, at)) {
            return true;
        }
    }
    return false;
}

static bool find_in_branches(const isocast_formula_node *node, const char *name, place *at) {
    for (size_t i = 1; i < 3; i++) {
        place within = *at;
        narrow(node->arguments[0], i == 1, &within);
        if (find_within(node->arguments[i], name, within, at)) {
            return true;
        }
    }
    return false;
}

static bool has_call(const isocast_formula_node *node, const char *name) {
    if (node->kind == ISOCAST_FORMULA_CALL && strcmp(node->name, name) == 0) {
        return true;
    }
    for (size_t i = 0; i < node->count; i++) {
        if (has_call(node->arguments[i], name)) {
            return true;
        }
    }
    return false;
}

static bool has_name(const isocast_formula_node *node, const char *name) {
    if (is_name(node, name)) {
        return true;
    }
    for (size_t i = 0; i < node->count; i++) {
        if (has_name(node->arguments[i], name)) {
            return true;
        }
    }
    return false;
}

/* A share, or what is left to correct at some numbers of processes: neither says what a parameter
 * means. */
static bool is_correction(const isocast_formula_node *node) {
    bool share = node->kind == ISOCAST_FORMULA_NUMBER && !node->has_unit;
    return share || (has_call(node, "interpolate") && !has_name(node, "m"));
}

static bool find_in_product(const isocast_formula_node *node, const char *name, place *at) {
    for (size_t i = 0; i < 2; i++) {
        place within = *at;
        if (within.factor_count < FACTORS_MAX && !is_correction(node->arguments[1 - i])) {
            within.factors[within.factor_count++] = node->arguments[1 - i];
        }
        if (find_within(node->arguments[i], name, within, at)) {
            return true;
        }
    }
    return false;
}

/* Finds a parameter by its name, or another operation where it is called. */
static bool find(const isocast_formula_node *node, const char *name, place *at) {
    bool called = node->kind == ISOCAST_FORMULA_CALL && strcmp(node->name, name) == 0;
    if (is_name(node, name) || called) {
        return true;
    }
    if (is_call(node, "if", 3)) {
        return find_in_branches(node, name, at);
    }
    if (node->kind == ISOCAST_FORMULA_CALL && strcmp(node->name, "interpolate") == 0) {
        return find_in_table(node, name, at);
    }
    if (node->kind == ISOCAST_FORMULA_MULTIPLY) {
        return find_in_product(node, name, at);
    }
    for (size_t i = 0; i < node->count; i++) {
        if (find_within(node->arguments[i], name, *at, at)) {
            return true;
        }
    }
    return false;
}

static void put_factor(const isocast_formula *formula, const isocast_formula_node *factor,
                       isocast_buffer *out) {
    bool rounded = is_call(factor, "ceil", 1);
    if (is_name(factor, "m")) {
        isocast_buffer_puts(out, " per byte");
    } else if (has_call(factor, "interpolate")) {
        isocast_buffer_puts(out, " as a whole (by its table)");
    } else if (is_block(factor)) {
        isocast_buffer_puts(out, " per byte of a block");
    } else if (is_name(factor, "p")) {
        isocast_buffer_puts(out, " per process");
    } else if (factor->kind == ISOCAST_FORMULA_SUBTRACT && is_name(factor->arguments[0], "p") &&
               is_number(factor->arguments[1], 1)) {
        isocast_buffer_puts(out, " per other process");
    } else if (is_call(rounded ? factor->arguments[0] : factor, "log2", 1) &&
               is_name((rounded ? factor->arguments[0] : factor)->arguments[0], "p")) {
        isocast_buffer_puts(out, " per step of log2(p)");
    } else {
        isocast_formula part = *formula;
        part.root = (isocast_formula_node *)factor;
        bool call = factor->kind == ISOCAST_FORMULA_CALL || factor->kind == ISOCAST_FORMULA_NAME;
        isocast_buffer_puts(out, call ? " per " : " per (");
        isocast_formula_format(&part, out);
        isocast_buffer_puts(out, call ? "" : ")");
    }
}

static void put_sizes(const place *at, isocast_buffer *out) {
    const char *of = at->blocks ? " a block" : "";
    if (!isnan(at->m_at)) {
        isocast_buffer_puts(out, " at ");
        isocast_quantity_format(at->m_at, "B", SIZE_DIGITS, out);
    } else if (at->m_low > 0 && isfinite(at->m_high)) {
        isocast_buffer_puts(out, " from ");
        isocast_quantity_format(at->m_low, "B", SIZE_DIGITS, out);
        isocast_buffer_puts(out, " to ");
        isocast_quantity_format(at->m_high, "B", SIZE_DIGITS, out);
    } else if (at->m_low > 0) {
        isocast_buffer_puts(out, " from ");
        isocast_quantity_format(at->m_low, "B", SIZE_DIGITS, out);
        isocast_buffer_puts(out, " on");
    } else if (isfinite(at->m_high)) {
        isocast_buffer_puts(out, " below ");
        isocast_quantity_format(at->m_high, "B", SIZE_DIGITS, out);
    } else {
        return;
    }
    isocast_buffer_puts(out, of);
}

static void put_processes(const place *at, isocast_buffer *out) {
    if (isinf(at->p_high) && at->p_low > 1) {
        isocast_buffer_printf(out, " on %.0f processes or more", at->p_low);
    } else if (isfinite(at->p_high) && at->p_low == at->p_high) {
        isocast_buffer_printf(out, " on %.0f process%s", at->p_low, at->p_low == 1 ? "" : "es");
    } else if (isfinite(at->p_high)) {
        isocast_buffer_printf(out, " on %.0f to %.0f processes", at->p_low, at->p_high);
    }
}

static const place anywhere = {.p_low = 1, .p_high = INFINITY, .m_high = INFINITY, .m_at = NAN};

/* The operation that calls this one, which then is a part of it; NULL where none does. */
static const isocast_operation *caller_of(const isocast_machine *machine,
                                          const isocast_operation *operation, place *at) {
    for (size_t i = 0; i < machine->operation_count; i++) {
        *at = anywhere;
        const isocast_operation *other = &machine->operations[i];
        if (other != operation && find(other->formula->root, operation->name, at)) {
            return other;
        }
    }
    return NULL;
}

static bool describe(const isocast_machine *machine, const isocast_operation *operation,
                     bool kernel, const char *parameter, isocast_buffer *out) {
    place at = anywhere;
    if (!find(operation->formula->root, parameter, &at)) {
        return false;
    }
    place of_call;
    const isocast_operation *caller = kernel ? NULL : caller_of(machine, operation, &of_call);
    if (caller != NULL) {
        at.p_low = fmax(at.p_low, of_call.p_low);
        at.p_high = fmin(at.p_high, of_call.p_high);
    }
    bool constant = at.factor_count == 0 && isnan(at.m_at) && !kernel;
    isocast_buffer_printf(out, "%s%s",
                          kernel     ? "time per flop of "
                          : constant ? "constant part of "
                                     : "time of ",
                          caller != NULL ? caller->name : operation->name);
    /* The innermost factor is nearest to the parameter and written first. */
    for (size_t i = at.factor_count; i > 0; i--) {
        put_factor(operation->formula, at.factors[i - 1], out);
    }
    put_sizes(&at, out);
    put_processes(&at, out);
    return true;
}

/* The meaning of a parameter by the first of the kernels' and operations' formulas that it stands
 * in; *meaning is NULL where it stands in none. Free it with free(). Errors: NO_MEMORY. */
static isocast_status find_meaning(const isocast_machine *machine, const char *parameter,
                                   char **meaning) {
    isocast_buffer out = {0};
    bool found = false;
    for (size_t i = 0; !found && i < machine->compute_count; i++) {
        found = describe(machine, &machine->compute[i], true, parameter, &out);
    }
    for (size_t i = 0; !found && i < machine->operation_count; i++) {
        found = describe(machine, &machine->operations[i], false, parameter, &out);
    }
    bool failed = out.failed;
    *meaning = found ? isocast_buffer_take(&out) : NULL;
    isocast_buffer_free(&out);
    return failed || (found && *meaning == NULL) ? ISOCAST_NO_MEMORY : ISOCAST_OK;
}

/* Relative change of a parameter to either side. */
static const double parameter_step = 0.01;
/* Relative change of N for d ln E/d ln N, E being what is held: near the cube root of the rounding
 * error. */
static const double size_step = 1e-5;
/* What a root moves by is taken from derivatives where Newton's method changes it by no more than
 * this share. */
static const double correction_allowed = 0.01;

enum { PARAMETERS_AT_ONCE = 64, NEWTON_STEPS = 3 };

/* Central difference of ln outcome over ln of one number of the variation, which is restored. */
static isocast_status elasticity_to(isocast_variation *q, double *varied, double *elasticity) {
    double value = *varied;
    double less = NAN;
    double more = NAN;
    isocast_effort *account = q->account;
    q->effort = isocast_effort_lend(account, 1 / (double)q->left--);
    *varied = value * (1 - parameter_step);
    isocast_status status = isocast_variation_outcome(q, &less);
    if (status == ISOCAST_OK) {
        *varied = value * (1 + parameter_step);
        status = isocast_variation_outcome(q, &more);
    }
    *varied = value;
    isocast_effort_return(account, &q->effort);
    double change = log(more / less) / (log1p(parameter_step) - log1p(-parameter_step));
    *elasticity = value != 0 && isfinite(change) ? change : NAN;
    return status;
}

/* d ln held/d ln N at the row, and d(ln held - ln target)/d ln parameter, [parameter_count]. */
static isocast_status find_slopes(isocast_variation *q, double *by_N, double *by_parameters) {
    const isocast_model *model = q->prediction->model;
    const isocast_machine *machine = isocast_model_machine(model);
    size_t n = machine->parameter_count;
    isocast_metric metric = q->prediction->metric;
    isocast_sensitivity_request wanted = {.model = model,
                                          .system = q->system,
                                          .N = q->row->N,
                                          .other_sizes = q->request->other_sizes,
                                          .alone = isocast_metric_takes_time_alone(metric),
                                          .effort = &q->effort};
    isocast_change held = {.by_parameters = calloc(2 * n + 1, sizeof(double))};
    isocast_change base = {.by_parameters = held.by_parameters + n};
    isocast_sensitivity s;
    isocast_status status =
        held.by_parameters == NULL ? ISOCAST_NO_MEMORY : isocast_sensitivity_find(&wanted, &s);
    if (status == ISOCAST_OK) {
        isocast_sensitivity_of_held(&s, metric, n, &held);
        isocast_sensitivity_free(&s);
    }
    if (status == ISOCAST_OK && q->request->base != NULL) {
        wanted.system = q->request->base;
        wanted.N = q->request->N;
        status = isocast_sensitivity_find(&wanted, &s);
        if (status == ISOCAST_OK) {
            isocast_sensitivity_of_held(&s, metric, n, &base);
            isocast_sensitivity_free(&s);
        }
    }
    for (size_t i = 0; i < n && status == ISOCAST_OK; i++) {
        double off = held.by_parameters[i] - base.by_parameters[i];
        by_parameters[i] = off == 0 ? 0 : off * machine->parameters[i].value;
    }
    *by_N = held.by_N;
    free(held.by_parameters);
    return status;
}

/* ln held - ln target of so many variations at once: N, and parameters, [count][parameter_count].
 */
static isocast_status evaluate_off(isocast_variation *q, size_t count, const double *N,
                                   const double *parameters, double *off) {
    double *targets = malloc((2 * count + 1) * sizeof *targets);
    if (targets == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    double *base_N = targets + count;
    isocast_model_points points = {.count = count,
                                   .N = N,
                                   .other_sizes = q->request->other_sizes,
                                   .systems = &q->system,
                                   .parameters = parameters,
                                   .parameters_stride = 1,
                                   .effort = &q->effort};
    const isocast_model *model = q->prediction->model;
    double sum_error;
    isocast_status status =
        isocast_held_evaluate(model, q->prediction->metric, &points, off, NULL, &sum_error);
    for (size_t k = 0; k < count; k++) {
        targets[k] = q->prediction->target;
        base_N[k] = q->request->N;
    }
    if (status == ISOCAST_OK && q->request->base != NULL) {
        points.N = base_N;
        points.systems = &q->request->base;
        status =
            isocast_held_evaluate(model, q->prediction->metric, &points, targets, NULL, &sum_error);
    }
    for (size_t k = 0; k < count && status == ISOCAST_OK; k++) {
        off[k] = log(off[k] / targets[k]);
    }
    free(targets);
    return status;
}

/* The central difference for some parameters, by Newton's method from where the derivatives have
 * the root: NAN where that is not near enough, so that the root is to be looked for. */
static isocast_status correct_some(isocast_variation *q, const size_t *indices, size_t count,
                                   double by_N, const double *by_parameters, double *elasticities) {
    size_t n = isocast_model_machine(q->prediction->model)->parameter_count;
    double *parameters = malloc((2 * count * n + 1) * sizeof *parameters);
    if (parameters == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    double N[2 * PARAMETERS_AT_ONCE];
    double moved[2 * PARAMETERS_AT_ONCE];
    double off[2 * PARAMETERS_AT_ONCE];
    for (size_t k = 0; k < 2 * count; k++) {
        size_t i = indices[k / 2];
        double factor = k % 2 == 0 ? 1 - parameter_step : 1 + parameter_step;
        memcpy(parameters + k * n, q->parameters, n * sizeof *parameters);
        parameters[k * n + i] *= factor;
        moved[k] = -by_parameters[i] / by_N * log(factor);
        N[k] = q->row->N * exp(moved[k]);
    }
    isocast_status status = ISOCAST_OK;
    bool near[2 * PARAMETERS_AT_ONCE] = {false};
    for (int step = 0; step < NEWTON_STEPS && status == ISOCAST_OK; step++) {
        status = evaluate_off(q, 2 * count, N, parameters, off);
        for (size_t k = 0; k < 2 * count && status == ISOCAST_OK; k++) {
            double correction = -off[k] / by_N;
            bool small = fabs(correction) <= correction_allowed * fabs(moved[k]);
            near[k] = step == 0 ? small : near[k] && small;
            moved[k] += correction;
            N[k] = q->row->N * exp(moved[k]);
        }
    }
    double span = log1p(parameter_step) - log1p(-parameter_step);
    for (size_t k = 0; k < count && status == ISOCAST_OK; k++) {
        bool found = near[2 * k] && near[2 * k + 1];
        elasticities[indices[k]] = found ? (moved[2 * k + 1] - moved[2 * k]) / span : NAN;
    }
    free(parameters);
    return status;
}

/* Whether what is held stays as it is where all parameters without a derivative are moved together,
 * to either side: then none of them moves it. */
static isocast_status find_still(isocast_variation *q, const double *by_parameters, bool *still) {
    size_t n = isocast_model_machine(q->prediction->model)->parameter_count;
    double *parameters = malloc((3 * n + 1) * sizeof *parameters);
    if (parameters == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        bool moves = by_parameters[i] != 0;
        parameters[i] = q->parameters[i];
        parameters[n + i] = q->parameters[i] * (moves ? 1 : 1 - parameter_step);
        parameters[2 * n + i] = q->parameters[i] * (moves ? 1 : 1 + parameter_step);
    }
    const double N[3] = {q->row->N, q->row->N, q->row->N};
    double off[3];
    isocast_status status = evaluate_off(q, 3, N, parameters, off);
    *still = status == ISOCAST_OK && off[0] == off[1] && off[0] == off[2];
    free(parameters);
    return status;
}

/* Elasticities to the parameters, [parameter_count], as far as derivatives state them; NAN where
 * the root is to be looked for. */
static isocast_status find_by_derivatives(isocast_variation *q, double *elasticities) {
    const isocast_machine *machine = isocast_model_machine(q->prediction->model);
    size_t n = machine->parameter_count;
    double *by_parameters = calloc(n + 1, sizeof *by_parameters);
    double by_N = NAN;
    bool still = false;
    isocast_status status =
        by_parameters == NULL ? ISOCAST_NO_MEMORY : find_slopes(q, &by_N, by_parameters);
    if (status == ISOCAST_OK) {
        status = find_still(q, by_parameters, &still);
    }
    size_t indices[PARAMETERS_AT_ONCE];
    size_t count = 0;
    for (size_t i = 0; i < n && status == ISOCAST_OK; i++) {
        elasticities[i] = still && by_parameters[i] == 0 && q->parameters[i] != 0 ? 0 : NAN;
        if (by_parameters[i] != 0) {
            indices[count++] = i;
        }
        if (count == PARAMETERS_AT_ONCE || (i + 1 == n && count > 0)) {
            status = correct_some(q, indices, count, by_N, by_parameters, elasticities);
            count = 0;
        }
    }
    free(by_parameters);
    return status;
}

/* Whether the algorithm file names this parameter of the machine. */
static bool names_parameter(const isocast_algorithm *algorithm, const char *name) {
    for (size_t i = 0; i < algorithm->requirement_count; i++) {
        if (strcmp(algorithm->requirements[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static isocast_status add_parameters(isocast_variation *q, isocast_drivers *drivers) {
    const isocast_machine *machine = isocast_model_machine(q->prediction->model);
    size_t n = machine->parameter_count;
    double *elasticities = malloc((n + 1) * sizeof *elasticities);
    isocast_status status = elasticities == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    for (size_t i = 0; i < n && status == ISOCAST_OK; i++) {
        elasticities[i] = NAN;
    }
    bool is_raised = !isnan(q->row->N_efficiency);
    if (status == ISOCAST_OK && !q->prediction->fixed_size && !is_raised) {
        q->effort = isocast_effort_lend(q->account, 0.5);
        status = find_by_derivatives(q, elasticities);
        isocast_effort_return(q->account, &q->effort);
    }
    for (size_t i = 0; status == ISOCAST_OK && i < n; i++) {
        isocast_driver *driver = &drivers->items[drivers->count++];
        driver->name = machine->parameters[i].name;
        /* In the algorithm's own formulas it is what its name says. */
        if (!names_parameter(isocast_model_algorithm(q->prediction->model), driver->name)) {
            status = find_meaning(machine, driver->name, &driver->meaning);
        }
        driver->kind = ISOCAST_DRIVER_PARAMETER;
        driver->elasticity = elasticities[i];
        if (status == ISOCAST_OK && isnan(elasticities[i])) {
            status = elasticity_to(q, &q->parameters[i], &driver->elasticity);
        } else {
            q->left--;
        }
    }
    free(elasticities);
    return status;
}

/* All messages of the algorithm together, where the machine file says what its formulas miss of
 * them: what their coefficients (the first drivers, in the machine's order) add up to. */
static isocast_status add_messages(const isocast_variation *q, isocast_drivers *drivers) {
    const isocast_machine *machine = isocast_model_machine(q->prediction->model);
    const char *algorithm = isocast_model_algorithm(q->prediction->model)->name;
    const isocast_algorithm_misfit *own = isocast_machine_misfit_of(machine, algorithm);
    if (own == NULL || !(own->misfit > 0)) {
        return ISOCAST_OK;
    }
    double *by_parameters = malloc((machine->parameter_count + 1) * sizeof *by_parameters);
    if (by_parameters == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < machine->parameter_count; i++) {
        double value = machine->parameters[i].value;
        by_parameters[i] = value != 0 ? drivers->items[i].elasticity / value : 0;
    }
    isocast_driver *driver = &drivers->items[drivers->count++];
    *driver =
        (isocast_driver){.name = algorithm,
                         .kind = ISOCAST_DRIVER_MESSAGES,
                         .elasticity = isocast_misfit_share_of_messages(machine, by_parameters)};
    free(by_parameters);
    isocast_buffer meaning = {0};
    isocast_buffer_printf(&meaning, "messages of %s, \xC2\xB1 %.2g %%", algorithm,
                          100 * own->misfit);
    driver->meaning = isocast_buffer_take(&meaning);
    return driver->meaning != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
}

static isocast_status add_marked_speeds(isocast_variation *q, isocast_drivers *drivers) {
    const isocast_machine *machine = isocast_model_machine(q->prediction->model);
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; status == ISOCAST_OK && i < q->system->count; i++) {
        isocast_driver *driver = &drivers->items[drivers->count++];
        size_t varied = q->system->classes[i];
        driver->name = machine->classes[varied].name;
        driver->kind = ISOCAST_DRIVER_MARKED_SPEED;
        status = elasticity_to(q, &q->speed_factors[varied], &driver->elasticity);
    }
    return status;
}

static isocast_status slope_of_held(isocast_variation *q, double *slope) {
    double T;
    double less = NAN;
    double more = NAN;
    isocast_status status =
        isocast_variation_evaluate(q, q->system, q->row->N * exp(-size_step), &T, &less);
    if (status == ISOCAST_OK) {
        status = isocast_variation_evaluate(q, q->system, q->row->N * exp(size_step), &T, &more);
    }
    *slope = log(more / less) / (2 * size_step);
    return status;
}

/* Whether what is held is divided by R_f of the row's system, and the machine file has it. */
static bool hangs_on_reference(const isocast_variation *q) {
    const isocast_system *system = q->system;
    bool divides =
        isocast_metric_row_of(q->prediction->metric)->size == ISOCAST_SIZE_REFERENCE_FACTOR ||
        system->measure == ISOCAST_SIZE_BY_REFERENCE;
    bool has = system->reference_origin == ISOCAST_REFERENCE_GIVEN ||
               system->reference_origin == ISOCAST_REFERENCE_MEASURED;
    const isocast_system *base = q->request->base;
    bool is_base = base != NULL && strcmp(base->name, system->name) == 0;
    return divides && has && !is_base && q->row->p_working == q->row->p;
}

static isocast_status add_reference(const isocast_variation *q, double elasticity,
                                    isocast_drivers *drivers) {
    if (!hangs_on_reference(q)) {
        return ISOCAST_OK;
    }
    isocast_buffer meaning = {0};
    isocast_buffer_printf(&meaning, "R_f of %s", q->system->name);
    if (meaning.failed) {
        isocast_buffer_free(&meaning);
        return ISOCAST_NO_MEMORY;
    }
    drivers->items[drivers->count++] =
        (isocast_driver){.name = "R_f",
                         .meaning = isocast_buffer_take(&meaning),
                         .kind = ISOCAST_DRIVER_REFERENCE,
                         .elasticity = isfinite(elasticity) ? elasticity : NAN};
    return ISOCAST_OK;
}

static isocast_status add_terms(isocast_variation *q, isocast_drivers *drivers) {
    bool is_raised = !isnan(q->row->N_efficiency);
    const isocast_prediction *prediction = q->prediction;
    const isocast_algorithm *algorithm = isocast_model_algorithm(prediction->model);
    double slope;
    q->effort = isocast_effort_lend(q->account, 1 / (double)q->left);
    isocast_status status = slope_of_held(q, &slope);
    isocast_effort_return(q->account, &q->effort);
    for (size_t i = 0; i < prediction->term_count; i++) {
        isocast_driver *driver = &drivers->items[drivers->count++];
        double share = q->row->terms[i] / q->row->T;
        if (prediction->has_base) {
            share -= prediction->base.terms[i] / prediction->base.T;
        }
        driver->name = algorithm->overhead[i].name;
        driver->kind = ISOCAST_DRIVER_TERM;
        double elasticity = is_raised ? 0 : share / slope;
        driver->elasticity = isfinite(elasticity) ? elasticity : NAN;
    }
    return status == ISOCAST_OK ? add_reference(q, is_raised ? 0 : 1 / slope, drivers) : status;
}

/* Leaves t_c out where the machine's times of the kernel stand in its place and it moves nothing.
 */
static void drop_replaced(const isocast_variation *q, isocast_drivers *drivers) {
    const isocast_algorithm *algorithm = isocast_model_algorithm(q->prediction->model);
    const isocast_machine *machine = isocast_model_machine(q->prediction->model);
    bool is_replaced =
        !algorithm->time_per_flop_given && isocast_kernel_time_find(algorithm, machine) != NULL;
    for (size_t i = 0; is_replaced && i < drivers->count; i++) {
        isocast_driver *driver = &drivers->items[i];
        if (driver->kind == ISOCAST_DRIVER_PARAMETER && driver->elasticity == 0 &&
            strcmp(driver->name, "t_c") == 0) {
            free(driver->meaning);
            *driver = drivers->items[--drivers->count];
            return;
        }
    }
}

/* For sorting: what cannot be reported comes last. */
static double rank(const isocast_driver *driver) {
    return isnan(driver->elasticity) ? -1 : fabs(driver->elasticity);
}

ISOCAST_ORDER_BY(compare_drivers, isocast_driver, -rank(x))

isocast_status isocast_drivers_find(const isocast_prediction *prediction,
                                    const isocast_prediction_request *request, size_t row,
                                    isocast_drivers *out) {
    const isocast_machine *machine = isocast_model_machine(prediction->model);
    const isocast_system *system = request->systems[row];
    size_t most = machine->parameter_count + system->count + prediction->term_count;
    isocast_drivers drivers = {.items = calloc(most + 3, sizeof *drivers.items)};
    isocast_effort own = isocast_effort_of(1);
    isocast_variation q = {.account = request->effort != NULL ? request->effort : &own};
    isocast_status status = drivers.items == NULL
                                ? ISOCAST_NO_MEMORY
                                : isocast_variation_start(&q, prediction, request, row);
    if (status == ISOCAST_OK) {
        q.left = machine->parameter_count + q.system->count + 1;
        status = add_parameters(&q, &drivers);
    }
    if (status == ISOCAST_OK) {
        status = add_messages(&q, &drivers);
    }
    if (status == ISOCAST_OK) {
        status = add_marked_speeds(&q, &drivers);
    }
    if (status == ISOCAST_OK && !prediction->fixed_size) {
        status = add_terms(&q, &drivers);
    }
    isocast_variation_clear(&q);
    if (status != ISOCAST_OK) {
        isocast_drivers_free(&drivers);
        return status;
    }
    drop_replaced(&q, &drivers);
    for (size_t i = 0; i < drivers.count; i++) {
        drivers.items[i].smaller = drivers.items[i].larger = NAN;
    }
    qsort(drivers.items, drivers.count, sizeof *drivers.items, compare_drivers);
    *out = drivers;
    return ISOCAST_OK;
}

void isocast_drivers_free(isocast_drivers *drivers) {
    for (size_t i = 0; i < drivers->count; i++) {
        free(drivers->items[i].meaning);
    }
    free(drivers->items);
}
