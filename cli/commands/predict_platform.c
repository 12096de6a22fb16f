#include "predict_platform.h"

#include <math.h>
#include <stdlib.h>

#include "cli/options/prediction_values.h"

/* A prediction on its way. */
typedef struct command {
    const cli_usage *usage;
    const cli_prediction_texts *texts;
} command;

isocast_status cli_platform_need_row(const campaign_subject *subject, const isocast_system *system,
                                     const isocast_prediction_row *row, const double *other_sizes) {
    double N = isfinite(row->N) ? row->N : row->solution.best_N;
    return campaign_points_need(subject->points, subject->model, system, N, other_sizes);
}

/* `prediction`: NULL where nothing is known yet but N, if that is given: then it may leave a part
 * of the processes idle, and the times of all would be of no use. */
static isocast_status need_rows(const campaign_subject *s,
                                const isocast_prediction_request *request,
                                const isocast_prediction *prediction) {
    isocast_status status = ISOCAST_OK;
    if (request->base != NULL) {
        status = campaign_points_need(s->points, s->model, request->base, request->N,
                                      request->other_sizes);
    }
    const double N = request->base == NULL ? request->N : NAN;
    for (size_t i = 0; i < request->system_count && status == ISOCAST_OK; i++) {
        const isocast_system *system = request->systems[i];
        status = prediction != NULL
                     ? cli_platform_need_row(s, system, &prediction->rows[i], request->other_sizes)
                     : campaign_points_need(s->points, s->model, system, N, request->other_sizes);
    }
    return status;
}

/* Notes what one question needs; `first`: nothing is known yet. */
static isocast_status need_question(const command *c, const cli_prediction_texts *texts,
                                    cli_platform_single *single, bool first) {
    const isocast_model *model = single->subject.model;
    cli_prediction_options question = {0};
    isocast_prediction *prediction = NULL;
    int read = cli_prediction_options_read(c->usage, texts, model, &question);
    isocast_status status = cli_platform_told(single, read);
    if (status == ISOCAST_OK && !first) {
        isocast_prediction_request *request = &question.request;
        question.effort = isocast_effort_of(request->system_count);
        request->effort = &question.effort;
        request->numbers_only = true;
        status = isocast_predict(model, request, &prediction);
    }
    /* What has no answer is told when it is asked for the last time. */
    bool answered = status == ISOCAST_OK || status == ISOCAST_DOMAIN || status == ISOCAST_ARGUMENT;
    if (read == CLI_EXIT_OK && answered && (first || prediction != NULL)) {
        status = need_rows(&single->subject, &question.request, prediction);
    } else if (read == CLI_EXIT_OK && answered) {
        status = ISOCAST_OK;
    }
    isocast_prediction_free(prediction);
    cli_prediction_options_free(&question);
    return status;
}

static isocast_status need(void *context, cli_platform_single *single, bool first) {
    const command *c = context;
    cli_prediction_values values = {0};
    int read = cli_prediction_values_read(c->usage, c->texts, single->subject.algorithm, &values);
    isocast_status status = cli_platform_told(single, read);
    for (size_t k = 0; k < values.count && status == ISOCAST_OK; k++) {
        status = need_question(c, &values.texts[k], single, first);
    }
    cli_prediction_values_free(&values);
    return status;
}

int cli_predict_platform(const cli_usage *usage, const char *const *positional,
                         const cli_platform_texts *platform, const cli_prediction_texts *texts,
                         cli_prediction_run *answer,
                         int (*write)(const cli_prediction_run *answer)) {
    if (platform->platform == NULL) {
        return cli_predict_texts(usage, positional, texts, answer, write);
    }
    command c = {.usage = usage, .texts = texts};
    cli_platform_single single = {.algorithm = positional[0],
                                  .settings = &texts->set,
                                  .loaded = &answer->loaded,
                                  .need = need,
                                  .context = &c};
    int status = cli_platform_learn_single(usage, platform, answer->common.quiet, &single);
    if (status == CLI_EXIT_OK) {
        status = cli_predict_loaded(usage, texts, answer, write);
    }
    cli_loaded_free(&answer->loaded);
    answer->loaded = (cli_loaded){0};
    return status;
}
