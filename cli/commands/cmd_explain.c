/* isocast explain: where the time of a prediction goes, how its parts grow, what moves N'; and its
 * parts against measured runs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/exit.h"
#include "cli/options/prediction_run.h"
#include "cli/output/json_text.h"
#include "cli/output/provenance.h"
#include "cli/report/explain_runs.h"
#include "cli/report/report_explanation.h"
#include "command.h"

static const cli_usage usage = {
    .command = "explain",
    .arguments = "ALGORITHM MACHINE",
    .summary = "Explains a prediction: the time and share of the computation and of each overhead "
               "term, how each grows from the first system to the last, and which machine "
               "parameter or term moves N' (T at a fixed size) most. Takes the options of predict. "
               "With --runs: the terms of the prediction against the phases of measured runs, side "
               "by side, and which term is off.",
    .details = "The elasticity of N' to a parameter is the per cent by which N' moves for one "
               "per cent more of it; where a base gives the efficiency, the base is taken anew. "
               "CSV has the parts only, JSON all of it (docs/result-schema.json). The exit status "
               "is 4 where a system has no solution. With --runs all systems and sizes of the runs "
               "are taken, or those of --to and --at; the key 'phases' of the algorithm file says "
               "which columns show which terms.\n"
               "\n"
               "Examples:\n"
               "  isocast explain gaussian-elimination-published sunwulf --at N=1000 --to C8\n"
               "  isocast explain gaussian-elimination-published sunwulf --efficiency 0.3 \\\n"
               "      --to C2,C8,C32\n"
               "  isocast explain gaussian-elimination here.yaml --runs runs.csv",
    .fewest = 2,
    .most = 2};

static int write_reports(const isocast_explanation *explanation, const cli_prediction_run *answer) {
    const cli_common *common = &answer->common;
    const double *other_sizes = answer->question.request.other_sizes;
    if (strcmp(common->format, "json") == 0) {
        json_t *provenance = cli_provenance(answer->argc, answer->argv, &answer->loaded);
        return cli_json_write(cli_json_explanation(explanation, other_sizes, provenance), common);
    }
    cli_report *reports[2] = {NULL, NULL};
    size_t count = 1;
    if (strcmp(common->format, "csv") == 0) {
        reports[0] = cli_report_of_part_rows(explanation);
    } else {
        reports[0] = cli_report_of_parts(explanation, other_sizes);
        if (cli_explanation_has_drivers(explanation)) {
            reports[count++] = cli_report_of_drivers(explanation);
        }
    }
    return cli_reports_write(reports, count, common);
}

static int write_explanation(const cli_prediction_run *answer) {
    isocast_explanation *explanation = NULL;
    isocast_status outcome =
        isocast_explain(answer->prediction, &answer->question.request, &explanation);
    if (outcome != ISOCAST_OK) {
        return cli_exit_of(outcome);
    }
    int status = write_reports(explanation, answer);
    isocast_explanation_free(explanation);
    return status;
}

static int explain(const char *const *positional, const cli_prediction_texts *texts,
                   const char *runs, cli_prediction_run *answer) {
    if (runs == NULL) {
        return cli_predict_texts(&usage, positional, texts, answer, write_explanation);
    }
    if (texts->base != NULL || !isnan(texts->efficiency) || !isnan(texts->speed) ||
        texts->metric != NULL) {
        return cli_usage_error(&usage, "--runs has systems and sizes of its own: --base, "
                                       "--efficiency, --speed and --metric do not go with it");
    }
    return cli_explain_runs(&usage, positional, texts, runs, answer);
}

int cmd_explain(int argc, char **argv) {
    cli_prediction_texts texts;
    cli_option options[CLI_PREDICTION_OPTIONS + 2];
    const char *runs = NULL;
    cli_prediction_options_table(&texts, options);
    options[CLI_PREDICTION_OPTIONS] =
        (cli_option){"--runs",
                     0,
                     CLI_OPTION_INPUT,
                     "RUNS.csv",
                     "measured or simulated runs to compare the terms with",
                     &runs};
    options[CLI_PREDICTION_OPTIONS + 1] = (cli_option){0};
    cli_prediction_run answer = {.argc = argc, .argv = argv};
    const char **positional = NULL;
    size_t count;
    cli_parse parsed =
        cli_options_parse(&usage, options, argc, argv, &answer.common, &positional, &count);
    int status = cli_parse_exit(parsed);
    if (parsed == CLI_PARSE_GO_ON) {
        status = explain(positional, &texts, runs, &answer);
    }
    free(positional);
    cli_prediction_texts_free(&texts);
    return status;
}
