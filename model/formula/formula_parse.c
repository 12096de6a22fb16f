#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formula.h"
#include "formula_lexer.h"
#include "function.h"
#include "model/base/operation_name.h"

typedef struct parser {
    isocast_lexer lexer;
    isocast_token token;    /* the one looked at */
    isocast_names declared; /* names that win over units */
    size_t depth;
    size_t nodes;
    isocast_status status;
} parser;

static isocast_formula_node *parse_binary(parser *p, int least_priority);
static isocast_formula_node *parse_unary(parser *p);

static void *fail(parser *p, isocast_span span, const char *hint, const char *message) {
    if (p->status == ISOCAST_OK) {
        isocast_diagnostics_add(p->lexer.diagnostics, ISOCAST_ERROR, p->lexer.source, span, hint,
                                "%s", message);
        p->status = ISOCAST_INVALID;
    }
    return NULL;
}

static void advance(parser *p) {
    if (p->status == ISOCAST_OK && !isocast_lexer_next(&p->lexer, &p->token)) {
        p->status = ISOCAST_INVALID;
    }
}

/* By their places in this list. */
enum { WORD_AND, WORD_OR, WORD_NOT, WORDS };
static const char *const words[WORDS] = {"and", "or", "not"};

static size_t word_of(const char *text, size_t length) {
    size_t i = 0;
    while (i < WORDS && (strlen(words[i]) != length || memcmp(words[i], text, length) != 0)) {
        i++;
    }
    return i;
}

bool isocast_formula_is_word(const char *text, size_t length) {
    return word_of(text, length) < WORDS;
}

/* Which of the words the token is; WORDS where it is none. */
static size_t word_at(const parser *p) {
    isocast_span span = p->token.span;
    return p->status == ISOCAST_OK && p->token.kind == ISOCAST_TOKEN_NAME
               ? word_of(p->lexer.source->text + span.begin, span.end - span.begin)
               : WORDS;
}

static bool at_sign(const parser *p, int sign) {
    return p->token.kind == ISOCAST_TOKEN_SIGN && p->token.sign == sign;
}

static void node_free(isocast_formula_node *node) {
    if (node != NULL) {
        for (size_t i = 0; i < node->count; i++) {
            node_free(node->arguments[i]);
        }
        free(node->arguments);
        free(node->name);
        free(node);
    }
}

static isocast_formula_node *node_create(parser *p, isocast_formula_kind kind, isocast_span span) {
    if (++p->nodes > ISOCAST_FORMULA_NODES_MAX) {
        return fail(p, span, NULL, "the formula is too long (at most 10000 operations)");
    }
    isocast_formula_node *node = calloc(1, sizeof *node);
    if (node == NULL) {
        p->status = ISOCAST_NO_MEMORY;
        return NULL;
    }
    node->kind = kind;
    node->span = span;
    return node;
}

/* Takes over the argument, also where it fails. */
static bool node_add(parser *p, isocast_formula_node *node, isocast_formula_node *argument) {
    isocast_formula_node **arguments = NULL;
    if (argument != NULL) {
        arguments = realloc(node->arguments, (node->count + 1) * sizeof(isocast_formula_node *));
    }
    if (arguments == NULL) {
        if (argument != NULL) {
            p->status = ISOCAST_NO_MEMORY;
        }
        node_free(argument);
        return false;
    }
    node->arguments = arguments;
    node->arguments[node->count++] = argument;
    return true;
}

static isocast_formula_node *node_join(parser *p, isocast_formula_kind kind,
                                       isocast_formula_node *left, isocast_formula_node *right) {
    if (left == NULL || right == NULL) {
        node_free(left);
        node_free(right);
        return NULL;
    }
    isocast_span span = {left->span.begin, right->span.end};
    isocast_formula_node *node = node_create(p, kind, span);
    if (node == NULL || !node_add(p, node, left)) {
        if (node == NULL) {
            node_free(left);
        }
        node_free(right);
        node_free(node);
        return NULL;
    }
    if (!node_add(p, node, right)) {
        node_free(node);
        return NULL;
    }
    return node;
}

