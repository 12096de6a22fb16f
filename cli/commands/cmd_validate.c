/* isocast validate: predictions against measured runs, with the errors of T, E, N' and psi' apart.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/exit.h"
#include "cli/options/load.h"
#include "cli/options/number.h"
#include "cli/options/options.h"
#include "cli/options/prediction_options.h"
#include "cli/options/word_option.h"
#include "cli/report/report_joined.h"
#include "cli/report/results.h"
#include "command.h"
#include "joint.h"
#include "model/runs/calm.h"
#include "model/runs/runs.h"
#include "model/runs/validation.h"
#include "platform_session.h"

/* What is compared, as isocast_validate() takes it. */
typedef struct cli_validation_question {
    const isocast_runs *runs;
    const char *algorithm;
    isocast_metric metric;
    const double *targets; /* [target_count] */
    size_t target_count;
} cli_validation_question;

/* The sizes of the runs, and what the prediction gives for them; before that is known, what the
 * systems call. */
static isocast_status need_points(const campaign_subject *s, const isocast_validation *v,
                                  bool first) {
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < v->point_count && !first && status == ISOCAST_OK; i++) {
        const isocast_validation_point *point = &v->points[i];
        const isocast_validation_system *system = &v->systems[point->system];
        status = campaign_subject_need(s, system->system, point->N, system->other_sizes);
    }
    for (size_t i = 0; i < v->system_count && status == ISOCAST_OK; i++) {
        const isocast_validation_system *system = &v->systems[i];
        if (first || isfinite(system->N_predicted)) {
            status = campaign_subject_need(s, system->system, first ? NAN : system->N_predicted,
                                           system->other_sizes);
        }
    }
    return status;
}

static isocast_status need_at(const cli_validation_question *q, const campaign_subject *s,
                              double target, bool first) {
    isocast_diagnostics diagnostics = {0};
    isocast_validation *validation = NULL;
    isocast_status status = isocast_validate(s->model, q->runs, q->algorithm, q->metric, target,
                                             &diagnostics, &validation);
    if (status == ISOCAST_OK) {
        status = need_points(s, validation, first);
    } else if (!isocast_status_is_of_system(status)) {
        /* It is reported when it is asked for the last time. */
        status = ISOCAST_OK;
    }
    isocast_diagnostics_clear(&diagnostics);
    isocast_validation_free(validation);
    return status;
}

static isocast_status need(void *context, cli_platform_single *single, bool first) {
    const cli_validation_question *q = context;
    isocast_status status = ISOCAST_OK;
    for (size_t k = 0; status == ISOCAST_OK && k < q->target_count; k++) {
        status = need_at(q, &single->subject, q->targets[k], first);
    }
    return status;
}

static const cli_usage usage = {
    .command = "validate",
    .arguments = "ALGORITHM MACHINE|--platform PLATFORM RUNS.csv",
    .summary =
        "Compares predictions with measured runs: the errors of T, E, N' and psi', each apart, "
        "and what dominates them.",
    .details =
        "RUNS.csv has a row for each run with the columns system, N and T (seconds) at least; "
        "it may come from any program. Where it names another algorithm than ALGORITHM, a warning "
        "says so; --algorithm says that these are the rows. --max-error sets limits for exit "
        "status 1. Of N and psi it counts what an error is above the own error of what is "
        "measured, the column 'its own error'.\n"
        "--fit gives numbers of the files the values with which predicted T is nearest to the "
        "measured, all of them together; with --fit-to P they come from the runs on up to P "
        "processes alone, and only those on more are compared. --fitted FILE gets the algorithm "
        "with these values and their errors, for other commands.\n"
        "With --platform nothing is measured or calibrated: what the algorithm calls is simulated "
        "on the systems and at the sizes of the runs. The runs may be of the real machine, or of "
        "measure --platform.\n"
        "\n"
        "Examples:\n"
        "  isocast validate gaussian-elimination here.yaml runs.csv\n"
        "  isocast validate gaussian-elimination here.yaml runs.csv --max-error T=0.1\n"
        "  isocast validate gaussian-elimination here.yaml runs.csv --fit t_c \\\n"
        "      --fit-to 8\n"
        "  isocast validate jacobi.yaml --platform ethernet-128 simulated.csv",
    .fewest = 2,
    .most = 3};

