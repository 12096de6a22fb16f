#include "range_end.h"

#include <math.h>

#include "model/formula/pieces.h"

enum {
    POINTS = 32, /* per decade-like part of the range */
    ROUNDS = 2
};

/* From here on, where numbers end is no matter of digits. */
static const double huge = 1e15;
/* With sums, so near to it is enough: every look at them takes its time. */
static const double near_enough = 1e-3;

/* Points from begin to end, evenly in ln N. */
typedef struct survey {
    double N[POINTS];
    isocast_balance at[POINTS];
    size_t reached; /* how many were looked at */
} survey;

static isocast_status look(const isocast_extremes_source *source, bool has_sums, double begin,
                           double end, survey *out) {
    double step = log(end / begin) / (POINTS - 1);
    size_t width = has_sums ? 1 : POINTS;
    isocast_status status = ISOCAST_OK;
    *out = (survey){.reached = 0};
    for (size_t first = 0; first < POINTS && status == ISOCAST_OK; first += width) {
        for (size_t k = first; k < first + width; k++) {
            out->N[k] = k == POINTS - 1 ? end : begin * exp(step * (double)k);
        }
        status = source->evaluate(source->context, width, out->N + first, out->at + first);
        out->reached = first + width;
        if (out->at[first].sum_error > ISOCAST_SUM_ERROR_MAX) {
            break;
        }
    }
    return status;
}

static bool is_known(const isocast_balance *at) {
    return !isnan(at->value) && at->sum_error <= ISOCAST_SUM_ERROR_MAX;
}

/* The last N that is known, between one that is and one that is not; with sums, near to it. */
static isocast_status close_in(const isocast_extremes_source *source, bool has_sums, double known,
                               double unknown, double *last) {
    isocast_status status = ISOCAST_OK;
    double near = has_sums ? 1 + near_enough : 1;
    double N = isocast_middle(known, unknown);
    while (status == ISOCAST_OK && N > known && N < unknown && unknown > near * known &&
           known < huge) {
        isocast_balance at = {.value = NAN};
        status = source->evaluate(source->context, 1, &N, &at);
        *(is_known(&at) ? &known : &unknown) = N;
        N = isocast_middle(known, unknown);
    }
    *last = known < huge ? known : pow(10, floor(log10(known)));
    return status;
}

isocast_status isocast_range_end_find(const isocast_extremes_source *source, bool has_sums,
                                      double low, double high, isocast_range_end *out) {
    double begin = low;
    double end = high;
    isocast_status status = ISOCAST_OK;
    *out = (isocast_range_end){.N = high, .all_on_target = true};
    for (int round = 0; round < ROUNDS && (round == 0 || begin < end) && status == ISOCAST_OK;
         round++) {
        survey s;
        size_t last = POINTS;
        status = look(source, has_sums, begin, end, &s);
        for (size_t k = 0; k < s.reached; k++) {
            if (is_known(&s.at[k])) {
                last = k;
                out->all_on_target = out->all_on_target && fabs(s.at[k].residual) <= 1e-12;
            }
        }
        if (last == POINTS) {
            /* Sums that are not known from the first N on, which is no end of a range. */
            out->sum_error = s.at[0].sum_error;
            return status;
        }
        begin = s.N[last];
        end = s.N[last + 1 < s.reached ? last + 1 : last];
    }
    out->N = begin;
    return status == ISOCAST_OK && begin < end ? close_in(source, has_sums, begin, end, &out->N)
                                               : status;
}
