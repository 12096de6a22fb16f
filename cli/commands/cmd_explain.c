/* isocast explain: where the time of a prediction goes, how its parts grow, what moves N'; and its
 * parts against measured runs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/exit.h"
#include "cli/options/load.h"
#include "cli/options/number.h"
#include "cli/options/prediction_run.h"
#include "cli/output/fields.h"
#include "cli/report/report_several.h"
#include "cli/report/results.h"
#include "command.h"
#include "model/runs/comparison.h"
#include "model/solve/explanation.h"
#include "model/solve/idle.h"
#include "model/solve/isoefficiency.h"
#include "platform_session.h"

static const cli_usage usage = {
    .command = "explain",
    .arguments = "ALGORITHM MACHINE|--platform PLATFORM",
    .summary =
        "Explains a prediction: the time and share of the computation and of each overhead "
        "term, how each grows from the first system to the last, and which machine "
        "parameter or term moves N' (T at a fixed size) most. Takes the options of predict. "
        "With --runs: the terms of the prediction against the phases of measured runs, side "
        "by side, and which term is off. With --growth: the isoefficiency function, which is "
        "how the work must grow with p, and the order of growth that is proved.",
    .details =
        "The elasticity of N' to a parameter is the per cent by which N' moves for one "
        "per cent more of it; where a base gives the efficiency, the base is taken again. "
        "CSV has the parts only, JSON all of it (docs/result-schema.json). The exit status "
        "is 4 where a system has no solution. With --runs all systems and sizes of the runs "
        "are taken, or those of --to and --at; the key 'phases' of the algorithm file says "
        "which columns show which terms. With --growth the order follows from the formulas "
        "themselves. Where no rule proves it, it is undecided (docs/explanation/growth.md). With "
        "--idle each number of the machine, and each parameter and constant of the algorithm file, "
        "is varied alone, to 10^6 times and to 10^-6 of it, on the last solved system; it matters "
        "where N' (T at a fixed size) changes by 5 %.\n"
        "\n"
        "Examples:\n"
        "  isocast explain gaussian-elimination-published sunwulf --at N=1000 --to C8\n"
        "  isocast explain gaussian-elimination-published sunwulf --efficiency 0.3 \\\n"
        "      --to C2,C8,C32\n"
        "  isocast explain gaussian-elimination --platform ethernet-128 --at N=2000 \\\n"
        "      --to 16,64\n"
        "  isocast explain gaussian-elimination here.yaml --runs runs.csv\n"
        "  isocast explain fft-binary-exchange-textbook textbook --growth \\\n"
        "      --efficiency 0.6 --to 4..4096*4\n"
        "  isocast explain gaussian-elimination-published sunwulf --idle \\\n"
        "      --at N=1000 --to C8",
    .fewest = 1,
    .most = 2};

/* isocast explain --runs: the terms of a prediction against the phases of measured runs. */

/* The points of the runs that the options leave. */
typedef struct choice {
    const isocast_validation *validation;
    bool *chosen; /* [point_count] */
} choice;

static int no_memory(void) {
    return cli_exit_of(ISOCAST_NO_MEMORY);
}

/* Leaves only points of the systems named. */
static int choose_systems(const choice *c, const char *to) {
    if (to == NULL) {
        return CLI_EXIT_OK;
    }
    isocast_system **systems = NULL;
    size_t count = 0;
    int status =
        cli_systems_read("--to", to, isocast_model_machine(c->validation->model),
                         isocast_model_algorithm(c->validation->model)->kernel, &systems, &count);
    if (status != CLI_EXIT_OK) {
        isocast_systems_free(systems, count);
        return status;
    }
    for (size_t i = 0; i < c->validation->point_count; i++) {
        const char *name = c->validation->systems[c->validation->points[i].system].label;
        bool named = false;
        for (size_t k = 0; k < count; k++) {
            named = named || strcmp(systems[k]->name, name) == 0;
        }
        c->chosen[i] = c->chosen[i] && named;
    }
    isocast_systems_free(systems, count);
    return CLI_EXIT_OK;
}

/* "N=200": whether it could be read, and whether a point has that size. */
static bool names_size(const char *text, const char *size, double *N) {
    size_t length = strlen(size);
    return strncmp(text, size, length) == 0 && text[length] == '=' &&
           cli_number_parse(text + length + 1, N);
}