/* A limit of --max-error. */
typedef struct limit {
    const char *what; /* "T", "E", "N", "psi" */
    double most;      /* NAN: none */
} limit;
enum { LIMITS = 4 };

/* Reads "T=0.1,N=0.05"; each option may be given several times. */
static int read_limits(const cli_list *texts, bool quiet, limit *limits) {
    for (size_t i = 0; i < texts->count; i++) {
        for (const char *text = texts->items[i]; *text != '\0';) {
            size_t name = strcspn(text, "=");
            limit *found = NULL;
            for (size_t k = 0; k < LIMITS; k++) {
                if (strlen(limits[k].what) == name && strncmp(limits[k].what, text, name) == 0) {
                    found = &limits[k];
                }
            }
            const char *end = text;
            if (found == NULL || text[name] != '=' ||
                !cli_number_scan(text + name + 1, &found->most, &end) || !(found->most >= 0) ||
                (*end != '\0' && *end != ',')) {
                return cli_usage_error(&usage,
                                       "--max-error takes limits such as T=0.1,N=0.05, of T, "
                                       "E, N and psi; not '%s'%s",
                                       texts->items[i],
                                       strchr(texts->items[i], '%') != NULL ? "; 5 % is 0.05" : "");
            }
            if (found->most >= 1 && !quiet) {
                fprintf(stderr,
                        "isocast validate: warning: --max-error is a share of 1: %s=%.10g is "
                        "%.10g %%; write %s=%.10g for %.10g %%\n",
                        found->what, found->most, 100 * found->most, found->what, found->most / 100,
                        found->most);
            }
            text = *end == ',' ? end + 1 : end;
        }
    }
    return CLI_EXIT_OK;
}

/* Where a part of the error may be that of what is measured, which the limit does not count. */
static void report_beyond(const char *what, const isocast_error_summary *errors, double most,
                          bool over, bool quiet) {
    if (over || !quiet) {
        fprintf(stderr,
                "isocast validate: the mean error of %s is %.3g %%; %.3g %% are left beyond the "
                "own error of what is measured: %s the limit of %.3g %%\n",
                what, 100 * errors->mean, 100 * errors->mean_beyond, over ? "over" : "within",
                100 * most);
    }
}

/* Says which errors are over their limits; an error that is not known is over any. */
static int check_limits(const cli_validations *v, const limit *limits, bool quiet) {
    static const isocast_validation_kind kinds[LIMITS] = {
        ISOCAST_VALIDATION_T, ISOCAST_VALIDATION_E, ISOCAST_VALIDATION_N, ISOCAST_VALIDATION_PSI};
    isocast_error_summary summaries[LIMITS];
    int status = CLI_EXIT_OK;
    for (size_t k = 0; k < LIMITS; k++) {
        summaries[k] = isocast_validation_sum(v->items, v->count, kinds[k]);
        bool over = !(summaries[k].mean_beyond <= limits[k].most);
        if (isnan(limits[k].most) || summaries[k].mean <= limits[k].most) {
            continue;
        }
        status = over ? CLI_EXIT_CHECK_FAILED : status;
        if (summaries[k].n > 0 && summaries[k].mean_beyond < summaries[k].mean) {
            report_beyond(limits[k].what, &summaries[k], limits[k].most, over, quiet);
        } else if (summaries[k].n == 0) {
            fprintf(stderr,
                    "isocast validate: the error of %s is not known, the limit is %.3g %%\n",
                    limits[k].what, 100 * limits[k].most);
        } else {
            fprintf(
                stderr,
                "isocast validate: the mean error of %s is %.3g %%, over the limit of %.3g %%\n",
                limits[k].what, 100 * summaries[k].mean, 100 * limits[k].most);
        }
    }
    return status;
}

