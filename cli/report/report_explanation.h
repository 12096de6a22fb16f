/* An explanation as reports (tables, Markdown, CSV) and as JSON ("isocast.explanation/1" of
 * docs/result-schema.json). */
#ifndef CLI_REPORT_EXPLANATION_H
#define CLI_REPORT_EXPLANATION_H

#include "cli/output/render.h"
#include "model/solve/explanation.h"
#include "subject.h"

typedef struct cli_explanation_view {
    cli_subject subject;
    const isocast_explanation *explanation;
} cli_explanation_view;

/* The parts of T, a column per system and, for one system, a bar. All three are NULL where memory
 * is short. */
cli_report *cli_report_of_parts(const isocast_explanation *explanation, const double *other_sizes);

/* What moves N', with the elasticities; only of use where something does. */
bool cli_explanation_has_drivers(const isocast_explanation *explanation);
cli_report *cli_report_of_drivers(const isocast_explanation *explanation);

/* The parts for files: a row per system and part. */
cli_report *cli_report_of_part_rows(const isocast_explanation *explanation);

#endif
