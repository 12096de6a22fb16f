#include "psi_matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "prediction_psi.h"

/* Numbers whose relative difference is less are the same but for rounding. */
static const double same_value = 1e-9;

/* One system of a prediction, and what the theorems ask of it. */
typedef struct side {
    isocast_prediction_row *row;
    const isocast_system *system;
    double alpha;  /* sequential fraction at N */
    double t_0;    /* s, alpha W/C_j */
    bool balanced; /* T_c = (1-alpha) W/C + t_0 */
} side;

typedef struct sides {
    isocast_prediction *prediction;
    side *items; /* [count] */
    size_t count;
} sides;

static bool is_same(double a, double b) {
    return fabs(a - b) <= same_value * fmax(fabs(a), fabs(b));
}

isocast_status isocast_psi_matrix_create(const char *const *names, size_t count,
                                         double (*psi)(const void *context, size_t from, size_t to),
                                         const void *context, isocast_psi_matrix **out) {
    if (count > ISOCAST_MATRIX_SYSTEMS_MAX) {
        return ISOCAST_ARGUMENT;
    }
    isocast_psi_matrix *matrix = calloc(1, sizeof *matrix);
    if (matrix == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    matrix->names = calloc(count + 1, sizeof *matrix->names);
    matrix->pairs = calloc(count * count + 1, sizeof *matrix->pairs);
    if (matrix->names == NULL || matrix->pairs == NULL) {
        isocast_psi_matrix_free(matrix);
        return ISOCAST_NO_MEMORY;
    }
    matrix->count = count;
    matrix->level = NAN;
    for (size_t from = 0; from < count; from++) {
        matrix->names[from] = names[from];
        for (size_t to = 0; to < count; to++) {
            if (from == to) {
                continue;
            }
            double value = psi(context, from, to);
            matrix->pairs[matrix->pair_count++] = (isocast_psi_pair){
                .from = from,
                .to = to,
                .psi = isfinite(value) ? value : NAN,
                .psi_low = NAN,
                .psi_high = NAN,
                .theorem_1 = NAN,
                .corollary_2 = NAN,
                .theorem_2 = NAN,
                .reason = isfinite(value) ? NULL : "one of the two systems has no solution"};
        }
    }
    *out = matrix;
    return ISOCAST_OK;
}

void isocast_psi_matrix_free(isocast_psi_matrix *matrix) {
    if (matrix != NULL) {
        free(matrix->names);
        free(matrix->pairs);
        free(matrix);
    }
}

const isocast_psi_pair *isocast_psi_matrix_at(const isocast_psi_matrix *matrix, size_t from,
                                              size_t to) {
    return &matrix->pairs[from * (matrix->count - 1) + (to < from ? to : to - 1)];
}

/* What the theorems say of a pair whose psi is known [CSW 3.4]. */
static void apply_theorems(isocast_metric metric, const side *from, const side *to,
                           isocast_psi_pair *pair) {
    double C = from->row->C;
    double C_to = to->row->C;
    double T_o = from->row->T_o;
    double T_o_to = to->row->T_o;
    const isocast_metric_row *row = isocast_metric_row_of(metric);
    double size_ratio = row->size == ISOCAST_SIZE_MARKED_SPEED ? to->row->size / from->row->size
                                                               : to->row->R_f / from->row->R_f;
    if (row->numerator != ISOCAST_NUMERATOR_WORK || !is_same(size_ratio, C_to / C)) {
        pair->reason = "the theorems are about psi = C'W/(C W')";
        return;
    }
    if (!is_same(from->row->held, to->row->held)) {
        pair->reason = "the theorems ask for the same E, and on one system the concurrency rules N";
        return;
    }
    if (!from->balanced || !to->balanced) {
        pair->reason = "T_c is not (1-alpha) W/C + alpha W/C_j, which the theorems ask for";
        return;
    }
    if (!is_same(from->alpha, to->alpha)) {
        pair->reason = "alpha differs between the two sizes, and the theorems ask for one alpha";
        return;
    }
    if (!(to->t_0 + T_o_to > 0)) {
        pair->reason = "there is no overhead and no sequential part to compare with";
        return;
    }
    pair->theorem_1 = (from->t_0 + T_o) / (to->t_0 + T_o_to);
    if (!(T_o_to > 0)) {
        pair->reason = "Corollary 2 and Theorem 2 divide by T_o', which is 0";
        return;
    }
    double beta = from->alpha / from->system->C_j;
    double by_theorem_2 =
        (C * beta * from->row->W - C_to * beta * from->row->W + C * T_o) / (C * T_o_to);
    if (from->alpha == 0 && to->alpha == 0) {
        pair->corollary_2 = T_o / T_o_to;
        pair->theorem_2 = by_theorem_2;
    } else if (from->system->classes[0] != to->system->classes[0] ||
               from->system->C_j != to->system->C_j) {
        pair->reason = "Corollary 2 asks for alpha = 0, Theorem 2 for the sequential part on the "
                       "same node";
    } else {
        pair->theorem_2 = by_theorem_2;
        pair->reason = "Corollary 2 asks for alpha = 0";
    }
}

static double psi_of_sides(const void *context, size_t from, size_t to) {
    const sides *s = context;
    return isocast_prediction_psi(s->prediction, s->items[from].row, s->items[to].row);
}

/* alpha, t_0, and whether the work is balanced. */
static isocast_status look_at(const isocast_prediction_request *request, sides *s, side *at) {
    isocast_model_results results = {.alpha = &at->alpha};
    if (isnan(at->row->N)) {
        return ISOCAST_OK;
    }
    isocast_status status =
        isocast_model_evaluate_at(s->prediction->model, at->system, request->other_sizes,
                                  at->row->N, request->effort, &results);
    at->t_0 = at->alpha * at->row->W / at->system->C_j;
    at->balanced = is_same(at->row->T_c, (1 - at->alpha) * at->row->W / at->row->C + at->t_0);
    return status;
}

static bool is_among_rows(const isocast_prediction *prediction, const char *name) {
    bool found = false;
    for (size_t i = 0; i < prediction->row_count && !found; i++) {
        found = strcmp(prediction->rows[i].system, name) == 0;
    }
    return found;
}

static isocast_status gather(isocast_prediction *prediction,
                             const isocast_prediction_request *request, sides *s) {
    s->prediction = prediction;
    s->items = calloc(prediction->row_count + 2, sizeof *s->items);
    if (s->items == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    if (prediction->has_base && !is_among_rows(prediction, prediction->base.system)) {
        s->items[s->count++] = (side){.row = &prediction->base, .system = request->base};
    }
    for (size_t i = 0; i < prediction->row_count; i++) {
        s->items[s->count++] = (side){.row = &prediction->rows[i], .system = request->systems[i]};
    }
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; status == ISOCAST_OK && i < s->count; i++) {
        status = look_at(request, s, &s->items[i]);
    }
    return status;
}

/* The intervals of all pairs: that of the way back is the inverse of the way there, as psi is. */
static isocast_status find_intervals(const isocast_prediction_request *request, const sides *s,
                                     isocast_psi_matrix *matrix) {
    isocast_effort own = isocast_effort_of(matrix->pair_count);
    isocast_effort *effort = request->effort != NULL ? request->effort : &own;
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < matrix->pair_count && status == ISOCAST_OK; i++) {
        isocast_psi_pair *pair = &matrix->pairs[i];
        if (pair->from > pair->to) {
            const isocast_psi_pair *there = isocast_psi_matrix_at(matrix, pair->to, pair->from);
            pair->psi_low = 1 / there->psi_high;
            pair->psi_high = 1 / there->psi_low;
            continue;
        }
        const side *from = &s->items[pair->from];
        const side *to = &s->items[pair->to];
        status = isocast_prediction_psi_interval(
            s->prediction, request, (isocast_prediction_place){from->row, from->system},
            (isocast_prediction_place){to->row, to->system}, effort, &pair->psi_low,
            &pair->psi_high);
        if (!isnan(pair->psi_low)) {
            matrix->level = s->prediction->level;
        }
    }
    return status;
}

