#include <math.h>

#include "cli/output/json_text.h"
#include "report_offers.h"

/* Points of a front that JSON has at most: a picture shows no more. */
enum { FRONT_MOST = 1000, CURVE_MOST = 300, BINS_MOST = 100 };

typedef struct named_number {
    const char *name;
    double value;
} named_number;

static void set_numbers(json_t **object, const named_number *numbers, size_t count) {
    for (size_t i = 0; i < count; i++) {
        cli_json_set(object, numbers[i].name, cli_json_number(numbers[i].value));
    }
}

static void set_nodes(json_t **object, const isocast_offer *offer, const double *nodes) {
    json_t *classes = json_object();
    for (size_t i = 0; i < offer->priced->class_count; i++) {
        cli_json_set(&classes, offer->priced->classes[i].name, cli_json_number(nodes[i]));
    }
    cli_json_set(object, "nodes_of_class", classes);
}

/* What a mix is and does; `low` and `high` of T, or of N where N is asked for. */
static json_t *mix_object(const cli_offers_view *v, size_t offer, const isocast_mix *mix,
                          const double *nodes, double low, double high) {
    bool of_N = v->offers->request.goal == ISOCAST_OFFER_PROBLEM;
    json_t *object = json_object();
    cli_json_set(&object, "offer", cli_json_string(v->offers->offers[offer].name));
    isocast_system *system = NULL;
    isocast_status status = isocast_mix_system(&v->offers->offers[offer], nodes, &system);
    /* A mix may have more processes than a system: it has no name then. */
    if (status != ISOCAST_OK && status != ISOCAST_INVALID) {
        json_decref(object);
        return NULL;
    }
    cli_json_set(&object, "system", cli_json_string(system != NULL ? system->name : NULL));
    isocast_system_free(system);
    set_nodes(&object, &v->offers->offers[offer], nodes);
    const named_number numbers[] = {{"nodes", mix->bill.nodes},
                                    {"p", mix->p},
                                    {"C", mix->C},
                                    {"price", mix->bill.price},
                                    {"lifetime_price", mix->bill.lifetime_price},
                                    {"spent", mix->spent},
                                    {"N", mix->N},
                                    {"N_low", of_N ? low : NAN},
                                    {"N_high", of_N ? high : NAN},
                                    {"W", mix->W},
                                    {"T", mix->T},
                                    {"T_low", of_N ? NAN : low},
                                    {"T_high", of_N ? NAN : high},
                                    {"E", mix->E},
                                    {"power", mix->bill.power},
                                    {"energy", mix->energy},
                                    {"cost", mix->cost}};
    set_numbers(&object, numbers, sizeof numbers / sizeof numbers[0]);
    return object;
}

static json_t *beyond_array(const cli_offers_view *v, size_t offer) {
    const isocast_mixes *beyond = &v->offers->answers[offer].beyond;
    json_t *array = json_array();
    for (size_t i = 0; i < beyond->count; i++) {
        cli_json_append(&array, mix_object(v, offer, &beyond->items[i],
                                           isocast_mixes_nodes(beyond, i), NAN, NAN));
    }
    return array;
}

static json_t *row_object(const cli_offers_view *v, size_t offer) {
    const isocast_offers *o = v->offers;
    const isocast_offer_search *search = &o->searches[offer];
    const isocast_offer_answer *answer = &o->answers[offer];
    const isocast_mix *best = isocast_offers_best(o, offer);
    json_t *object = NULL;
    if (best != NULL) {
        object = mix_object(v, offer, best, isocast_mixes_nodes(&search->mixes, search->best),
                            answer->low, answer->high);
    } else {
        static const char *const missing[] = {
            "system", "nodes",  "p",     "C",      "price",  "lifetime_price",
            "spent",  "N",      "N_low", "N_high", "W",      "T",
            "T_low",  "T_high", "E",     "power",  "energy", "cost"};
        object = json_object();
        cli_json_set(&object, "offer", cli_json_string(o->offers[offer].name));
        cli_json_set(&object, "nodes_of_class", json_object());
        for (size_t i = 0; i < sizeof missing / sizeof missing[0]; i++) {
            cli_json_set(&object, missing[i], json_null());
        }
    }
    isocast_buffer lack = {0};
    cli_offers_append_lack(v, offer, &lack);
    cli_json_set(&object, "status",
                 cli_json_string(best == NULL       ? "none"
                                 : offer == o->best ? "best"
                                                    : "ok"));
    cli_json_set(
        &object, "note",
        lack.failed ? NULL
                    : cli_json_string(best == NULL ? lack.text : answer->prediction->rows[0].note));
    isocast_buffer_free(&lack);
    cli_json_set(&object, "mixes", cli_json_number((double)search->mixes.count));
    cli_json_set(&object, "all_mixes", json_boolean(search->all));
    cli_json_set(&object, "unknown_mixes", cli_json_number((double)search->unknown));
    cli_json_set(&object, "gap", cli_json_number(search->all ? 0 : search->gap));
    cli_json_set(&object, "one_more", beyond_array(v, offer));
    if (o->request.goal == ISOCAST_OFFER_PROBLEM && best != NULL && o->best < o->count) {
        const isocast_mix *there = &answer->at_best_N;
        json_t *at_N = json_object();
        const named_number numbers[] = {{"N", there->N}, {"T", there->T}, {"E", there->E}};
        set_numbers(&at_N, numbers, sizeof numbers / sizeof numbers[0]);
        cli_json_set(&at_N, "status", cli_json_string(isocast_row_status_word(there->status)));
        cli_json_set(&object, "at_best_N", at_N);
    }
    return object;
}

