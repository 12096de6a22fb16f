#include "prediction_run.h"

#include <math.h>
#include <stdlib.h>

#include "exit.h"
#include "model/solve/psi_matrix.h"
#include "model/spec/rules.h"
#include "prediction_options.h"
#include "word_option.h"

static bool all_solved(const isocast_prediction *prediction) {
    for (size_t i = 0; i < prediction->row_count; i++) {
        isocast_row_status status = prediction->rows[i].status;
        if (status != ISOCAST_ROW_OK && status != ISOCAST_ROW_SEVERAL) {
            return false;
        }
    }
    return true;
}

static int report_no_base(const cli_usage *usage, const cli_prediction_run *answer) {
    const isocast_prediction_request *request = &answer->question.request;
    const isocast_rules_point point = {NAN, request->other_sizes, request->base->p};
    const char *broken;
    isocast_status status = isocast_rules_broken(answer->loaded.algorithm, false, &point, &broken);
    if (status != ISOCAST_OK) {
        return cli_exit_of(status);
    }
    if (broken != NULL) {
        fprintf(stderr, "isocast %s: %s does not hold on the base %s: %s\n", usage->command,
                answer->loaded.algorithm->name, request->base->name, broken);
        return CLI_EXIT_NO_SOLUTION;
    }
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

/* Reads one question and answers it; what it holds then is to be freed in either case. */
static int ask(const cli_usage *usage, const cli_prediction_texts *texts,
               cli_prediction_run *answer, cli_prediction_answer *out) {
    int status = cli_prediction_options_read(usage, texts, answer->loaded.model, &out->question);
    answer->question = out->question;
    CLI_THEN(status, check_matrix(usage, answer));
    if (status != CLI_EXIT_OK) {
        return status;
    }
    isocast_prediction_request *request = &out->question.request;
    out->question.effort = isocast_effort_of(request->system_count);
    request->effort = &out->question.effort;
    isocast_status outcome = isocast_predict(answer->loaded.model, request, &out->prediction);
    return outcome == ISOCAST_DOMAIN && request->base != NULL ? report_no_base(usage, answer)
                                                              : cli_exit_of(outcome);
}

static int ask_all(const cli_usage *usage, const cli_prediction_values *values,
                   cli_prediction_run *answer, cli_prediction_answer *answers,
                   int (*write)(const cli_prediction_run *answer)) {
    int status = CLI_EXIT_OK;
    for (size_t k = 0; k < values->count && status == CLI_EXIT_OK; k++) {
        status = ask(usage, &values->texts[k], answer, &answers[k]);
    }
    if (status != CLI_EXIT_OK) {
        return status;
    }
    answer->question = answers[0].question;
    answer->prediction = answers[0].prediction;
    answer->answers = answers;
    answer->count = values->count;
    status = write(answer);
    for (size_t k = 0; k < values->count && status == CLI_EXIT_OK; k++) {
        status = all_solved(answers[k].prediction) ? status : CLI_EXIT_NO_SOLUTION;
    }
    return status;
}

int cli_predict_loaded(const cli_prediction_texts *texts, cli_prediction_run *answer,
                       int (*write)(const cli_prediction_run *answer)) {
    const cli_usage *usage = answer->call.usage;
    cli_prediction_values values = {0};
    cli_prediction_answer *answers = NULL;
    int status = cli_prediction_values_read(usage, texts, answer->loaded.algorithm, &values);
    if (status == CLI_EXIT_OK && values.count > 1 && answer->matrix) {
        status = cli_usage_error(usage, "--matrix takes one efficiency and one size");
    }
    if (status == CLI_EXIT_OK) {
        answers = calloc(values.count, sizeof *answers);
        status = answers == NULL ? cli_exit_of(ISOCAST_NO_MEMORY)
                                 : ask_all(usage, &values, answer, answers, write);
    }
    for (size_t k = 0; answers != NULL && k < values.count; k++) {
        isocast_prediction_free(answers[k].prediction);
        cli_prediction_options_free(&answers[k].question);
    }
    free(answers);
    cli_prediction_values_free(&values);
    return status;
}
