/* What a comparison computes: a prediction of each contender at each value, and where the fastest
 * changes. Reads no options, writes nothing. */
#ifndef CLI_COMPARE_ANSWER_H
#define CLI_COMPARE_ANSWER_H

#include "cli/options/contenders.h"
#include "model/solve/prediction.h"
#include "model/solve/ranking.h"

typedef struct compare_question {
    const cli_contenders *contenders; /* bound */
    const double *values;             /* [value_count], of N or of the efficiency */
    size_t value_count;
    bool fixed_size; /* the values are those of N */
} compare_question;

/* *out: [value_count][contenders->count]; free with compare_predictions_free(). Errors: those of
 * isocast_predict(). */
isocast_status compare_predict(const compare_question *question, bool numbers_only,
                               isocast_prediction ***out);
void compare_predictions_free(const compare_question *question, isocast_prediction **predictions);

/* Over N on each system, from the smallest N that all contenders allow to the largest. Errors:
 * NO_MEMORY. */
isocast_status compare_rank_over_N(const compare_question *question, isocast_ranking *out);

#endif