static json_t *front_array(const cli_offers_view *v) {
    const isocast_front *front = &v->offers->front;
    size_t count = front->count < FRONT_MOST ? front->count : FRONT_MOST;
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        size_t at = count > 1 ? i * (front->count - 1) / (count - 1) : 0;
        const isocast_front_point *point = &front->points[at];
        const isocast_mixes *mixes = &v->offers->searches[point->offer].mixes;
        cli_json_append(&array, mix_object(v, point->offer, &mixes->items[point->mix],
                                           isocast_mixes_nodes(mixes, point->mix), point->low,
                                           point->high));
    }
    return array;
}

static void append_mix(const isocast_mix *mix, json_t **points) {
    json_t *point = json_object();
    const named_number numbers[] = {{"spent", mix->spent}, {"p", mix->p},
                                    {"N", mix->N},         {"T", mix->T},
                                    {"cost", mix->cost},   {"energy", mix->energy}};
    set_numbers(&point, numbers, sizeof numbers / sizeof numbers[0]);
    cli_json_append(points, point);
}

/* The front of an offer's mixes. */
static isocast_status append_front(const isocast_offers *o, size_t offer, json_t **points) {
    isocast_front front = {0};
    isocast_status status = isocast_front_find(&o->request, &o->searches[offer], 1, &front);
    size_t count = front.count < CURVE_MOST ? front.count : CURVE_MOST;
    for (size_t k = 0; k < count; k++) {
        size_t at = count > 1 ? k * (front.count - 1) / (count - 1) : 0;
        append_mix(&o->searches[offer].mixes.items[front.points[at].mix], points);
    }
    isocast_front_free(&front);
    return status;
}

/* Where the goal is of cost, energy or processes, which may rise again as more is spent: the best
 * mix in each of many steps of what is spent. */
static void append_best(const isocast_mixes *mixes, json_t **points) {
    const isocast_mix *best[BINS_MOST] = {NULL};
    double least = INFINITY;
    double most = 0;
    for (size_t i = 0; i < mixes->count; i++) {
        least = fmin(least, mixes->items[i].spent);
        most = fmax(most, mixes->items[i].spent);
    }
    for (size_t i = 0; i < mixes->count; i++) {
        const isocast_mix *mix = &mixes->items[i];
        double share = most > least && least > 0 ? log(mix->spent / least) / log(most / least) : 0;
        const isocast_mix **bin = &best[(size_t)(fmin(fmax(share, 0), 1) * (BINS_MOST - 1))];
        if (!isnan(mix->value) && (*bin == NULL || mix->value < (*bin)->value)) {
            *bin = mix;
        }
    }
    for (size_t k = 0; k < BINS_MOST; k++) {
        if (best[k] != NULL) {
            append_mix(best[k], points);
        }
    }
}

/* A line for each offer alone, for the picture. */
static json_t *curves_array(const cli_offers_view *v) {
    isocast_offer_goal goal = v->offers->request.goal;
    bool by_value = goal == ISOCAST_OFFER_COST || goal == ISOCAST_OFFER_ENERGY ||
                    goal == ISOCAST_OFFER_PROCESSES;
    json_t *array = json_array();
    for (size_t i = 0; i < v->offers->count; i++) {
        json_t *points = json_array();
        isocast_status status = ISOCAST_OK;
        if (by_value) {
            append_best(&v->offers->searches[i].mixes, &points);
        } else {
            status = append_front(v->offers, i, &points);
        }
        if (status != ISOCAST_OK) {
            json_decref(points);
            json_decref(array);
            return NULL;
        }
        json_t *object = json_object();
        cli_json_set(&object, "offer", cli_json_string(v->offers->offers[i].name));
        cli_json_set(&object, "points", points);
        cli_json_append(&array, object);
    }
    return array;
}