/* Marks the points of the sizes in "N=200,N=400"; `named` has shape [point_count]. */
static int name_sizes(const choice *c, const char *list, bool *named) {
    const char *size = isocast_model_algorithm(c->validation->model)->sizes[0].name;
    char *copy = strdup(list);
    if (copy == NULL) {
        return no_memory();
    }
    int status = CLI_EXIT_OK;
    for (char *rest = copy; status == CLI_EXIT_OK && rest != NULL;) {
        const char *text = strsep(&rest, ",");
        double N;
        if (!names_size(text, size, &N)) {
            status = cli_usage_error(
                &usage, "--at takes sizes of the runs such as %s=1000, not '%s'", size, text);
            break;
        }
        for (size_t k = 0; k < c->validation->point_count; k++) {
            named[k] = named[k] || c->validation->points[k].N == N;
        }
    }
    free(copy);
    return status;
}

/* Leaves only points of the sizes named. */
static int choose_sizes(const choice *c, const cli_list *at) {
    bool *named = calloc(c->validation->point_count + 1, sizeof *named);
    if (named == NULL) {
        return no_memory();
    }
    int status = CLI_EXIT_OK;
    for (size_t i = 0; status == CLI_EXIT_OK && i < at->count; i++) {
        status = name_sizes(c, at->items[i], named);
    }
    for (size_t k = 0; at->count > 0 && k < c->validation->point_count; k++) {
        c->chosen[k] = c->chosen[k] && named[k];
    }
    free(named);
    return status;
}

static int choose(const choice *c, const cli_prediction_texts *texts) {
    for (size_t i = 0; i < c->validation->point_count; i++) {
        c->chosen[i] = true;
    }
    int status = choose_systems(c, texts->to);
    CLI_THEN(status, choose_sizes(c, &texts->at));
    bool any = false;
    for (size_t i = 0; i < c->validation->point_count; i++) {
        any = any || c->chosen[i];
    }
    if (status == CLI_EXIT_OK && !any) {
        return cli_usage_error(&usage, "the runs have none of the systems of --to at a size of "
                                       "--at");
    }
    return status;
}

static isocast_status find_growth(const cli_prediction_answer *answer, void **out) {
    isocast_isoefficiency *found = NULL;
    isocast_status status =
        isocast_isoefficiency_find(answer->prediction, &answer->question.request, &found);
    *out = found;
    return status;
}

static void free_growth(void *result) {
    isocast_isoefficiency_free(result);
}

static isocast_status find_explanation(const cli_prediction_answer *answer, void **out) {
    isocast_explanation *found = NULL;
    isocast_status status = isocast_explain(answer->prediction, &answer->question.request, &found);
    *out = found;
    return status;
}

static void free_explanation(void *result) {
    isocast_explanation_free(result);
}

static int write_explanation(const cli_prediction_run *answer) {
    static const cli_answers_writer writer = {.document = &cli_explanation_document,
                                              .several = &cli_explanations_document,
                                              .find = find_explanation,
                                              .free = free_explanation,
                                              .reports = cli_reports_of_explanation};
    return cli_answers_write(&writer, NULL, answer);
}

static isocast_status find_idle(const cli_prediction_answer *answer, void **out) {
    isocast_explanation *found = NULL;
    const isocast_prediction_request *request = &answer->question.request;
    isocast_status status = isocast_explain(answer->prediction, request, &found);
    if (status == ISOCAST_OK && found->first < answer->prediction->row_count) {
        status = isocast_idle_find(answer->prediction, request, found->last, &found->drivers);
    }
    *out = found;
    return status;
}

static int write_idle(const cli_prediction_run *answer) {
    static const cli_answers_writer writer = {.document = &cli_explanation_document,
                                              .several = &cli_explanations_document,
                                              .find = find_idle,
                                              .free = free_explanation,
                                              .reports = cli_reports_of_idle};
    return cli_answers_write(&writer, NULL, answer);
}

/* A speed-efficiency that is not held is a slip on the command line. */
static int write_growth(const cli_prediction_run *answer) {
    static const cli_answers_writer writer = {
        .document = &cli_growth_document,
        .several = &cli_growths_document,
        .find = find_growth,
        .free = free_growth,
        .argument = "--growth takes a speed-efficiency that is held: give --efficiency, or --base "
                    "and --at, and no other metric",
        .reports = cli_reports_of_growth};
    return cli_answers_write(&writer, NULL, answer);
}

/* The command line. */
typedef struct command_line {
    cli_prediction_run run;
    cli_prediction_texts texts;
    cli_platform_texts platform;
    const char *runs; /* NULL: none */
    bool growth, idle;
} command_line;