/* A node of one argument, which it takes over; NULL where the argument is. */
static isocast_formula_node *node_wrap(parser *p, isocast_formula_kind kind, size_t begin,
                                       isocast_formula_node *operand) {
    if (operand == NULL) {
        return NULL;
    }
    isocast_formula_node *node = node_create(p, kind, (isocast_span){begin, operand->span.end});
    if (node == NULL) {
        node_free(operand);
        return NULL;
    }
    if (!node_add(p, node, operand)) {
        node_free(node);
        return NULL;
    }
    return node;
}

static const char *text_at(const parser *p, isocast_span span) {
    return p->lexer.source->text + span.begin;
}

static bool is_declared(const parser *p, isocast_span span) {
    for (size_t i = 0; i < p->declared.count; i++) {
        const char *name = p->declared.items[i];
        if (strlen(name) == span.end - span.begin &&
            memcmp(name, text_at(p, span), span.end - span.begin) == 0) {
            return true;
        }
    }
    return false;
}

/* Takes "/unit" where it touches the unit before it and is not the name of something. */
static void parse_denominators(parser *p, isocast_formula_node *number) {
    while (p->status == ISOCAST_OK && at_sign(p, '/') && p->token.span.begin == number->span.end) {
        parser ahead = *p;
        isocast_diagnostics ignored = {0};
        ahead.lexer.diagnostics = &ignored;
        advance(&ahead);
        isocast_span span = ahead.token.span;
        double factor;
        isocast_dimension dimension;
        bool is_unit =
            ahead.status == ISOCAST_OK && ahead.token.kind == ISOCAST_TOKEN_NAME &&
            span.begin == p->token.span.end && !is_declared(p, span) &&
            isocast_unit_parse(text_at(p, span), span.end - span.begin, &factor, &dimension, NULL);
        isocast_diagnostics_clear(&ignored);
        if (!is_unit) {
            return;
        }
        number->value /= factor;
        number->dimension = isocast_dimension_divide(number->dimension, dimension);
        number->span.end = span.end;
        advance(p);
        advance(p);
    }
}

static isocast_formula_node *parse_number(parser *p) {
    isocast_formula_node *number = node_create(p, ISOCAST_FORMULA_NUMBER, p->token.span);
    if (number == NULL) {
        return NULL;
    }
    number->value = p->token.value;
    advance(p);
    if (p->status != ISOCAST_OK || p->token.kind != ISOCAST_TOKEN_NAME || word_at(p) < WORDS) {
        return number;
    }
    isocast_span span = p->token.span;
    size_t length = span.end - span.begin;
    double factor;
    const char *hint = NULL;
    if (!isocast_unit_parse(text_at(p, span), length, &factor, &number->dimension, &hint)) {
        char guess[64 + ISOCAST_UNIT_TEXT_MAX];
        isocast_unit_text nearest;
        bool declared = is_declared(p, span);
        if (declared || hint == NULL) {
            hint = "write * between a number and a name";
            if (!declared && text_at(p, span)[0] == '_') {
                hint = "write digits without _, as in 1000";
            } else if (!declared && isocast_unit_nearest(text_at(p, span), length, &nearest)) {
                snprintf(guess, sizeof guess, "did you mean '%s'? A name needs * before it",
                         nearest.text);
                hint = guess;
            }
        }
        isocast_diagnostics_add(p->lexer.diagnostics, ISOCAST_ERROR, p->lexer.source, span, hint,
                                "'%.*s' after a number is not a unit", (int)length,
                                text_at(p, span));
        p->status = ISOCAST_INVALID;
        node_free(number);
        return NULL;
    }
    number->value *= factor;
    number->has_unit = true;
    number->span.end = span.end;
    advance(p);
    parse_denominators(p, number);
    return number;
}

static bool copy_name(parser *p, isocast_formula_node *node) {
    size_t length = node->name_span.end - node->name_span.begin;
    node->name = malloc(length + 1);
    if (node->name == NULL) {
        p->status = ISOCAST_NO_MEMORY;
        return false;
    }
    /* "class . property" is kept without blanks. */
    size_t kept = 0;
    for (size_t i = 0; i < length; i++) {
        char byte = text_at(p, node->name_span)[i];
        if (strchr(" \t\r\n", byte) == NULL) {
            node->name[kept++] = byte;
        }
    }
    node->name[kept] = '\0';
    return true;
}

