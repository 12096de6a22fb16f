/* The formula language as a syntax tree: text in, tree with spans out, and back to text. Names are
 * not resolved here (scope.h, check.h), nothing is evaluated (program.h).
 *
 *     condition  := both { "or" both }
 *     both       := denial { "and" denial }
 *     denial     := "not" denial | comparison
 *     comparison := sum [ ("<" | "<=" | ">" | ">=" | "==" | "!=") sum ]
 *     sum        := product { ("+" | "-") product }
 *     product    := unary { ("*" | "/") unary }
 *     unary      := ("-" | "+") unary | power
 *     power      := atom [ "^" unary ]                      right-associative; -2^2 is -4
 *     atom       := number [ unit ] | name | name "." name | call | "(" condition ")"
 *     call       := name "(" [ condition { "," condition } ] ")"
 *     unit       := UNIT { "/" UNIT }                       directly after the number
 *
 * A name after a number is a unit, there is no implied multiplication. A "/" continues a unit only
 * where it touches both neighbours and the name after it is a unit and not one of `declared`:
 * `20 Mflop/s` is a speed, `8 B/p` is eight bytes divided by p. The words and, or and not are no
 * names. */
#ifndef ISOCAST_FORMULA_H
#define ISOCAST_FORMULA_H

#include "model/base/diagnostic.h"
#include "model/base/dimension.h"

enum {
    ISOCAST_FORMULA_LENGTH_MAX = 64 * 1024, /* bytes */
    ISOCAST_FORMULA_DEPTH_MAX = 200,        /* nested expressions */
    ISOCAST_FORMULA_NODES_MAX = 10000
};

typedef enum isocast_formula_kind {
    ISOCAST_FORMULA_NUMBER, /* value, dimension */
    ISOCAST_FORMULA_NAME,   /* name; also "class.property" */
    ISOCAST_FORMULA_CALL,   /* name, arguments */
    ISOCAST_FORMULA_NEGATE, /* one argument */
    ISOCAST_FORMULA_ADD,    /* two arguments, as all below */
    ISOCAST_FORMULA_SUBTRACT,
    ISOCAST_FORMULA_MULTIPLY,
    ISOCAST_FORMULA_DIVIDE,
    ISOCAST_FORMULA_POWER,
    ISOCAST_FORMULA_LESS,
    ISOCAST_FORMULA_LESS_EQUAL,
    ISOCAST_FORMULA_GREATER,
    ISOCAST_FORMULA_GREATER_EQUAL,
    ISOCAST_FORMULA_EQUAL,
    ISOCAST_FORMULA_NOT_EQUAL,
    ISOCAST_FORMULA_AND,
    ISOCAST_FORMULA_OR,
    ISOCAST_FORMULA_NOT /* one argument */
} isocast_formula_kind;

typedef struct isocast_formula_node isocast_formula_node;
struct isocast_formula_node {
    isocast_formula_kind kind;
    isocast_span span;           /* in the formula's source */
    double value;                /* NUMBER: in the SI unit of its dimension */
    isocast_dimension dimension; /* NUMBER */
    bool has_unit;               /* NUMBER: a unit was written */
    char *name;                  /* NAME and CALL */
    isocast_span name_span;      /* NAME and CALL */
    size_t count;
    isocast_formula_node **arguments; /* [count] */
};

/* Immutable after parsing. The source is borrowed and must outlive the formula. */
typedef struct isocast_formula {
    const isocast_source *source;
    isocast_span span;
    isocast_formula_node *root;
} isocast_formula;

/* Names that win over units after a "/"; may be empty. */
typedef struct isocast_names {
    const char *const *items; /* [count] */
    size_t count;
} isocast_names;

/* Whether the bytes are one of the words and, or, not, which cannot be names. */
bool isocast_formula_is_word(const char *text, size_t length);

/* Parses the bytes `where` of a source. Errors, each with a diagnostic at its place: INVALID
 * (syntax, over a cap), NO_MEMORY. */
isocast_status isocast_formula_parse(const isocast_source *source, isocast_span where,
                                     isocast_names declared, isocast_diagnostics *diagnostics,
                                     isocast_formula **out);
void isocast_formula_free(isocast_formula *formula);

/* Appends the formula as text with the fewest brackets and numbers in SI units; parsing the text
 * gives the same tree. */
void isocast_formula_format(const isocast_formula *formula, isocast_buffer *out);

/* What some names are written as. Appends it, with brackets where it needs them, and gives true;
 * false for a name that stays as it is. */
typedef bool (*isocast_formula_replacer)(void *context, const char *name, isocast_buffer *out);

/* The same of an expression, with other texts in the place of names. */
void isocast_formula_format_replaced(const isocast_formula_node *node,
                                     isocast_formula_replacer replace, void *context,
                                     isocast_buffer *out);

#endif
