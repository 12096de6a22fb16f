/* isocast predict: N', W', T, E and psi of an algorithm on systems of a machine; or what is asked
 * by --fixed and --processes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/exit.h"
#include "cli/options/prediction_run.h"
#include "cli/options/prediction_values.h"
#include "cli/options/scaling_options.h"
#include "cli/output/fields.h"
#include "cli/output/json_text.h"
#include "cli/output/render.h"
#include "cli/report/json_prediction.h"
#include "cli/report/report_matrix.h"
#include "cli/report/report_prediction.h"
#include "cli/report/report_scaling.h"
#include "cli/report/report_several.h"
#include "command.h"
#include "platform_session.h"
#include "predict_platform.h"

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

/* Loads what the positional arguments name, or the platform in place of the machine, answers,
 * writes, and frees all but the texts. Gives an exit status. */
static int predict_scaling(const cli_usage *usage, const char *const *positional,
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
        status = predict_scaling(&usage, positional, &platform, &scaling, &texts, &run);
    }
    free(positional);
    cli_prediction_texts_free(&texts);
    return status;
}
