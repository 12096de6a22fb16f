/* isocast predict: N', W', T, E and psi of an algorithm on systems of a machine; or what is asked
 * by --fixed and --processes. */
#include <stdlib.h>
#include <string.h>

#include "cli/options/prediction_run.h"
#include "cli/output/json_text.h"
#include "cli/report/json_prediction.h"
#include "cli/report/report_matrix.h"
#include "cli/report/report_prediction.h"
#include "cli/report/report_several.h"
#include "command.h"
#include "predict_platform.h"
#include "predict_scaling.h"

static const cli_usage usage = {
    .command = "predict",
    .arguments = "ALGORITHM MACHINE|--platform PLATFORM",
    .summary = "Predicts how an algorithm scales on systems of a machine: the size N' that holds "
               "the speed-efficiency, and W', T, E and psi there; or T, E and speedup at a fixed "
               "size, or with another quantity held. ALGORITHM and MACHINE are files or names of "
               "installed specifications. With --platform a data sheet takes the place of the "
               "machine.",
    .details = "CSV and JSON have SI units (docs/result-schema.json), tables show the unit under "
               "the name. p counts processes. A row without a solution is printed with the "
               "reason, and the exit status is 4.\n"
               "Where the machine file gives errors, N_low to N_high is the 90 % interval of N, "
               "and files have those of psi, T and E as well; --level gives another share. Where "
               "the interval of N spans more than a factor of 4, the row's note calls it too "
               "uncertain to use. Where a relative error of E counts more than 10 times in N, the "
               "note calls N ill-conditioned.\n"
               "R_f is the performance reference factor of a system: p where the processors are "
               "alike, C/C_j where their marked speeds differ, or what the machine file gives. "
               "T(W,1) is the time of the computation on process 0 alone, without overhead.\n"
               "\n"
               "Examples:\n"
               "  isocast predict gaussian-elimination-published sunwulf --base C2 --at N=310 \\\n"
               "      --to C4,C8,C16,C32\n"
               "  isocast predict gaussian-elimination-published sunwulf --efficiency 0.3 \\\n"
               "      --to C2,C4,C8,C16,C32 --format json\n"
               "  isocast predict gaussian-elimination-published sunwulf --at N=2000 \\\n"
               "      --to C2,C4,C8\n"
               "  isocast predict gaussian-elimination-published sunwulf --metric isospeed \\\n"
               "      --speed 5Mflop/s --to C2,C4,C8 --matrix\n"
               "  isocast predict gaussian-elimination-published sunwulf --fixed time \\\n"
               "      --base C2 --at N=1000 --to C4,C8,C16\n"
               "  isocast predict gaussian-elimination --platform ethernet-128 \\\n"
               "      --efficiency 0.3 --to 16..128*2\n"
               "  isocast predict matrix-multiplication here.yaml --processes least-time \\\n"
               "      --at N=2000",
    .fewest = 1,
    .most = 2};

static void note_above_one(cli_report *report, const cli_prediction_run *answer,
                           const cli_above_one *rows) {
    const cli_loaded *loaded = &answer->loaded;
    cli_report_note_above_one(report, loaded->algorithm, loaded->machine, loaded->model,
                              loaded->algorithm->kernel, rows);
}

/* `matrix` is NULL where none is asked for. */
static int write_result(const cli_prediction_run *answer, const isocast_psi_matrix *matrix) {
    const double *other_sizes = answer->question.request.other_sizes;
    if (strcmp(answer->common.format, "json") == 0) {
        return cli_json_write(cli_json_prediction(answer, answer->prediction, other_sizes, matrix),
                              &answer->common);
    }
    if (matrix != NULL) {
        cli_report *reports[CLI_MATRIX_REPORTS] = {NULL};
        isocast_buffer title = {0};
        cli_title_held(answer->prediction, other_sizes, &title);
        const char *psi = isocast_metric_row_of(answer->prediction->metric)->psi;
        size_t count = cli_reports_of_matrix(matrix, answer->common.format,
                                             title.text != NULL ? title.text : "", psi, reports);
        cli_report_remarks(reports[0], answer->prediction);
        isocast_buffer_free(&title);
        return cli_reports_write(reports, count, &answer->common);
    }
    bool with_base = strcmp(answer->common.format, "csv") != 0;
    cli_report *report = cli_report_of_prediction(answer->prediction, other_sizes, with_base);
    cli_above_one above = {0};
    cli_prediction_take_above_one(answer->prediction, other_sizes, with_base, &above);
    note_above_one(report, answer, &above);
    return cli_reports_write(&report, 1, &answer->common);
}

