#include "operation_text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

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
    isocast_assembly_put(&f->text, span, words);
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
