/* Lines of scaling, and the choice of a number of processes, as reports (tables, Markdown, CSV) and
 * as JSON ("isocast.scaling/1" of docs/result-schema.json). */
#ifndef CLI_REPORT_SCALING_H
#define CLI_REPORT_SCALING_H

#include <jansson.h>

#include "cli/output/report.h"
#include "model/solve/least_time.h"

/* `other_sizes` like in the requests. A base is a row of its own where `with_base`. */
cli_report *cli_report_of_scaling(const isocast_scaling *scaling, const double *other_sizes,
                                  bool with_base);
cli_report *cli_report_of_choice(const isocast_model *model, const isocast_choice *choice,
                                 const double *other_sizes);

/* Take `provenance` over. NULL where memory is short. */
json_t *cli_json_scaling(const isocast_scaling *scaling, const double *other_sizes,
                         json_t *provenance);
json_t *cli_json_choice(const isocast_model *model, const isocast_choice *choice,
                        const double *other_sizes, json_t *provenance);

#endif
