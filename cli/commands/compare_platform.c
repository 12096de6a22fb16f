#include "compare_platform.h"

#include <math.h>
#include <stdlib.h>

#include "platform_program.h"
#include "predict_platform.h"

/* A comparison on its way. */
typedef struct command {
    const compare_question *question;
    const cli_settings *settings;
    cli_contenders *contenders;
    campaign_subject subjects[CLI_CONTENDERS_MAX];
    cli_platform_program programs[CLI_CONTENDERS_MAX]; /* of the subjects */
    size_t of_contender[CLI_CONTENDERS_MAX]; /* its subject; CLI_CONTENDERS_MAX: it has a machine */
    size_t count;
} command;

static const campaign_subject *subject_of(const command *c, size_t contender) {
    size_t subject = c->of_contender[contender];
    return subject < c->count ? &c->subjects[subject] : NULL;
}

/* A setting need not mean something to every contender, and was told of where it does to none. */
static isocast_status set(void *context, const campaign_subject *subject,
                          isocast_machine *machine) {
    const command *c = context;
    size_t contender = 0;
    while (subject_of(c, contender) != subject) {
        contender++;
    }
    cli_loaded loaded = {.algorithm = c->contenders->items[contender].loaded.algorithm,
                         .machine = machine};
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < c->settings->set.count && !isocast_status_is_of_system(status); i++) {
        isocast_diagnostics ignored = {0};
        isocast_setting one = {0};
        status = cli_apply_setting(c->settings->set.items[i], &loaded, &ignored, &one);
        isocast_diagnostics_clear(&ignored);
        free(one.name);
    }
    return isocast_status_is_of_system(status) ? status : ISOCAST_OK;
}

static isocast_status need_at(const command *c, size_t contender, size_t system, double N) {
    const campaign_subject *s = subject_of(c, contender);
    return s == NULL
               ? ISOCAST_OK
               : campaign_points_need(s->points, s->model,
                                      c->contenders->items[contender].systems[system], N, NULL);
}

/* What all systems call, before any size is known. */
static isocast_status need_systems(const command *c) {
    isocast_status status = ISOCAST_OK;
    for (size_t k = 0; k < c->contenders->count; k++) {
        for (size_t i = 0; i < c->contenders->system_count && status == ISOCAST_OK; i++) {
            status = need_at(c, k, i, NAN);
        }
    }
    return status;
}

static isocast_status need_rows(const command *c) {
    isocast_prediction **predictions = NULL;
    size_t count = c->contenders->count;
    isocast_status status = compare_predict(c->question, true, &predictions);
    for (size_t i = 0; predictions != NULL && i < c->question->value_count * count; i++) {
        const campaign_subject *s = subject_of(c, i % count);
        for (size_t k = 0; s != NULL && k < c->contenders->system_count; k++) {
            if (status == ISOCAST_OK) {
                status = cli_platform_need_row(s, c->contenders->items[i % count].systems[k],
                                               &predictions[i]->rows[k], NULL);
            }
        }
    }
    compare_predictions_free(c->question, predictions);
    return status;
}

/* Both sides of a crossing are to be known there. */
static isocast_status need_crossings(const command *c) {
    isocast_ranking ranking = {0};
    isocast_status status = compare_rank_over_N(c->question, &ranking);
    for (size_t i = 0; i < ranking.pair_count; i++) {
        const isocast_ranking_pair *pair = &ranking.pairs[i];
        for (size_t k = 0; k < pair->crossings.count && status == ISOCAST_OK; k++) {
            double N = pair->crossings.at[k];
            status = need_at(c, pair->first, pair->place, N);
            status = status == ISOCAST_OK ? need_at(c, pair->second, pair->place, N) : status;
        }
    }
    isocast_ranking_free(&ranking);
    return status;
}

/* The models are made anew after each round. */
static void take_models(command *c) {
    for (size_t k = 0; k < c->contenders->count; k++) {
        const campaign_subject *s = subject_of(c, k);
        if (s != NULL) {
            c->contenders->items[k].loaded.machine = s->machine;
            c->contenders->items[k].loaded.model = s->model;
        }
    }
}

static isocast_status need(void *context, bool first) {
    command *c = context;
    take_models(c);
    if (first) {
        return need_systems(c);
    }
    isocast_status status = need_rows(c);
    return status == ISOCAST_OK ? need_crossings(c) : status;
}

int compare_learn(const cli_usage *usage, const cli_platform_texts *texts,
                  const cli_settings *settings, bool quiet, const compare_question *question,
                  cli_contenders *contenders) {
    command c = {.question = question, .settings = settings, .contenders = contenders};
    for (size_t k = 0; k < contenders->count; k++) {
        const cli_loaded *loaded = &contenders->items[k].loaded;
        c.of_contender[k] = loaded->platform != NULL ? c.count : CLI_CONTENDERS_MAX;
        if (loaded->platform != NULL) {
            c.subjects[c.count] = (campaign_subject){.algorithm = loaded->algorithm,
                                                     .platform = loaded->platform,
                                                     .name = loaded->machine_path};
            cli_platform_program_find(loaded, &c.programs[c.count]);
            cli_platform_program_take(&c.programs[c.count], &c.subjects[c.count]);
            c.count++;
        }
    }
    if (c.count == 0) {
        return CLI_EXIT_OK;
    }
    cli_platform_question asked = {.need = need, .dress = set, .context = &c};
    int status = cli_platform_learn(usage, texts, quiet, &asked, c.subjects, c.count);
    take_models(&c);
    /* The contenders own them from here on. */
    for (size_t i = 0; i < c.count; i++) {
        c.subjects[i].machine = NULL;
        c.subjects[i].model = NULL;
        campaign_subject_free(&c.subjects[i]);
        cli_platform_program_free(&c.programs[i]);
    }
    return status;
}
