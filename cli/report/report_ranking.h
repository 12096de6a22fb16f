/* Which contender is fastest where: as tables with sentences, and as JSON ("isocast.ranking/1" of
 * docs/result-schema.json). */
#ifndef CLI_REPORT_RANKING_H
#define CLI_REPORT_RANKING_H

#include "cli/options/contenders.h"
#include "cli/output/fields.h"
#include "model/solve/ranking.h"
#include "subject.h"

typedef struct cli_ranking_curve cli_ranking_curve;

/* Which contender is fastest where. */
typedef struct cli_ranking_view {
    cli_subject subject; /* the first algorithm */
    const cli_contenders *contenders;
    isocast_prediction *const *predictions; /* [value_count][contenders->count] */
    const double *values;                   /* [value_count], of N or of the target */
    size_t value_count;
    bool fixed_size;               /* the values are those of N */
    const isocast_ranking *over_N; /* by system */
    const isocast_ranking *over_p; /* by value of N; NULL where none was looked at */
    cli_ranking_curve *curve;      /* the one that is written; NULL outside of it */
} cli_ranking_view;

/* The rows, where there are any, and the crossings; or JSON. */
int cli_ranking_write(const cli_ranking_view *view, const cli_common *common);

#endif