/* Several targets or sizes: one table, or the JSON of each in a list. */
static int write_several(const cli_prediction_run *answer) {
    bool json = strcmp(answer->common.format, "json") == 0;
    bool with_base = strcmp(answer->common.format, "csv") != 0;
    json_t **objects = calloc(answer->count, sizeof(json_t *));
    cli_report **reports = calloc(answer->count, sizeof(cli_report *));
    if (objects == NULL || reports == NULL) {
        free(objects);
        free(reports);
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    cli_above_one above = {0};
    for (size_t k = 0; k < answer->count; k++) {
        const cli_prediction_answer *one = &answer->answers[k];
        const double *other_sizes = one->question.request.other_sizes;
        if (json) {
            objects[k] = cli_json_prediction(answer, one->prediction, other_sizes, NULL);
        } else {
            reports[k] = cli_report_of_prediction(one->prediction, other_sizes, with_base);
            cli_prediction_take_above_one(one->prediction, other_sizes, with_base, &above);
        }
    }
    int status;
    if (json) {
        status = cli_json_write(cli_json_several(&cli_predictions_document, objects, answer->count),
                                &answer->common);
    } else {
        cli_report *joined = cli_report_several(answer, reports, false);
        note_above_one(joined, answer, &above);
        status = cli_reports_write(&joined, 1, &answer->common);
    }
    free(objects);
    free(reports);
    return status;
}

static int write_prediction(const cli_prediction_run *answer) {
    if (answer->count > 1) {
        return write_several(answer);
    }
    isocast_psi_matrix *matrix = NULL;
    if (answer->matrix) {
        isocast_status status =
            isocast_psi_matrix_predict(answer->prediction, &answer->question.request, &matrix);
        if (status != ISOCAST_OK) {
            return cli_exit_of(status);
        }
    }
    int exit = write_result(answer, matrix);
    isocast_psi_matrix_free(matrix);
    return exit;
}

int cmd_predict(int argc, char **argv) {
    cli_prediction_texts texts;
    cli_scaling_texts scaling;
    cli_prediction_run run = {.argc = argc, .argv = argv};
    cli_platform_texts platform;
    cli_option options[CLI_PREDICTION_OPTIONS + CLI_SCALING_OPTIONS + CLI_PLATFORM_OPTIONS + 3];
    cli_prediction_options_table(&texts, options);
    cli_scaling_options_table(&scaling, options + CLI_PREDICTION_OPTIONS);
    options[CLI_PREDICTION_OPTIONS + CLI_SCALING_OPTIONS] =
        (cli_option){"--matrix",
                     0,
                     CLI_OPTION_FLAG,
                     NULL,
                     "print psi between all pairs of systems; CSV has the columns from, to, psi, "
                     "its interval, and "
                     "what the theorems of [CSW] say",
                     &run.matrix};
    options[CLI_PREDICTION_OPTIONS + CLI_SCALING_OPTIONS + 1] = (cli_option){
        "--level",
        0,
        CLI_OPTION_NUMBER,
        "SHARE",
        "the share of cases in which an interval is to hold the true value, such as 0.95; by "
        "default 0.9",
        &texts.level};
    cli_platform_options_table(&platform, true,
                               options + CLI_PREDICTION_OPTIONS + CLI_SCALING_OPTIONS + 2);
    options[CLI_PREDICTION_OPTIONS + CLI_SCALING_OPTIONS + CLI_PLATFORM_OPTIONS + 2] =
        (cli_option){0};
    const char **positional = NULL;
    size_t count;
    cli_parse parsed =
        cli_options_parse(&usage, options, argc, argv, &run.common, &positional, &count);
    int status = cli_parse_exit(parsed);
    bool scales = scaling.fixed != NULL || scaling.processes != NULL;
    if (parsed == CLI_PARSE_GO_ON) {
        status = cli_platform_check(&usage, &platform, positional, count);
    }
    if (parsed == CLI_PARSE_GO_ON && status == CLI_EXIT_OK && !scales) {
        status =
            cli_predict_platform(&usage, positional, &platform, &texts, &run, write_prediction);
    } else if (parsed == CLI_PARSE_GO_ON && status == CLI_EXIT_OK) {
        status = cli_predict_scaling(&usage, positional, &platform, &scaling, &texts, &run);
    }
    free(positional);
    cli_prediction_texts_free(&texts);
    return status;
}
