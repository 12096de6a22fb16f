#include "crossing.h"

#include <math.h>

#include "model/formula/form.h"
#include "model/formula/pieces.h"
#include "model/spec/one_class.h"

enum {
    REST_POINTS = 641, /* looked at where nothing can be proved */
    END_POINTS = 64    /* looked at for the end of the range */
};

/* Times that differ by less than this share cannot be distinguished. */
static const double alike_share = 1e-14;
/* Pieces that are relatively narrower are not cut further. */
static const double narrowest = 1e-12;
/* What proofs may take of the effort; the rest is for looking at what they leave. */
static const double proofs_share = 0.8;

typedef struct side {
    const isocast_crossing_side *given;
    isocast_enclosure *enclosure;
    size_t output_count;
} side;

/* Differences are T of the first side minus T of the second. */
typedef struct search {
    side sides[2];
    isocast_effort *effort;
    isocast_crossings *found;
    isocast_pieces pieces; /* by rising N */
    double last_N;         /* the largest N before which all is known and at which a sign is */
    int last_sign;
    isocast_status (*times)(const struct search *s, double x, double T[2]);
    double N; /* of a search over p */
    isocast_status status;
} search;

static void take_times(search *s, double x, double T[2]) {
    T[0] = T[1] = NAN;
    isocast_status status = s->times(s, x, T);
    s->status = status != ISOCAST_OK ? status : s->status;
}

/* The sign of the difference, 0 where it is within `share` of the times, or not known. */
static int sign_at(search *s, double x, double share) {
    double both[2];
    take_times(s, x, both);
    double difference = both[0] - both[1];
    double noise = share * fmax(fabs(both[0]), fabs(both[1]));
    return difference > noise ? 1 : difference < -noise ? -1 : 0;
}

static bool is_known(search *s, double x) {
    double both[2];
    take_times(s, x, both);
    return isfinite(both[0]) && isfinite(both[1]);
}

static void add(search *s, double at, int beyond) {
    isocast_crossings *found = s->found;
    if (found->count == ISOCAST_CROSSINGS_MAX) {
        found->more = true;
        found->complete_to = fmin(found->complete_to, found->at[found->count - 1]);
        return;
    }
    double both[2];
    take_times(s, at, both);
    found->at[found->count] = at;
    found->T[found->count] = both[0];
    found->faster[found->count++] = beyond > 0 ? 1 : 0;
}

/* The one change of the sign between low and high, where it is `before` and `-before`. */
static void close_in(search *s, double low, double high, int before) {
    for (;;) {
        double middle = isocast_middle(low, high);
        if (middle <= low || middle >= high || s->status != ISOCAST_OK) {
            break;
        }
        int sign = sign_at(s, middle, 0);
        if (sign == 0) {
            low = middle;
            break;
        }
        if (sign == before) {
            low = middle;
        } else {
            high = middle;
        }
    }
    add(s, low, -before);
}

/* All is known up to x: whether the sign has changed since it was last seen. */
static void arrive(search *s, double x) {
    int sign = sign_at(s, x, alike_share);
    if (sign != 0 && s->last_sign == -sign) {
        close_in(s, s->last_N, x, s->last_sign);
    }
    if (sign != 0) {
        s->found->alike = false;
        s->last_sign = sign;
        s->last_N = x;
    }
}

static isocast_status times_at_N(const search *s, double N, double T[2]) {
    isocast_status status = ISOCAST_OK;
    for (size_t k = 0; k < 2 && status == ISOCAST_OK; k++) {
        const isocast_crossing_side *given = s->sides[k].given;
        isocast_model_results results = {.given_T = &T[k]};
        status = isocast_model_evaluate_at(given->model, given->system, given->other_sizes, N,
                                           s->effort, &results);
    }
    return status;
}

/* T of a side over the piece that its enclosure was entered on. */
static bool enclose_time(const side *of, isocast_form *out) {
    bool known = true;
    isocast_form_constant(out, 0);
    for (size_t o = ISOCAST_MODEL_COMPUTE; o < of->output_count && known; o++) {
        known = isocast_form_add(out, isocast_enclosure_output(of->enclosure, o), 1, 1);
    }
    return known;
}

static bool enclose(search *s, double low, double high, isocast_form *difference) {
    isocast_form second;
    bool known = true;
    for (size_t k = 0; k < 2 && s->status == ISOCAST_OK; k++) {
        s->status = isocast_enclosure_enter(s->sides[k].enclosure, low, high);
    }
    if (s->status != ISOCAST_OK || !enclose_time(&s->sides[0], difference) ||
        !enclose_time(&s->sides[1], &second)) {
        return false;
    }
    s->status =
        isocast_enclosure_adopt(s->sides[0].enclosure, s->sides[1].enclosure, &second, &known);
    return s->status == ISOCAST_OK && known && isocast_form_add(difference, &second, -1, 1);
}

/* Whether the difference vanishes at most once in the piece, or everywhere. */
static bool prove(search *s, double low, double high) {
    isocast_form difference;
    if (!enclose(s, low, high, &difference)) {
        return false;
    }
    if (difference.count == 0) {
        return true;
    }
    isocast_form_ranges ranges = isocast_enclosure_ranges(s->sides[0].enclosure);
    isocast_form_verdict verdict = isocast_form_judge(&difference, &ranges, s->effort);
    return verdict.has_no_zero || verdict.has_one_zero_at_most;
}

static void cut(search *s, const isocast_piece *piece) {
    double switch_at[2];
    bool switches = isocast_enclosure_switch(s->sides[0].enclosure, switch_at) ||
                    isocast_enclosure_switch(s->sides[1].enclosure, switch_at);
    isocast_pieces_cut(&s->pieces, piece->from, piece->to, switches ? switch_at : NULL);
}

