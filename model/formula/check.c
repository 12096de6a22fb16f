#include "check.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "function.h"
#include "model/base/describe.h"
#include "model/base/known_operation.h"
#include "model/base/nearest.h"
#include "model/base/operation_name.h"
#include "scope.h"
#include "uses.h"

/* Where the name stands. */
typedef struct context {
    const isocast_formula *formula;
    const isocast_scope *scope;
    bool in_class;
} context;

/* Whether a name is that of an operation which a machine file could have. */
static bool is_lacking(const context *c, const char *name, bool call) {
    return call && c->scope->of_machine && isocast_operation_is_name(name);
}

/* Where the time of an operation that the machine lacks may be given, and what measures it. */
static void hint_lacking(const context *c, const isocast_known_operation *operation,
                         isocast_buffer *hint) {
    isocast_buffer_printf(hint, "give its time under 'operations:' in the machine file%s",
                          c->scope->of_algorithm ? ", or in the algorithm file" : "");
    bool measured = operation != NULL && operation->measurement != ISOCAST_OPERATION_UNMEASURED;
    if (measured && c->scope->of_algorithm) {
        isocast_buffer_puts(hint, "; 'isocast calibrate --for ALGORITHM' measures it");
    }
}

/* A function as textbooks or other languages call it, or a call of MPI. */
static bool append_of_elsewhere(const char *name, isocast_buffer *hint) {
    static const char *const others[][2] = {
        {"ln", "the natural logarithm is log(x)"},
        {"lg", "write log2(x), or log10(x)"},
        {"ld", "the logarithm to the base 2 is log2(x)"},
        {"pow", "write a power with ^, as in N^2"},
        {"ceiling", "write ceil(x)"},
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (strcasecmp(name, others[i][0]) == 0) {
            isocast_buffer_puts(hint, others[i][1]);
            return true;
        }
    }
    char operation[64] = ISOCAST_OPERATION_PREFIX;
    size_t length = strlen(operation);
    if (strncasecmp(name, "MPI_", 4) != 0 || strlen(name) + length >= sizeof operation) {
        return false;
    }
    for (const char *at = name + 4; *at != '\0'; at++) {
        operation[length++] = (char)tolower((unsigned char)*at);
    }
    const isocast_known_operation *known = isocast_known_operation_find(operation);
    isocast_buffer_printf(hint,
                          known != NULL ? "the time of this call is the operation %s"
                                        : "the time of a call is an operation, such as %s",
                          known != NULL ? known->name : "T_bcast");
    return true;
}

enum { NAMES_MOST = 256 };

/* Adds the names of a scope that may stand where one is not known, up to NAMES_MOST in all. */
static size_t add_usable(const context *c, const isocast_scope *scope, bool call,
                         const char **names, size_t count) {
    for (size_t i = 0; i < scope->count && count < NAMES_MOST; i++) {
        isocast_symbol_kind kind = scope->symbols[i].kind;
        bool is_operation = kind == ISOCAST_SYMBOL_OPERATION;
        if (is_operation == call && (kind != ISOCAST_SYMBOL_CLASS || c->in_class)) {
            names[count++] = scope->symbols[i].name;
        }
    }
    return count;
}

