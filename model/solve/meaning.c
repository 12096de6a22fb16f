#include "meaning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/quantity.h"

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

isocast_status isocast_parameter_meaning(const isocast_machine *machine, const char *parameter,
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
