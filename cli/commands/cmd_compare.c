/* isocast compare: algorithms and machines side by side, which is fastest where, and where that
 * changes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/contenders.h"
#include "cli/options/exit.h"
#include "cli/options/prediction_options.h"
#include "cli/report/report_ranking.h"
#include "command.h"
#include "model/solve/prediction.h"
#include "model/solve/ranking.h"
#include "platform_session.h"

/* What a comparison computes: a prediction of each contender at each value, and where the fastest
 * changes. Reads no options, writes nothing. */

typedef struct compare_question {
    const cli_contenders *contenders; /* bound */
    const double *values;             /* [value_count], of N or of the efficiency */
    size_t value_count;
    bool fixed_size; /* the values are those of N */
} compare_question;

/* Crossings are looked for up to here where the sizes have no maximum. */
static const double N_most = 1e15;

static void compare_predictions_free(const compare_question *q, isocast_prediction **predictions) {
    for (size_t i = 0; predictions != NULL && i < q->value_count * q->contenders->count; i++) {
        isocast_prediction_free(predictions[i]);
    }
    free(predictions);
}

/* *out: [value_count][contenders->count]; free with compare_predictions_free(). Errors: those of
 * isocast_predict(). */
static isocast_status compare_predict(const compare_question *q, bool numbers_only,
                                      isocast_prediction ***out) {
    size_t count = q->contenders->count;
    isocast_prediction **predictions =
        calloc(q->value_count * count + 1, sizeof(isocast_prediction *));
    isocast_status status = predictions == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    for (size_t i = 0; i < q->value_count * count && status == ISOCAST_OK; i++) {
        const cli_contender *contender = &q->contenders->items[i % count];
        double value = q->values[i / count];
        const isocast_prediction_request request = {
            .N = q->fixed_size ? value : NAN,
            .efficiency = q->fixed_size ? NAN : value,
            .systems = (const isocast_system *const *)contender->systems,
            .system_count = q->contenders->system_count,
            .numbers_only = numbers_only};
        status = isocast_predict(contender->loaded.model, &request, &predictions[i]);
    }
    if (status != ISOCAST_OK) {
        compare_predictions_free(q, predictions);
        return status;
    }
    *out = predictions;
    return ISOCAST_OK;
}

/* Over N on each system, from the smallest N that all contenders allow to the largest. Errors:
 * NO_MEMORY. */
static isocast_status compare_rank_over_N(const compare_question *q, isocast_ranking *out) {
    size_t count = q->contenders->count;
    size_t places = q->contenders->system_count;
    isocast_crossing_side *sides = calloc(places * count + 1, sizeof *sides);
    if (sides == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    double low = 1;
    double high = N_most;
    for (size_t k = 0; k < count; k++) {
        const cli_contender *c = &q->contenders->items[k];
        low = fmax(low, c->loaded.algorithm->sizes[0].min);
        high = fmin(high, c->loaded.algorithm->sizes[0].max);
        for (size_t place = 0; place < places; place++) {
            sides[place * count + k] =
                (isocast_crossing_side){.model = c->loaded.model, .system = c->systems[place]};
        }
    }
    isocast_effort effort = isocast_effort_of(places * count);
    isocast_status status =
        low < high ? isocast_ranking_over_N(sides, count, places, low, high, &effort, out)
                   : ISOCAST_OK;
    free(sides);
    return status;
}

/* What compare does with --platform: the contenders on platforms learn what the rows and the
 * crossings need. */

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

/* A setting need not mean something to every contender, and was spoken of where it does to none. */
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
               : campaign_subject_need(s, c->contenders->items[contender].systems[system], N, NULL);
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
            CLI_THEN(status, cli_platform_need_row(s, c->contenders->items[i % count].systems[k],
                                                   &predictions[i]->rows[k], NULL));
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
            CLI_THEN(status, need_at(c, pair->second, pair->place, N));
        }
    }
    isocast_ranking_free(&ranking);
    return status;
}

/* The models are made again after each round. */
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

/* Gives each contender on a platform its machine and model; nothing to do where none is on one.
 * `question` is of these contenders. Gives an exit status, and shows why it is none. */
