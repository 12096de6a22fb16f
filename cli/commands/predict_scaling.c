#include "predict_scaling.h"

#include <math.h>
#include <string.h>

#include "cli/options/exit.h"
#include "cli/options/prediction_values.h"
#include "cli/output/json_text.h"
#include "cli/output/provenance.h"
#include "cli/output/render.h"
#include "cli/report/report_scaling.h"

static bool all_solved(const isocast_scaling *scaling) {
    for (size_t i = 0; i < scaling->row_count; i++) {
        if (scaling->rows[i].status != ISOCAST_ROW_OK) {
            return false;
        }
    }
    return true;
}

static bool is_format(const cli_prediction_run *run, const char *format) {
    return strcmp(run->common.format, format) == 0;
}

static int end_with(int status, bool solved) {
    return status == CLI_EXIT_OK && !solved ? CLI_EXIT_NO_SOLUTION : status;
}

static int tell_no_level(const cli_usage *usage, const cli_prediction_run *run,
                         const isocast_scaling_request *request) {
    fprintf(stderr,
            "isocast %s: there is no %s to hold on %s at %s = %.10g: a formula of %s has no value "
            "above 0 there, or not all processes can work\n",
            usage->command, isocast_line_word(request->line), request->base->name,
            run->loaded.algorithm->sizes[0].name, request->N, run->loaded.algorithm->name);
    return CLI_EXIT_NO_SOLUTION;
}

static int scale(const cli_usage *usage, cli_prediction_run *run,
                 const isocast_scaling_request *request) {
    isocast_scaling *scaling = NULL;
    isocast_status outcome = isocast_scale(run->loaded.model, request, &scaling);
    if (outcome == ISOCAST_DOMAIN && request->base != NULL) {
        return tell_no_level(usage, run, request);
    }
    if (outcome != ISOCAST_OK) {
        return cli_exit_of(outcome);
    }
    int status;
    if (is_format(run, "json")) {
        json_t *provenance = cli_provenance(run->argc, run->argv, &run->loaded);
        status = cli_json_write(cli_json_scaling(scaling, request->other_sizes, provenance),
                                &run->common);
    } else {
        cli_report *report =
            cli_report_of_scaling(scaling, request->other_sizes, !is_format(run, "csv"));
        status = cli_reports_write(&report, 1, &run->common);
    }
    status = end_with(status, all_solved(scaling));
    isocast_scaling_free(scaling);
    return status;
}

static int choose(cli_prediction_run *run, const isocast_choice_request *request) {
    isocast_choice *choice = NULL;
    isocast_status outcome = isocast_choose(run->loaded.model, request, &choice);
    if (outcome != ISOCAST_OK) {
        return cli_exit_of(outcome);
    }
    int status;
    if (is_format(run, "json")) {
        json_t *provenance = cli_provenance(run->argc, run->argv, &run->loaded);
        status = cli_json_write(
            cli_json_choice(run->loaded.model, choice, request->other_sizes, provenance),
            &run->common);
    } else {
        cli_report *report = cli_report_of_choice(run->loaded.model, choice, request->other_sizes);
        status = cli_reports_write(&report, 1, &run->common);
    }
    status = end_with(status, all_solved(choice->scaling));
    isocast_choice_free(choice);
    return status;
}

static int answer(const cli_usage *usage, const cli_scaling_texts *texts,
                  const cli_prediction_texts *others, cli_prediction_run *run) {
    cli_scaling_options options;
    if (run->matrix) {
        return cli_usage_error(usage, "--matrix is about psi, which --fixed and --processes have "
                                      "none of");
    }
    int status =
        cli_scaling_options_read(usage, texts, others, run->loaded.model, &run->question, &options);
    if (status != CLI_EXIT_OK) {
        return status;
    }
    isocast_effort *effort = &run->question.effort;
    *effort = isocast_effort_of(run->question.request.system_count);
    options.scaling.effort = effort;
    options.choice.effort = effort;
    options.scaling.interval_level = run->question.request.level;
    options.choice.interval_level = run->question.request.level;
    return options.is_choice ? choose(run, &options.choice) : scale(usage, run, &options.scaling);
}

/* Reads and answers the one question that the texts are to hold. */
static int answer_one(const cli_usage *usage, const cli_scaling_texts *texts,
                      const cli_prediction_texts *others, cli_prediction_run *run) {
    cli_prediction_values values = {0};
    int status = cli_prediction_values_read(usage, others, run->loaded.algorithm, &values);
    if (status == CLI_EXIT_OK && values.count > 1) {
        status = cli_usage_error(usage, "--fixed and --processes take one size and one efficiency "
                                        "at a time");
    }
    if (status == CLI_EXIT_OK) {
        status =
            cli_prediction_options_read(usage, &values.texts[0], run->loaded.model, &run->question);
    }
    if (status == CLI_EXIT_OK) {
        status = answer(usage, texts, &values.texts[0], run);
    }
    cli_prediction_options_free(&run->question);
    cli_prediction_values_free(&values);
    return status;
}

int cli_predict_scaling(const cli_usage *usage, const char *const *positional,
                        const cli_scaling_texts *texts, cli_prediction_texts *others,
                        cli_prediction_run *run) {
    int status =
        cli_load_set(positional[0], positional[1], &others->set, run->common.quiet, &run->loaded);
    if (status != CLI_EXIT_OK) {
        return status;
    }
    others->line = true;
    status = answer_one(usage, texts, others, run);
    cli_loaded_free(&run->loaded);
    return status;
}
