/* A quantity of a model on one system as a function of N: at points, and over pieces of the range
 * of N. Private to what looks for the N at which it has a wanted value (boundary.h). */
#ifndef ISOCAST_CURVE_H
#define ISOCAST_CURVE_H

#include "model.h"
#include "model/formula/enclosure.h"

typedef enum isocast_curve_kind {
    ISOCAST_CURVE_WORK,       /* flop */
    ISOCAST_CURVE_TIME,       /* T_c + T_o, s */
    ISOCAST_CURVE_MEMORY,     /* B per process */
    ISOCAST_CURVE_CONCURRENCY /* processes that can work */
} isocast_curve_kind;

typedef struct isocast_curve isocast_curve;

/* `effort`, which must outlive it, takes what values and proofs cost, and so must the model, the
 * system and `other_sizes` (like in isocast_model_points). Errors: NO_MEMORY. */
isocast_status isocast_curve_create(const isocast_model *model, const isocast_system *system,
                                    const double *other_sizes, isocast_curve_kind kind,
                                    isocast_effort *effort, isocast_curve **out);
void isocast_curve_free(isocast_curve *c);

/* Where the size parameter may be: its least and its largest number. */
void isocast_curve_range(const isocast_curve *c, double *low, double *high);
isocast_effort *isocast_curve_effort(isocast_curve *c);

/* The value at N; NAN where there is none, or where its sums are not known. Errors: NO_MEMORY. */
isocast_status isocast_curve_value(isocast_curve *c, double N, double *value);

/* The value less `level` over low <= N <= high; *known is false where it has too many terms.
 * Errors: NO_MEMORY. */
isocast_status isocast_curve_enclose(isocast_curve *c, double level, double low, double high,
                                     isocast_form *difference, bool *known);
isocast_enclosure *isocast_curve_enclosure(isocast_curve *c);

#endif
