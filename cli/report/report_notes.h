/* Footnotes that any table about an algorithm on a machine may need, worded once. */
#ifndef CLI_REPORT_NOTES_H
#define CLI_REPORT_NOTES_H

#include "cli/output/render.h"
#include "model/solve/above_one.h"
#include "model/solve/model.h"

/* The footnote of a table in which a speed-efficiency E is above 1: why it is. */

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

/* Whose marked speeds C is made of, where the machine has several: `program` is the algorithm's
 * kernel, or NULL. */
void cli_report_note_marked_speed(cli_report *report, const isocast_machine *machine,
                                  const char *program);

/* For each operation that the algorithm uses although the machine file gives it for others: which
 * these are, and why. */
void cli_report_note_restrictions(cli_report *report, const isocast_model *model);

/* Where numbers come from, and what executing the program of the algorithm file made of T; nothing
 * where no platform takes the place of a machine, or it has no program. */
void cli_report_note_sources(cli_report *report, const isocast_model *model);

/* What is to be said of a row. */
typedef struct cli_remark {
    const char *system;
    isocast_row_status status;
    const char *note; /* NULL: nothing */
} cli_remark;

/* A footnote for each remark, which names all systems that it holds for; `remark_of` gives that of
 * a row of the result, for indices below `count`. */
void cli_report_put_remarks(cli_report *report, const void *result, size_t count,
                            cli_remark (*remark_of)(const void *result, size_t index));

/* What the formulas of a derived algorithm were off by where they were not made; nothing where its
 * file does not say. */
void cli_report_note_held_out(cli_report *report, const isocast_model *model);

#endif
