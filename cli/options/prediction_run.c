#include "prediction_run.h"

#include <math.h>
#include <stdlib.h>

#include "exit.h"
#include "model/spec/rules.h"

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
    int status = cli_load_set(positional[0], positional[1], &texts->set, answer->common.quiet,
                              &answer->loaded);
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

int cli_predict_command(const cli_usage *usage, int argc, char **argv,
                        int (*write)(const cli_prediction_run *answer)) {
    cli_prediction_texts texts;
    cli_option options[CLI_PREDICTION_OPTIONS + 1];
    cli_prediction_options_table(&texts, options);
    cli_prediction_run answer = {.argc = argc, .argv = argv};
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