/* The nearest name that could have been meant, as a hint; calls look among functions too. */
static void hint_nearest(const context *c, const char *name, bool call, isocast_buffer *hint) {
    const char *names[ISOCAST_FUNCTION_COUNT + ISOCAST_KNOWN_OPERATIONS + NAMES_MOST];
    size_t count = 0;
    bool lacking = is_lacking(c, name, call);
    const isocast_known_operation *operation = lacking ? isocast_known_operation_find(name) : NULL;
    if (operation != NULL) {
        hint_lacking(c, operation, hint);
        return;
    }
    if (call && append_of_elsewhere(name, hint)) {
        return;
    }
    for (const isocast_scope *scope = c->scope; scope != NULL; scope = scope->outer) {
        count = add_usable(c, scope, call, names, count);
    }
    for (size_t i = 0; call && !lacking && i < ISOCAST_FUNCTION_COUNT; i++) {
        names[count++] = isocast_functions[i].name;
    }
    size_t listed = count;
    bool operations = call && (lacking || c->scope->any_operation);
    for (size_t i = 0; operations && i < ISOCAST_KNOWN_OPERATIONS; i++) {
        names[count++] = isocast_known_operations[i].name;
    }
    if (isocast_nearest_append(hint, name, names, count)) {
        return;
    }
    if (lacking) {
        hint_lacking(c, NULL, hint);
        isocast_buffer_puts(hint, listed > 0 ? "; " : "");
    }
    isocast_nearest_hint(hint, name, names, listed, lacking ? "the machine has" : "known here");
    if (listed == 0 && !lacking) {
        isocast_buffer_puts(hint, "write a number here, with its unit where it has one");
    }
}

/* Whether it stands below the unit of a number, as KB does in "2 us/KB". */
static bool is_below_unit(const context *c, const isocast_formula_node *node) {
    const char *text = c->formula->source->text;
    size_t at = node->name_span.begin;
    if (at == 0 || text[at - 1] != '/') {
        return false;
    }
    at--;
    size_t slash = at;
    while (at > 0 && isalpha((unsigned char)text[at - 1])) {
        at--;
    }
    bool is_word = at < slash;
    while (at > 0 && text[at - 1] == ' ') {
        at--;
    }
    return is_word && at > 0 && isdigit((unsigned char)text[at - 1]);
}

/* Whether it is a name that is known, and digits behind it: n2. */
static bool is_known_with_digits(const context *c, const char *name) {
    char text[64];
    size_t length = strcspn(name, "0123456789");
    bool digits =
        name[length] != '\0' && strspn(name + length, "0123456789") == strlen(name + length);
    if (!digits || length == 0 || length >= sizeof text) {
        return false;
    }
    memcpy(text, name, length);
    text[length] = '\0';
    return isocast_scope_find(c->scope, text) != NULL;
}

static void hint_unit(const char *name, isocast_buffer *hint) {
    isocast_unit_text nearest;
    if (isocast_unit_nearest(name, strlen(name), &nearest)) {
        isocast_buffer_printf(hint, "did you mean '%s'?", nearest.text);
    } else {
        isocast_buffer_puts(hint, "the units are s, min, h, d, year, flop, B, bit, W, J, Wh, Hz, "
                                  "EUR and USD, with prefixes such as kWh");
    }
}

/* A unit, a function or a slip of one of them. False, and nothing, where it is none. */
static bool append_special(const context *c, const isocast_formula_node *node,
                           isocast_buffer *hint) {
    double factor;
    isocast_dimension dimension;
    const char *name = node->name;
    const char *slip = NULL;
    if (isocast_function_find(name) != NULL) {
        isocast_buffer_printf(hint, "write %s", isocast_function_find(name)->usage);
    } else if (isocast_unit_parse(name, strlen(name), &factor, &dimension, &slip)) {
        isocast_buffer_printf(hint, "'%s' is a unit: write a number before it, such as 1 %s", name,
                              name);
    } else if (is_known_with_digits(c, name)) {
        isocast_buffer_puts(hint, "write a power with ^, as in N^2, and a product with *");
    } else if (slip != NULL && (strlen(name) > 2 || is_below_unit(c, node))) {
        /* K alone may be the name of a size. */
        isocast_buffer_puts(hint, slip);
    } else if (is_below_unit(c, node)) {
        hint_unit(name, hint);
    } else {
        return false;
    }
    return true;
}

/* Appends a hint for the name or call `node`; `in_class`: it stands inside sum_class() and the
 * like. */
