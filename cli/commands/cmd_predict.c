/* isocast predict: N', W', T, E and psi of an algorithm on systems of a machine; or what is asked
 * by
 * --fixed and --processes. */
#include <stdlib.h>
#include <string.h>

#include "cli/options/prediction_run.h"
#include "cli/output/json_text.h"
#include "cli/output/provenance.h"
#include "cli/report/json_prediction.h"
#include "cli/report/report_prediction.h"
#include "command.h"
#include "predict_scaling.h"

static const cli_usage usage = {
    .command = "predict",
    .arguments = "ALGORITHM MACHINE",
    .summary = "Predicts how an algorithm scales on systems of a machine: the size N' that holds "
               "the speed-efficiency, and W', T, E and psi there; or T, E and speedup at a fixed "
               "size, or with another quantity held. ALGORITHM and MACHINE are files or names of "
               "installed specifications.",
    .details = "CSV and JSON have SI units (docs/result-schema.json), tables show the unit under "
               "the name. p counts processes. A row without a solution is printed with the "
               "reason, and the exit status is 4. Where the 90 % interval of N spans more than a "
               "factor of 4, the row's note calls it too uncertain to use.\n"
               "\n"
               "Examples:\n"
               "  isocast predict gaussian-elimination-published sunwulf --base C2 --at N=310 \\\n"
               "      --to C4,C8,C16,C32\n"
               "  isocast predict gaussian-elimination-published sunwulf --efficiency 0.3 \\\n"
               "      --to C2,C4,C8,C16,C32 --format json\n"
               "  isocast predict gaussian-elimination-published sunwulf --at N=2000 \\\n"
               "      --to C2,C4,C8\n"
               "  isocast predict gaussian-elimination-published sunwulf --fixed time \\\n"
               "      --base C2 --at N=1000 --to C4,C8,C16\n"
               "  isocast predict matrix-multiplication here.yaml --processes least-time \\\n"
               "      --at N=2000",
    .fewest = 2,
    .most = 2};

static int write_prediction(const cli_prediction_run *answer) {
    const double *other_sizes = answer->question.request.other_sizes;
    if (strcmp(answer->common.format, "json") == 0) {
        json_t *provenance = cli_provenance(answer->argc, answer->argv, &answer->loaded);
        return cli_json_write(cli_json_prediction(answer->prediction, other_sizes, provenance),
                              &answer->common);
    }
    bool with_base = strcmp(answer->common.format, "csv") != 0;
    cli_report *report = cli_report_of_prediction(answer->prediction, other_sizes, with_base);
    return cli_reports_write(&report, 1, &answer->common);
}

int cmd_predict(int argc, char **argv) {
    cli_prediction_texts texts;
    cli_scaling_texts scaling;
    cli_option options[CLI_PREDICTION_OPTIONS + CLI_SCALING_OPTIONS + 1];
    cli_prediction_options_table(&texts, options);
    cli_scaling_options_table(&scaling, options + CLI_PREDICTION_OPTIONS);
    options[CLI_PREDICTION_OPTIONS + CLI_SCALING_OPTIONS] = (cli_option){0};
    cli_prediction_run run = {.argc = argc, .argv = argv};
    const char **positional = NULL;
    size_t count;
    cli_parse parsed =
        cli_options_parse(&usage, options, argc, argv, &run.common, &positional, &count);
    int status = cli_parse_exit(parsed);
    if (parsed == CLI_PARSE_GO_ON && scaling.fixed == NULL && scaling.processes == NULL) {
        status = cli_predict_texts(&usage, positional, &texts, &run, write_prediction);
    } else if (parsed == CLI_PARSE_GO_ON) {
        status = cli_predict_scaling(&usage, positional, &scaling, &texts, &run);
    }
    free(positional);
    cli_prediction_texts_free(&texts);
    return status;
}