static int compare_learn(const cli_call *call, const cli_platform_texts *texts,
                         const cli_settings *settings, const compare_question *question,
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
    int status = cli_platform_learn(call, texts, &asked, c.subjects, c.count);
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

static const cli_usage usage = {
    .command = "compare",
    .arguments = "ALGORITHM... MACHINE...|--platform PLATFORM",
    .summary = "Compares algorithms, or machines, side by side: T of each at a size, or the size "
               "that holds a speed-efficiency; which is fastest over which sizes on a system, and "
               "over which numbers of processes at a size; and where two of them cross. Each "
               "algorithm runs on each machine; the key 'algorithm' or 'machine' of a file states "
               "what it is.",
    .details = "Crossings over N are looked for from the smallest size that all allow up to the "
               "largest, at most 1e15. None is missed where none is said to be. Crossings over p "
               "are looked for where --at gives sizes and each machine has one class of nodes, "
               "up to the processors that all machines have: every number of processes up to "
               "20000 is looked at that keeps the rules of all contenders, and samples beyond, "
               "where some may be missing and rules are left aside. A contender is left out where "
               "its concurrency is less than p, or its rules are broken. CSV has the rows only, "
               "JSON all of it (docs/result-schema.json). The exit status is 4 where a row has no "
               "solution.\n"
               "\n"
               "With --platform, once or several times, data sheets take the place of machines, or "
               "stand beside them. Crossings over p are not looked for there: only the systems "
               "that --to names are simulated.\n"
               "\n"
               "Examples:\n"
               "  isocast compare fft-binary-exchange-textbook fft-2d-transpose-textbook \\\n"
               "      fft-3d-transpose-textbook textbook --at n=1024..65536*4 --to 16,64\n"
               "  isocast compare gaussian-elimination-published matrix-multiplication sunwulf \\\n"
               "      --efficiency 0.3 --to C2,C8\n"
               "  isocast compare fft-2d-transpose fft-3d-transpose --platform ethernet-128 \\\n"
               "      --at N=65536 --to 16,64",
    .fewest = 1,
    .most = (size_t)-1};

/* The command line, and what comes of it. */
typedef struct comparison {
    cli_call call;
    const char *at;
    const char *efficiency;
    const char *to;
    cli_settings settings;
    cli_list platforms;
    cli_platform_texts platform;
    cli_contenders contenders;
    double *values; /* [value_count] */
    size_t value_count;
    bool fixed_size;
    isocast_prediction **predictions; /* [value_count][contenders.count] */
} comparison;

static const isocast_size *size_of(const comparison *c, size_t contender) {
    return &c->contenders.items[contender].loaded.algorithm->sizes[0];
}

/* "n=1024..65536*4"; the name is that of one algorithm at least. */
static int read_sizes(comparison *c) {
    const char *equals = strchr(c->at, '=');
    size_t length = equals != NULL ? (size_t)(equals - c->at) : 0;
    bool known = false;
    for (size_t k = 0; k < c->contenders.count; k++) {
        const char *name = size_of(c, k)->name;
        known = known || (strlen(name) == length && strncmp(name, c->at, length) == 0);
    }
    if (!known) {
        return cli_usage_error(&usage,
                               "--at takes the size and its values, such as %s=1000, not "
                               "'%s'; --set sets further sizes",
                               size_of(c, 0)->name, c->at);
    }
    int status = cli_numbers_read("--at", equals + 1, &c->values, &c->value_count);
    for (size_t i = 0; status == CLI_EXIT_OK && i < c->value_count; i++) {
        for (size_t k = 0; k < c->contenders.count && status == CLI_EXIT_OK; k++) {
            const isocast_size *size = size_of(c, k);
            if (!(c->values[i] >= size->min && c->values[i] <= size->max)) {
                status = cli_usage_error(&usage,
                                         "%s = %.10g is not from %.10g to %.10g, as %s "
                                         "needs",
                                         size->name, c->values[i], size->min, size->max,
                                         c->contenders.items[k].name);
            }
        }
    }
    return status;
}

static int read_values(comparison *c) {
    if (c->at != NULL && c->efficiency != NULL) {
        return cli_usage_error(&usage, "--at and --efficiency exclude each other");
    }
    c->fixed_size = c->efficiency == NULL;
    if (c->at != NULL) {
        return read_sizes(c);
    }
    int status = c->efficiency != NULL
                     ? cli_numbers_read("--efficiency", c->efficiency, &c->values, &c->value_count)
                     : CLI_EXIT_OK;
    for (size_t i = 0; status == CLI_EXIT_OK && i < c->value_count; i++) {
        if (!(c->values[i] > 0)) {
            status =
                cli_usage_error(&usage, "--efficiency must be above 0, not %.10g", c->values[i]);
        }
    }
    return status;
}

static bool all_solved(const comparison *c) {
    bool solved = true;
    for (size_t i = 0; i < c->value_count * c->contenders.count; i++) {
        for (size_t k = 0; k < c->predictions[i]->row_count; k++) {
            isocast_row_status status = c->predictions[i]->rows[k].status;
            solved = solved && (status == ISOCAST_ROW_OK || status == ISOCAST_ROW_SEVERAL);
        }
    }
    return solved;
}

static compare_question question_of(const comparison *c) {
    return (compare_question){&c->contenders, c->values, c->value_count, c->fixed_size};
}

/* The most processes that all machines have; NAN where one has several node classes. */
static double processes_of(const comparison *c) {
    double most = INFINITY;
    for (size_t k = 0; k < c->contenders.count; k++) {
        const isocast_machine *machine = c->contenders.items[k].loaded.machine;
        most = machine->class_count == 1
                   ? fmin(most, machine->classes[0].count * machine->classes[0].processors)
                   : NAN;
        if (isnan(most)) {
            break;
        }
    }
    return most;
}

static isocast_status rank_over_p(const comparison *c, bool *ranked, isocast_ranking *out) {
    isocast_crossing_side sides[CLI_CONTENDERS_MAX];
    /* On a platform only the systems that were asked for are simulated. */
    bool machines = c->platforms.count == 0 && c->contenders.held == NULL;
    double most = machines ? processes_of(c) : NAN;
    *ranked = c->at != NULL && most > 1;
    for (size_t k = 0; k < c->contenders.count; k++) {
        sides[k] = (isocast_crossing_side){.model = c->contenders.items[k].loaded.model};
    }
    isocast_effort effort = isocast_effort_of(c->value_count * c->contenders.count);
    return *ranked ? isocast_ranking_over_p(sides, c->contenders.count, c->values, c->value_count,
                                            most, &effort, out)
                   : ISOCAST_OK;
}

static int rank_and_write(const comparison *c) {
    isocast_ranking over_N = {0};
    isocast_ranking over_p = {0};
    bool has_p = false;
    const compare_question question = question_of(c);
    isocast_status ranked = compare_rank_over_N(&question, &over_N);
    CLI_THEN(ranked, rank_over_p(c, &has_p, &over_p));
    int status = cli_exit_of(ranked);
    if (status == CLI_EXIT_OK) {
        const cli_ranking_view view = {
            .subject = {.algorithm = c->contenders.items[0].loaded.algorithm,
                        .provenance = {&c->call, NULL}},
            .contenders = &c->contenders,
            .predictions = c->predictions,
            .values = c->values,
            .value_count = c->value_count,
            .fixed_size = c->fixed_size,
            .over_N = &over_N,
            .over_p = has_p ? &over_p : NULL};
        status = cli_ranking_write(&view, &c->call.common);
    }
    isocast_ranking_free(&over_N);
    isocast_ranking_free(&over_p);
    return status;
}

static int compare(comparison *c) {
    if (c->to == NULL) {
        return cli_usage_error(&usage, "say which systems to compare on with --to SYSTEMS");
    }
    int status = cli_contenders_load(&usage, c->call.positional, c->call.count, &c->platforms,
                                     c->platform.laws || cli_platform_lack() != NULL, &c->settings,
                                     c->to, c->call.common.quiet, &c->contenders);
    const char *held = c->contenders.held;
    if (status == CLI_EXIT_OK && held != NULL) {
        cli_platform_report_held(&c->call, held, NULL);
    }
    CLI_THEN(status, cli_platform_check_options(&usage, &c->platform,
                                                c->platforms.count > 0 || held != NULL));
    CLI_THEN(status, read_values(c));
    const compare_question question = question_of(c);
    CLI_THEN(status,
             compare_learn(&c->call, &c->platform, &c->settings, &question, &c->contenders));
    CLI_THEN(status, cli_exit_of(compare_predict(&question, false, &c->predictions)));
    CLI_THEN(status, rank_and_write(c));
    return status == CLI_EXIT_OK && !all_solved(c) ? CLI_EXIT_NO_SOLUTION : status;
}

static int run(void *context) {
    comparison *c = context;
    int status = compare(c);
    const compare_question question = question_of(c);
    compare_predictions_free(&question, c->predictions);
    free(c->values);
    cli_contenders_free(&c->contenders);
    return status;
}

int cmd_compare(int argc, char **argv) {
    comparison c = {.platform = CLI_PLATFORM_TEXTS};
    const cli_option options[] = {
        {"--to", 0, CLI_OPTION_TEXT, "SYSTEMS",
         "the systems to compare on, which every machine must have; as in predict", &c.to},
        {"--at", 0, CLI_OPTION_TEXT, "SIZE=LIST",
         "sizes to compare T at, such as n=4096 or n=1024..65536*4", &c.at},
        {"--efficiency", 0, CLI_OPTION_SHARES, "LIST",
         "compare the sizes that hold these speed-efficiencies E = W/(T C)", &c.efficiency},
        CLI_SET_OPTION(&c.settings),
        CLI_MARKED_SPEED_OPTION(&c.settings.marked_speed),
        {"--platform", 0, CLI_OPTION_LIST, "PLATFORM",
         "compare on this platform: what the algorithms call is simulated on the systems and at "
         "the sizes that the rows and crossings need; may be repeated",
         &c.platforms},
        CLI_LAWS_OPTION(&c.platform),
        CLI_SIMULATION_OPTIONS(&c.platform, CLI_BUDGET_HELP),
        {0}};
    return cli_call_run(&usage, options, argc, argv, &c.call, run, &c);
}