/* What is compared. */
typedef struct asked {
    cli_call call;
    cli_settings settings;
    cli_list limit_texts;
    limit limits[LIMITS];
    const char *algorithm_name; /* file or specification, like the next */
    const char *machine_name;   /* NULL: there is a platform in its place */
    const char *runs_name;
    cli_platform_texts platform;
    const char *algorithm; /* of the rows; NULL: as they name it */
    const char *metric_name;
    double speed;
    isocast_metric metric;
    const char *efficiency_text; /* a list; NULL: none is asked for */
    double *targets;             /* [target_count], what the metric holds; NAN: one is chosen */
    size_t target_count;
    const char *sizes_text; /* of the runs that are compared; NULL: all */
    double *sizes;          /* [size_count] */
    size_t size_count;
    const char *only_text; /* one table by its name; NULL: all */
    size_t only;           /* its index; VALIDATION_REPORTS: all */
    const char *fit;       /* names that get their values from the runs; NULL: none */
    const char *fitted;    /* file that gets the algorithm with them; NULL: none */
    double fit_to;         /* from those on so many processes at most; NAN: from all */
    bool calm;             /* only runs that nothing else slowed */
} asked;

/* On a platform, simulates what the algorithm calls on the systems and at the sizes of the runs,
 * and where the prediction passes the efficiency. */
static int load(const asked *a, const cli_settings *settings, const isocast_runs *runs,
                cli_loaded *loaded) {
    cli_validation_question question = {runs, a->algorithm, a->metric, a->targets, a->target_count};
    return cli_load_or_learn(&a->call, &a->platform, settings, need, &question, loaded);
}

/* At each value of what is held. Gives a status; free the items in either case. */
static isocast_status validate_all(const asked *a, const isocast_model *model,
                                   const isocast_runs *runs, isocast_diagnostics *diagnostics,
                                   isocast_validation **items) {
    isocast_status status = ISOCAST_OK;
    for (size_t k = 0; status == ISOCAST_OK && k < a->target_count; k++) {
        /* The runs are the same each time, and so is what there is to say of them. */
        isocast_diagnostics again = {0};
        status = isocast_validate(model, runs, a->algorithm, a->metric, a->targets[k],
                                  k == 0 ? diagnostics : &again, &items[k]);
        isocast_diagnostics_clear(&again);
    }
    return status;
}

/* Whether a run is compared: it is on more processes than those that were fitted to. */
static bool is_kept(const isocast_run *run, const isocast_model *model, double most) {
    isocast_diagnostics diagnostics = {0};
    isocast_system *system = NULL;
    double p = run->p;
    if (isnan(p) && isocast_system_named(isocast_model_machine(model), NULL, "runs", run->system,
                                         &diagnostics, &system) == ISOCAST_OK) {
        p = system->p;
    }
    isocast_diagnostics_clear(&diagnostics);
    isocast_system_free(system);
    return !(p <= most);
}

/* Puts runs behind those that are kept: the ones on up to `most` processes, which were fitted to,
 * where there is a model; and the ones at other sizes than these, where there are any (shape
 * [count]). Errors: NO_MEMORY. */
static isocast_status leave_out(const isocast_model *model, double most, const double *sizes,
                                size_t count, isocast_runs *runs) {
    isocast_run *taken = malloc((runs->count + 1) * sizeof *taken);
    size_t taken_count = 0;
    size_t kept = 0;
    for (size_t k = 0; taken != NULL && k < runs->count; k++) {
        bool keeps = model == NULL || is_kept(&runs->rows[k], model, most);
        bool found = count == 0;
        for (size_t i = 0; i < count; i++) {
            found = found || runs->rows[k].N == sizes[i];
        }
        if (keeps && found) {
            runs->rows[kept++] = runs->rows[k];
        } else {
            taken[taken_count++] = runs->rows[k];
        }
    }
    if (taken != NULL) {
        memcpy(runs->rows + kept, taken, taken_count * sizeof *taken);
        runs->count = kept;
    }
    free(taken);
    return taken != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
}

/* Compares what is loaded, and frees it. */
static int compare(const asked *a, cli_loaded *loaded, const char *fitted, cli_output *other,
                   const isocast_runs *runs) {
    const cli_common *common = &a->call.common;
    isocast_diagnostics diagnostics = {0};
    isocast_validation **items = calloc(a->target_count, sizeof *items);
    isocast_status result = items != NULL
                                ? validate_all(a, loaded->model, runs, &diagnostics, items)
                                : ISOCAST_NO_MEMORY;
    /* What there is to warn of was reported when the values were looked for. */
    int status = cli_exit_with(&diagnostics, common->quiet || fitted != NULL, result);
    cli_validations validations = {.subject = cli_subject_of(&a->call, loaded),
                                   .items = (const isocast_validation *const *)items,
                                   .count = a->target_count,
                                   .only = a->only,
                                   .fitted = fitted};
    validations.subject.metric = a->metric;
    validations.subject.runs = a->runs_name;
    if (status == CLI_EXIT_OK) {
        cli_validations_sum(&validations);
        status = cli_validations_write(&validations, common, other);
    }
    CLI_THEN(status, check_limits(&validations, a->limits, common->quiet));
    for (size_t k = 0; items != NULL && k < a->target_count; k++) {
        isocast_validation_free(items[k]);
    }
    free(items);
    cli_loaded_free(loaded);
    return status;
}

