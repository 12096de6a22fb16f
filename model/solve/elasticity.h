/* What moves the result of a prediction on its last solved row, and by how much: the elasticity of
 * N' (of T at a fixed size) to each parameter, marked speed and overhead term, and to all messages
 * of an algorithm that the machine file has a misfit of. Computes; renders
 * nothing. */
#ifndef ISOCAST_ELASTICITY_H
#define ISOCAST_ELASTICITY_H

#include "prediction.h"

/* Whether a driver matters: whether it moves the outcome by 5 % or more. */
typedef enum isocast_matter {
    ISOCAST_MATTER_UNASKED,   /* or a term, R_f or messages, which are not varied */
    ISOCAST_MATTER_NOW,       /* half or twice of it does */
    ISOCAST_MATTER_BY_FACTOR, /* a factor does, but neither half nor twice of it */
    ISOCAST_MATTER_NOT_FOUND, /* no factor that was tried does */
    ISOCAST_MATTER_ZERO,      /* it is 0, which factors leave as it is */
    ISOCAST_MATTER_UNKNOWN    /* none found; to one side the outcome is not known */
} isocast_matter;

/* Something that moves N' (T at a fixed size). */
typedef struct isocast_driver {
    /* Of the parameter, node class, term or algorithm, borrowed from the model; "R_f". */
    const char *name;
    char *meaning; /* in words; NULL where the name is all there is */
    isocast_driver_kind kind;
    double elasticity; /* d ln N'/d ln driver; NAN where it cannot be reported */
    /* Factors below and above 1 by which it moves the outcome by 5 %; NAN where none was found or
     * looked for. */
    double smaller, larger;
    isocast_matter matter;
} isocast_driver;

/* Start from {0}. */
typedef struct isocast_drivers {
    isocast_driver *items; /* [count], by size of the elasticity, largest first */
    size_t count;
} isocast_drivers;

/* Fills the drivers of a row that is solved (index among the rows, which are those of the request).
 * Elasticities of parameters and marked speeds are central differences of the solved N' (of T at a
 * fixed size) over +-1 %, with the target taken again at the base where there is one; the solved N'
 * are reported by derivatives where these are near enough. Those of terms
 * follow from the condition: a term larger by the factor 1 + e moves ln N' by
 * e (T_k/T - T_k,base/T_base)/slope, slope = d ln E/d ln N, E being what
 * the metric holds. At a fixed size a term's elasticity is
 * its share, and is left out. R_f that the machine file has of the row's system, where what is held
 * is divided by it, moves ln N' by 1/slope; the base has its own. Errors: NO_MEMORY. */
isocast_status isocast_drivers_find(const isocast_prediction *prediction,
                                    const isocast_prediction_request *request, size_t row,
                                    isocast_drivers *out);
void isocast_drivers_free(isocast_drivers *drivers);

#endif
