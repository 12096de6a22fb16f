#include "predict_scaling.h"

#include <math.h>
#include <string.h>

#include "cli/options/exit.h"
#include "cli/options/prediction_values.h"
#include "cli/output/fields.h"
#include "cli/output/json_text.h"
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
    const cli_scaling_view view = cli_scaling_view_of(run, request->other_sizes, scaling, NULL);
    int status;
    if (is_format(run, "json")) {
        status = cli_json_write(cli_fields_document(&cli_scaling_document, &view), &run->common);
    } else {
        cli_report *report = cli_report_of_scaling(&view, !is_format(run, "csv"));
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
    const cli_scaling_view view =
        cli_scaling_view_of(run, request->other_sizes, choice->scaling, choice);
    int status;
    if (is_format(run, "json")) {
        status = cli_json_write(cli_fields_document(&cli_scaling_document, &view), &run->common);
    } else {
        cli_report *report = cli_report_of_choice(&view);
        status = cli_reports_write(&report, 1, &run->common);
    }
    status = end_with(status, all_solved(choice->scaling));
    isocast_choice_free(choice);
    return status;
}

/* Reads the one question that the texts are to hold, into *question and *out. */
static int read_one(const cli_usage *usage, const cli_scaling_texts *texts,
                    const cli_prediction_texts *others, const isocast_model *model,
                    cli_prediction_options *question, cli_scaling_options *out) {
    cli_prediction_values values = {0};
    const isocast_algorithm *algorithm = isocast_model_algorithm(model);
    int status = cli_prediction_values_read(usage, others, algorithm, &values);
    if (status == CLI_EXIT_OK && values.count > 1) {
        status = cli_usage_error(usage, "--fixed and --processes take one size and one efficiency "
                                        "at a time");
    }
    if (status == CLI_EXIT_OK) {
        status = cli_prediction_options_read(usage, &values.texts[0], model, question);
    }
    if (status == CLI_EXIT_OK) {
        status = cli_scaling_options_read(usage, texts, &values.texts[0], model, question, out);
    }
    cli_prediction_values_free(&values);
    if (status != CLI_EXIT_OK) {
        return status;
    }
    isocast_effort *effort = &question->effort;
    *effort = isocast_effort_of(question->request.system_count);
    out->scaling.effort = effort;
    out->choice.effort = effort;
    out->scaling.interval_level = question->request.level;
    out->choice.interval_level = question->request.level;
    return CLI_EXIT_OK;
}

static int answer(const cli_usage *usage, const cli_scaling_texts *texts,
                  const cli_prediction_texts *others, cli_prediction_run *run) {
    cli_scaling_options options = {.is_choice = false};
    int status = read_one(usage, texts, others, run->loaded.model, &run->question, &options);
    if (status == CLI_EXIT_OK) {
        status =
            options.is_choice ? choose(run, &options.choice) : scale(usage, run, &options.scaling);
    }
    cli_prediction_options_free(&run->question);
    return status;
}

/* A question on its way to a platform. */
typedef struct on_platform {
    const cli_usage *usage;
    const cli_scaling_texts *texts;
    const cli_prediction_texts *others;
} on_platform;

static isocast_status need_at(const campaign_subject *s, const isocast_system *system, double N,
                              const double *other_sizes) {
    return campaign_points_need(s->points, s->model, system, N, other_sizes);
}

/* The base and the rows at their N; before these are known, what the systems call. */
static isocast_status need_line(const campaign_subject *s, const isocast_scaling_request *request,
                                bool first) {
    isocast_scaling *scaling = NULL;
    isocast_status status = ISOCAST_OK;
    if (request->base != NULL) {
        status = need_at(s, request->base, first ? NAN : request->N, request->other_sizes);
    }
    if (!first && status == ISOCAST_OK) {
        status = isocast_scale(s->model, request, &scaling);
    }
    for (size_t i = 0; i < request->system_count && status == ISOCAST_OK; i++) {
        double N = first ? NAN : scaling->rows[i].N;
        if (first || isfinite(N)) {
            status = need_at(s, request->systems[i], N, request->other_sizes);
        }
    }
    isocast_scaling_free(scaling);
    /* What has no answer is told when it is asked for the last time. */
    return status == ISOCAST_DOMAIN ? ISOCAST_OK : status;
}

static isocast_status need_choice(const campaign_subject *s, const isocast_choice_request *request,
                                  bool first) {
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < request->system_count && status == ISOCAST_OK; i++) {
        status = need_at(s, request->systems[i], first ? NAN : request->N, request->other_sizes);
    }
    return status;
}

static isocast_status need(void *context, cli_platform_single *single, bool first) {
    const on_platform *p = context;
    const campaign_subject *s = &single->subject;
    cli_prediction_options question = {0};
    cli_scaling_options options = {.is_choice = false};
    int status = read_one(p->usage, p->texts, p->others, s->model, &question, &options);
    if (status == CLI_EXIT_OK && options.is_choice && options.choice.system_count == 0) {
        status =
            cli_usage_error(p->usage, "--processes with --platform needs the systems to choose "
                                      "from, each of which is simulated: --to 2,4,8");
    }
    isocast_status needed = cli_platform_told(single, status);
    if (needed == ISOCAST_OK) {
        needed = options.is_choice ? need_choice(s, &options.choice, first)
                                   : need_line(s, &options.scaling, first);
    }
    cli_prediction_options_free(&question);
    return needed;
}

static int load_platform(const cli_usage *usage, const char *algorithm,
                         const cli_platform_texts *platform, const cli_scaling_texts *texts,
                         const cli_prediction_texts *others, cli_prediction_run *run) {
    on_platform context = {usage, texts, others};
    cli_platform_single single = {.algorithm = algorithm,
                                  .settings = &others->set,
                                  .loaded = &run->loaded,
                                  .need = need,
                                  .context = &context};
    return cli_platform_learn_single(usage, platform, run->common.quiet, &single);
}

int cli_predict_scaling(const cli_usage *usage, const char *const *positional,
                        const cli_platform_texts *platform, const cli_scaling_texts *texts,
                        cli_prediction_texts *others, cli_prediction_run *run) {
    if (run->matrix) {
        return cli_usage_error(usage, "--matrix is about psi, which --fixed and --processes have "
                                      "none of");
    }
    others->line = true;
    int status = platform->platform != NULL
                     ? load_platform(usage, positional[0], platform, texts, others, run)
                     : cli_load_set(positional[0], positional[1], &others->set, run->common.quiet,
                                    &run->loaded);
    if (status == CLI_EXIT_OK) {
        status = answer(usage, texts, others, run);
        cli_loaded_free(&run->loaded);
    }
    return status;
}