static void put_hint(const isocast_formula *formula, const isocast_scope *scope, bool in_class,
                     const isocast_formula_node *node, isocast_buffer *hint) {
    const context c = {.formula = formula, .scope = scope, .in_class = in_class};
    bool call = node->kind == ISOCAST_FORMULA_CALL;
    if (strstr(node->name, "\xC2\xB2") != NULL || strstr(node->name, "\xC2\xB3") != NULL) {
        isocast_buffer_puts(hint, "write a power with ^, as in N^2");
    } else if (call || !append_special(&c, node, hint)) {
        hint_nearest(&c, node->name, call, hint);
    }
}

/* Whether it is a call of an operation that a machine file could have, and does not. */
static bool is_lacking_operation(const isocast_scope *scope, const isocast_formula_node *node) {
    const context c = {.scope = scope};
    return is_lacking(&c, node->name, node->kind == ISOCAST_FORMULA_CALL);
}

/* What is known of an expression's value. */
typedef struct isocast_type {
    isocast_dimension dimension;
    bool plain;  /* made of counts alone: may be taken in the unit of its place */
    bool zero;   /* the literal 0: fits every dimension */
    bool broken; /* already reported: fits everything, so that one slip is reported once */
} isocast_type;

/* The types of the formulas that others use. */
typedef struct isocast_types {
    isocast_uses uses;
    isocast_type *types; /* [capacity], by the index of the formula among those used */
    bool *known;         /* likewise: its type is known */
    size_t capacity;
} isocast_types;

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

