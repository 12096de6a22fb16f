/* Numbers with their standard error, as machine files have them: "1.2 us ± 3 %" or "1.2 us ± 40
 * ns". */
#ifndef ISOCAST_UNCERTAIN_H
#define ISOCAST_UNCERTAIN_H

#include "model/yaml/schema.h"

typedef struct isocast_uncertain {
    double value;                /* SI */
    double error;                /* SI, at least 0; NAN where the file gives none */
    isocast_dimension dimension; /* of both */
} isocast_uncertain;

/* Reads a number that a "±", or "+/-", and its standard error may follow: per cent of the number,
 * or in its own unit. False, with a diagnostic, where it is none, or has another dimension than the
 * place's. */
bool isocast_reader_uncertain(isocast_reader *reader, const isocast_tree_node *node,
                              const isocast_formula_place *place, isocast_uncertain *out);

/* Whether a scalar has an error. */
bool isocast_is_uncertain(const isocast_tree_node *node);

#endif
