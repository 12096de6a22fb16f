#include "question.h"

#include <math.h>

/* The parts of an inequality that do and do not have the factor 1/K in front. */
isocast_series isocast_question_series(isocast_costs *costs, const isocast_question *question,
                                       double K) {
    isocast_series_room *room = &costs->room;
    isocast_series work = isocast_costs_work(costs);
    double ideal = 1 / isocast_costs_speed(costs);
    isocast_series sum = isocast_series_zero();
    switch (question->kind) {
    case ISOCAST_QUESTION_WHOLE:
        sum = isocast_series_add(room, sum, work, ideal);
        sum = isocast_series_add(room, sum, isocast_costs_time(costs), -1);
        break;
    case ISOCAST_QUESTION_ONE_TERM:
        sum = isocast_series_add(room, sum, isocast_costs_term(costs, question->term), -1);
        break;
    case ISOCAST_QUESTION_IDLE:
        sum = isocast_series_add(room, sum, isocast_costs_compute(costs), -1);
        sum = isocast_series_add(room, sum, work, ideal);
        break;
    case ISOCAST_QUESTION_PROCESSES:
        return isocast_series_add(room, work, isocast_costs_processes(costs), -1);
    case ISOCAST_QUESTION_CONCURRENCY:
        return isocast_series_add(room, isocast_costs_concurrency(costs),
                                  isocast_costs_processes(costs), -1);
    }
    return isfinite(K) ? isocast_series_add(room, sum, work, ideal / K) : sum;
}

double isocast_question_K(double efficiency) {
    return efficiency / (1 - efficiency);
}

isocast_status isocast_question_make(const void *context, const isocast_path *path,
                                     isocast_series_lead *lead, isocast_series_room *told) {
    const isocast_question *question = context;
    isocast_costs costs;
    isocast_status status = isocast_costs_create(question->request, path, &costs);
    if (status == ISOCAST_OK) {
        isocast_series sum =
            isocast_question_series(&costs, question, isocast_question_K(question->efficiency));
        isocast_series_find_sign(&costs.room, sum, lead);
        *told = costs.room;
        told->chunks = NULL;
        question->premises->squares |= costs.room.squares;
        question->premises->cubes |= costs.room.cubes;
        question->premises->divisors |= costs.room.divisors;
        status = costs.room.problem == ISOCAST_SERIES_NO_MEMORY ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    }
    isocast_costs_free(&costs);
    return status;
}

isocast_path isocast_question_path(const isocast_place *at, int where) {
    return (isocast_path){.known = ISOCAST_PATH_LEVELS, .at = {at->x, at->y, at->w, where}};
}

isocast_status isocast_question_sign(const isocast_question *question, const isocast_place *at,
                                     int where, int *sign) {
    isocast_path path = isocast_question_path(at, where);
    isocast_series_lead lead = {0};
    isocast_series_room told = {.problem = ISOCAST_SERIES_KNOWN};
    isocast_status status = isocast_question_make(question, &path, &lead, &told);
    *sign = told.problem == ISOCAST_SERIES_KNOWN ? lead.sign : 0;
    return status;
}
