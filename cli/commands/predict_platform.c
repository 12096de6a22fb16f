#include "predict_platform.h"

#include <math.h>
#include <stdlib.h>

#include "calibrate/campaign/platform_points.h"
#include "campaign.h"
#include "cli/options/locate.h"
#include "cli/options/prediction_values.h"
#include "interrupt.h"
#include "model/spec/machine_load.h"
#include "simulated.h"

/* s; and how often the answer is asked for again. */
static const double budget_usual = 600;
enum { ROUNDS_MAX = 12 };

void cli_platform_options_table(cli_platform_texts *texts, cli_option *options) {
    *texts = (cli_platform_texts){.budget = budget_usual};
    const cli_option table[CLI_PLATFORM_OPTIONS] = {
        {"--platform", 0, CLI_OPTION_INPUT, "PLATFORM",
         "predict for this platform, in place of MACHINE: what the algorithm calls is simulated on "
         "the systems and at the sizes that the answer needs",
         &texts->platform},
        {"--cache", 0, CLI_OPTION_TEXT, "FOLDER",
         "keep simulated times there (default: isocast in $XDG_CACHE_HOME, or in ~/.cache)",
         &texts->cache},
        {"--no-cache", 0, CLI_OPTION_FLAG, NULL, "simulate all anew, and keep nothing",
         &texts->no_cache},
        {"--budget", 0, CLI_OPTION_TIME, "TIME",
         "how long all simulations may take together (default: 10 min)", &texts->budget}};
    for (size_t i = 0; i < CLI_PLATFORM_OPTIONS; i++) {
        options[i] = table[i];
    }
}

int cli_platform_check(const cli_usage *usage, const cli_platform_texts *platform, size_t count) {
    if (platform->platform == NULL) {
        if (cli_cache_given(platform->cache, platform->no_cache)) {
            return cli_usage_error(usage, "--cache and --no-cache go with --platform");
        }
        return count == 2 ? CLI_EXIT_OK
                          : cli_usage_error(usage, "MACHINE is missing; a data sheet takes its "
                                                   "place with --platform PLATFORM");
    }
    if (count > 1) {
        return cli_usage_error(usage, "--platform takes the place of MACHINE: give one of them");
    }
    return platform->budget > 0 ? cli_cache_check(usage, platform->cache, platform->no_cache)
                                : cli_usage_error(usage, "--budget must be above 0");
}

/* A prediction on its way. */
typedef struct command {
    const cli_usage *usage;
    const cli_platform_texts *options;
    const cli_prediction_texts *texts;
    cli_prediction_run *answer;
    cli_campaign campaign;
    isocast_platform *platform;
    char *probe;
    campaign_point_cache cache;
    campaign_platform_points *points;
} command;

static int exit_of(command *c, isocast_status status) {
    isocast_diagnostics none = {0};
    return cli_campaign_exit(&c->campaign, &none, status);
}

static int load(command *c, const char *algorithm) {
    cli_loaded *loaded = &c->answer->loaded;
    bool quiet = c->answer->common.quiet;
    int status = cli_load_apart(algorithm, NULL, quiet, loaded);
    if (status == CLI_EXIT_OK) {
        status = cli_locate_spec(CLI_SPEC_PLATFORM, c->options->platform, &loaded->machine_path);
    }
    if (status == CLI_EXIT_OK) {
        status = cli_load_platform(c->options->platform, quiet, &c->platform);
    }
    return status == CLI_EXIT_OK ? cli_simulated_probe(c->usage, &c->probe) : status;
}

static void forget_machine(cli_loaded *loaded) {
    isocast_model_free(loaded->model);
    loaded->model = NULL;
    isocast_machine_free(loaded->machine);
    loaded->machine = NULL;
    for (size_t i = 0; i < loaded->setting_count; i++) {
        free(loaded->settings[i].name);
    }
    free(loaded->settings);
    loaded->settings = NULL;
    loaded->setting_count = 0;
}

/* Makes a model of what is known so far. */
static int bind(command *c) {
    cli_loaded *loaded = &c->answer->loaded;
    isocast_buffer text = {0};
    isocast_diagnostics diagnostics = {0};
    forget_machine(loaded);
    isocast_status status = campaign_points_write(c->points, &text);
    if (status == ISOCAST_OK) {
        status = isocast_machine_read_text(loaded->machine_path, text.text, text.length,
                                           &diagnostics, &loaded->machine);
    }
    isocast_buffer_free(&text);
    int set = status == ISOCAST_OK ? cli_apply_settings(&c->texts->set, loaded) : CLI_EXIT_OK;
    if (set == CLI_EXIT_OK && status == ISOCAST_OK) {
        status =
            isocast_model_create(loaded->algorithm, loaded->machine, &diagnostics, &loaded->model);
    }
    cli_campaign_clear(&c->campaign);
    status = cli_diagnostics_tell(&diagnostics, c->answer->common.quiet, status);
    return set != CLI_EXIT_OK ? set : cli_exit_of(status);
}

