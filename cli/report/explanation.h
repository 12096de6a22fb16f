/* Where the time of a prediction goes and what moves it: shares of the parts of T, growth between
 * the first and the last system, elasticities. Computes; renders nothing. */
#ifndef CLI_EXPLANATION_H
#define CLI_EXPLANATION_H

#include "model/solve/prediction.h"

/* A part of T: the computation or an overhead term. */
typedef struct cli_part {
    const char *name; /* "computation" or the term's, borrowed */
    bool is_overhead;
    double *T;     /* [row_count], s; NAN where the row has no solution */
    double growth; /* d ln T/d ln p from the first to the last solved row; NAN where unknown */
} cli_part;

typedef enum cli_driver_kind {
    CLI_DRIVER_PARAMETER,    /* a parameter of the machine file */
    CLI_DRIVER_MARKED_SPEED, /* of a node class that the last solved row's system uses */
    CLI_DRIVER_TERM          /* an overhead term as a whole */
} cli_driver_kind;

/* Something that moves N' (T at a fixed size) on the last solved row. */
typedef struct cli_driver {
    const char *name; /* of the parameter, node class or term, borrowed */
    char *meaning;    /* in words; NULL where the name is all there is */
    cli_driver_kind kind;
    double elasticity; /* d ln N'/d ln driver; NAN where it cannot be told */
} cli_driver;

typedef struct cli_explanation {
    const isocast_prediction *prediction;
    cli_part *parts; /* [part_count], by share of T on the last solved row, largest first */
    size_t part_count;
    size_t first;        /* row: the first solved one; row_count where there is none */
    size_t last;         /* row: the last solved one */
    double growth_T;     /* like the parts' */
    cli_driver *drivers; /* [driver_count], by size of the elasticity, largest first */
    size_t driver_count;
} cli_explanation;

/* Errors: NO_MEMORY. */
isocast_status cli_explain(const isocast_prediction *prediction,
                           const isocast_prediction_request *request, cli_explanation *out);
void cli_explanation_free(cli_explanation *explanation);

/* Fills the drivers; the rows are solved already. Elasticities of parameters and marked speeds are
 * central differences of the solved N' (of T at a fixed size) over +-1 %, with the target taken
 * anew at the base where there is one. Those of terms follow from the condition: a term larger by
 * the factor 1 + e moves ln N' by e (T_k/T - T_k,base/T_base)/slope, slope = d ln E/d ln N. At a
 * fixed size a term's elasticity is its share, and is left out. What the request's effort does not
 * reach for is NAN. Errors: NO_MEMORY. */
isocast_status cli_explain_drivers(const isocast_prediction_request *request,
                                   cli_explanation *explanation);

#endif
