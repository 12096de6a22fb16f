#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formula.h"

/* How tightly the operators bind, loosest first; the same order as the parser's. */
typedef enum priority {
    PRIORITY_OR,
    PRIORITY_AND,
    PRIORITY_NOT,
    PRIORITY_COMPARISON,
    PRIORITY_SUM,
    PRIORITY_PRODUCT,
    PRIORITY_UNARY,
    PRIORITY_POWER,
    PRIORITY_ATOM
} priority;

static const struct {
    const char *sign;
    priority priority;
} operators[] = {
    [ISOCAST_FORMULA_NUMBER] = {"", PRIORITY_ATOM},
    [ISOCAST_FORMULA_NAME] = {"", PRIORITY_ATOM},
    [ISOCAST_FORMULA_CALL] = {"", PRIORITY_ATOM},
    [ISOCAST_FORMULA_NEGATE] = {"-", PRIORITY_UNARY},
    [ISOCAST_FORMULA_ADD] = {" + ", PRIORITY_SUM},
    [ISOCAST_FORMULA_SUBTRACT] = {" - ", PRIORITY_SUM},
    [ISOCAST_FORMULA_MULTIPLY] = {"*", PRIORITY_PRODUCT},
    [ISOCAST_FORMULA_DIVIDE] = {"/", PRIORITY_PRODUCT},
    [ISOCAST_FORMULA_POWER] = {"^", PRIORITY_POWER},
    [ISOCAST_FORMULA_LESS] = {" < ", PRIORITY_COMPARISON},
    [ISOCAST_FORMULA_LESS_EQUAL] = {" <= ", PRIORITY_COMPARISON},
    [ISOCAST_FORMULA_GREATER] = {" > ", PRIORITY_COMPARISON},
    [ISOCAST_FORMULA_GREATER_EQUAL] = {" >= ", PRIORITY_COMPARISON},
    [ISOCAST_FORMULA_EQUAL] = {" == ", PRIORITY_COMPARISON},
    [ISOCAST_FORMULA_NOT_EQUAL] = {" != ", PRIORITY_COMPARISON},
    [ISOCAST_FORMULA_AND] = {" and ", PRIORITY_AND},
    [ISOCAST_FORMULA_OR] = {" or ", PRIORITY_OR},
    [ISOCAST_FORMULA_NOT] = {"not ", PRIORITY_NOT},
};

/* Where the text goes, and what stands in for names; NULL: nothing. */
typedef struct formatter {
    isocast_buffer *out;
    isocast_formula_replacer replace;
    void *context;
} formatter;

static void format_node(const formatter *f, const isocast_formula_node *node, priority least);

/* A dimension as the literal after a number can carry it: "s/B"; units above the line other than
 * the first, and powers, are written as factors. */
static void format_number(const isocast_formula_node *node, isocast_buffer *out) {
    char shortest[40];
    bool counts = node->value == floor(node->value) && fabs(node->value) < 1e6;
    for (int digits = counts ? 6 : 1; digits <= 17; digits++) {
        snprintf(shortest, sizeof shortest, "%.*g", digits, node->value);
        if (strtod(shortest, NULL) == node->value) {
            break;
        }
    }
    isocast_buffer_puts(out, shortest);
    if (!isocast_dimension_is_count(node->dimension)) {
        isocast_unit_text unit = isocast_dimension_text(node->dimension);
        const char *text = unit.text;
        /* Two units above the line only come from a J, none only from a Hz. */
        if (strncmp(text, "s W", 3) == 0) {
            isocast_buffer_printf(out, " J%s", text + 3);
        } else if (strncmp(text, "1/s", 3) == 0) {
            isocast_buffer_printf(out, " Hz%s", text + 3);
        } else {
            isocast_buffer_printf(out, " %s", text);
        }
    }
}

static void format_call(const formatter *f, const isocast_formula_node *node) {
    isocast_buffer *out = f->out;
    isocast_buffer_printf(out, "%s(", node->name);
    for (size_t i = 0; i < node->count; i++) {
        isocast_buffer_puts(out, i > 0 ? ", " : "");
        format_node(f, node->arguments[i], PRIORITY_OR);
    }
    isocast_buffer_puts(out, ")");
}

/* Whether the text of a quotient could be read on as a unit, as in "2 flop/s" with a name s. */
static bool reads_as_unit(const isocast_formula_node *node) {
    const isocast_formula_node *left = node->arguments[0];
    while (left->count > 0 && left->kind != ISOCAST_FORMULA_CALL) {
        left = left->arguments[left->count - 1];
    }
    const isocast_formula_node *right = node->arguments[1];
    while (right->count > 0 && right->kind != ISOCAST_FORMULA_CALL) {
        right = right->arguments[0];
    }
    return node->kind == ISOCAST_FORMULA_DIVIDE && left->kind == ISOCAST_FORMULA_NUMBER &&
           !isocast_dimension_is_count(left->dimension) && right->name != NULL;
}

static void format_operator(const formatter *f, const isocast_formula_node *node) {
    isocast_buffer *out = f->out;
    priority own = operators[node->kind].priority;
    if (node->count == 1) {
        isocast_buffer_puts(out, operators[node->kind].sign);
        format_node(f, node->arguments[0], own);
        return;
    }
    bool power = node->kind == ISOCAST_FORMULA_POWER;
    /* Left-associative operators need brackets on the right at their own priority, a power on the
     * left; its exponent may carry a sign. */
    format_node(f, node->arguments[0], power ? PRIORITY_ATOM : own + (own == PRIORITY_COMPARISON));
    isocast_buffer_puts(out, reads_as_unit(node) ? " / " : operators[node->kind].sign);
    format_node(f, node->arguments[1], power ? PRIORITY_UNARY : own + 1);
}

static void format_node(const formatter *f, const isocast_formula_node *node, priority least) {
    isocast_buffer *out = f->out;
    if (node->kind == ISOCAST_FORMULA_NAME && f->replace != NULL &&
        f->replace(f->context, node->name, out)) {
        return;
    }
    bool power_of_unit =
        least == PRIORITY_ATOM && node->kind == ISOCAST_FORMULA_NUMBER && node->has_unit;
    bool brackets = operators[node->kind].priority < least || power_of_unit;
    isocast_buffer_puts(out, brackets ? "(" : "");
    switch (node->kind) {
    case ISOCAST_FORMULA_NUMBER:
        format_number(node, out);
        break;
    case ISOCAST_FORMULA_NAME:
        isocast_buffer_puts(out, node->name);
        break;
    case ISOCAST_FORMULA_CALL:
        format_call(f, node);
        break;
    default:
        format_operator(f, node);
        break;
    }
    isocast_buffer_puts(out, brackets ? ")" : "");
}

void isocast_formula_format(const isocast_formula *formula, isocast_buffer *out) {
    isocast_formula_format_replaced(formula->root, NULL, NULL, out);
}

void isocast_formula_format_replaced(const isocast_formula_node *node,
                                     isocast_formula_replacer replace, void *context,
                                     isocast_buffer *out) {
    format_node(&(formatter){out, replace, context}, node, PRIORITY_OR);
}
