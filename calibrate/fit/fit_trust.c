#include "fit_trust.h"

#include <math.h>
#include <stdlib.h>

#include "model/base/array.h"

/* What is expected of a forecast before anything is known: an error of ln T of a half, worth three
 * forecasts. */
static const double expected_square = 0.5 * 0.5;
static const double expected_count = 3;

/* Libraries change their algorithm with the size, and what is short follows other laws than what
 * is long. So trials at sizes near by count, the less the further ln m is away (a bell curve of
 * this standard deviation); what the forecaster did at all sizes counts as so many of these. */
static const double reach = 1.3863; /* ln 4 */
static const double count_of_all = 10;
/* B: sizes far below it are alike, as each message has a start. */
static const double size_alike = 8;

/* Forecasters are weighed by the mean square of their errors to this power: those that were far
 * off are not to outvote a few good ones by their number. */
enum { WEIGHT_POWER = 4 };

/* Sums of squares of each forecaster, and how many trials are behind them. */
typedef struct sums {
    double squares[FIT_FORECASTERS];
    double counts[FIT_FORECASTERS];
} sums;

bool fit_trust_add(fit_trust *trust, const fit_trial *trial) {
    return ISOCAST_ARRAY_ADD(trust->trials, trust->count, trust->room, *trial);
}

void fit_trust_free(fit_trust *trust) {
    free(trust->trials);
    *trust = (fit_trust){0};
}

static void add_trial(const fit_trial *trial, double share, sums *out) {
    for (int i = 0; i < FIT_FORECASTERS; i++) {
        if (!isnan(trial->squares[i])) {
            out->squares[i] += share * trial->squares[i];
            out->counts[i] += share;
        }
    }
}

void fit_trust_weigh(const fit_trust *trust, double m, double *weights) {
    sums all = {{0}, {0}};
    sums near = {{0}, {0}};
    for (size_t k = 0; k < trust->count; k++) {
        const fit_trial *trial = &trust->trials[k];
        double away = log((trial->m + size_alike) / (m + size_alike)) / reach;
        add_trial(trial, 1, &all);
        add_trial(trial, exp(-away * away / 2), &near);
    }
    for (int i = 0; i < FIT_FORECASTERS; i++) {
        double square =
            (expected_count * expected_square + all.squares[i]) / (expected_count + all.counts[i]);
        square = (count_of_all * square + near.squares[i]) / (count_of_all + near.counts[i]);
        weights[i] = pow(square, -WEIGHT_POWER);
    }
}