static int compare(const command_line *c, const isocast_validation *validation,
                   const isocast_runs *runs) {
    choice chosen = {validation, malloc((validation->point_count + 1) * sizeof *chosen.chosen)};
    if (chosen.chosen == NULL) {
        return no_memory();
    }
    isocast_comparison *comparison = NULL;
    int status = choose(&chosen, &c->texts);
    if (status == CLI_EXIT_OK) {
        isocast_diagnostics diagnostics = {0};
        isocast_status result =
            isocast_compare(validation, runs, chosen.chosen, &diagnostics, &comparison);
        status = cli_exit_with(&diagnostics, c->run.call.common.quiet, result);
    }
    if (status == CLI_EXIT_OK) {
        cli_view view = {cli_subject_of(&c->run.call, &c->run.loaded), comparison};
        view.subject.runs = c->runs;
        const cli_written how = {&cli_comparison_document, cli_reports_of_comparison, NULL};
        status = cli_result_write(&how, &view, &c->run.call.common, NULL, 0);
    }
    isocast_comparison_free(comparison);
    free(chosen.chosen);
    return status;
}

/* Of the question, only the systems (--to) and the sizes (--at, whole list "N=200,N=400") count:
 * they choose among the runs. */
static int explain_runs(command_line *c) {
    const cli_call *call = &c->run.call;
    int status = cli_load_set(call->positional[0], call->positional[1], &c->texts.set,
                              call->common.quiet, &c->run.loaded);
    if (status != CLI_EXIT_OK) {
        return status;
    }
    isocast_diagnostics diagnostics = {0};
    isocast_runs *runs = NULL;
    isocast_validation *validation = NULL;
    isocast_status result = isocast_runs_load(c->runs, &diagnostics, &runs);
    CLI_THEN(result, isocast_validate_times(c->run.loaded.model, runs, NULL,
                                            ISOCAST_METRIC_ISOSPEED_E, &diagnostics, &validation));
    status = cli_exit_with(&diagnostics, call->common.quiet, result);
    if (status == CLI_EXIT_OK && validation != NULL) {
        status = compare(c, validation, runs);
    }
    isocast_validation_free(validation);
    isocast_runs_free(runs);
    return status;
}

static int explain(command_line *c) {
    const cli_prediction_texts *texts = &c->texts;
    if (c->growth && c->runs != NULL) {
        return cli_usage_error(&usage, "--growth and --runs do not go together");
    }
    if (c->idle && (c->growth || c->runs != NULL)) {
        return cli_usage_error(&usage, "--idle goes with neither --growth nor --runs");
    }
    if ((c->growth || c->runs != NULL) && c->platform.platform != NULL) {
        return cli_usage_error(&usage,
                               "--growth and --runs need a machine file in the place of "
                               "--platform, which is simulated on the systems of --to alone");
    }
    if (c->runs == NULL) {
        c->texts.set.varies = c->idle;
        return cli_predict_platform(&c->platform, texts, &c->run,
                                    c->growth ? write_growth
                                    : c->idle ? write_idle
                                              : write_explanation);
    }
    if (texts->base != NULL || texts->efficiency_text != NULL || !isnan(texts->speed) ||
        texts->metric != NULL) {
        return cli_usage_error(&usage, "--runs has systems and sizes of its own: --base, "
                                       "--efficiency, --speed and --metric do not go with it");
    }
    int status = cli_data_file_check(&usage, c->runs, "a file of runs");
    return status == CLI_EXIT_OK ? explain_runs(c) : status;
}

static int run(void *context) {
    command_line *c = context;
    const char *why = c->growth ? "--growth" : c->runs != NULL ? "--runs" : NULL;
    int status = cli_platform_check(&c->run.call, c->run.call.count, why, &c->platform);
    CLI_THEN(status, explain(c));
    cli_loaded_free(&c->run.loaded);
    return status;
}

int cmd_explain(int argc, char **argv) {
    command_line c = {.texts = CLI_PREDICTION_TEXTS, .platform = CLI_PLATFORM_SINGLE};
    c.texts.set.at = &c.texts.at;
    const cli_option options[] = {
        {"--base", 0, CLI_OPTION_TEXT, "SYSTEM", CLI_BASE_HELP, &c.texts.base},
        CLI_PREDICTION_OPTIONS(&c.texts, CLI_AT_HELP),
        {"--runs", 0, CLI_OPTION_INPUT, "RUNS.csv",
         "measured or simulated runs to compare the terms with", &c.runs},
        {"--growth", 0, CLI_OPTION_FLAG, NULL,
         "the isoefficiency function: W' with its costs, and its proved order of growth",
         &c.growth},
        {"--idle", 0, CLI_OPTION_FLAG, NULL,
         "numbers of both files that do not matter, and by how much each would have to change",
         &c.idle},
        CLI_LAWS_OPTION(&c.platform),
        CLI_PLATFORM_OPTIONS(&c.platform, CLI_PLATFORM_HELP, CLI_BUDGET_SINGLE_HELP),
        {0}};
    return cli_call_run(&usage, options, argc, argv, &c.run.call, run, &c);
}
