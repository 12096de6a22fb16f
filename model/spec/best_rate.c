#include "best_rate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "machine_scope.h"

/* A formula that is not made of tables is looked at so often between the ends of its range. */
enum { POINTS_BETWEEN = 64, PROCESSES_BETWEEN = 64 };

/* Numbers at which a formula may have its least value. Start from {0}. */
typedef struct places {
    double *items; /* [count] */
    size_t count;
    bool failed; /* memory was short */
} places;

static void add(places *out, double value) {
    if (!isfinite(value) || value < 0 || out->failed) {
        return;
    }
    double *items = realloc(out->items, (out->count + 1) * sizeof *items);
    if (items == NULL) {
        out->failed = true;
        return;
    }
    out->items = items;
    out->items[out->count++] = value;
}

static bool is(const isocast_formula_node *node, isocast_formula_kind kind, const char *name) {
    return node->kind == kind && strcmp(node->name, name) == 0;
}

static bool has(const isocast_formula_node *node, isocast_formula_kind kind, const char *name) {
    bool found = is(node, kind, name);
    for (size_t i = 0; i < node->count && !found; i++) {
        found = has(node->arguments[i], kind, name);
    }
    return found;
}

/* The rows of interpolate(x, x1, y1, ...), where x is the name or its logarithm. */
static void add_rows(const isocast_formula_node *call, const char *name, places *out) {
    const isocast_formula_node *axis = call->arguments[0];
    if (!has(axis, ISOCAST_FORMULA_NAME, name)) {
        return;
    }
    bool logarithmic = has(axis, ISOCAST_FORMULA_CALL, "log2");
    for (size_t i = 1; i < call->count; i += 2) {
        const isocast_formula_node *row = call->arguments[i];
        if (row->kind == ISOCAST_FORMULA_NUMBER) {
            add(out, logarithmic ? exp2(row->value) : row->value);
        }
    }
}

static bool is_comparison(const isocast_formula_node *node) {
    return node->kind >= ISOCAST_FORMULA_LESS && node->kind <= ISOCAST_FORMULA_NOT_EQUAL;
}

/* Where tables over a name have their rows, and where a formula compares it with a number: also
 * as max(1, m/(8 MB)), which a table that goes on in proportion to m ends with. */
static void add_tabulated(const isocast_formula_node *node, const char *name, places *out) {
    if (node->kind == ISOCAST_FORMULA_DIVIDE) {
        const isocast_formula_node *number = node->arguments[1];
        bool end = is(node->arguments[0], ISOCAST_FORMULA_NAME, name) &&
                   number->kind == ISOCAST_FORMULA_NUMBER && number->value > 1;
        add(out, end ? number->value : NAN);
    } else if (is_comparison(node)) {
        for (size_t i = 0; i < 2; i++) {
            const isocast_formula_node *number = node->arguments[1 - i];
            bool one = is(node->arguments[i], ISOCAST_FORMULA_NAME, name) &&
                       number->kind == ISOCAST_FORMULA_NUMBER;
            add(out, one ? number->value : NAN);
        }
    } else if (node->kind == ISOCAST_FORMULA_CALL && strcmp(node->name, "interpolate") == 0) {
        add_rows(node, name, out);
    }
    for (size_t i = 0; i < node->count; i++) {
        add_tabulated(node->arguments[i], name, out);
    }
}

/* Counts of processes, what was measured first. What holds beyond the last table counts where the
 * file does not say how far was measured. */
static void add_processes(const isocast_operation *kernel, places *out) {
    places tabulated = {0};
    add_tabulated(kernel->formula->root, "p", &tabulated);
    add(out, kernel->p_min);
    add(out, kernel->p_max);
    for (size_t i = 0; i < tabulated.count; i++) {
        bool measured = isnan(kernel->p_max) || (tabulated.items[i] >= kernel->p_min &&
                                                 tabulated.items[i] <= kernel->p_max);
        add(out, measured && tabulated.items[i] >= 1 ? tabulated.items[i] : NAN);
        add(out, isnan(kernel->p_max) ? floor(tabulated.items[i]) + 1 : NAN);
    }
    double step = fmax(ceil((kernel->p_max - kernel->p_min) / PROCESSES_BETWEEN), 1);
    for (double p = kernel->p_min + step; p < kernel->p_max; p += step) {
        add(out, p);
    }
    out->failed = out->failed || tabulated.failed;
    free(tabulated.items);
}

static void add_working_sets(const isocast_operation *kernel, places *out) {
    add_tabulated(kernel->formula->root, "m", out);
    for (size_t i = 0; i <= POINTS_BETWEEN; i++) {
        double share = (double)i / POINTS_BETWEEN;
        add(out, kernel->m_min * pow(kernel->m_max / kernel->m_min, share));
    }
}

/* The columns of a system whose p processes share one node, then the parameters. */
static void fill_columns(const isocast_machine *machine, const double *p, double *one,
                         double *values, isocast_column *columns) {
    *one = 1;
    for (size_t i = 0; i < ISOCAST_SYSTEM_COLUMNS; i++) {
        columns[i] = (isocast_column){p, 1};
    }
    columns[ISOCAST_COLUMN_nodes] = (isocast_column){one, 0};
    for (size_t i = 0; i < machine->parameter_count; i++) {
        values[i] = machine->parameters[i].value;
        columns[ISOCAST_SYSTEM_COLUMNS + i] = (isocast_column){&values[i], 0};
    }
}