static isocast_formula_node *parse_arguments(parser *p, isocast_formula_node *call) {
    isocast_span open = p->token.span;
    advance(p);
    if (p->status == ISOCAST_OK && at_sign(p, ')')) {
        call->span.end = p->token.span.end;
        advance(p);
        return call;
    }
    while (p->status == ISOCAST_OK) {
        if (!node_add(p, call, parse_binary(p, 0))) {
            break;
        }
        if (at_sign(p, ')')) {
            call->span.end = p->token.span.end;
            advance(p);
            return call;
        }
        if (p->status == ISOCAST_OK && !at_sign(p, ',')) {
            if (p->token.kind == ISOCAST_TOKEN_END) {
                fail(p, open, "add the missing )", "this bracket is not closed");
            } else {
                fail(p, p->token.span, NULL, "expected ',' or ')' here");
            }
            break;
        }
        advance(p);
    }
    node_free(call);
    return NULL;
}

static isocast_formula_node *parse_name(parser *p) {
    isocast_formula_node *node = node_create(p, ISOCAST_FORMULA_NAME, p->token.span);
    if (node == NULL) {
        return NULL;
    }
    node->name_span = p->token.span;
    advance(p);
    if (p->status == ISOCAST_OK && at_sign(p, '.')) {
        advance(p);
        if (p->status == ISOCAST_OK && p->token.kind != ISOCAST_TOKEN_NAME) {
            fail(p, p->token.span, "write class.property, such as server.memory",
                 "the name of a property must follow the point");
        }
        node->name_span.end = p->token.span.end;
        node->span.end = p->token.span.end;
        advance(p);
    }
    if (p->status != ISOCAST_OK || !copy_name(p, node)) {
        node_free(node);
        return NULL;
    }
    if (!at_sign(p, '(')) {
        return node;
    }
    node->kind = ISOCAST_FORMULA_CALL;
    return parse_arguments(p, node);
}

static isocast_formula_node *parse_brackets(parser *p) {
    isocast_span open = p->token.span;
    advance(p);
    isocast_formula_node *inside = parse_binary(p, 0);
    if (p->status == ISOCAST_OK && !at_sign(p, ')')) {
        if (p->token.kind == ISOCAST_TOKEN_END) {
            fail(p, open, "add the missing )", "this bracket is not closed");
        } else {
            fail(p, p->token.span, NULL, "expected an operator or ')' here");
        }
    }
    if (p->status != ISOCAST_OK) {
        node_free(inside);
        return NULL;
    }
    inside->span = (isocast_span){open.begin, p->token.span.end};
    advance(p);
    return inside;
}

static isocast_formula_node *parse_atom(parser *p) {
    if (p->token.kind == ISOCAST_TOKEN_NUMBER) {
        return parse_number(p);
    }
    if (word_at(p) < WORDS) {
        return fail(p, p->token.span,
                    word_at(p) == WORD_NOT ? "put brackets around it: (not a < b)"
                                           : "write it between two comparisons: a < b and b < c",
                    "expected a number or a name here");
    }
    if (p->token.kind == ISOCAST_TOKEN_NAME) {
        return parse_name(p);
    }
    if (at_sign(p, '(')) {
        return parse_brackets(p);
    }
    if (p->token.kind == ISOCAST_TOKEN_END) {
        return fail(p, p->token.span, NULL,
                    "the formula ends where a number or a name is expected");
    }
    return fail(p, p->token.span, NULL, "expected a number or a name here");
}

static isocast_formula_node *parse_power(parser *p) {
    isocast_formula_node *base = parse_atom(p);
    if (base == NULL || p->status != ISOCAST_OK || !at_sign(p, '^')) {
        return base;
    }
    bool bare_unit = base->kind == ISOCAST_FORMULA_NUMBER && base->has_unit &&
                     p->lexer.source->text[base->span.begin] != '(';
    if (bare_unit) {
        fail(p, base->span, "write (8 B)^2, or 8*(1 B)^2",
             "a power of a number with a unit needs brackets");
        node_free(base);
        return NULL;
    }
    advance(p);
    return node_join(p, ISOCAST_FORMULA_POWER, base, parse_unary(p));
}

