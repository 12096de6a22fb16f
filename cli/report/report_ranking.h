/* Which contender is fastest where: as tables with sentences, and as JSON ("isocast.ranking/1" of
 * docs/result-schema.json). */
#ifndef CLI_REPORT_RANKING_H
#define CLI_REPORT_RANKING_H

#include <jansson.h>

#include "cli/options/contenders.h"
#include "cli/output/render.h"
#include "model/solve/prediction.h"
#include "model/solve/ranking.h"
#include "subject.h"

/* What is told. */
typedef struct cli_ranking_curve cli_ranking_curve;
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

enum { CLI_RANKING_REPORTS = 2 };

/* The rows, and the crossings. Free with cli_reports_write. */
void cli_reports_of_ranking(const cli_ranking_view *view, cli_report *reports[CLI_RANKING_REPORTS]);

/* What it says: the whole is a cli_ranking_view. A row of crossings is a pair, and the number of a
 * crossing; the row that has it has number 1 over p, 0 over N. */
extern const isocast_table cli_ranking_rows, cli_ranking_crossings;
isocast_item cli_ranking_row_item;

/* Whether some machine file says anything of price or power. */
bool cli_ranking_has_bill(const cli_ranking_view *view);
/* Appends the name of a system, or an N. */
void cli_ranking_append_place(const cli_ranking_view *view, bool over_p, size_t place,
                              isocast_buffer *out);

/* NULL where memory is short. */
json_t *cli_json_ranking(const cli_ranking_view *view);

#endif
