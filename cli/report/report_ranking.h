/* Which contender is fastest where: as tables with sentences, and as JSON ("isocast.ranking/1" of
 * docs/result-schema.json). */
#ifndef CLI_REPORT_RANKING_H
#define CLI_REPORT_RANKING_H

#include <jansson.h>

#include "cli/options/contenders.h"
#include "cli/output/render.h"
#include "model/solve/prediction.h"
#include "model/solve/ranking.h"

/* What is told. */
typedef struct cli_ranking_view {
    const cli_contenders *contenders;
    isocast_prediction *const *predictions; /* [value_count][contenders->count] */
    const double *values;                   /* [value_count], of N or of the target */
    size_t value_count;
    bool fixed_size;               /* the values are those of N */
    const isocast_ranking *over_N; /* by system */
    const isocast_ranking *over_p; /* by value of N; NULL where none was looked at */
} cli_ranking_view;

enum { CLI_RANKING_REPORTS = 2 };

/* The rows, and the crossings. Free with cli_reports_write. */
void cli_reports_of_ranking(const cli_ranking_view *view, cli_report *reports[CLI_RANKING_REPORTS]);

/* Takes `provenance` over. */
json_t *cli_json_ranking(const cli_ranking_view *view, json_t *provenance);

/* T of each contender over N on each system, and over p at each N: arrays for pictures, NULL where
 * memory was short. The places span the rows, the crossings and where a contender begins or ends to
 * work. */
json_t *cli_json_ranking_curves(const cli_ranking_view *view, bool over_p);

/* T over the least T of the contenders at the same value and system, at a fixed size; else W over
 * the least W. NAN where the row is not solved. */
double cli_ranking_ratio(const cli_ranking_view *view, size_t value, size_t contender,
                         size_t system);

#endif