static isocast_formula_node *parse_unary_deeper(parser *p) {
    bool minus = at_sign(p, '-');
    if (!minus && !at_sign(p, '+')) {
        return parse_power(p);
    }
    isocast_span sign = p->token.span;
    advance(p);
    isocast_formula_node *operand = p->status == ISOCAST_OK ? parse_unary(p) : NULL;
    return minus ? node_wrap(p, ISOCAST_FORMULA_NEGATE, sign.begin, operand) : operand;
}

/* Every way to nest leads through here, so this is where depth is bounded. */
static isocast_formula_node *parse_deeper(parser *p, isocast_formula_node *(*parse)(parser *)) {
    if (p->status != ISOCAST_OK) {
        return NULL;
    }
    if (p->depth == ISOCAST_FORMULA_DEPTH_MAX) {
        return fail(p, p->token.span, NULL,
                    "the formula is nested too deeply (at most 200 levels)");
    }
    p->depth++;
    isocast_formula_node *node = parse(p);
    p->depth--;
    return node;
}

static isocast_formula_node *parse_unary(parser *p) {
    return parse_deeper(p, parse_unary_deeper);
}

/* Binary operators, all left-associative; '^' binds tighter and is parse_power's. `not` stands
 * between and and the comparisons. */
enum { NOT_PRIORITY = 3, COMPARISON_PRIORITY = 4 };
static const struct {
    int sign; /* 0: the word */
    size_t word;
    int priority;
    isocast_formula_kind kind;
} operators[] = {
    {0, WORD_OR, 1, ISOCAST_FORMULA_OR},
    {0, WORD_AND, 2, ISOCAST_FORMULA_AND},
    {'<', WORDS, COMPARISON_PRIORITY, ISOCAST_FORMULA_LESS},
    {ISOCAST_SIGN_LESS_EQUAL, WORDS, COMPARISON_PRIORITY, ISOCAST_FORMULA_LESS_EQUAL},
    {'>', WORDS, COMPARISON_PRIORITY, ISOCAST_FORMULA_GREATER},
    {ISOCAST_SIGN_GREATER_EQUAL, WORDS, COMPARISON_PRIORITY, ISOCAST_FORMULA_GREATER_EQUAL},
    {ISOCAST_SIGN_EQUAL, WORDS, COMPARISON_PRIORITY, ISOCAST_FORMULA_EQUAL},
    {ISOCAST_SIGN_NOT_EQUAL, WORDS, COMPARISON_PRIORITY, ISOCAST_FORMULA_NOT_EQUAL},
    {'+', WORDS, 5, ISOCAST_FORMULA_ADD},
    {'-', WORDS, 5, ISOCAST_FORMULA_SUBTRACT},
    {'*', WORDS, 6, ISOCAST_FORMULA_MULTIPLY},
    {'/', WORDS, 6, ISOCAST_FORMULA_DIVIDE},
};
enum { OPERATORS = sizeof operators / sizeof operators[0] };

static size_t operator_at(const parser *p) {
    size_t word = word_at(p);
    size_t i = 0;
    while (i < OPERATORS &&
           (operators[i].sign == 0 ? word != operators[i].word : !at_sign(p, operators[i].sign))) {
        i++;
    }
    return i;
}

static isocast_formula_node *parse_denial(parser *p) {
    size_t begin = p->token.span.begin;
    advance(p);
    return node_wrap(p, ISOCAST_FORMULA_NOT, begin, parse_binary(p, NOT_PRIORITY));
}

/* Precedence climbing: takes operators of at least this priority. */
static isocast_formula_node *parse_binary(parser *p, int least_priority) {
    isocast_formula_node *left = word_at(p) == WORD_NOT && least_priority <= NOT_PRIORITY
                                     ? parse_deeper(p, parse_denial)
                                     : parse_unary(p);
    bool compared = false;
    while (p->status == ISOCAST_OK) {
        size_t i = operator_at(p);
        if (i == OPERATORS || operators[i].priority < least_priority) {
            return left;
        }
        if (compared && operators[i].priority == COMPARISON_PRIORITY) {
            fail(p, p->token.span, "compare two values at a time: a < b and b < c",
                 "comparisons cannot be chained");
            break;
        }
        compared = operators[i].priority == COMPARISON_PRIORITY;
        advance(p);
        left = node_join(p, operators[i].kind, left, parse_binary(p, operators[i].priority + 1));
    }
    node_free(left);
    return NULL;
}