static int compare_plainly(const asked *a, const isocast_runs *runs) {
    cli_loaded loaded = {0};
    cli_output none = {0};
    int status = load(a, &a->settings, runs, &loaded);
    return status == CLI_EXIT_OK ? compare(a, &loaded, NULL, &none, runs) : status;
}

/* What was fitted to what, and what is compared. */
static int put_sentence(const asked *a, const isocast_joint_fit *fit,
                        const isocast_algorithm *algorithm, isocast_buffer *out) {
    for (size_t j = 0; j < fit->count; j++) {
        if (fit->numbers[j].status == ISOCAST_FITTED_SILENT) {
            fprintf(stderr,
                    "isocast validate: --fit %s: T of no run that it is fitted to changes with "
                    "it\n",
                    fit->numbers[j].name);
            return CLI_EXIT_NO_SOLUTION;
        }
    }
    cli_joint_fit_put(fit, algorithm, out);
    isocast_buffer_puts(out, isnan(a->fit_to) ? " The same runs are compared here."
                                              : " Only runs on more are compared here.");
    return out->failed ? cli_exit_of(ISOCAST_NO_MEMORY) : CLI_EXIT_OK;
}

/* The same with values from the runs, on top of the settings. */
static int compare_fitted(const asked *a, isocast_runs *runs) {
    const cli_joint_request request = {.usage = &usage,
                                       .algorithm = a->algorithm_name,
                                       .machine = a->machine_name,
                                       .settings = &a->settings,
                                       .runs = runs,
                                       .rows = a->algorithm,
                                       .names = a->fit,
                                       .p_most = a->fit_to,
                                       .quiet = a->call.common.quiet};
    cli_loaded loaded = {0};
    isocast_joint_fit *fit = NULL;
    cli_output fitted = {.path = a->fitted};
    int status = cli_joint_load(&request, &loaded, &fit, &fitted.text);
    if (status != CLI_EXIT_OK) {
        return status;
    }
    isocast_buffer sentence = {0};
    status = put_sentence(a, fit, loaded.algorithm, &sentence);
    isocast_joint_fit_free(fit);
    size_t all = runs->count;
    if (status == CLI_EXIT_OK && !isnan(a->fit_to)) {
        status = cli_exit_of(leave_out(loaded.model, a->fit_to, NULL, 0, runs));
    }
    if (status == CLI_EXIT_OK) {
        status = compare(a, &loaded, sentence.text, &fitted, runs);
    } else {
        cli_loaded_free(&loaded);
    }
    runs->count = all;
    isocast_buffer_free(&fitted.text);
    isocast_buffer_free(&sentence);
    return status;
}

/* The rows that are left out stay behind the others, so that they can be freed. */
static isocast_status leave_out_slowed(isocast_runs *runs, const cli_common *common) {
    size_t calm = 0;
    isocast_status status = isocast_runs_put_calm_first(runs, &calm);
    if (status == ISOCAST_OK && calm < runs->count && !common->quiet) {
        fprintf(stderr,
                "isocast validate: %zu of %zu runs are left out, which took more than %g times as "
                "long as the shortest of their size\n",
                runs->count - calm, runs->count, ISOCAST_CALM_WITHIN);
    }
    runs->count = status == ISOCAST_OK ? calm : runs->count;
    return status;
}

/* Repetitions that differ much show that something else used the machine. */
static isocast_status report_slowed(const isocast_runs *runs, const cli_common *common) {
    bool *is = malloc((runs->count + 1) * sizeof *is);
    size_t calm = 0;
    isocast_status status =
        is != NULL ? isocast_runs_find_calm(runs, is, &calm) : ISOCAST_NO_MEMORY;
    if (status == ISOCAST_OK && calm < runs->count && !common->quiet) {
        fprintf(stderr,
                "isocast validate: %zu of %zu runs took more than %g times as long as the shortest "
                "of their size: something else may have slowed them; --calm leaves them out\n",
                runs->count - calm, runs->count, ISOCAST_CALM_WITHIN);
    }
    free(is);
    return status;
}