/* What proofs leave: changes of the sign between many points. */
static void sample_rest(search *s, double low, double high) {
    s->found->complete_to = fmin(s->found->complete_to, low);
    double step = log(high / low) / (REST_POINTS - 1);
    for (size_t k = 0; k < REST_POINTS && s->status == ISOCAST_OK && !s->found->more; k++) {
        if (isocast_effort_is_spent(s->effort)) {
            return;
        }
        arrive(s, fmin(low * exp(step * (double)k), high));
    }
}

static void search_range(search *s, double low, double high) {
    double proofs_end = s->effort->left * (1 - proofs_share);
    arrive(s, low);
    isocast_pieces_add(&s->pieces, (isocast_piece){low, high, false});
    while (s->pieces.count > 0 && s->status == ISOCAST_OK && !s->found->more) {
        bool may_prove = s->effort->left >= proofs_end && isocast_pieces_have_room(&s->pieces);
        isocast_piece next = isocast_pieces_take(&s->pieces);
        if (!may_prove) {
            sample_rest(s, next.from, high);
            return;
        }
        bool narrow = next.to - next.from <= narrowest * next.from;
        if (next.is_switch || narrow || prove(s, next.from, next.to)) {
            arrive(s, next.to);
        } else if (s->status == ISOCAST_OK) {
            cut(s, &next);
        }
    }
}

/* The last N of the range at which both times are numbers; `low` where they are not even there. */
static double find_end(search *s, double low, double high) {
    if (is_known(s, high)) {
        return high;
    }
    double known = low;
    double unknown = high;
    double step = log(high / low) / (END_POINTS - 1);
    for (size_t k = END_POINTS; k-- > 1;) {
        double N = low * exp(step * (double)(k - 1));
        if (is_known(s, N)) {
            known = N;
            break;
        }
        unknown = N;
    }
    for (int i = 0; i < 60 && unknown > known * 1.001; i++) {
        double middle = sqrt(known) * sqrt(unknown);
        if (is_known(s, middle)) {
            known = middle;
        } else {
            unknown = middle;
        }
    }
    return known;
}

static isocast_status open_side(search *s, size_t k) {
    side *of = &s->sides[k];
    const isocast_model *model = of->given->model;
    of->output_count = ISOCAST_MODEL_TERMS + isocast_model_algorithm(model)->overhead_count;
    return isocast_model_enclosure(model, isocast_model_times(model), of->given->system,
                                   of->given->other_sizes, s->effort, &of->enclosure);
}

static isocast_crossings nothing_found(double end) {
    return (isocast_crossings){.alike = true, .complete_to = end, .end = end};
}

isocast_status isocast_crossings_find(const isocast_crossing_side sides[2], double low, double high,
                                      isocast_effort *effort, isocast_crossings *out) {
    isocast_crossings found = nothing_found(high);
    search s = {.sides = {{.given = &sides[0]}, {.given = &sides[1]}},
                .effort = effort,
                .found = &found,
                .times = times_at_N};
    s.status = isocast_pieces_create(&s.pieces);
    s.status = s.status == ISOCAST_OK ? open_side(&s, 0) : s.status;
    s.status = s.status == ISOCAST_OK ? open_side(&s, 1) : s.status;
    if (s.status == ISOCAST_OK) {
        found.end = find_end(&s, low, high);
        found.complete_to = found.end;
        search_range(&s, low, found.end);
    }
    isocast_enclosure_free(s.sides[0].enclosure);
    isocast_enclosure_free(s.sides[1].enclosure);
    isocast_pieces_free(&s.pieces);
    if (s.status == ISOCAST_OK) {
        *out = found;
    }
    return s.status;
}

isocast_status isocast_crossing_time_at_p(const isocast_crossing_side *of, double N, double p,
                                          isocast_effort *effort, double *T, double *concurrency) {
    isocast_one_class filled;
    isocast_one_class_filled(isocast_model_machine(of->model),
                             isocast_model_algorithm(of->model)->kernel, p, &filled);
    isocast_model_results results = {.given_T = T, .concurrency = concurrency};
    return isocast_model_evaluate_at(of->model, &filled.system, of->other_sizes, N, effort,
                                     &results);
}

static isocast_status times_at_p(const search *s, double p, double T[2]) {
    isocast_status status = ISOCAST_OK;
    for (size_t k = 0; k < 2 && status == ISOCAST_OK; k++) {
        status = isocast_crossing_time_at_p(s->sides[k].given, s->N, p, s->effort, &T[k], NULL);
    }
    return status;
}

isocast_status isocast_crossings_find_p(const isocast_crossing_side sides[2], double N,
                                        const isocast_crossing_processes *processes,
                                        isocast_effort *effort, isocast_crossings *out) {
    isocast_crossings found = nothing_found(processes->most);
    search s = {.sides = {{.given = &sides[0]}, {.given = &sides[1]}},
                .effort = effort,
                .found = &found,
                .times = times_at_p,
                .N = N};
    bool is_spent = false;
    for (size_t i = 0; i < processes->count && s.status == ISOCAST_OK && !found.more; i++) {
        is_spent = isocast_effort_is_spent(effort);
        if (is_spent) {
            found.complete_to = processes->each[i] - 1;
            found.end = found.complete_to;
            break;
        }
        arrive(&s, processes->each[i]);
    }
    bool goes_on = processes->most > ISOCAST_CROSSING_PROCESSES && !is_spent;
    if (goes_on && s.status == ISOCAST_OK && !found.more) {
        sample_rest(&s, ISOCAST_CROSSING_PROCESSES, processes->most);
    }
    if (s.status == ISOCAST_OK) {
        *out = found;
    }
    return s.status;
}
