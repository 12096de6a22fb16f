#include "platform_session.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/campaign/twin_plan.h"
#include "campaign.h"
#include "cli/options/exit.h"
#include "cli/options/locate.h"
#include "cli/options/prediction_options.h"

/* A prediction on its way. */
typedef struct command {
    const cli_usage *usage;
    const cli_prediction_texts *texts;
} command;

isocast_status cli_platform_need_row(const campaign_subject *subject, const isocast_system *system,
                                     const isocast_prediction_row *row, const double *other_sizes) {
    double N = isfinite(row->N) ? row->N : row->solution.best_N;
    return campaign_subject_need(subject, system, N, other_sizes);
}

/* `prediction`: NULL where nothing is known yet but N, if that is given: then it may leave a part
 * of the processes idle, and the times of all would be of no use. */
static isocast_status need_rows(const campaign_subject *s,
                                const isocast_prediction_request *request,
                                const isocast_prediction *prediction) {
    isocast_status status = ISOCAST_OK;
    if (request->base != NULL) {
        status = campaign_subject_need(s, request->base, request->N, request->other_sizes);
    }
    const double N = request->base == NULL ? request->N : NAN;
    for (size_t i = 0; i < request->system_count && status == ISOCAST_OK; i++) {
        const isocast_system *system = request->systems[i];
        status = prediction != NULL
                     ? cli_platform_need_row(s, system, &prediction->rows[i], request->other_sizes)
                     : campaign_subject_need(s, system, N, request->other_sizes);
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
    isocast_status status = cli_platform_reported(single, read);
    if (status == ISOCAST_OK && !first) {
        isocast_prediction_request *request = &question.request;
        question.effort = isocast_effort_of(request->system_count);
        request->effort = &question.effort;
        request->numbers_only = true;
        status = isocast_predict(model, request, &prediction);
    }
    /* What has no answer is reported when it is asked for the last time. */
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

static isocast_status need_prediction(void *context, cli_platform_single *single, bool first) {
    const command *c = context;
    cli_prediction_values values = {0};
    int read = cli_prediction_values_read(c->usage, c->texts, single->subject.algorithm, &values);
    isocast_status status = cli_platform_reported(single, read);
    for (size_t k = 0; k < values.count && status == ISOCAST_OK; k++) {
        status = need_question(c, &values.texts[k], single, first);
    }
    cli_prediction_values_free(&values);
    return status;
}

int cli_predict_platform(const cli_platform_texts *platform, const cli_prediction_texts *texts,
                         cli_prediction_run *answer,
                         int (*write)(const cli_prediction_run *answer)) {
    command c = {.usage = answer->call.usage, .texts = texts};
    int status = cli_load_or_learn(&answer->call, platform, &texts->set, need_prediction, &c,
                                   &answer->loaded);
    return status == CLI_EXIT_OK ? cli_predict_loaded(texts, answer, write) : status;
}

int cli_simulated_program(const cli_usage *usage, const char *name, char **out) {
    *out = cli_locate_program(name);
    return *out != NULL ? CLI_EXIT_OK : cli_locate_lacks(usage->command, name, CLI_WITHOUT_SIMGRID);
}

bool cli_cache_given(const char *folder, bool none) {
    return folder != NULL || none;
}

int cli_cache_check(const cli_usage *usage, const char *folder, bool none) {
    if (folder != NULL && none) {
        return cli_usage_error(usage, "--cache and --no-cache exclude each other");
    }
    return folder == NULL || folder[0] != '\0'
               ? CLI_EXIT_OK
               : cli_usage_error(usage, "--cache needs the name of a folder");
}

void cli_cache_open(const char *folder, bool none, const campaign_listener *listener,
                    campaign_point_cache *out) {
    if (!none) {
        campaign_point_cache_open(folder, listener, out);
    }
}

/* What was set of an algorithm is a definition of it. */
static bool defines(const isocast_algorithm *algorithm, const char *name) {
    bool found = false;
    for (size_t i = 0; i < algorithm->definition_count; i++) {
        found = found || strcmp(algorithm->definitions[i].name, name) == 0;
    }
    return found;
}

void cli_platform_program_find(const cli_loaded *loaded, cli_platform_program *out) {
    const isocast_algorithm *algorithm = loaded->algorithm;
    *out = (cli_platform_program){0};
    if (algorithm->program == NULL) {
        return;
    }
    if (algorithm->time_per_flop_given) {
        isocast_buffer_puts(&out->why, "t_c was given by hand");
    } else if (strcmp(loaded->algorithm_path, "-") == 0) {
        isocast_buffer_puts(&out->why, "what executes the program reads the file again, which "
                                       "standard input cannot be");
    } else if (campaign_steps_locate(loaded->algorithm_path, &out->steps, &out->why)) {
        bool good = true;
        for (size_t i = 0; i < loaded->setting_count; i++) {
            const isocast_setting *set = &loaded->settings[i];
            good = good && (!defines(algorithm, set->name) || campaign_steps_set(&out->steps, set));
        }
        out->steps.algorithm = good ? algorithm : NULL;
    }
}

void cli_platform_program_take(const cli_platform_program *program, campaign_subject *subject) {
    subject->steps = program->steps.algorithm != NULL ? &program->steps : NULL;
    subject->not_executed = subject->steps == NULL ? program->why.text : NULL;
}

void cli_platform_program_free(cli_platform_program *program) {
    campaign_steps_free(&program->steps);
    isocast_buffer_free(&program->why);
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

cli_spec_kind cli_platform_kind(const cli_platform_texts *texts) {
    return texts->held ? CLI_SPEC_MACHINE : CLI_SPEC_PLATFORM;
}

const char *cli_platform_lack(void) {
    char *probe = cli_locate_program("isocast-probe-simulated");
    bool there = probe != NULL;
    free(probe);
    return there ? NULL : "lack of SimGrid, which isocast was built without,";
}

void cli_platform_report_held(const cli_call *call, const char *name, const char *why) {
    if (call->common.quiet) {
        return;
    }
    fprintf(stderr, "isocast %s: %s was calibrated on a simulated platform. ", call->usage->command,
            name);
    if (why == NULL) {
        fputs("Times are simulated on that platform where the answer needs them; with --laws they "
              "come from the formulas of the file\n",
              stderr);
    } else {
        fprintf(stderr, "For %s times come from the formulas of the file\n", why);
    }
}

int cli_platform_check(const cli_call *call, size_t count, const char *why,
                       cli_platform_texts *platform) {
    const cli_usage *usage = call->usage;
    const char *const *positional = call->positional;
    bool given = platform->platform != NULL;
    if (given && count > 1) {
        return cli_usage_error(usage,
                               "--platform takes the place of MACHINE, so '%s' is one argument too "
                               "many",
                               positional[1]);
    }
    if (!given && count != 2) {
        return cli_usage_error(usage, "an argument is missing; write isocast %s %s", usage->command,
                               usage->arguments);
    }
    int status = CLI_EXIT_OK;
    if (!given && !platform->laws) {
        status = cli_load_holds_platform(positional[1], &platform->held);
    }
    if (status == CLI_EXIT_OK && platform->held) {
        why = why != NULL ? why : cli_platform_lack();
        cli_platform_report_held(call, positional[1], why);
        platform->held = why == NULL;
        platform->platform = platform->held ? positional[1] : NULL;
    }
    return status == CLI_EXIT_OK
               ? cli_platform_check_options(usage, platform, platform->platform != NULL)
               : status;
}

/* Timings are of one machine. */
static int load_timings(const cli_call *call, const cli_platform_texts *texts,
                        campaign_subject *subjects, size_t count, campaign_twin_timings *out) {
    isocast_diagnostics diagnostics = {0};
    for (size_t i = 0; i < count; i++) {
        if (subjects[i].platform != subjects[0].platform) {
            return cli_usage_error(call->usage,
                                   "--timings are of one platform, and several are given");
        }
        /* Executed programs know nothing of them. */
        subjects[i].not_executed = subjects[i].steps != NULL ? "timings correct operations alone"
                                                             : subjects[i].not_executed;
        subjects[i].steps = NULL;
    }
    isocast_status status = campaign_twin_timings_read(texts->timings, &diagnostics, out);
    return cli_exit_with(&diagnostics, call->common.quiet, status);
}

/* What simulates. */
enum { PROBE, QUICK_PROBE, SCHEDULE, QUICK_SCHEDULE, PROGRAMS };

static void free_programs(char *const *programs) {
    for (size_t i = 0; i < PROGRAMS; i++) {
        free(programs[i]);
    }
}

int cli_platform_learn(const cli_call *call, const cli_platform_texts *texts,
                       cli_platform_question *question, campaign_subject *subjects, size_t count) {
    static const char *const names[PROGRAMS] = {[PROBE] = "isocast-probe-simulated",
                                                [QUICK_PROBE] = "isocast-probe-quick",
                                                [SCHEDULE] = "isocast-schedule-simulated",
                                                [QUICK_SCHEDULE] = "isocast-schedule-quick"};
    char *programs[PROGRAMS] = {NULL};
    int status = CLI_EXIT_OK;
    campaign_twin_timings timings = {0};
    if (texts->timings != NULL) {
        status = load_timings(call, texts, subjects, count, &timings);
    }
    for (size_t i = 0; i < PROGRAMS && status == CLI_EXIT_OK; i++) {
        status = cli_simulated_program(call->usage, names[i], &programs[i]);
    }
    if (status != CLI_EXIT_OK) {
        campaign_twin_timings_free(&timings);
        free_programs(programs);
        return status;
    }
    cli_campaign campaign;
    campaign_point_cache cache = {0};
    cli_campaign_begin(call, &campaign);
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
        isocast_status reported = subjects[i].model == NULL ? learned : ISOCAST_OK;
        cli_diagnostics_report(&subjects[i].diagnostics, call->common.quiet, reported);
    }
    isocast_diagnostics none = {0};
    status = question->exit != CLI_EXIT_OK ? question->exit
                                           : cli_campaign_exit(&campaign, &none, learned);
    campaign_twin_timings_free(&timings);
    free_programs(programs);
    return status;
}

isocast_status cli_platform_reported(cli_platform_single *single, int exit) {
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
    return cli_platform_reported(single, status);
}

static isocast_status need(void *context, bool first) {
    cli_platform_single *single = context;
    return single->need(single->context, single, first);
}

static int learn_loaded(const cli_call *call, const cli_platform_texts *texts,
                        cli_platform_single *single) {
    cli_loaded *loaded = single->loaded;
    single->subject = (campaign_subject){
        .algorithm = loaded->algorithm, .platform = loaded->platform, .name = loaded->machine_path};
    cli_platform_program program;
    cli_platform_program_find(loaded, &program);
    cli_platform_program_take(&program, &single->subject);
    single->question = (cli_platform_question){.need = need, .dress = dress, .context = single};
    int status = cli_platform_learn(call, texts, &single->question, &single->subject, 1);
    loaded->machine = single->subject.machine;
    loaded->model = single->subject.model;
    single->subject.machine = NULL;
    single->subject.model = NULL;
    campaign_subject_free(&single->subject);
    cli_platform_program_free(&program);
    return status;
}

int cli_load_or_learn(const cli_call *call, const cli_platform_texts *texts,
                      const cli_settings *settings,
                      isocast_status (*what)(void *context, cli_platform_single *single,
                                             bool first),
                      void *context, cli_loaded *loaded) {
    const char *algorithm = call->positional[0];
    bool quiet = call->common.quiet;
    if (texts->platform == NULL) {
        return cli_load_set(algorithm, call->positional[1], settings, quiet, loaded);
    }
    cli_platform_single single = {
        .settings = settings, .loaded = loaded, .need = what, .context = context};
    int status =
        cli_load_on_platform(algorithm, cli_platform_kind(texts), texts->platform, quiet, loaded);
    CLI_THEN(status, cli_apply_settings(settings, loaded));
    CLI_THEN(status, learn_loaded(call, texts, &single));
    if (status != CLI_EXIT_OK) {
        cli_loaded_free(loaded);
        *loaded = (cli_loaded){0};
    }
    return status;
}
