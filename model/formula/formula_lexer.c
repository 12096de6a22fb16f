#include "formula_lexer.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char byte) {
    return byte >= '0' && byte <= '9';
}

/* Bytes of UTF-8 belong to names, so that the micro sign of "µs" does. */
static bool is_name_start(char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' ||
           (unsigned char)byte >= 0x80;
}

static bool is_name_part(char byte) {
    return is_name_start(byte) || is_digit(byte) || byte == '\'';
}

bool isocast_lexer_is_name(const char *text) {
    bool is_name = is_name_start(text[0]);
    for (size_t i = 1; is_name && text[i] != '\0'; i++) {
        is_name = is_name_start(text[i]) || is_digit(text[i]);
    }
    return is_name;
}

static char peek(const isocast_lexer *lexer, size_t ahead) {
    size_t at = lexer->position + ahead;
    return at < lexer->end ? lexer->source->text[at] : '\0';
}

static bool refuse(isocast_lexer *lexer, isocast_span span, const char *hint, const char *message) {
    isocast_diagnostics_add(lexer->diagnostics, ISOCAST_ERROR, lexer->source, span, hint, "%s",
                            message);
    return false;
}

static void skip_digits(isocast_lexer *lexer) {
    while (is_digit(peek(lexer, 0))) {
        lexer->position++;
    }
}

static bool read_number(isocast_lexer *lexer, isocast_token *out) {
    size_t begin = lexer->position;
    skip_digits(lexer);
    if (peek(lexer, 0) == '.') {
        lexer->position++;
        skip_digits(lexer);
    }
    /* "2e" is a number and a name, "2e5" a number; "2 e5" never is. */
    size_t exponent_digit = peek(lexer, 1) == '+' || peek(lexer, 1) == '-' ? 2 : 1;
    bool has_exponent = peek(lexer, 0) == 'e' || peek(lexer, 0) == 'E';
    if (has_exponent && is_digit(peek(lexer, exponent_digit))) {
        lexer->position += exponent_digit;
        skip_digits(lexer);
    }
    isocast_span span = {begin, lexer->position};
    if (peek(lexer, 0) == '.') {
        return refuse(lexer, (isocast_span){begin, lexer->position + 1},
                      "write the decimal point once", "not a number");
    }
    char digits[128];
    size_t length = span.end - span.begin;
    if (length >= sizeof digits) {
        return refuse(lexer, span, NULL, "a number with too many digits (at most 127)");
    }
    memcpy(digits, lexer->source->text + begin, length);
    digits[length] = '\0';
    if (length == 1 && digits[0] == '.') {
        return refuse(lexer, span, NULL, "a decimal point needs a digit before or after it");
    }
    errno = 0;
    double value = strtod(digits, NULL);
    if (!isfinite(value)) {
        return refuse(lexer, span, NULL, "a number too large to be kept (over 1.8e308)");
    }
    *out = (isocast_token){.kind = ISOCAST_TOKEN_NUMBER, .span = span, .value = value};
    return true;
}

/* Signs that people know from other languages, with what is written here. */
static const struct {
    const char *text;
    const char *message;
    const char *hint;
} foreign[] = {
    {"**", "'**' is not used here", "write ^ for a power"},
    {"&&", "'&&' is not used here", "write and, as in a < b and b < c"},
    {"||", "'||' is not used here", "write or, as in a < b or b < c"},
    {"%", "'%' is not used here",
     "write 3 % as 0.03, and an error behind \xC2\xB1, as in 3 us \xC2\xB1 2 %; mod(a, b) is what "
     "a "
     "leaves when it is divided by b"},
    {"\xE2\x88\x92", "a typographic minus sign", "write -"},
    {"\xC3\x97", "a typographic multiplication sign", "write *"},
    {"\xC2\xB7", "a typographic multiplication sign", "write *"},
    {"\xE2\x89\xA4", "a sign of typography", "write <="},
    {"\xE2\x89\xA5", "a sign of typography", "write >="},
    {"\xC2\xB2", "a raised digit", "write ^2"},
    {"\xC2\xB3", "a raised digit", "write ^3"},
    {"\xE2\x82\xAC", "a currency sign", "write EUR"},
    {"$", "'$' is a currency sign", "write USD, with a prefix such as kUSD"},
};

static bool refuse_foreign(isocast_lexer *lexer) {
    const char *text = lexer->source->text + lexer->position;
    size_t left = lexer->end - lexer->position;
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++) {
        size_t length = strlen(foreign[i].text);
        if (length <= left && memcmp(text, foreign[i].text, length) == 0) {
            refuse(lexer, (isocast_span){lexer->position, lexer->position + length},
                   foreign[i].hint, foreign[i].message);
            return true;
        }
    }
    return false;
}

static bool read_sign(isocast_lexer *lexer, isocast_token *out) {
    size_t begin = lexer->position;
    char first = peek(lexer, 0);
    bool equals = peek(lexer, 1) == '=';
    int sign = (unsigned char)first;
    size_t length = 1;
    if (equals && strchr("<>=!", first) != NULL) {
        length = 2;
        sign = first == '<'   ? ISOCAST_SIGN_LESS_EQUAL
               : first == '>' ? ISOCAST_SIGN_GREATER_EQUAL
               : first == '=' ? ISOCAST_SIGN_EQUAL
                              : ISOCAST_SIGN_NOT_EQUAL;
    }
    isocast_span span = {begin, begin + length};
    if (length == 1 && first == '=') {
        return refuse(lexer, span, "write == to compare; definitions go under define:",
                      "'=' is not used in formulas");
    }
    if (length == 1 && first == '!') {
        return refuse(lexer, span, "write not, as in not a < b", "'!' is not used here");
    }
    if (strchr("+-*/^()<>,.", first) == NULL && length == 1) {
        char message[64];
        snprintf(message, sizeof message, "'%c' is not used in formulas", first);
        return refuse(lexer, span, first == ';' ? "commas part what a function takes" : NULL,
                      message);
    }
    lexer->position += length;
    *out = (isocast_token){.kind = ISOCAST_TOKEN_SIGN, .span = span, .sign = sign};
    return true;
}

bool isocast_lexer_next(isocast_lexer *lexer, isocast_token *out) {
    while (peek(lexer, 0) != '\0' && strchr(" \t\r\n", peek(lexer, 0)) != NULL) {
        lexer->position++;
    }
    if (lexer->position >= lexer->end) {
        *out = (isocast_token){.kind = ISOCAST_TOKEN_END, .span = {lexer->end, lexer->end}};
        return true;
    }
    if (refuse_foreign(lexer)) {
        return false;
    }
    char first = peek(lexer, 0);
    if (is_digit(first) || (first == '.' && is_digit(peek(lexer, 1)))) {
        return read_number(lexer, out);
    }
    if (is_name_start(first)) {
        size_t begin = lexer->position;
        while (is_name_part(peek(lexer, 0))) {
            lexer->position++;
        }
        *out = (isocast_token){.kind = ISOCAST_TOKEN_NAME, .span = {begin, lexer->position}};
        return true;
    }
    return read_sign(lexer, out);
}
