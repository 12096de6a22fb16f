/* The formula of one operation while it is put together from a mapping of a machine file: words,
 * and the coefficients that they name. */
#ifndef ISOCAST_OPERATION_TEXT_H
#define ISOCAST_OPERATION_TEXT_H

#include "coefficients.h"
#include "model/formula/assembly.h"
#include "terms.h"

typedef struct isocast_operation_text {
    isocast_reader *reader;
    const char *name; /* of the operation, for messages */
    bool kernel;      /* a time per flop in the working set m, not a time in the message size m */
    isocast_assembly text;
    isocast_coefficients *out;
} isocast_operation_text;

/* A mapping that an operation is made of, or a part of one. */
typedef struct isocast_operation_part {
    const isocast_tree_node *node; /* a mapping */
    const char *prefix;            /* of the names of its coefficients */
    const isocast_term_list *terms;
    bool leveled;       /* the numbers of its tables are multiplied with one coefficient */
    double correlation; /* of the numbers of a table with each other; NAN or 0: none */
} isocast_operation_part;

/* Appends words whose place in the file is `span`. */
void isocast_operation_put(isocast_operation_text *f, isocast_span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Appends a formula of the file, in brackets. False, with a diagnostic, where it is none. */
bool isocast_operation_put_formula(isocast_operation_text *f, const isocast_tree_node *node,
                                   const char *what);

/* A name of printf's making; NULL where memory is short. Free with free(). */
char *isocast_coefficient_name(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Adds a coefficient and takes its name over, also where it fails. False where memory is short,
 * which the reader then knows. */
bool isocast_operation_add(isocast_operation_text *f, char *name, isocast_span span,
                           const isocast_uncertain *number);

/* The dimension of "s", "s/B" or "". */
isocast_dimension isocast_unit_of_term(const char *unit);

#endif
