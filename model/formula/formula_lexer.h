/* Formula text as tokens. Knows numbers, names and signs; knows no grammar and no units. */
#ifndef ISOCAST_FORMULA_LEXER_H
#define ISOCAST_FORMULA_LEXER_H

#include "model/base/diagnostic.h"

typedef enum isocast_token_kind {
    ISOCAST_TOKEN_END,
    ISOCAST_TOKEN_NUMBER,
    ISOCAST_TOKEN_NAME,
    ISOCAST_TOKEN_SIGN /* an operator, bracket or comma: `sign` shows which */
} isocast_token_kind;

/* Signs of two characters; those of one stand for themselves. */
enum {
    ISOCAST_SIGN_LESS_EQUAL = 256,
    ISOCAST_SIGN_GREATER_EQUAL,
    ISOCAST_SIGN_EQUAL,
    ISOCAST_SIGN_NOT_EQUAL
};

typedef struct isocast_token {
    isocast_token_kind kind;
    isocast_span span; /* in the source */
    int sign;          /* SIGN */
    double value;      /* NUMBER */
} isocast_token;

typedef struct isocast_lexer {
    const isocast_source *source;
    size_t position;
    size_t end;
    isocast_diagnostics *diagnostics;
} isocast_lexer;

/* The next token. False, with a diagnostic, at something that is none. */
bool isocast_lexer_next(isocast_lexer *lexer, isocast_token *out);

/* Whether a file can define a text as a name for formulas: letters of any alphabet, digits and _,
 * no digit first. */
bool isocast_lexer_is_name(const char *text);

#endif
