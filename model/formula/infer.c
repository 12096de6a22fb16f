#include "infer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "function.h"
#include "model/base/describe.h"
#include "model/base/operation_name.h"
#include "unknown_hint.h"

/* A running variable of sum(). */
typedef struct running {
    const char *name;
    const struct running *outer;
} running;

typedef struct checker {
    const isocast_formula *formula; /* whose source the spans are in */
    const isocast_scope *scope;
    isocast_diagnostics *diagnostics; /* NULL: only the type is wanted */
    const running *running;
    bool in_class;
    const isocast_types *used;
    isocast_status *status;
} checker;

static const isocast_type broken_type = {.broken = true};
static const isocast_type count_type = {.plain = true};

static isocast_type infer(checker *c, const isocast_formula_node *node);

static isocast_type known(isocast_dimension dimension) {
    return (isocast_type){.dimension = dimension};
}

static isocast_type refuse(checker *c, isocast_span span, const char *hint, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static isocast_type refuse(checker *c, isocast_span span, const char *hint, const char *format,
                           ...) {
    if (*c->status == ISOCAST_OK) {
        *c->status = ISOCAST_INVALID;
    }
    if (c->diagnostics != NULL) {
        char *message = NULL;
        va_list arguments;
        va_start(arguments, format);
        if (vasprintf(&message, format, arguments) < 0) {
            message = NULL;
            *c->status = ISOCAST_NO_MEMORY;
        }
        va_end(arguments);
        if (message != NULL) {
            isocast_diagnostics_add(c->diagnostics, ISOCAST_ERROR, c->formula->source, span, hint,
                                    "%s", message);
        }
        free(message);
    }
    return broken_type;
}

bool isocast_type_fits(isocast_type a, isocast_dimension dimension) {
    return a.broken || a.zero || isocast_dimension_equal(a.dimension, dimension);
}

static bool alike(isocast_type a, isocast_type b) {
    return a.broken || b.broken || a.zero || b.zero ||
           isocast_dimension_equal(a.dimension, b.dimension);
}

/* The type of two that are alike. */
static isocast_type joined(isocast_type a, isocast_type b) {
    if (a.broken || b.broken) {
        return broken_type;
    }
    isocast_type result = a.zero ? b : a;
    result.plain = a.plain && b.plain;
    result.zero = a.zero && b.zero;
    return result;
}

static isocast_type require_count(checker *c, const isocast_formula_node *node, const char *what) {
    isocast_type t = infer(c, node);
    if (!isocast_type_fits(t, isocast_dimension_count)) {
        isocast_description is = isocast_describe(t.dimension);
        return refuse(c, node->span, "divide by a unit, such as (1 s) or (1 B), to get a number",
                      "%s must be a plain number, this is %s", what, is.text);
    }
    return t.broken ? t : (isocast_type){.plain = t.plain};
}

static isocast_type infer_sum_of_two(checker *c, const isocast_formula_node *node) {
    isocast_type left = infer(c, node->arguments[0]);
    isocast_type right = infer(c, node->arguments[1]);
    bool comparison = node->kind >= ISOCAST_FORMULA_LESS;
    if (!alike(left, right)) {
        const char *verb = comparison                               ? "compare"
                           : node->kind == ISOCAST_FORMULA_SUBTRACT ? "subtract"
                                                                    : "add";
        isocast_description a = isocast_describe(left.dimension);
        isocast_description b = isocast_describe(right.dimension);
        return refuse(c, node->span, NULL, "cannot %s %s and %s", verb, a.text, b.text);
    }
    return comparison ? count_type : joined(left, right);
}

static isocast_type infer_product(checker *c, const isocast_formula_node *node) {
    isocast_type left = infer(c, node->arguments[0]);
    isocast_type right = infer(c, node->arguments[1]);
    if (left.broken || right.broken) {
        return broken_type;
    }
    isocast_type result = known(node->kind == ISOCAST_FORMULA_MULTIPLY
                                    ? isocast_dimension_multiply(left.dimension, right.dimension)
                                    : isocast_dimension_divide(left.dimension, right.dimension));
    result.plain = left.plain && right.plain;
    return result;
}

/* The value of an exponent written as a number, a negative number or a fraction of two. */
static bool literal_value(const isocast_formula_node *node, double *value) {
    double a;
    double b;
    switch (node->kind) {
    case ISOCAST_FORMULA_NUMBER:
        *value = node->value;
        return true;
    case ISOCAST_FORMULA_NEGATE:
        if (!literal_value(node->arguments[0], &a)) {
            return false;
        }
        *value = -a;
        return true;
    case ISOCAST_FORMULA_DIVIDE:
        if (!literal_value(node->arguments[0], &a) || !literal_value(node->arguments[1], &b)) {
            return false;
        }
        *value = a / b;
        return true;
    default:
        return false;
    }
}

static isocast_type infer_power(checker *c, const isocast_formula_node *node) {
    isocast_type base = infer(c, node->arguments[0]);
    isocast_type exponent = require_count(c, node->arguments[1], "an exponent");
    if (base.broken || exponent.broken) {
        return broken_type;
    }
    if (isocast_dimension_is_count(base.dimension)) {
        return (isocast_type){.plain = base.plain && exponent.plain};
    }
    double value;
    if (!literal_value(node->arguments[1], &value)) {
        isocast_description is = isocast_describe(base.dimension);
        return refuse(c, node->arguments[1]->span, "write a number, such as 2 or 1/2",
                      "the exponent of %s must be a number, so that its unit is known", is.text);
    }
    isocast_type result = base;
    if (!isocast_dimension_power(base.dimension, value, &result.dimension)) {
        isocast_description is = isocast_describe(base.dimension);
        return refuse(c, node->arguments[1]->span, NULL, "this power of %s has no unit", is.text);
    }
    return result;
}

static bool is_running(const checker *c, const char *name) {
    for (const running *r = c->running; r != NULL; r = r->outer) {
        if (strcmp(r->name, name) == 0) {
            return true;
        }
    }
    return false;
}

static isocast_type refuse_bare_operation(checker *c, const isocast_formula_node *node) {
    return refuse(c, node->span, "write it with its message size in brackets, or with ()",
                  "'%s' is an operation", node->name);
}

static isocast_type refuse_unknown(checker *c, const isocast_formula_node *node) {
    bool call = node->kind == ISOCAST_FORMULA_CALL;
    if (c->diagnostics == NULL || isocast_diagnostics_full(c->diagnostics)) {
        return refuse(c, node->name_span, NULL, "unknown name '%s'", node->name);
    }
    if (!call && c->scope->any_operation && isocast_operation_is_name(node->name)) {
        return refuse_bare_operation(c, node);
    }
    isocast_buffer hint = {0};
    isocast_unknown_hint(c->formula, c->scope, c->in_class, node, &hint);
    isocast_diagnostics_rely(c->diagnostics, &hint);
    isocast_type result = refuse(c, node->name_span, hint.text,
                                 isocast_unknown_is_lacking(c->scope, node)
                                     ? "the machine does not say how long '%s' takes"
                                 : call ? "unknown function or operation '%s'"
                                        : "unknown name '%s'",
                                 node->name);
    isocast_buffer_free(&hint);
    return result;
}

/* The type of the formula behind a name. Its own problems are told when it is checked itself; one
 * that is not typed yet needs itself, which was told. */
static isocast_type type_of_body(const checker *c, const isocast_symbol *symbol) {
    size_t item = isocast_uses_find(&c->used->uses, symbol->formula);
    bool is_known = item < c->used->uses.count && c->used->known[item];
    return is_known ? c->used->types[item] : broken_type;
}

static isocast_type infer_name(checker *c, const isocast_formula_node *node) {
    if (is_running(c, node->name)) {
        return count_type;
    }
    const isocast_symbol *symbol = isocast_scope_find(c->scope, node->name);
    isocast_dimension property;
    if (symbol == NULL && c->scope->any_operation && strchr(node->name, '.') != NULL &&
        isocast_property_dimension(node->name, &property)) {
        return known(property);
    }
    if (symbol == NULL) {
        return refuse_unknown(c, node);
    }
    switch (symbol->kind) {
    case ISOCAST_SYMBOL_OPERATION:
        return refuse_bare_operation(c, node);
    case ISOCAST_SYMBOL_CLASS:
        if (!c->in_class) {
            return refuse(c, node->span, "put it inside sum_class(), max_class() or min_class()",
                          "'%s' differs from node class to node class", node->name);
        }
        break;
    case ISOCAST_SYMBOL_FORMULA:
        if (symbol->formula != NULL) {
            isocast_type body = type_of_body(c, symbol);
            if (symbol->any_dimension || body.broken) {
                return body;
            }
        }
        break;
    default:
        break;
    }
    isocast_type t = known(symbol->dimension);
    t.plain = isocast_dimension_is_count(symbol->dimension);
    return t;
}

static bool uses_argument(const isocast_formula_node *node, const isocast_scope *scope,
                          size_t index) {
    if (node->kind == ISOCAST_FORMULA_NAME) {
        const isocast_symbol *symbol = isocast_scope_find(scope, node->name);
        return symbol != NULL && symbol->kind == ISOCAST_SYMBOL_ARGUMENT && symbol->index == index;
    }
    for (size_t i = 0; i < node->count; i++) {
        if (uses_argument(node->arguments[i], scope, index)) {
            return true;
        }
    }
    return false;
}

static isocast_type infer_operation(checker *c, const isocast_formula_node *node,
                                    const isocast_symbol *symbol) {
    if (node->count > 3) {
        return refuse(c, node->span, "write it as name(m), name(m, p) or name(m, p, p_node)",
                      "'%s' takes a message size, a number of processes and how many of them are "
                      "on a node, not %zu arguments",
                      node->name, node->count);
    }
    isocast_dimension bytes = isocast_dimension_of(ISOCAST_BASE_BYTE);
    if (node->count > 0) {
        isocast_type size = infer(c, node->arguments[0]);
        if (!isocast_type_fits(size, bytes) && !size.plain) {
            isocast_description is = isocast_describe(size.dimension);
            return refuse(
                c, node->arguments[0]->span, "give the message size in bytes, such as 8 B*N",
                "the message of '%s' must be a size (B), this is %s", node->name, is.text);
        }
    }
    if (node->count > 1) {
        require_count(c, node->arguments[1], "a number of processes");
    }
    if (node->count > 2) {
        require_count(c, node->arguments[2], "a number of processes on a node");
    }
    bool body_known = symbol != NULL && symbol->formula != NULL;
    if (body_known && node->count == 0 && uses_argument(symbol->formula->root, symbol->scope, 0)) {
        return refuse(c, node->span, "give the message size, such as T_x(8 B*N)",
                      "'%s' depends on the message size", node->name);
    }
    return known(isocast_dimension_of(ISOCAST_BASE_TIME));
}

static isocast_type infer_alike(checker *c, const isocast_formula_node *node, size_t first,
                                size_t step, const char *what) {
    isocast_type result = infer(c, node->arguments[first]);
    for (size_t i = first + step; i < node->count; i += step) {
        isocast_type next = infer(c, node->arguments[i]);
        if (!alike(result, next)) {
            isocast_description a = isocast_describe(result.dimension);
            isocast_description b = isocast_describe(next.dimension);
            return refuse(c, node->arguments[i]->span, NULL, "%s of %s() differ: %s and %s", what,
                          node->name, a.text, b.text);
        }
        result = joined(result, next);
    }
    return result;
}

static isocast_type infer_interpolate(checker *c, const isocast_formula_node *node) {
    if (node->count % 2 == 0) {
        return refuse(c, node->span, "write interpolate(x, x1, y1, x2, y2, ...)",
                      "interpolate() takes a value and pairs; a pair is not complete");
    }
    isocast_type x = infer(c, node->arguments[0]);
    for (size_t i = 1; i < node->count; i += 2) {
        isocast_type point = infer(c, node->arguments[i]);
        if (!alike(x, point)) {
            isocast_description a = isocast_describe(x.dimension);
            isocast_description b = isocast_describe(point.dimension);
            return refuse(c, node->arguments[i]->span, NULL,
                          "the points of interpolate() differ: %s and %s", a.text, b.text);
        }
        double value;
        double before;
        if (i > 1 && literal_value(node->arguments[i], &value) &&
            literal_value(node->arguments[i - 2], &before) && value <= before) {
            return refuse(c, node->arguments[i]->span, "list the points from small to large",
                          "the points of interpolate() must rise");
        }
    }
    return infer_alike(c, node, 2, 2, "the values");
}

static isocast_type infer_sum(checker *c, const isocast_formula_node *node) {
    const isocast_formula_node *name = node->arguments[0];
    if (name->kind != ISOCAST_FORMULA_NAME || strchr(name->name, '.') != NULL) {
        return refuse(c, name->span, "write sum(i, from, to, term)",
                      "the first argument of sum() must be a new name");
    }
    if (isocast_scope_find(c->scope, name->name) != NULL || is_running(c, name->name) ||
        isocast_function_find(name->name) != NULL) {
        return refuse(c, name->span, "take another name, such as i or k",
                      "'%s' already has a meaning here", name->name);
    }
    require_count(c, node->arguments[1], "the start of a sum");
    require_count(c, node->arguments[2], "the end of a sum");
    running inner = {name->name, c->running};
    checker inside = *c;
    inside.running = &inner;
    return infer(&inside, node->arguments[3]);
}

/* and, or, not: of comparisons, or of other counts, which hold where they are not 0. */
static isocast_type infer_logic(checker *c, const isocast_formula_node *node) {
    const char *what = node->kind == ISOCAST_FORMULA_AND  ? "what 'and' joins"
                       : node->kind == ISOCAST_FORMULA_OR ? "what 'or' joins"
                                                          : "what 'not' denies";
    bool broken = false;
    for (size_t i = 0; i < node->count; i++) {
        isocast_type t = infer(c, node->arguments[i]);
        if (!isocast_type_fits(t, isocast_dimension_count)) {
            isocast_description is = isocast_describe(t.dimension);
            t = refuse(c, node->arguments[i]->span, "compare it with something, as in m > 8 B",
                       "%s must be a comparison, this is %s", what, is.text);
        }
        broken = broken || t.broken;
    }
    return broken ? broken_type : count_type;
}

static isocast_type infer_rule(checker *c, const isocast_formula_node *node,
                               const isocast_function *function) {
    isocast_type t;
    switch (function->rule) {
    case ISOCAST_RULE_COUNT: {
        char what[48];
        snprintf(what, sizeof what, "the argument of %s()", function->name);
        return require_count(c, node->arguments[0], what);
    }
    case ISOCAST_RULE_SAME:
        return infer_alike(c, node, 0, 1, "the arguments");
    case ISOCAST_RULE_IF:
        require_count(c, node->arguments[0], "the condition of if()");
        return infer_alike(c, node, 1, 1, "the two results");
    case ISOCAST_RULE_ROOT:
    case ISOCAST_RULE_CUBE_ROOT:
        t = infer(c, node->arguments[0]);
        if (!t.broken &&
            !isocast_dimension_power(
                t.dimension, function->rule == ISOCAST_RULE_ROOT ? 0.5 : 1.0 / 3, &t.dimension)) {
            return refuse(c, node->span, NULL, "this root has no unit");
        }
        return t;
    case ISOCAST_RULE_INTERPOLATE:
        return infer_interpolate(c, node);
    case ISOCAST_RULE_SUM:
        return infer_sum(c, node);
    case ISOCAST_RULE_CLASSES: {
        checker inside = *c;
        inside.in_class = true;
        return infer(&inside, node->arguments[0]);
    }
    }
    return broken_type;
}

static isocast_type infer_call(checker *c, const isocast_formula_node *node) {
    const isocast_function *function = isocast_function_find(node->name);
    if (function != NULL) {
        if (node->count < function->fewest ||
            (function->most > 0 && node->count > function->most)) {
            char hint[64];
            snprintf(hint, sizeof hint, "write %s", function->usage);
            return refuse(c, node->span, hint, "%s() has %zu argument%s", node->name, node->count,
                          node->count == 1 ? "" : "s");
        }
        return infer_rule(c, node, function);
    }
    const isocast_symbol *symbol = isocast_scope_find(c->scope, node->name);
    if (symbol != NULL && symbol->kind != ISOCAST_SYMBOL_OPERATION) {
        return refuse(c, node->name_span, "write * before the bracket to multiply",
                      "'%s' is not a function", node->name);
    }
    bool any = c->scope->any_operation && isocast_operation_is_name(node->name);
    if (symbol == NULL && !any) {
        return refuse_unknown(c, node);
    }
    return infer_operation(c, node, symbol);
}

static isocast_type infer(checker *c, const isocast_formula_node *node) {
    switch (node->kind) {
    case ISOCAST_FORMULA_NUMBER: {
        isocast_type t = known(node->dimension);
        t.plain = !node->has_unit;
        t.zero = node->value == 0 && !node->has_unit;
        return t;
    }
    case ISOCAST_FORMULA_NAME:
        return infer_name(c, node);
    case ISOCAST_FORMULA_CALL:
        return infer_call(c, node);
    case ISOCAST_FORMULA_NEGATE:
        return infer(c, node->arguments[0]);
    case ISOCAST_FORMULA_MULTIPLY:
    case ISOCAST_FORMULA_DIVIDE:
        return infer_product(c, node);
    case ISOCAST_FORMULA_POWER:
        return infer_power(c, node);
    case ISOCAST_FORMULA_AND:
    case ISOCAST_FORMULA_OR:
    case ISOCAST_FORMULA_NOT:
        return infer_logic(c, node);
    default:
        return infer_sum_of_two(c, node);
    }
}

isocast_type isocast_formula_infer(const isocast_formula *formula, const isocast_scope *scope,
                                   const isocast_types *used, isocast_diagnostics *diagnostics,
                                   isocast_status *status) {
    checker c = {.formula = formula,
                 .scope = scope,
                 .diagnostics = diagnostics,
                 .used = used,
                 .status = status};
    return infer(&c, formula->root);
}
