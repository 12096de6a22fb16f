#include "prediction_run.h"

#include <math.h>
#include <stdlib.h>

#include "exit.h"
#include "metric_option.h"
#include "model/solve/psi_matrix.h"

static bool all_solved(const isocast_prediction *prediction) {
    for (size_t i = 0; i < prediction->row_count; i++) {
        isocast_row_status status = prediction->rows[i].status;
        if (status != ISOCAST_ROW_OK && status != ISOCAST_ROW_SEVERAL) {
            return false;
        }
    }
    return true;
}

static int tell_no_base(const cli_usage *usage, const cli_prediction_run *answer) {
    fprintf(stderr,
            "isocast %s: there is no %s to hold on %s at %s = %.10g: the work is not "
            "above 0 there, or a formula of %s has no value\n",
            usage->command, isocast_metric_row_of(answer->question.request.metric)->held,
            answer->question.request.base->name, answer->loaded.algorithm->sizes[0].name,
            answer->question.request.N, answer->loaded.algorithm->name);
    return CLI_EXIT_NO_SOLUTION;
}

/* Whether there is a psi between pairs of systems to show. */
static int check_matrix(const cli_usage *usage, const cli_prediction_run *answer) {
    const isocast_prediction_request *request = &answer->question.request;
    bool solves = request->base != NULL || !isnan(request->efficiency);
    if (answer->matrix && !solves) {
        return cli_usage_error(usage, "--matrix needs something that is held: --base SYSTEM, or "
                                      "--efficiency or --speed; at a fixed size there is no psi");
    }
    if (answer->matrix && request->system_count + 1 > ISOCAST_MATRIX_SYSTEMS_MAX) {
        return cli_usage_error(usage, "--matrix takes at most %d systems, not %zu",
                               ISOCAST_MATRIX_SYSTEMS_MAX - 1, request->system_count);
    }
    return answer->matrix ? cli_metric_needs_psi(usage, request->metric) : CLI_EXIT_OK;
}

static int predict(const cli_usage *usage, cli_prediction_run *answer,
                   int (*write)(const cli_prediction_run *answer)) {
    cli_prediction_options *question = &answer->question;
    question->effort = isocast_effort_of(question->request.system_count);
    question->request.effort = &question->effort;
    isocast_status outcome =
        isocast_predict(answer->loaded.model, &question->request, &answer->prediction);
    if (outcome == ISOCAST_DOMAIN && answer->question.request.base != NULL) {
        return tell_no_base(usage, answer);
    }
    if (outcome != ISOCAST_OK) {
        return cli_exit_of(outcome);
    }
    int status = write(answer);
    if (status == CLI_EXIT_OK && !all_solved(answer->prediction)) {
        status = CLI_EXIT_NO_SOLUTION;
    }
    isocast_prediction_free(answer->prediction);
    return status;
}

int cli_predict_texts(const cli_usage *usage, const char *const *positional,
                      const cli_prediction_texts *texts, cli_prediction_run *answer,
                      int (*write)(const cli_prediction_run *answer)) {
    int status = cli_load(positional[0], positional[1], answer->common.quiet, &answer->loaded);
    if (status != CLI_EXIT_OK) {
        return status;
    }
    status = cli_prediction_options_read(usage, texts, answer->loaded.model, &answer->question);
    status = status == CLI_EXIT_OK ? check_matrix(usage, answer) : status;
    if (status == CLI_EXIT_OK) {
        status = predict(usage, answer, write);
    }
    cli_prediction_options_free(&answer->question);
    cli_loaded_free(&answer->loaded);
    return status;
}

int cli_predict_command(const cli_usage *usage, int argc, char **argv,
                        int (*write)(const cli_prediction_run *answer)) {
    cli_prediction_texts texts;
    cli_option options[CLI_PREDICTION_OPTIONS + 2];
    cli_prediction_options_table(&texts, options);
    cli_prediction_run answer = {.argc = argc, .argv = argv};
    options[CLI_PREDICTION_OPTIONS] = (cli_option){
        "--matrix",
        0,
        CLI_OPTION_FLAG,
        NULL,
        "print psi between all pairs of systems; CSV has the columns from, to, psi and "
        "what the theorems of [CSW] say",
        &answer.matrix};
    options[CLI_PREDICTION_OPTIONS + 1] = (cli_option){0};
    const char **positional = NULL;
    size_t count;
    cli_parse parsed =
        cli_options_parse(usage, options, argc, argv, &answer.common, &positional, &count);
    int status = cli_parse_exit(parsed);
    if (parsed == CLI_PARSE_GO_ON) {
        status = cli_predict_texts(usage, positional, &texts, &answer, write);
    }
    free(positional);
    cli_prediction_texts_free(&texts);
    return status;
}
