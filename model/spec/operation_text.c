#include "operation_text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_word_byte(char byte) {
    return isalnum((unsigned char)byte) || byte == '_';
}

static bool is_word(const char *at, size_t length, const char *word) {
    return length == strlen(word) && memcmp(at, word, length) == 0;
}

/* The same words where several nodes are counted as one, and with the links that they share. */
static void group_nodes(const isocast_operation_text *f, const char *words, isocast_buffer *out) {
    bool grouped = f->together > 1;
    for (const char *at = words; *at != '\0';) {
        size_t length = 0;
        while (is_word_byte(at[length])) {
            length++;
        }
        if (grouped && is_word(at, length, "nodes")) {
            isocast_buffer_printf(out, "min(p, ceil(node_range/%.17g))", f->together);
        } else if (grouped && is_word(at, length, "p_node")) {
            isocast_buffer_printf(out, "min(p, %.17g*p_node)", f->together);
        } else if (is_word(at, length, "uplinks") && f->uplinks > 0) {
            isocast_buffer_printf(out, "%.17g", f->uplinks);
        } else if (is_word(at, length, "uplinks")) {
            /* With a link for each process none waits for another one. */
            isocast_buffer_puts(out, "p");
        } else {
            length = length > 0 ? length : 1;
            isocast_buffer_append(out, at, length);
        }
        at += length;
    }
}

void isocast_operation_put(isocast_operation_text *f, isocast_span span, const char *format, ...) {
    char *words = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&words, format, arguments);
    va_end(arguments);
    if (length < 0) {
        f->text.text.failed = true;
        return;
    }
    isocast_buffer grouped = {0};
    group_nodes(f, words, &grouped);
    f->text.text.failed = f->text.text.failed || grouped.failed;
    /* No words make no text. */
    isocast_assembly_put(&f->text, span, grouped.text != NULL ? grouped.text : words);
    isocast_buffer_free(&grouped);
    free(words);
}

bool isocast_operation_put_formula(isocast_operation_text *f, const isocast_tree_node *node,
                                   const char *what) {
    static const char *const declared[] = {"p", "m"};
    isocast_formula *formula =
        isocast_reader_formula(f->reader, node, (isocast_names){declared, 2}, what);
    if (formula == NULL) {
        return false;
    }
    isocast_formula_free(formula);
    isocast_operation_put(f, node->span, "(");
    isocast_assembly_quote(&f->text, f->reader->source, node->span);
    isocast_operation_put(f, node->span, ")");
    return true;
}

char *isocast_coefficient_name(const char *format, ...) {
    char *name = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&name, format, arguments);
    va_end(arguments);
    return length < 0 ? NULL : name;
}

bool isocast_operation_add(isocast_operation_text *f, char *name, isocast_span span,
                           const isocast_uncertain *number) {
    bool added = isocast_coefficients_add(f->out, name, span, number);
    if (!added) {
        isocast_reader_fail(f->reader);
    }
    return added;
}

isocast_dimension isocast_unit_of_term(const char *unit) {
    isocast_dimension time = isocast_dimension_of(ISOCAST_BASE_TIME);
    if (unit[0] == '\0') {
        return isocast_dimension_count;
    }
    return strcmp(unit, "s") == 0
               ? time
               : isocast_dimension_divide(time, isocast_dimension_of(ISOCAST_BASE_BYTE));
}
