/* Acceptance numbers as a table and as a list of JSON, of offers and of suites alike. */
#ifndef CLI_REPORT_ACCEPTANCE_H
#define CLI_REPORT_ACCEPTANCE_H

#include "cli/output/report.h"
#include "model/base/field.h"
#include "model/offers/acceptance.h"

/* Its rows are isocast_acceptance. */
extern const isocast_table cli_acceptance_table;

cli_report *cli_acceptance_report(const isocast_acceptances *acceptances);

/* The list in the JSON of a result. */
#define CLI_ACCEPTANCE(items)                                                                      \
    ISOCAST_MADE("acceptance", LIST, .item = (items), NULL,                                        \
                 "with --accept: what a few nodes must show so that T on all of them is at most "  \
                 "the promised one with a probability of 90 %, by offer; else empty",              \
                 .of = &cli_acceptance_table)

#endif