/* Whether "if" without a bracket stands before the token, as in other languages. */
static bool is_behind_if(const parser *p) {
    size_t end = p->token.span.begin;
    const char *text = p->lexer.source->text;
    while (end > 0 && text[end - 1] == ' ') {
        end--;
    }
    return end >= 2 && strncmp(text + end - 2, "if", 2) == 0 &&
           (end == 2 || !isalnum((unsigned char)text[end - 3]));
}

/* Whether the name of a function or operation stands there, without its brackets. */
static bool is_behind_function(const parser *p) {
    const char *text = p->lexer.source->text;
    size_t end = p->token.span.begin;
    while (end > 0 && text[end - 1] == ' ') {
        end--;
    }
    size_t begin = end;
    while (begin > 0 && (isalnum((unsigned char)text[begin - 1]) || text[begin - 1] == '_')) {
        begin--;
    }
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)(end - begin), text + begin);
    return isocast_function_find(name) != NULL || isocast_operation_is_name(name);
}

/* Two values without an operator between them. */
static const char *hint_of_operator(const parser *p) {
    bool at_if = p->token.kind == ISOCAST_TOKEN_NAME &&
                 p->token.span.end - p->token.span.begin == 2 &&
                 strncmp(p->lexer.source->text + p->token.span.begin, "if", 2) == 0;
    return at_if || is_behind_if(p) ? "write if(condition, then, else), as in if(p > 1, 3 us, 0 s)"
           : is_behind_function(p)
               ? "write what a function or an operation takes in brackets: log2(p), T_send(8 B)"
               : "write * to multiply; a unit stands behind a number, as in 3 us";
}

static void refuse_rest(parser *p) {
    if (at_sign(p, ')')) {
        fail(p, p->token.span, "remove it, or add the ( that it closes", "a ')' without a '('");
    } else if (at_sign(p, ',')) {
        fail(p, p->token.span,
             "a number has a point and no comma: 1.5, 1000; commas part what a function takes",
             "a ',' outside a function's brackets");
    } else if (p->token.kind == ISOCAST_TOKEN_NAME || p->token.kind == ISOCAST_TOKEN_NUMBER ||
               at_sign(p, '(')) {
        fail(p, p->token.span, hint_of_operator(p), "an operator is missing before this");
    } else {
        fail(p, p->token.span, NULL, "this does not continue the formula");
    }
}

isocast_status isocast_formula_parse(const isocast_source *source, isocast_span where,
                                     isocast_names declared, isocast_diagnostics *diagnostics,
                                     isocast_formula **out) {
    parser p = {.lexer = {source, where.begin, where.end, diagnostics},
                .declared = declared,
                .status = ISOCAST_OK};
    if (where.end - where.begin > ISOCAST_FORMULA_LENGTH_MAX) {
        fail(&p, where, NULL, "the formula is too long (at most 65536 bytes)");
        return p.status;
    }
    advance(&p);
    if (p.status == ISOCAST_OK && p.token.kind == ISOCAST_TOKEN_END) {
        fail(&p, where, NULL, "expected a formula here");
    }
    isocast_formula_node *root = p.status == ISOCAST_OK ? parse_binary(&p, 0) : NULL;
    if (p.status == ISOCAST_OK && p.token.kind != ISOCAST_TOKEN_END) {
        refuse_rest(&p);
    }
    isocast_formula *formula = p.status == ISOCAST_OK ? calloc(1, sizeof *formula) : NULL;
    if (formula == NULL) {
        node_free(root);
        return p.status == ISOCAST_OK ? ISOCAST_NO_MEMORY : p.status;
    }
    *formula = (isocast_formula){source, where, root};
    *out = formula;
    return ISOCAST_OK;
}

void isocast_formula_free(isocast_formula *formula) {
    if (formula != NULL) {
        node_free(formula->root);
        free(formula);
    }
}
