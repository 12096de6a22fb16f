#include "predict_platform.h"

#include <math.h>
#include <stdlib.h>

#include "cli/options/prediction_values.h"

/* A prediction on its way. */
typedef struct command {
    const cli_usage *usage;
    const cli_platform_texts *options;
    const cli_prediction_texts *texts;
    cli_prediction_run *answer;
    campaign_subject subject;
    cli_platform_question question;
} command;

static int load(command *c, const char *algorithm) {
    cli_loaded *loaded = &c->answer->loaded;
    int status =
        cli_load_on_platform(algorithm, c->options->platform, c->answer->common.quiet, loaded);
    return status == CLI_EXIT_OK ? cli_apply_settings(&c->texts->set, loaded) : status;
}

/* What was told, if anything, becomes the exit status of the question. */
static isocast_status after(command *c, int told) {
    c->question.exit = told;
    return told == CLI_EXIT_OK ? ISOCAST_OK : ISOCAST_ARGUMENT;
}

/* Applies --set, also to the algorithm, where it stays. */
static isocast_status set(void *context, const campaign_subject *subject,
                          isocast_machine *machine) {
    (void)subject;
    command *c = context;
    cli_loaded loaded = {.algorithm = c->answer->loaded.algorithm, .machine = machine};
    int status = cli_apply_settings(&c->texts->set, &loaded);
    cli_settings_free(&c->answer->loaded);
    c->answer->loaded.settings = loaded.settings;
    c->answer->loaded.setting_count = loaded.setting_count;
    return after(c, status);
}

isocast_status cli_platform_need_row(const campaign_subject *subject, const isocast_system *system,
                                     const isocast_prediction_row *row, const double *other_sizes) {
    double N = isfinite(row->N) ? row->N : row->solution.best_N;
    return campaign_points_need(subject->points, subject->model, system, N, other_sizes);
}

/* `prediction`: NULL where nothing is known yet. */
static isocast_status need_rows(command *c, const isocast_prediction_request *request,
                                const isocast_prediction *prediction) {
    const campaign_subject *s = &c->subject;
    isocast_status status = ISOCAST_OK;
    if (request->base != NULL) {
        status = campaign_points_need(s->points, s->model, request->base,
                                      prediction != NULL ? request->N : NAN, request->other_sizes);
    }
    for (size_t i = 0; i < request->system_count && status == ISOCAST_OK; i++) {
        const isocast_system *system = request->systems[i];
        status = prediction != NULL
                     ? cli_platform_need_row(s, system, &prediction->rows[i], request->other_sizes)
                     : campaign_points_need(s->points, s->model, system, NAN, request->other_sizes);
    }
    return status;
}

/* Notes what one question needs; `first`: nothing is known yet. */
static isocast_status need_question(command *c, const cli_prediction_texts *texts, bool first) {
    cli_prediction_options question = {0};
    isocast_prediction *prediction = NULL;
    int read = cli_prediction_options_read(c->usage, texts, c->subject.model, &question);
    isocast_status status = after(c, read);
    if (status == ISOCAST_OK && !first) {
        isocast_prediction_request *request = &question.request;
        question.effort = isocast_effort_of(request->system_count);
        request->effort = &question.effort;
        request->numbers_only = true;
        status = isocast_predict(c->subject.model, request, &prediction);
    }
    /* What has no answer is told when it is asked for the last time. */
    bool answered = status == ISOCAST_OK || status == ISOCAST_DOMAIN || status == ISOCAST_ARGUMENT;
    if (read == CLI_EXIT_OK && answered && (first || prediction != NULL)) {
        status = need_rows(c, &question.request, prediction);
    } else if (read == CLI_EXIT_OK && answered) {
        status = ISOCAST_OK;
    }
    isocast_prediction_free(prediction);
    cli_prediction_options_free(&question);
    return status;
}

static isocast_status need(void *context, bool first) {
    command *c = context;
    cli_prediction_values values = {0};
    int read = cli_prediction_values_read(c->usage, c->texts, c->subject.algorithm, &values);
    isocast_status status = after(c, read);
    for (size_t k = 0; k < values.count && status == ISOCAST_OK; k++) {
        status = need_question(c, &values.texts[k], first);
    }
    cli_prediction_values_free(&values);
    return status;
}

static int learn(command *c) {
    cli_loaded *loaded = &c->answer->loaded;
    c->subject = (campaign_subject){
        .algorithm = loaded->algorithm, .platform = loaded->platform, .name = loaded->machine_path};
    c->question = (cli_platform_question){.need = need, .dress = set, .context = c};
    int status = cli_platform_learn(c->usage, c->options, c->answer->common.quiet, &c->question,
                                    &c->subject, 1);
    /* The answer owns them from here on. */
    loaded->machine = c->subject.machine;
    loaded->model = c->subject.model;
    c->subject.machine = NULL;
    c->subject.model = NULL;
    return status;
}

int cli_predict_platform(const cli_usage *usage, const char *const *positional,
                         const cli_platform_texts *platform, const cli_prediction_texts *texts,
                         cli_prediction_run *answer,
                         int (*write)(const cli_prediction_run *answer)) {
    if (platform->platform == NULL) {
        return cli_predict_texts(usage, positional, texts, answer, write);
    }
    command c = {.usage = usage, .options = platform, .texts = texts, .answer = answer};
    int status = load(&c, positional[0]);
    if (status == CLI_EXIT_OK) {
        status = learn(&c);
    }
    if (status == CLI_EXIT_OK) {
        status = cli_predict_loaded(usage, texts, answer, write);
    }
    campaign_subject_free(&c.subject);
    cli_loaded_free(&answer->loaded);
    answer->loaded = (cli_loaded){0};
    return status;
}
