#include "prediction_run.h"

#include <stdlib.h>

#include "exit.h"

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
            "isocast %s: there is no speed-efficiency to hold on %s at %s = %.10g: the work is not "
            "above 0 there, or a formula of %s has no value\n",
            usage->command, answer->question.request.base->name,
            answer->loaded.algorithm->sizes[0].name, answer->question.request.N,
            answer->loaded.algorithm->name);
    return CLI_EXIT_NO_SOLUTION;
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
    if (status == CLI_EXIT_OK) {
        status = predict(usage, answer, write);
    }
    cli_prediction_options_free(&answer->question);
    cli_loaded_free(&answer->loaded);
    return status;
}
