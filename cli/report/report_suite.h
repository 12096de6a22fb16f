/* Offers judged by a suite of applications, as a sentence, tables and JSON. */
#ifndef CLI_REPORT_SUITE_H
#define CLI_REPORT_SUITE_H

#include "cli/options/offers_load.h"
#include "model/offers/acceptance.h"
#include "model/offers/suite.h"
#include "subject.h"

typedef struct cli_suite_view {
    cli_subject subject; /* of the first application on the first offer */
    const char *path;    /* of the file of offers */
    const isocast_suite_verdict *verdict;
    const isocast_acceptances *acceptances;
    isocast_currency currency;
} cli_suite_view;

/* As tables with a sentence, or as "isocast.suite/1" of docs/result-schema.json. Gives an exit
 * status. */
int cli_suite_write(const cli_suite_view *view, const cli_common *common);

#endif
