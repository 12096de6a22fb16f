#include "platform_session.h"

#include <stdlib.h>

#include "calibrate/campaign/twin_timings.h"
#include "interrupt.h"
#include "platform_program.h"
#include "simulated.h"

/* s */
static const double budget_usual = 600;

/* s; of one question about one algorithm and one platform */
static const double budget_single = 60;

void cli_platform_options_table(cli_platform_texts *texts, bool single, cli_option *options) {
    *texts = (cli_platform_texts){.budget = single ? budget_single : budget_usual};
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
         single ? "how long all simulations may take together (default: 1 min); systems that take "
                  "longer are predicted from smaller ones"
                : "how long all simulations may take together (default: 10 min); systems that take "
                  "longer are predicted from smaller ones",
         &texts->budget},
        {"--timings", 0, CLI_OPTION_INPUT, "FILE",
         "timings of messages on a few nodes of the platform's machine: the times of more nodes "
         "are "
         "corrected by what they take over the prediction",
         &texts->timings}};
    for (size_t i = 0; i < CLI_PLATFORM_OPTIONS; i++) {
        options[i] = table[i];
    }
}

int cli_platform_check_options(const cli_usage *usage, const cli_platform_texts *texts,
                               bool platforms) {
    if (!platforms && cli_cache_given(texts->cache, texts->no_cache)) {
        return cli_usage_error(usage, "--cache and --no-cache go with --platform");
    }
    if (!platforms && texts->timings != NULL) {
        return cli_usage_error(usage, "--timings goes with --platform");
    }
    if (platforms && !(texts->budget > 0)) {
        return cli_usage_error(usage, "--budget must be above 0");
    }
    return platforms ? cli_cache_check(usage, texts->cache, texts->no_cache) : CLI_EXIT_OK;
}

int cli_platform_check(const cli_usage *usage, const cli_platform_texts *platform,
                       const char *const *positional, size_t count) {
    bool given = platform->platform != NULL;
    if (given && count > 1) {
        return cli_usage_error(usage,
                               "--platform takes the place of MACHINE, so '%s' is one argument too "
                               "many",
                               positional[1]);
    }
    int status = cli_platform_check_options(usage, platform, given);
    return status != CLI_EXIT_OK || given || count == 2
               ? status
               : cli_usage_error(usage, "an argument is missing; write isocast %s %s",
                                 usage->command, usage->arguments);
}

/* Timings are of one machine. */
static int load_timings(const cli_usage *usage, const cli_platform_texts *texts, bool quiet,
                        campaign_subject *subjects, size_t count, campaign_twin_timings *out) {
    isocast_diagnostics diagnostics = {0};
    for (size_t i = 0; i < count; i++) {
        if (subjects[i].platform != subjects[0].platform) {
            return cli_usage_error(usage, "--timings are of one platform, and several are given");
        }
        /* Executed programs know nothing of them. */
        subjects[i].not_executed = subjects[i].steps != NULL ? "timings correct operations alone"
                                                             : subjects[i].not_executed;
        subjects[i].steps = NULL;
    }
    isocast_status status = campaign_twin_timings_read(texts->timings, &diagnostics, out);
    status = cli_diagnostics_tell(&diagnostics, quiet, status);
    return status == ISOCAST_OK ? CLI_EXIT_OK : cli_exit_of(status);
}

/* What simulates. */
enum { PROBE, QUICK_PROBE, SCHEDULE, QUICK_SCHEDULE, PROGRAMS };

static void free_programs(char *const *programs) {
    for (size_t i = 0; i < PROGRAMS; i++) {
        free(programs[i]);
    }
}

