/* isocast predict: N', W', T, E and psi of an algorithm on systems of a machine; or what is asked
 * by --fixed and --processes. */
#include <math.h>
#include <stdlib.h>

#include "cli/options/exit.h"
#include "cli/options/prediction_options.h"
#include "cli/options/prediction_run.h"
#include "cli/options/scaling_options.h"
#include "cli/output/fields.h"
#include "cli/report/report_prediction.h"
#include "cli/report/report_several.h"
#include "cli/report/results.h"
#include "command.h"
#include "platform_session.h"

static bool all_solved(const isocast_scaling *scaling) {
    for (size_t i = 0; i < scaling->row_count; i++) {
        if (scaling->rows[i].status != ISOCAST_ROW_OK) {
            return false;
        }
    }
    return true;
}

static int report_no_level(const cli_prediction_run *run, const isocast_scaling_request *request) {
    fprintf(stderr,
            "isocast %s: there is no %s to hold on %s at %s = %.10g: a formula of %s has no value "
            "above 0 there, or not all processes can work\n",
            run->call.usage->command, isocast_line_word(request->line), request->base->name,
            run->loaded.algorithm->sizes[0].name, request->N, run->loaded.algorithm->name);
    return CLI_EXIT_NO_SOLUTION;
}

static int write_scaling(const cli_prediction_run *run, const double *other_sizes,
                         const isocast_scaling *scaling, const isocast_choice *choice) {
    const cli_scaling_view view = cli_scaling_view_of(run, other_sizes, scaling, choice);
    const cli_written how = {&cli_scaling_document, cli_reports_of_scaling, NULL};
    int status = cli_result_write(&how, &view, &run->call.common, NULL, 0);
    return status == CLI_EXIT_OK && !all_solved(scaling) ? CLI_EXIT_NO_SOLUTION : status;
}

static int scale(const cli_prediction_run *run, const isocast_scaling_request *request) {
    isocast_scaling *scaling = NULL;
    isocast_status outcome = isocast_scale(run->loaded.model, request, &scaling);
    if (outcome == ISOCAST_DOMAIN && request->base != NULL) {
        return report_no_level(run, request);
    }
    int status = cli_exit_of(outcome);
    CLI_THEN(status, write_scaling(run, request->other_sizes, scaling, NULL));
    isocast_scaling_free(scaling);
    return status;
}