static int run_runs(const asked *a) {
    const cli_common *common = &a->call.common;
    isocast_diagnostics diagnostics = {0};
    isocast_runs *runs = NULL;
    isocast_status result = isocast_runs_load(a->runs_name, &diagnostics, &runs);
    size_t all = result == ISOCAST_OK ? runs->count : 0;
    CLI_THEN(result, leave_out(NULL, 0, a->sizes, a->size_count, runs));
    if (result == ISOCAST_OK && runs->count == 0) {
        runs->count = all;
        isocast_runs_free(runs);
        return cli_usage_error(&usage, "--sizes: no run of %s is at one of these sizes",
                               a->runs_name);
    }
    CLI_THEN(result, a->calm ? leave_out_slowed(runs, common) : report_slowed(runs, common));
    int status = cli_exit_with(&diagnostics, common->quiet, result);
    CLI_THEN(status, a->fit != NULL ? compare_fitted(a, runs) : compare_plainly(a, runs));
    if (runs != NULL) {
        runs->count = all;
    }
    isocast_runs_free(runs);
    return status;
}

/* Whether what is asked for goes together. Gives an exit status. */
static int check_options(const asked *a) {
    if (a->speed <= 0) {
        return cli_usage_error(&usage, "--speed must be above 0");
    }
    if (a->fit == NULL && !isnan(a->fit_to)) {
        return cli_usage_error(&usage, "--fit-to says which runs --fit takes; name what is fitted, "
                                       "such as --fit t_c");
    }
    if (a->fit_to < 1) {
        return cli_usage_error(&usage, "--fit-to takes a number of processes, 1 or more");
    }
    if (a->fit != NULL && a->machine_name == NULL) {
        return cli_usage_error(&usage, "--fit goes with a machine file, not with --platform; --set "
                                       "gives a value by hand");
    }
    if (a->fit == NULL && a->fitted != NULL) {
        return cli_usage_error(&usage, "--fitted gets what --fit finds; name what is fitted, such "
                                       "as --fit t_c");
    }
    return CLI_EXIT_OK;
}

/* What is held: each efficiency of the list, the speed, or one that is chosen. */
static int read_targets(asked *a) {
    enum { TARGETS_MAX = 100 };
    a->target_count = 1;
    int status = CLI_EXIT_OK;
    if (a->efficiency_text != NULL) {
        status =
            cli_numbers_read("--efficiency", a->efficiency_text, &a->targets, &a->target_count);
    } else {
        a->targets = calloc(1, sizeof *a->targets);
        status = a->targets != NULL ? CLI_EXIT_OK : cli_exit_of(ISOCAST_NO_MEMORY);
    }
    if (status == CLI_EXIT_OK && a->target_count > TARGETS_MAX) {
        return cli_usage_error(&usage, "--efficiency takes at most %d values, not %zu", TARGETS_MAX,
                               a->target_count);
    }
    for (size_t k = 0; status == CLI_EXIT_OK && k < a->target_count; k++) {
        double E = a->efficiency_text != NULL ? a->targets[k] : NAN;
        if (E <= 0) {
            return cli_usage_error(&usage, "--efficiency must be above 0");
        }
        status = cli_metric_target(&usage, a->metric, E, a->speed, &a->targets[k]);
    }
    return status;
}

static int read_only(asked *a) {
    static const char *const names[VALIDATION_REPORTS] = {[VALIDATION_POINTS] = "points",
                                                          [VALIDATION_SIZES] = "sizes",
                                                          [VALIDATION_SUMMARY] = "summary"};
    for (size_t i = 0; a->only_text != NULL && i < VALIDATION_REPORTS; i++) {
        a->only = strcmp(names[i], a->only_text) == 0 ? i : a->only;
    }
    return a->only_text == NULL || a->only < VALIDATION_REPORTS
               ? CLI_EXIT_OK
               : cli_word_refuse(&usage, "--only", a->only_text, names, VALIDATION_REPORTS);
}

