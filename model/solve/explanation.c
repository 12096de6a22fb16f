#include "explanation.h"

#include <math.h>
#include <stdlib.h>

/* A row counts as solved where it has a time, also where a bound is broken at that N. */
static bool is_solved(const isocast_prediction_row *row) {
    return isfinite(row->T) && row->T > 0;
}

static double row_part(const isocast_prediction_row *row, size_t part) {
    if (!is_solved(row)) {
        return NAN;
    }
    return part == 0 ? row->T_c : row->terms[part - 1] + 0.0; /* of -0 the sum is 0 */
}

/* Times whose logarithms differ by less are the same but for rounding. */
static const double same_time = 1e-12;

static double growth_between(const isocast_prediction_row *a, const isocast_prediction_row *b,
                             double T_a, double T_b) {
    double ratio = log(T_b / T_a);
    double growth = fabs(ratio) < same_time ? 0 : ratio / log(b->p / a->p);
    return a->p != b->p && isfinite(growth) ? growth : NAN;
}

static isocast_status make_parts(const isocast_prediction *prediction, isocast_explanation *e) {
    const isocast_algorithm *algorithm = isocast_model_algorithm(prediction->model);
    size_t count = prediction->term_count + 1;
    size_t rows = prediction->row_count;
    e->parts = calloc(count, sizeof *e->parts);
    if (e->parts == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        isocast_part *part = &e->parts[i];
        part->name = i == 0 ? "computation" : algorithm->overhead[i - 1].name;
        part->is_overhead = i > 0;
        part->growth = NAN;
        part->T = malloc((rows + 1) * sizeof *part->T);
        if (part->T == NULL) {
            return ISOCAST_NO_MEMORY;
        }
        e->part_count = i + 1;
        for (size_t row = 0; row < rows; row++) {
            part->T[row] = row_part(&prediction->rows[row], i);
        }
    }
    return ISOCAST_OK;
}

static void relate_parts(isocast_explanation *e) {
    const isocast_prediction *prediction = e->prediction;
    const isocast_prediction_row *a = &prediction->rows[e->first];
    const isocast_prediction_row *b = &prediction->rows[e->last];
    e->growth_T = growth_between(a, b, a->T, b->T);
    for (size_t i = 0; i < e->part_count; i++) {
        isocast_part *part = &e->parts[i];
        part->growth = growth_between(a, b, part->T[e->first], part->T[e->last]);
    }
    /* Few parts: insertion, which keeps the file's order among equals. */
    for (size_t i = 1; i < e->part_count; i++) {
        isocast_part moved = e->parts[i];
        size_t k = i;
        while (k > 0 && e->parts[k - 1].T[e->last] < moved.T[e->last]) {
            e->parts[k] = e->parts[k - 1];
            k--;
        }
        e->parts[k] = moved;
    }
}

static void find_solved(isocast_explanation *e) {
    const isocast_prediction *prediction = e->prediction;
    e->first = prediction->row_count;
    for (size_t i = 0; i < prediction->row_count; i++) {
        if (is_solved(&prediction->rows[i])) {
            e->first = e->first == prediction->row_count ? i : e->first;
            e->last = i;
        }
    }
}

isocast_status isocast_explain(const isocast_prediction *prediction,
                               const isocast_prediction_request *request,
                               isocast_explanation **out) {
    isocast_explanation *e = calloc(1, sizeof *e);
    if (e == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    e->prediction = prediction;
    e->growth_T = NAN;
    isocast_status status = make_parts(prediction, e);
    find_solved(e);
    if (status == ISOCAST_OK && e->first < prediction->row_count) {
        relate_parts(e);
        status = isocast_drivers_find(prediction, request, e->last, &e->drivers);
    }
    if (status != ISOCAST_OK) {
        isocast_explanation_free(e);
        return status;
    }
    *out = e;
    return ISOCAST_OK;
}

void isocast_explanation_free(isocast_explanation *explanation) {
    if (explanation != NULL) {
        for (size_t i = 0; i < explanation->part_count; i++) {
            free(explanation->parts[i].T);
        }
        free(explanation->parts);
        isocast_drivers_free(&explanation->drivers);
        isocast_prediction_free(explanation->owned);
        free(explanation);
    }
}
