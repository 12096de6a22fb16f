#include "compare_answer.h"

#include <math.h>
#include <stdlib.h>

/* Crossings are looked for up to here where the sizes have no maximum. */
static const double N_most = 1e15;

isocast_status compare_predict(const compare_question *q, bool numbers_only,
                               isocast_prediction ***out) {
    size_t count = q->contenders->count;
    isocast_prediction **predictions =
        calloc(q->value_count * count + 1, sizeof(isocast_prediction *));
    isocast_status status = predictions == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    for (size_t i = 0; i < q->value_count * count && status == ISOCAST_OK; i++) {
        const cli_contender *contender = &q->contenders->items[i % count];
        double value = q->values[i / count];
        const isocast_prediction_request request = {
            .N = q->fixed_size ? value : NAN,
            .efficiency = q->fixed_size ? NAN : value,
            .systems = (const isocast_system *const *)contender->systems,
            .system_count = q->contenders->system_count,
            .numbers_only = numbers_only};
        status = isocast_predict(contender->loaded.model, &request, &predictions[i]);
    }
    if (status != ISOCAST_OK) {
        compare_predictions_free(q, predictions);
        return status;
    }
    *out = predictions;
    return ISOCAST_OK;
}

void compare_predictions_free(const compare_question *q, isocast_prediction **predictions) {
    for (size_t i = 0; predictions != NULL && i < q->value_count * q->contenders->count; i++) {
        isocast_prediction_free(predictions[i]);
    }
    free(predictions);
}

isocast_status compare_rank_over_N(const compare_question *q, isocast_ranking *out) {
    size_t count = q->contenders->count;
    size_t places = q->contenders->system_count;
    isocast_crossing_side *sides = calloc(places * count + 1, sizeof *sides);
    if (sides == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    double low = 1;
    double high = N_most;
    for (size_t k = 0; k < count; k++) {
        const cli_contender *c = &q->contenders->items[k];
        low = fmax(low, c->loaded.algorithm->sizes[0].min);
        high = fmin(high, c->loaded.algorithm->sizes[0].max);
        for (size_t place = 0; place < places; place++) {
            sides[place * count + k] =
                (isocast_crossing_side){.model = c->loaded.model, .system = c->systems[place]};
        }
    }
    isocast_effort effort = isocast_effort_of(places * count);
    isocast_status status =
        low < high ? isocast_ranking_over_N(sides, count, places, low, high, &effort, out)
                   : ISOCAST_OK;
    free(sides);
    return status;
}