static json_t *ranges_array(const cli_offers_view *v) {
    json_t *array = json_array();
    for (size_t i = 0; i < v->offers->range_count; i++) {
        const isocast_budget_range *range = &v->offers->ranges[i];
        json_t *object = json_object();
        cli_json_set(&object, "from", cli_json_number(range->from));
        cli_json_set(&object, "to", cli_json_number(range->to));
        cli_json_set(&object, "offer", cli_json_string(v->offers->offers[range->offer].name));
        cli_json_append(&array, object);
    }
    return array;
}

static json_t *changes_array(const cli_offers_view *v) {
    json_t *array = json_array();
    for (size_t i = 0; i < v->decision->count; i++) {
        const isocast_decider *d = &v->decision->items[i];
        isocast_unit_text unit = isocast_dimension_text(d->dimension);
        json_t *object = json_object();
        cli_json_set(&object, "of", cli_json_string(isocast_decider_word(d->kind)));
        cli_json_set(
            &object, "offer",
            cli_json_string(d->offer < v->offers->count ? v->offers->offers[d->offer].name : NULL));
        cli_json_set(&object, "name", cli_json_string(d->name));
        cli_json_set(&object, "meaning", cli_json_string(d->meaning));
        cli_json_set(&object, "unit", cli_json_string(unit.text));
        const named_number numbers[] = {{"now", d->now},
                                        {"threshold", d->threshold},
                                        {"searched_from", d->from},
                                        {"searched_to", d->to},
                                        {"elasticity", d->elasticity}};
        set_numbers(&object, numbers, sizeof numbers / sizeof numbers[0]);
        cli_json_set(&object, "same_nodes", json_boolean(!d->chosen_again));
        isocast_buffer label = {0};
        cli_offers_append_decider(v, d, &label);
        cli_json_set(&object, "what", label.failed ? NULL : cli_json_string(label.text));
        isocast_buffer_free(&label);
        isocast_buffer sentence = {0};
        cli_offers_append_change(v, d, &sentence);
        cli_json_set(&object, "sentence", sentence.failed ? NULL : cli_json_string(sentence.text));
        isocast_buffer_free(&sentence);
        cli_json_append(&array, object);
    }
    return array;
}

static json_t *question_object(const cli_offers_view *v) {
    const isocast_offers_request *request = &v->offers->request;
    json_t *object = json_object();
    cli_json_set(&object, "goal", cli_json_string(cli_offers_goal_word(request->goal)));
    const named_number numbers[] = {{"budget", request->budget},
                                    {"N", request->N},
                                    {"efficiency", request->efficiency},
                                    {"deadline", request->deadline}};
    set_numbers(&object, numbers, sizeof numbers / sizeof numbers[0]);
    cli_json_set(&object, "budget_for",
                 cli_json_string(request->whole_life ? "lifetime" : "price"));
    return object;
}

static void append_sentence(void *array, const char *sentence) {
    cli_json_append(array, sentence != NULL ? cli_json_string(sentence) : NULL);
}

json_t *cli_json_offers(const cli_offers_view *view, json_t *provenance) {
    const isocast_offers *o = view->offers;
    const isocast_algorithm *algorithm = isocast_model_algorithm(o->offers[0].model);
    const char *currency = isocast_currency_name(view->currency);
    isocast_buffer answer = {0};
    cli_offers_append_answer(view, &answer);
    json_t *sentences = json_array();
    cli_offers_tell(view, append_sentence, &sentences);
    json_t *rows = json_array();
    for (size_t i = 0; i < o->count; i++) {
        cli_json_append(&rows, row_object(view, i));
    }
    json_t *object = json_object();
    cli_json_set(&object, "schema", cli_json_string("isocast.offers/1"));
    cli_json_set(&object, "algorithm", cli_json_string(algorithm->name));
    cli_json_set(&object, "size", cli_json_string(algorithm->sizes[0].name));
    cli_json_set(&object, "currency", cli_json_string(currency[0] != '\0' ? currency : NULL));
    cli_json_set(&object, "question", question_object(view));
    cli_json_set(&object, "answer", answer.failed ? NULL : cli_json_string(answer.text));
    cli_json_set(&object, "sentences", sentences);
    cli_json_set(&object, "best",
                 cli_json_string(o->best < o->count ? o->offers[o->best].name : NULL));
    cli_json_set(&object, "rows", rows);
    cli_json_set(&object, "front", front_array(view));
    cli_json_set(&object, "front_points", cli_json_number((double)o->front.count));
    cli_json_set(&object, "fronts_of_offers", curves_array(view));
    cli_json_set(&object, "best_by_budget", ranges_array(view));
    cli_json_set(&object, "changes", changes_array(view));
    cli_json_set(&object, "provenance", provenance);
    isocast_buffer_free(&answer);
    return object;
}
