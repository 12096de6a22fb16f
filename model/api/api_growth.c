#include <isocast/growth.h>
#include <math.h>

#include "api_request.h"
#include "model/solve/isoefficiency.h"

/* The function is that of a speed-efficiency which is given. */
static isocast_status check_held(const isocast_api_question *question) {
    const isocast_prediction_request *request = &question->read.request;
    if (!isnan(request->efficiency) && request->metric == ISOCAST_METRIC_ISOSPEED_E) {
        return ISOCAST_OK;
    }
    return isocast_api_refuse(question->call.diagnostics,
                              "give efficiency, and leave base, N and metric out",
                              "the isoefficiency function holds a speed-efficiency");
}

isocast_status isocast_model_isoefficiency(const isocast_model *model,
                                           const isocast_request *request,
                                           isocast_diagnostics *diagnostics,
                                           isocast_isoefficiency **out) {
    isocast_api_question question;
    isocast_prediction *prediction = NULL;
    isocast_status status = isocast_api_ask(model, request, diagnostics, out, &question);
    if (status == ISOCAST_OK) {
        status = check_held(&question);
    }
    if (status == ISOCAST_OK) {
        status = isocast_predict(model, &question.read.request, &prediction);
    }
    if (status == ISOCAST_OK) {
        status = isocast_isoefficiency_find(prediction, &question.read.request, out);
    }
    if (status == ISOCAST_OK) {
        (*out)->owned = prediction;
    } else {
        isocast_prediction_free(prediction);
    }
    return isocast_api_answer(&question, status);
}

const isocast_prediction *isocast_isoefficiency_prediction(const isocast_isoefficiency *e) {
    return e->prediction;
}

double isocast_isoefficiency_K(const isocast_isoefficiency *e) {
    return e->growth->K;
}

double isocast_isoefficiency_limit(const isocast_isoefficiency *e) {
    return e->growth->limit_of_E;
}

#define ROW(member) ISOCAST_API_PLACE(isocast_isoefficiency_row, member)

double isocast_isoefficiency_number(const isocast_isoefficiency *e, size_t row,
                                    isocast_isoefficiency_quantity quantity) {
    static const size_t places[] = {[ISOCAST_ISOEFFICIENCY_IDEAL] = ROW(ideal),
                                    [ISOCAST_ISOEFFICIENCY_COST] = ROW(cost),
                                    [ISOCAST_ISOEFFICIENCY_OVERHEAD] = ROW(overhead),
                                    [ISOCAST_ISOEFFICIENCY_IDLE] = ROW(idle),
                                    [ISOCAST_ISOEFFICIENCY_EXPONENT] = ROW(exponent)};
    const isocast_isoefficiency_row *r = row < e->prediction->row_count ? &e->rows[row] : NULL;
    return isocast_api_number(r, places, sizeof places / sizeof places[0], quantity);
}

size_t isocast_isoefficiency_part_count(const isocast_isoefficiency *e) {
    return e->growth->term_count + (e->growth->has_concurrency ? 3 : 2);
}

/* One that is not there is like one of which nothing is known. */
static const isocast_growth_part *part_at(const isocast_isoefficiency *e, size_t part,
                                          const char **name) {
    static const isocast_growth_part nothing = {.verdict = ISOCAST_GROWTH_UNDECIDED};
    const isocast_growth *growth = e->growth;
    const struct {
        const char *name;
        const isocast_growth_part *part;
    } others[] = {{"computation", &growth->idle},
                  {"processes", &growth->processes},
                  {"concurrency", &growth->concurrency}};
    if (part == ISOCAST_PART_ALL) {
        *name = "all";
        return &growth->whole;
    }
    if (part >= isocast_isoefficiency_part_count(e)) {
        *name = NULL;
        return &nothing;
    }
    if (part < growth->term_count) {
        *name = isocast_model_algorithm(e->prediction->model)->overhead[part].name;
        return &growth->terms[part];
    }
    *name = others[part - growth->term_count].name;
    return others[part - growth->term_count].part;
}

const char *isocast_isoefficiency_part_name(const isocast_isoefficiency *e, size_t part) {
    const char *name;
    part_at(e, part, &name);
    return name;
}

isocast_growth_verdict isocast_isoefficiency_verdict(const isocast_isoefficiency *e, size_t part) {
    const char *name;
    return part_at(e, part, &name)->verdict;
}

const char *isocast_isoefficiency_reason(const isocast_isoefficiency *e, size_t part) {
    const char *name;
    return part_at(e, part, &name)->reason;
}

double isocast_isoefficiency_order(const isocast_isoefficiency *e, size_t part,
                                   isocast_growth_factor factor) {
    const char *name;
    const isocast_growth_part *at = part_at(e, part, &name);
    const double orders[] = {[ISOCAST_GROWTH_P] = at->W.p,
                             [ISOCAST_GROWTH_LOG_P] = at->W.log_p,
                             [ISOCAST_GROWTH_LOG_LOG_P] = at->W.log_log_p};
    bool known =
        at->verdict == ISOCAST_GROWTH_PROVED && (unsigned)factor < sizeof orders / sizeof orders[0];
    return known ? orders[factor] : NAN;
}

bool isocast_isoefficiency_depends_on_E(const isocast_isoefficiency *e, size_t part) {
    const char *name;
    return part_at(e, part, &name)->depends_on_E;
}

bool isocast_isoefficiency_needs_squares(const isocast_isoefficiency *e) {
    const isocast_question_premises *premises = &e->growth->premises;
    return premises->squares || premises->cubes || premises->divisors;
}