/* Whether a value of this type may stand where `dimension` is asked for. */
static bool type_fits(isocast_type a, isocast_dimension dimension) {
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
    if (!type_fits(t, isocast_dimension_count)) {
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
    put_hint(c->formula, c->scope, c->in_class, node, &hint);
    isocast_diagnostics_rely(c->diagnostics, &hint);
    isocast_type result =
        refuse(c, node->name_span, hint.text,
               is_lacking_operation(c->scope, node) ? "the machine does not say how long '%s' takes"
               : call                               ? "unknown function or operation '%s'"
                                                    : "unknown name '%s'",
               node->name);
    isocast_buffer_free(&hint);
    return result;
}

/* The type of the formula behind a name. Its own problems are reported when it is checked itself;
 * one that is not typed yet needs itself, which was reported. */
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

/* Operations that call one another are looked into so deep; a formula below uses all that it is
 * given. */
enum { CALLS_DEEP = 3 };

/* What an operation is given and does not use counts as not used by its caller either. */
static bool uses_argument(const isocast_formula_node *node, const isocast_scope *scope,
                          size_t index, int depth) {
    if (node->kind == ISOCAST_FORMULA_NAME) {
        const isocast_symbol *symbol = isocast_scope_find(scope, node->name);
        return symbol != NULL && symbol->kind == ISOCAST_SYMBOL_ARGUMENT && symbol->index == index;
    }
    const isocast_symbol *called =
        node->kind == ISOCAST_FORMULA_CALL ? isocast_scope_find(scope, node->name) : NULL;
    bool known = called != NULL && called->kind == ISOCAST_SYMBOL_OPERATION &&
                 called->formula != NULL && depth < CALLS_DEEP;
    for (size_t i = 0; i < node->count; i++) {
        if (uses_argument(node->arguments[i], scope, index, depth) &&
            (!known || uses_argument(called->formula->root, called->scope, i, depth + 1))) {
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
        if (!type_fits(size, bytes) && !size.plain) {
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
    if (body_known && node->count == 0 &&
        uses_argument(symbol->formula->root, symbol->scope, 0, 0)) {
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
        if (!type_fits(t, isocast_dimension_count)) {
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

/* The type of a formula whose used formulas were typed before; a name whose formula was not needs
 * itself, and is broken. Each problem becomes a diagnostic at the smallest expression to blame;
 * `diagnostics` may be NULL. Where there is a problem, an OK status becomes INVALID; NO_MEMORY is
 * set over either. */
static isocast_type infer_type(const isocast_formula *formula, const isocast_scope *scope,
                               const isocast_types *used, isocast_diagnostics *diagnostics,
                               isocast_status *status) {
    checker c = {.formula = formula,
                 .scope = scope,
                 .diagnostics = diagnostics,
                 .used = used,
                 .status = status};
    return infer(&c, formula->root);
}

struct isocast_check_memory {
    isocast_types types;
    size_t inferred; /* formulas of types.uses.order, from the first on, that were looked at */
};

static void free_types(isocast_types *types) {
    isocast_uses_free(&types->uses);
    free(types->types);
    free(types->known);
}

isocast_status isocast_check_memory_create(isocast_check_memory **out) {
    isocast_check_memory *memory = calloc(1, sizeof *memory);
    if (memory == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    *out = memory;
    return ISOCAST_OK;
}

void isocast_check_memory_free(isocast_check_memory *memory) {
    if (memory != NULL) {
        free_types(&memory->types);
        free(memory);
    }
}

static bool reserve_types(isocast_types *m) {
    if (m->uses.count <= m->capacity) {
        return true;
    }
    size_t capacity = 2 * m->uses.count;
    isocast_type *types = realloc(m->types, capacity * sizeof *types);
    if (types == NULL) {
        return false;
    }
    m->types = types;
    bool *known = realloc(m->known, capacity * sizeof *known);
    if (known == NULL) {
        return false;
    }
    m->known = known;
    memset(known + m->capacity, 0, capacity - m->capacity);
    m->capacity = capacity;
    return true;
}

/* Types of all that a formula uses, the used ones first, so that no type waits for another. */
static isocast_status infer_used(isocast_check_memory *m) {
    isocast_types *types = &m->types;
    if (!reserve_types(types)) {
        return ISOCAST_NO_MEMORY;
    }
    for (; m->inferred < types->uses.ordered; m->inferred++) {
        size_t item = types->uses.order[m->inferred];
        const isocast_use *use = &types->uses.items[item];
        isocast_status status = ISOCAST_OK;
        types->types[item] = infer_type(use->formula, use->scope, types, NULL, &status);
        types->known[item] = true;
        if (status == ISOCAST_NO_MEMORY) {
            return status;
        }
    }
    return ISOCAST_OK;
}

isocast_status
isocast_formula_check_among(const isocast_formula *formula, const isocast_scope *scope,
                            const isocast_formula_place *place, isocast_check_memory *memory,
                            isocast_diagnostics *diagnostics, isocast_dimension *out) {
    isocast_status status =
        isocast_uses_follow(&memory->types.uses, formula, scope, place->what, diagnostics);
    isocast_status used = status != ISOCAST_NO_MEMORY ? infer_used(memory) : status;
    if (used != ISOCAST_OK) {
        return used;
    }
    isocast_type t = infer_type(formula, scope, &memory->types, diagnostics, &status);
    bool due = place->any_dimension || t.plain || type_fits(t, place->dimension) ||
               (place->also != NULL && type_fits(t, *place->also));
    if (!due) {
        status = status == ISOCAST_OK ? ISOCAST_INVALID : status;
        if (diagnostics != NULL) {
            isocast_description wanted = isocast_describe(place->dimension);
            isocast_description is = isocast_describe(t.dimension);
            isocast_diagnostics_add(diagnostics, ISOCAST_ERROR, formula->source,
                                    formula->root->span,
                                    isocast_describe_remedy(place->dimension, t.dimension),
                                    "%s must be %s, this is %s", place->what, wanted.text, is.text);
        }
    }
    if (status == ISOCAST_OK) {
        *out = place->any_dimension ? t.dimension : place->dimension;
    }
    return status;
}

isocast_status isocast_formula_check(const isocast_formula *formula, const isocast_scope *scope,
                                     const isocast_formula_place *place,
                                     isocast_diagnostics *diagnostics, isocast_dimension *out) {
    isocast_check_memory memory = {0};
    isocast_status status =
        isocast_formula_check_among(formula, scope, place, &memory, diagnostics, out);
    free_types(&memory.types);
    return status;
}