int cli_platform_learn(const cli_usage *usage, const cli_platform_texts *texts, bool quiet,
                       cli_platform_question *question, campaign_subject *subjects, size_t count) {
    static const char *const names[PROGRAMS] = {[PROBE] = "isocast-probe-simulated",
                                                [QUICK_PROBE] = "isocast-probe-quick",
                                                [SCHEDULE] = "isocast-schedule-simulated",
                                                [QUICK_SCHEDULE] = "isocast-schedule-quick"};
    char *programs[PROGRAMS] = {NULL};
    int status = CLI_EXIT_OK;
    campaign_twin_timings timings = {0};
    if (texts->timings != NULL) {
        status = load_timings(usage, texts, quiet, subjects, count, &timings);
    }
    for (size_t i = 0; i < PROGRAMS && status == CLI_EXIT_OK; i++) {
        status = cli_simulated_program(usage, names[i], &programs[i]);
    }
    if (status != CLI_EXIT_OK) {
        campaign_twin_timings_free(&timings);
        free_programs(programs);
        return status;
    }
    cli_campaign campaign;
    campaign_point_cache cache = {0};
    cli_campaign_begin(usage->command, quiet, &campaign);
    cli_interrupts_catch();
    cli_cache_open(texts->cache, texts->no_cache, &campaign.listener, &cache);
    const campaign_learning learning = {.probe = programs[PROBE],
                                        .quick = programs[QUICK_PROBE],
                                        .schedule = programs[SCHEDULE],
                                        .quick_schedule = programs[QUICK_SCHEDULE],
                                        .version = ISOCAST_VERSION,
                                        .cache = &cache,
                                        .listener = &campaign.listener,
                                        .timings = texts->timings != NULL ? &timings : NULL,
                                        .budget = texts->budget,
                                        .need = question->need,
                                        .dress = question->dress,
                                        .context = question->context};
    isocast_status learned = campaign_platform_learn(&learning, subjects, count);
    cli_campaign_clear(&campaign);
    for (size_t i = 0; i < count; i++) {
        isocast_status told = subjects[i].model == NULL ? learned : ISOCAST_OK;
        cli_diagnostics_tell(&subjects[i].diagnostics, quiet, told);
    }
    isocast_diagnostics none = {0};
    status = question->exit != CLI_EXIT_OK ? question->exit
                                           : cli_campaign_exit(&campaign, &none, learned);
    campaign_twin_timings_free(&timings);
    free_programs(programs);
    return status;
}

isocast_status cli_platform_told(cli_platform_single *single, int exit) {
    single->question.exit = exit;
    return exit == CLI_EXIT_OK ? ISOCAST_OK : ISOCAST_ARGUMENT;
}

static isocast_status dress(void *context, const campaign_subject *subject,
                            isocast_machine *machine) {
    (void)subject;
    cli_platform_single *single = context;
    cli_loaded loaded = {.algorithm = single->loaded->algorithm, .machine = machine};
    int status = cli_apply_settings(single->settings, &loaded);
    cli_settings_free(single->loaded);
    single->loaded->settings = loaded.settings;
    single->loaded->setting_count = loaded.setting_count;
    return cli_platform_told(single, status);
}

static isocast_status need(void *context, bool first) {
    cli_platform_single *single = context;
    return single->need(single->context, single, first);
}

static int learn_loaded(const cli_usage *usage, const cli_platform_texts *texts, bool quiet,
                        cli_platform_single *single) {
    cli_loaded *loaded = single->loaded;
    single->subject = (campaign_subject){
        .algorithm = loaded->algorithm, .platform = loaded->platform, .name = loaded->machine_path};
    cli_platform_program program;
    cli_platform_program_find(loaded, &program);
    cli_platform_program_take(&program, &single->subject);
    single->question = (cli_platform_question){.need = need, .dress = dress, .context = single};
    int status = cli_platform_learn(usage, texts, quiet, &single->question, &single->subject, 1);
    loaded->machine = single->subject.machine;
    loaded->model = single->subject.model;
    single->subject.machine = NULL;
    single->subject.model = NULL;
    campaign_subject_free(&single->subject);
    cli_platform_program_free(&program);
    return status;
}

int cli_platform_learn_single(const cli_usage *usage, const cli_platform_texts *texts, bool quiet,
                              cli_platform_single *single) {
    cli_loaded *loaded = single->loaded;
    int status = cli_load_on_platform(single->algorithm, texts->platform, quiet, loaded);
    if (status != CLI_EXIT_OK) {
        return status;
    }
    status = cli_apply_settings(single->settings, loaded);
    if (status == CLI_EXIT_OK) {
        status = learn_loaded(usage, texts, quiet, single);
    }
    if (status != CLI_EXIT_OK) {
        cli_loaded_free(loaded);
        *loaded = (cli_loaded){0};
    }
    return status;
}
