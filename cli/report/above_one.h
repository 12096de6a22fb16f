/* The footnote of a table in which a speed-efficiency E is above 1: why it is. */
#ifndef CLI_ABOVE_ONE_H
#define CLI_ABOVE_ONE_H

#include "cli/output/render.h"
#include "model/solve/above_one.h"

/* Rows whose E is above 1. Start from {0}; what it points to must outlive it. */
typedef struct cli_above_one {
    size_t count;
    /* The first of them. */
    const char *name;             /* of its system */
    const isocast_system *system; /* NULL: read from the name */
    double N;                     /* the first size parameter */
    const double *other_sizes;    /* as those of isocast_model_points */
} cli_above_one;

/* Takes a row with this E, which may be NAN. */
void cli_above_one_take(cli_above_one *rows, double E, const cli_above_one *row);

/* Says why, where some row was above 1. `model` may be NULL: then the reason is looked for in no
 * time per flop. `program` is the algorithm's kernel, or NULL. */
void cli_report_note_above_one(cli_report *report, const isocast_algorithm *algorithm,
                               const isocast_machine *machine, const isocast_model *model,
                               const char *program, const cli_above_one *rows);

#endif
