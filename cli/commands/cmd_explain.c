/* isocast explain: where the time of a prediction goes, how its parts grow, what moves N'; and its
 * parts against measured runs. */
#include <math.h>
#include <stdlib.h>

#include "cli/options/data_file.h"
#include "cli/options/exit.h"
#include "cli/options/prediction_run.h"
#include "cli/output/fields.h"
#include "cli/report/explain_growth.h"
#include "cli/report/explain_runs.h"
#include "cli/report/report_explanation.h"
#include "cli/report/report_several.h"
#include "command.h"
#include "predict_platform.h"

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
    .details = "The elasticity of N' to a parameter is the per cent by which N' moves for one "
               "per cent more of it; where a base gives the efficiency, the base is taken anew. "
               "CSV has the parts only, JSON all of it (docs/result-schema.json). The exit status "
               "is 4 where a system has no solution. With --runs all systems and sizes of the runs "
               "are taken, or those of --to and --at; the key 'phases' of the algorithm file says "
               "which columns show which terms. With --growth the order follows from the formulas "
               "themselves. Where no rule proves it, it is undecided (docs/growth.md).\n"
               "\n"
               "Examples:\n"
               "  isocast explain gaussian-elimination-published sunwulf --at N=1000 --to C8\n"
               "  isocast explain gaussian-elimination-published sunwulf --efficiency 0.3 \\\n"
               "      --to C2,C8,C32\n"
               "  isocast explain gaussian-elimination --platform ethernet-128 --at N=2000 \\\n"
               "      --to 16,64\n"
               "  isocast explain gaussian-elimination here.yaml --runs runs.csv\n"
               "  isocast explain fft-binary-exchange-textbook textbook --growth \\\n"
               "      --efficiency 0.6 --to 4..4096*4",
    .fewest = 1,
    .most = 2};

static json_t *object_of(const void *results, size_t k, const cli_subject *subject) {
    isocast_explanation *const *explanations = results;
    const cli_explanation_view view = {*subject, explanations[k]};
    return cli_fields_document(&cli_explanation_document, &view);
}

/* Files get the parts of all systems, people one system after the other. */
static size_t reports_of(const void *results, size_t k, const double *other_sizes, bool csv,
                         cli_report **out) {
    isocast_explanation *const *explanations = results;
    size_t count = 0;
    out[count++] = csv ? cli_report_of_part_rows(explanations[k])
                       : cli_report_of_parts(explanations[k], other_sizes);
    if (!csv && cli_explanation_has_drivers(explanations[k])) {
        out[count++] = cli_report_of_drivers(explanations[k]);
    }
    return count;
}

static const cli_answers_writer writer = {&cli_explanations_document, object_of, reports_of};

static int write_explanation(const cli_prediction_run *answer) {
    isocast_explanation **explanations = calloc(answer->count, sizeof(isocast_explanation *));
    isocast_status outcome = explanations == NULL ? ISOCAST_NO_MEMORY : ISOCAST_OK;
    for (size_t k = 0; k < answer->count && outcome == ISOCAST_OK; k++) {
        const cli_prediction_answer *one = &answer->answers[k];
        outcome = isocast_explain(one->prediction, &one->question.request, &explanations[k]);
    }
    int status = cli_exit_of(outcome);
    if (outcome == ISOCAST_OK) {
        status = cli_answers_write(&writer, explanations, answer);
    }
    for (size_t k = 0; explanations != NULL && k < answer->count; k++) {
        isocast_explanation_free(explanations[k]);
    }
    free(explanations);
    return status;
}

static int write_growth(const cli_prediction_run *answer) {
    return cli_explain_growth(&usage, answer);
}

static int explain(const char *const *positional, const cli_platform_texts *platform,
                   const cli_prediction_texts *texts, bool growth, const char *runs,
                   cli_prediction_run *answer) {
    if (growth && runs != NULL) {
        return cli_usage_error(&usage, "--growth and --runs do not go together");
    }
    if ((growth || runs != NULL) && platform->platform != NULL) {
        return cli_usage_error(&usage, "--growth and --runs need a machine: --platform simulates "
                                       "what a prediction needs, on its systems alone");
    }
    if (growth) {
        return cli_predict_texts(&usage, positional, texts, answer, write_growth);
    }
    if (runs == NULL) {
        return cli_predict_platform(&usage, positional, platform, texts, answer, write_explanation);
    }
    if (texts->base != NULL || texts->efficiency_text != NULL || !isnan(texts->speed) ||
        texts->metric != NULL) {
        return cli_usage_error(&usage, "--runs has systems and sizes of its own: --base, "
                                       "--efficiency, --speed and --metric do not go with it");
    }
    int status = cli_data_file_check(&usage, runs, "a file of runs");
    return status == CLI_EXIT_OK ? cli_explain_runs(&usage, positional, texts, runs, answer)
                                 : status;
}

int cmd_explain(int argc, char **argv) {
    cli_prediction_texts texts;
    cli_platform_texts platform;
    cli_option options[CLI_PREDICTION_OPTIONS + CLI_PLATFORM_OPTIONS + 3];
    const char *runs = NULL;
    bool growth = false;
    cli_prediction_options_table(&texts, options);
    options[CLI_PREDICTION_OPTIONS] =
        (cli_option){"--runs",
                     0,
                     CLI_OPTION_INPUT,
                     "RUNS.csv",
                     "measured or simulated runs to compare the terms with",
                     &runs};
    options[CLI_PREDICTION_OPTIONS + 1] = (cli_option){
        "--growth",
        0,
        CLI_OPTION_FLAG,
        NULL,
        "the isoefficiency function: W' with its costs, and its proved order of growth",
        &growth};
    cli_platform_options_table(&platform, true, options + CLI_PREDICTION_OPTIONS + 2);
    options[CLI_PREDICTION_OPTIONS + CLI_PLATFORM_OPTIONS + 2] = (cli_option){0};
    cli_prediction_run answer = {.argc = argc, .argv = argv};
    const char **positional = NULL;
    size_t count;
    cli_parse parsed =
        cli_options_parse(&usage, options, argc, argv, &answer.common, &positional, &count);
    int status = cli_parse_exit(parsed);
    if (parsed == CLI_PARSE_GO_ON) {
        status = cli_platform_check(&usage, &platform, positional, count);
    }
    if (parsed == CLI_PARSE_GO_ON && status == CLI_EXIT_OK) {
        status = explain(positional, &platform, &texts, growth, runs, &answer);
    }
    free(positional);
    cli_prediction_texts_free(&texts);
    return status;
}