static isocast_status evaluate(const isocast_machine *machine, const isocast_program *program,
                               size_t count, const double *p, const double *m, double *time) {
    size_t inputs = ISOCAST_SYSTEM_COLUMNS + machine->parameter_count + 1;
    isocast_column *columns = malloc(inputs * sizeof *columns);
    double *values = malloc((machine->parameter_count + 1) * sizeof *values);
    isocast_status status = ISOCAST_NO_MEMORY;
    double one;
    if (columns != NULL && values != NULL) {
        fill_columns(machine, p, &one, values, columns);
        columns[inputs - 1] = (isocast_column){m, 1};
        const isocast_program_points points = {.count = count, .inputs = columns};
        status = isocast_program_evaluate(program, &points, &time, NULL);
    }
    free(columns);
    free(values);
    return status;
}

/* p and m are arguments of the machine's formulas; here they are inputs, m the last one. */
static void bind(const isocast_machine *machine, isocast_machine_scope *scope) {
    for (size_t i = 0; i < scope->scope.count; i++) {
        isocast_symbol *symbol = &scope->symbols[i];
        bool is_m = strcmp(symbol->name, "m") == 0;
        if (is_m || strcmp(symbol->name, "p") == 0) {
            symbol->kind = ISOCAST_SYMBOL_INPUT;
            symbol->index = is_m ? ISOCAST_SYSTEM_COLUMNS + machine->parameter_count
                                 : ISOCAST_COLUMN_p_node_max;
        }
    }
}

isocast_status isocast_kernel_time_at(const isocast_machine *machine,
                                      const isocast_operation *kernel, size_t count,
                                      const double *p, const double *m, double *time) {
    isocast_machine_scope *scope = NULL;
    isocast_program *program = NULL;
    isocast_diagnostics ignored = {0}; /* the formula was checked when the file was read */
    const isocast_formula *formula = kernel->formula;
    isocast_status status = isocast_machine_scope_create(machine, kernel->name, 0, 0, &scope);
    if (status == ISOCAST_OK) {
        bind(machine, scope);
        status = isocast_program_compile(&formula, 1, &scope->scope, &ignored, &program);
        isocast_diagnostics_clear(&ignored);
    }
    if (status == ISOCAST_OK) {
        status = evaluate(machine, program, count, p, m, time);
    }
    isocast_program_free(program);
    isocast_machine_scope_free(scope);
    return status;
}

/* The least of the times above 0; the first of equal ones. */
static isocast_status take_best(const double *time, const double *p, const double *m, size_t count,
                                isocast_best_rate *out) {
    /* Tables and the ends of a range agree to the digits of their places. */
    static const double alike = 1e-9;
    double least = INFINITY;
    for (size_t k = 0; k < count; k++) {
        if (time[k] > 0 && time[k] < least * (1 - alike)) {
            least = time[k];
            *out = (isocast_best_rate){1 / least, p[k], m[k]};
        }
    }
    for (size_t k = 0; k < count; k++) {
        least = time[k] > 0 ? fmin(least, time[k]) : least;
    }
    out->rate = 1 / least;
    return isfinite(least) ? ISOCAST_OK : ISOCAST_DOMAIN;
}

static isocast_status find_among(const isocast_machine *machine, const isocast_operation *kernel,
                                 const places *processes, const places *sets,
                                 isocast_best_rate *out) {
    size_t count = processes->count * sets->count;
    double *p = malloc(count * sizeof *p);
    double *m = malloc(count * sizeof *m);
    double *time = malloc(count * sizeof *time);
    isocast_status status = ISOCAST_NO_MEMORY;
    if (p != NULL && m != NULL && time != NULL) {
        for (size_t k = 0; k < count; k++) {
            p[k] = processes->items[k / sets->count];
            m[k] = sets->items[k % sets->count];
        }
        status = isocast_kernel_time_at(machine, kernel, count, p, m, time);
    }
    isocast_best_rate best = {NAN, NAN, NAN};
    if (status == ISOCAST_OK) {
        status = take_best(time, p, m, count, &best);
    }
    if (status == ISOCAST_OK) {
        *out = best;
    }
    free(p);
    free(m);
    free(time);
    return status;
}

bool isocast_kernel_depends(const isocast_operation *kernel, const char *name) {
    return has(kernel->formula->root, ISOCAST_FORMULA_NAME, name);
}

/* What the time does not depend on has one place that counts for nothing. */
static bool add_any(const isocast_operation *kernel, const char *name, places *out) {
    bool depends = isocast_kernel_depends(kernel, name);
    if (!depends) {
        out->count = 0;
        add(out, 1);
    }
    return depends;
}

isocast_status isocast_best_rate_find(const isocast_machine *machine,
                                      const isocast_operation *kernel, isocast_best_rate *out) {
    places processes = {0};
    places sets = {0};
    add_processes(kernel, &processes);
    add_working_sets(kernel, &sets);
    bool by_p = add_any(kernel, "p", &processes);
    bool by_m = add_any(kernel, "m", &sets);
    isocast_best_rate best;
    isocast_status status = ISOCAST_NO_MEMORY;
    if (!processes.failed && !sets.failed) {
        bool known = processes.count > 0 && sets.count > 0;
        status = known ? find_among(machine, kernel, &processes, &sets, &best) : ISOCAST_DOMAIN;
    }
    if (status == ISOCAST_OK) {
        *out = (isocast_best_rate){best.rate, by_p ? best.p : NAN, by_m ? best.m : NAN};
    }
    free(processes.items);
    free(sets.items);
    return status;
}

isocast_status isocast_kernel_largest(const isocast_operation *kernel, double *m) {
    places sets = {0};
    add_working_sets(kernel, &sets);
    double largest = NAN;
    for (size_t i = 0; i < sets.count; i++) {
        largest = fmax(largest, sets.items[i]);
    }
    free(sets.items);
    if (sets.failed) {
        return ISOCAST_NO_MEMORY;
    }
    *m = largest;
    return ISOCAST_OK;
}
