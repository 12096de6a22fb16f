#include "spread.h"

#include <math.h>

#include "mixes.h"
#include "model/solve/prediction.h"

isocast_status isocast_mix_spread(const isocast_offers_request *request,
                                  const isocast_offer *offer, const isocast_mix *mix,
                                  const double *nodes, isocast_effort *effort, double *low,
                                  double *high) {
    *low = *high = NAN;
    isocast_system *system = NULL;
    isocast_status status = isocast_mix_system(offer, nodes, &system);
    if (status != ISOCAST_OK) {
        return status;
    }
    bool solved = request->goal == ISOCAST_OFFER_PROBLEM;
    isocast_prediction_request asked = {.N = solved ? NAN : mix->N,
                                        .other_sizes = request->other_sizes,
                                        .efficiency = solved ? request->efficiency : NAN,
                                        .systems = (const isocast_system *const *)&system,
                                        .system_count = 1,
                                        .effort = effort};
    isocast_prediction *prediction = NULL;
    status = isocast_predict(offer->model, &asked, &prediction);
    if (status == ISOCAST_OK) {
        const isocast_prediction_row *row = &prediction->rows[0];
        *low = solved ? row->N_low : row->T_low;
        *high = solved ? row->N_high : row->T_high;
    }
    isocast_prediction_free(prediction);
    isocast_system_free(system);
    return status;
}