/* The files: two beside a platform, else three. */
static int take_names(asked *a) {
    const char *const *positional = a->call.positional;
    size_t count = a->call.count;
    int status = cli_data_file_check(&usage, positional[count - 1], "RUNS.csv");
    if (status == CLI_EXIT_OK) {
        status =
            cli_platform_check(&a->call, count - 1, a->fit != NULL ? "--fit" : NULL, &a->platform);
    }
    a->algorithm_name = positional[0];
    a->machine_name = a->platform.platform == NULL ? positional[1] : NULL;
    a->runs_name = positional[count - 1];
    return status;
}

static int run(void *context) {
    asked *a = context;
    int status = read_limits(&a->limit_texts, a->call.common.quiet, a->limits);
    CLI_THEN(status, take_names(a));
    CLI_THEN(status, check_options(a));
    CLI_THEN(status, cli_metric_read(&usage, a->metric_name, &a->metric));
    CLI_THEN(status, read_targets(a));
    CLI_THEN(status, read_only(a));
    if (status == CLI_EXIT_OK && a->sizes_text != NULL) {
        status = cli_numbers_read("--sizes", a->sizes_text, &a->sizes, &a->size_count);
    }
    CLI_THEN(status, run_runs(a));
    free(a->targets);
    free(a->sizes);
    return status;
}

int cmd_validate(int argc, char **argv) {
    asked a = {.speed = NAN,
               .fit_to = NAN,
               .settings = {.keeps_sizes = true},
               .only = VALIDATION_REPORTS,
               .platform = CLI_PLATFORM_TEXTS,
               .limits = {{"T", NAN}, {"E", NAN}, {"N", NAN}, {"psi", NAN}}};
    const cli_option options[] = {
        {"--max-error", 0, CLI_OPTION_LIST, "WHAT=LIMIT",
         "largest mean error allowed of T, E, N or psi, relative: T=0.1", &a.limit_texts},
        {"--efficiency", 0, CLI_OPTION_SHARES, "E",
         "speed-efficiency at which N and psi are compared, or several: 0.2,0.4 or 0.1..0.9+0.1 "
         "(default: one that all systems pass once as N grows)",
         &a.efficiency_text},
        {"--only", 0, CLI_OPTION_TEXT, "TABLE",
         "write one table: points (T and E at each size), sizes (N and psi), or summary (default: "
         "all three)",
         &a.only_text},
        {"--metric", 0, CLI_OPTION_TEXT, "METRIC", CLI_METRIC_HELP, &a.metric_name},
        {"--speed", 0, CLI_OPTION_SPEED, "SPEED", CLI_SPEED_HELP, &a.speed},
        {"--algorithm", 0, CLI_OPTION_TEXT, "NAME",
         "which rows to compare, by the column algorithm (default: those "
         "of ALGORITHM, or all where "
         "the column names one algorithm only)",
         &a.algorithm},
        {"--fit", 0, CLI_OPTION_TEXT, "NAMES",
         "give these parameters or definitions, parted by commas, the values that the runs say, as "
         "--set would: t_c is the time per flop",
         &a.fit},
        {"--fitted", 0, CLI_OPTION_OUTPUT, "FILE",
         "write the algorithm with these values and their errors to FILE, for other commands",
         &a.fitted},
        {"--fit-to", 0, CLI_OPTION_NUMBER, "P",
         "fit to the runs on up to P processes alone, and compare those on more (default: fit to "
         "all runs, and compare all)",
         &a.fit_to},
        {"--sizes", 0, CLI_OPTION_TEXT, "LIST",
         "compare the runs at these sizes N alone (default: all)", &a.sizes_text},
        {"--calm", 0, CLI_OPTION_FLAG, NULL,
         "leave out runs that took more than 1.25 times as long as the shortest of their size: "
         "something else slowed them",
         &a.calm},
        CLI_SET_OPTION(&a.settings),
        CLI_MARKED_SPEED_OPTION(&a.settings.marked_speed),
        CLI_LAWS_OPTION(&a.platform),
        CLI_PLATFORM_OPTIONS(&a.platform, CLI_PLATFORM_HELP, CLI_BUDGET_HELP),
        {0}};
    return cli_call_run(&usage, options, argc, argv, &a.call, run, &a);
}
