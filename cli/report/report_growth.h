/* An isoefficiency function as reports (tables, Markdown, CSV) and as JSON ("isocast.growth/1" of
 * docs/result-schema.json). */
#ifndef CLI_REPORT_GROWTH_H
#define CLI_REPORT_GROWTH_H

#include <jansson.h>

#include "cli/output/render.h"
#include "model/solve/isoefficiency.h"

/* W', costs and overheads of each system, as processor-time. NULL where memory is short, like the
 * next two. */
cli_report *cli_report_of_isoefficiency(const isocast_isoefficiency *isoefficiency,
                                        const double *other_sizes);
/* What each part and each bound needs, and in sentences what follows. */
cli_report *cli_report_of_growth(const isocast_isoefficiency *isoefficiency);
/* Takes `provenance` over. */
json_t *cli_json_growth(const isocast_isoefficiency *isoefficiency, const double *other_sizes,
                        json_t *provenance);

#endif