isocast_status isocast_psi_matrix_predict(isocast_prediction *prediction,
                                          const isocast_prediction_request *request,
                                          isocast_psi_matrix **out) {
    sides s = {.count = 0};
    isocast_psi_matrix *matrix = NULL;
    isocast_status status = gather(prediction, request, &s);
    const char **names = calloc(s.count + 1, sizeof *names);
    if (status == ISOCAST_OK && names == NULL) {
        status = ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; status == ISOCAST_OK && i < s.count; i++) {
        names[i] = s.items[i].row->system;
    }
    if (status == ISOCAST_OK) {
        status = isocast_psi_matrix_create(names, s.count, psi_of_sides, &s, &matrix);
    }
    if (status == ISOCAST_OK) {
        matrix->has_theorems = true;
        for (size_t i = 0; i < matrix->pair_count; i++) {
            isocast_psi_pair *pair = &matrix->pairs[i];
            if (isfinite(pair->psi)) {
                apply_theorems(prediction->metric, &s.items[pair->from], &s.items[pair->to], pair);
            }
        }
        status = find_intervals(request, &s, matrix);
    }
    if (status == ISOCAST_OK) {
        *out = matrix;
    } else {
        isocast_psi_matrix_free(matrix);
    }
    free(names);
    free(s.items);
    return status;
}