static int choose(const cli_prediction_run *run, const isocast_choice_request *request) {
    isocast_choice *choice = NULL;
    int status = cli_exit_of(isocast_choose(run->loaded.model, request, &choice));
    CLI_THEN(status, write_scaling(run, request->other_sizes, choice->scaling, choice));
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
    CLI_THEN(status, cli_prediction_options_read(usage, &values.texts[0], model, question));
    CLI_THEN(status,
             cli_scaling_options_read(usage, texts, &values.texts[0], model, question, out));
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

static int answer(const cli_scaling_texts *texts, const cli_prediction_texts *others,
                  cli_prediction_run *run) {
    cli_scaling_options options = {.is_choice = false};
    int status =
        read_one(run->call.usage, texts, others, run->loaded.model, &run->question, &options);
    CLI_THEN(status,
             options.is_choice ? choose(run, &options.choice) : scale(run, &options.scaling));
    cli_prediction_options_free(&run->question);
    return status;
}

/* A question on its way to a platform. */
typedef struct on_platform {
    const cli_usage *usage;
    const cli_scaling_texts *texts;
    const cli_prediction_texts *others;
} on_platform;

/* The base and the rows at their N; before these are known, what the systems call. */
static isocast_status need_line(const campaign_subject *s, const isocast_scaling_request *request,
                                bool first) {
    isocast_scaling *scaling = NULL;
    isocast_status status = ISOCAST_OK;
    if (request->base != NULL) {
        status =
            campaign_subject_need(s, request->base, first ? NAN : request->N, request->other_sizes);
    }
    if (!first && status == ISOCAST_OK) {
        status = isocast_scale(s->model, request, &scaling);
    }
    for (size_t i = 0; i < request->system_count && status == ISOCAST_OK; i++) {
        double N = first ? NAN : scaling->rows[i].N;
        if (first || isfinite(N)) {
            status = campaign_subject_need(s, request->systems[i], N, request->other_sizes);
        }
    }
    isocast_scaling_free(scaling);
    /* What has no answer is reported when it is asked for the last time. */
    return status == ISOCAST_DOMAIN ? ISOCAST_OK : status;
}

static isocast_status need_choice(const campaign_subject *s, const isocast_choice_request *request,
                                  bool first) {
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < request->system_count && status == ISOCAST_OK; i++) {
        status = campaign_subject_need(s, request->systems[i], first ? NAN : request->N,
                                       request->other_sizes);
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
    isocast_status needed = cli_platform_reported(single, status);
    CLI_THEN(needed, options.is_choice ? need_choice(s, &options.choice, first)
                                       : need_line(s, &options.scaling, first));
    cli_prediction_options_free(&question);
    return needed;
}

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

/* The command line. */
typedef struct command_line {
    cli_prediction_run run;
    cli_prediction_texts texts;
    cli_scaling_texts scaling;
    cli_platform_texts platform;
} command_line;

/* Loads what the positional arguments name, or the platform in place of the machine, answers,
 * and writes. */
static int predict_scaling(command_line *c) {
    cli_prediction_run *run = &c->run;
    if (run->matrix) {
        return cli_usage_error(&usage, "--matrix is about psi, which --fixed and --processes have "
                                       "none of");
    }
    c->texts.line = true;
    on_platform context = {&usage, &c->scaling, &c->texts};
    int status =
        cli_load_or_learn(&run->call, &c->platform, &c->texts.set, need, &context, &run->loaded);
    return status == CLI_EXIT_OK ? answer(&c->scaling, &c->texts, run) : status;
}

static const cli_answers_writer writer = {.document = &cli_prediction_document,
                                          .several = &cli_predictions_document,
                                          .reports = cli_reports_of_prediction,
                                          .joined = true,
                                          .movable = true,
                                          .note = cli_note_above_one_of};

static int write_prediction(const cli_prediction_run *answer) {
    isocast_psi_matrix *matrix = NULL;
    int status = CLI_EXIT_OK;
    if (answer->matrix) {
        status = cli_exit_of(
            isocast_psi_matrix_predict(answer->prediction, &answer->question.request, &matrix));
    }
    CLI_THEN(status, cli_answers_write(&writer, matrix, answer));
    isocast_psi_matrix_free(matrix);
    return status;
}

static int run(void *context) {
    command_line *c = context;
    bool scales = c->scaling.fixed != NULL || c->scaling.processes != NULL;
    bool all = c->scaling.processes != NULL && c->texts.to == NULL;
    int status = cli_platform_check(&c->run.call, c->run.call.count,
                                    all ? "--processes without --to" : NULL, &c->platform);
    CLI_THEN(status,
             scales ? predict_scaling(c)
                    : cli_predict_platform(&c->platform, &c->texts, &c->run, write_prediction));
    cli_loaded_free(&c->run.loaded);
    return status;
}

int cmd_predict(int argc, char **argv) {
    command_line c = {.texts = CLI_PREDICTION_TEXTS, .platform = CLI_PLATFORM_SINGLE};
    c.texts.set.at = &c.texts.at;
    const cli_option options[] = {
        {"--base", 0, CLI_OPTION_TEXT, "SYSTEM", CLI_BASE_HELP, &c.texts.base},
        CLI_PREDICTION_OPTIONS(&c.texts, CLI_AT_HELP),
        CLI_SCALING_OPTIONS(&c.scaling),
        {"--matrix", 0, CLI_OPTION_FLAG, NULL,
         "print psi between all pairs of systems; CSV has the columns from, to, psi, its interval, "
         "and what the theorems of [CSW] say",
         &c.run.matrix},
        {"--level", 0, CLI_OPTION_NUMBER, "SHARE",
         "the share of cases in which an interval is to hold the true value, such as 0.95; by "
         "default 0.9",
         &c.texts.level},
        CLI_LAWS_OPTION(&c.platform),
        CLI_PLATFORM_OPTIONS(&c.platform, CLI_PLATFORM_HELP, CLI_BUDGET_SINGLE_HELP),
        {0}};
    return cli_call_run(&usage, options, argc, argv, &c.run.call, run, &c);
}