/* The N of a row, or where it has none the N that came nearest. */
static double size_of(const isocast_prediction_row *row) {
    return isfinite(row->N) ? row->N : row->solution.best_N;
}

static isocast_status need_rows(command *c, const isocast_prediction_request *request,
                                const isocast_prediction *prediction) {
    const isocast_model *model = c->answer->loaded.model;
    isocast_status status = ISOCAST_OK;
    if (request->base != NULL) {
        status = campaign_points_need(c->points, model, request->base,
                                      prediction != NULL ? request->N : NAN, request->other_sizes);
    }
    for (size_t i = 0; i < request->system_count && status == ISOCAST_OK; i++) {
        double N = prediction != NULL ? size_of(&prediction->rows[i]) : NAN;
        status =
            campaign_points_need(c->points, model, request->systems[i], N, request->other_sizes);
    }
    return status;
}

/* Notes what one question needs; `first`: nothing is known yet. */
static int need_question(command *c, const cli_prediction_texts *texts, bool first) {
    cli_prediction_options question = {0};
    isocast_prediction *prediction = NULL;
    int read = cli_prediction_options_read(c->usage, texts, c->answer->loaded.model, &question);
    isocast_status status = ISOCAST_OK;
    if (read == CLI_EXIT_OK && !first) {
        isocast_prediction_request *request = &question.request;
        question.effort = isocast_effort_of(request->system_count);
        request->effort = &question.effort;
        request->numbers_only = true;
        status = isocast_predict(c->answer->loaded.model, request, &prediction);
    }
    /* What has no answer is told when it is asked for the last time. */
    bool answered = status == ISOCAST_OK || status == ISOCAST_DOMAIN || status == ISOCAST_ARGUMENT;
    if (read == CLI_EXIT_OK && answered && (first || prediction != NULL)) {
        status = need_rows(c, &question.request, prediction);
    } else if (answered) {
        status = ISOCAST_OK;
    }
    isocast_prediction_free(prediction);
    cli_prediction_options_free(&question);
    return read != CLI_EXIT_OK ? read : exit_of(c, status);
}

static int need_all(command *c, bool first) {
    cli_prediction_values values = {0};
    int status =
        cli_prediction_values_read(c->usage, c->texts, c->answer->loaded.algorithm, &values);
    for (size_t k = 0; k < values.count && status == CLI_EXIT_OK; k++) {
        status = need_question(c, &values.texts[k], first);
    }
    cli_prediction_values_free(&values);
    return status;
}

/* Asks, simulates what is missing, and asks again, until nothing is. */
static int learn(command *c) {
    int status = bind(c);
    bool news = true;
    size_t round = 0;
    for (; news && round < ROUNDS_MAX && status == CLI_EXIT_OK; round++) {
        status = need_all(c, round == 0);
        if (status == CLI_EXIT_OK) {
            status = exit_of(c, campaign_points_simulate(c->points, &news));
        }
        if (status == CLI_EXIT_OK && news) {
            status = bind(c);
        }
    }
    if (status == CLI_EXIT_OK && news) {
        campaign_tell(&c->campaign.listener, CAMPAIGN_WARNING,
                      "the answer still moved to other sizes after %zu rounds of simulations; it "
                      "may be less exact than usual",
                      round);
    }
    if (status == CLI_EXIT_OK) {
        campaign_tell(&c->campaign.listener, CAMPAIGN_NOTE,
                      "%zu simulations were run; %zu results came from the cache",
                      campaign_points_launches(c->points), campaign_points_cached(c->points));
    }
    return status;
}

static int simulate(command *c) {
    campaign_points_request request = {.platform = c->platform,
                                       .algorithm = c->answer->loaded.algorithm,
                                       .probe = c->probe,
                                       .version = ISOCAST_VERSION,
                                       .cache = &c->cache,
                                       .listener = &c->campaign.listener,
                                       .budget = c->options->budget};
    cli_interrupts_catch();
    cli_cache_open(c->options->cache, c->options->no_cache, &c->campaign.listener, &c->cache);
    int status = exit_of(c, campaign_points_create(&request, &c->points));
    return status == CLI_EXIT_OK ? learn(c) : status;
}

int cli_predict_platform(const cli_usage *usage, const char *const *positional,
                         const cli_platform_texts *platform, const cli_prediction_texts *texts,
                         cli_prediction_run *answer,
                         int (*write)(const cli_prediction_run *answer)) {
    if (platform->platform == NULL) {
        return cli_predict_texts(usage, positional, texts, answer, write);
    }
    command c = {.usage = usage, .options = platform, .texts = texts, .answer = answer};
    cli_campaign_begin(usage->command, answer->common.quiet, &c.campaign);
    int status = load(&c, positional[0]);
    if (status == CLI_EXIT_OK) {
        status = simulate(&c);
    }
    if (status == CLI_EXIT_OK) {
        status = cli_predict_loaded(usage, texts, answer, write);
    }
    cli_loaded_free(&answer->loaded);
    answer->loaded = (cli_loaded){0};
    campaign_points_free(c.points);
    isocast_platform_free(c.platform);
    free(c.probe);
    return status;
}
