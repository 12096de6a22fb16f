#include "prediction_result.h"

#include <math.h>
#include <stdlib.h>

void isocast_row_moves_free(isocast_row_moves *moves) {
    free(moves->of_N);
    free(moves->draws);
    free(moves->too_few);
    *moves = (isocast_row_moves){0};
}

static void row_free(isocast_prediction_row *row) {
    free(row->system);
    free(row->terms);
    free(row->note);
    isocast_row_moves_free(&row->moves);
}

void isocast_prediction_free(isocast_prediction *prediction) {
    if (prediction != NULL) {
        row_free(&prediction->base);
        for (size_t i = 0; i < prediction->row_count; i++) {
            row_free(&prediction->rows[i]);
        }
        free(prediction->rows);
        isocast_uncertainty_free(prediction->uncertainty);
        isocast_point_times_free(prediction->times);
        isocast_drawn_times_free(prediction->drawn);
        free(prediction);
    }
}

bool isocast_rows_may_differ(const isocast_prediction_row *first,
                             const isocast_prediction_row *second, double ratio, double *most) {
    static const double little = 0.001; /* as notes have it */
    double high = isnan(first->uncertain_high) ? 1 : first->uncertain_high;
    double low = isnan(second->uncertain_low) ? 1 : second->uncertain_low;
    *most = high / fmax(low, 0);
    return *most > 1 + little && *most >= ratio;
}

static bool is_solved(const isocast_prediction_row *row) {
    return row->status == ISOCAST_ROW_OK || row->status == ISOCAST_ROW_SEVERAL;
}

const char *isocast_row_ruler(const isocast_prediction_row *row) {
    if (!is_solved(row) || (row->solution.root_count == 0 && isnan(row->N_efficiency))) {
        return NULL;
    }
    return isnan(row->N_efficiency) ? "efficiency" : "concurrency";
}
