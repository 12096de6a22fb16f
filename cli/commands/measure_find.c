#include "measure_find.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/campaign/efficiency_search.h"
#include "cli/options/exit.h"
#include "cli/options/prediction_options.h"
#include "cli/options/word_option.h"
#include "cli/output/fields.h"
#include "cli/output/json_text.h"
#include "cli/report/report_several.h"
#include "cli/report/results.h"
#include "model/runs/calm.h"

/* A search goes on to this many times the largest size that was named. */
static const double find_beyond = 64;

/* "E=0.3", "E=0.1..0.9+0.1"; "speed=20Mflop/s" where the metric holds a speed. Gives an exit
 * status; *good: whether the text has this form. */
static int read_targets(cli_find_question *question, bool *good) {
    static const char E[] = "E=";
    static const char speed[] = "speed=";
    bool is_speed = isocast_metric_row_of(question->metric)->unit[0] != '\0';
    const char *prefix = is_speed ? speed : E;
    size_t length = strlen(prefix);
    const char *text = question->text + length;
    int status = CLI_EXIT_OK;
    *good = strncmp(question->text, prefix, length) == 0;
    if (*good && is_speed) {
        question->targets = malloc(sizeof *question->targets);
        question->target_count = 1;
        status = question->targets != NULL ? CLI_EXIT_OK : cli_exit_of(ISOCAST_NO_MEMORY);
        *good = status == CLI_EXIT_OK && cli_speed_parse(text, question->targets);
    } else if (*good) {
        *good = text[0] != '\0' && strspn(text, "0123456789.,+*-eE") == strlen(text);
        status = *good
                     ? cli_numbers_read("--find", text, &question->targets, &question->target_count)
                     : CLI_EXIT_OK;
    }
    const double *targets = question->targets;
    for (size_t k = 0; *good && targets != NULL && k < question->target_count; k++) {
        *good = targets[k] > 0;
    }
    return status;
}

int cli_find_read(const cli_usage *usage, cli_find_question *question) {
    if (question->metric_name != NULL && question->text == NULL) {
        return cli_usage_error(usage, "--metric says what --find holds: give --find, too");
    }
    int status = cli_metric_read(usage, question->metric_name, &question->metric);
    if (status != CLI_EXIT_OK) {
        return status;
    }
    bool good = true;
    status = question->text != NULL ? read_targets(question, &good) : CLI_EXIT_OK;
    if (status != CLI_EXIT_OK) {
        return status;
    }
    if (!good) {
        const isocast_metric_row *metric = isocast_metric_row_of(question->metric);
        return cli_usage_error(usage, "--find takes %s %s above 0, such as %s, not '%s'",
                               strchr("aeiou", metric->held[0]) != NULL ? "an" : "a", metric->held,
                               metric->unit[0] != '\0' ? "speed=20Mflop/s" : "E=0.3",
                               question->text);
    }
    if (!(question->tolerance >= 0 && question->tolerance < 1)) {
        return cli_usage_error(usage, "--tolerance is a share from 0 to below 1, not %g",
                               question->tolerance);
    }
    return CLI_EXIT_OK;
}

/* Each system's process 0 as a system of one process, for metrics that hold T(W,1); else NULL. */
static int name_alone(const cli_find_request *request, isocast_system ***alone) {
    bool asked =
        isocast_metric_row_of(request->question->metric)->numerator == ISOCAST_NUMERATOR_TIME_ALONE;
    if (!asked) {
        return CLI_EXIT_OK;
    }
    const campaign_kernel_setup *setup = request->setup;
    const isocast_machine *machine = setup->machine;
    isocast_diagnostics diagnostics = {0};
    isocast_buffer names = {0};
    for (size_t i = 0; i < request->system_count; i++) {
        const char *class = machine->classes[request->systems[i]->classes[0]].name;
        bool one_class = machine->class_count == 1;
        isocast_buffer_printf(&names, "%s%s%s1", i > 0 ? "," : "", one_class ? "" : class,
                              one_class ? "" : ":");
    }
    size_t count = 0;
    isocast_status status =
        names.failed
            ? ISOCAST_NO_MEMORY
            : isocast_systems_parse(machine, setup->own == NULL ? setup->kernel.name : NULL,
                                    "--systems", names.text, &diagnostics, alone, &count);
    isocast_buffer_free(&names);
    return cli_exit_with(&diagnostics, request->call->common.quiet, status);
}

static int make_work(const cli_find_request *request, isocast_work **work) {
    isocast_diagnostics diagnostics = {0};
    isocast_status status = isocast_work_create(request->loaded->algorithm, &diagnostics, work);
    return cli_exit_with(&diagnostics, request->call->common.quiet, status);
}

static isocast_size_search search_of(const cli_find_request *request, double target) {
    isocast_size_search search = {.target = target,
                                  .tolerance = request->question->tolerance,
                                  .first = request->sizes[0],
                                  .most = request->sizes[0],
                                  .sizes = request->sizes,
                                  .size_count = request->size_count,
                                  .valid = request->valid};
    for (size_t i = 1; i < request->size_count; i++) {
        search.first = fmin(search.first, request->sizes[i]);
        search.most = fmax(search.most, request->sizes[i]);
    }
    search.most = fmin(search.most * find_beyond, request->N_max);
    return search;
}

/* What was found at one target. */
typedef struct found {
    isocast_size_search search;
    campaign_search_row *rows; /* [system_count] */
} found;

static cli_find_subject subject_of(const cli_find_request *request, const found *at) {
    cli_find_subject subject = {.subject = cli_subject_of(request->call, request->loaded),
                                .kernel = request->setup->kernel.name,
                                .search = at->search,
                                .repetitions = (size_t)request->repetitions,
                                .rows = at->rows,
                                .count = request->system_count,
                                .simulated = request->setup->simulation != NULL};
    subject.subject.machine = request->setup->machine;
    subject.subject.runs = request->call->common.output;
    subject.subject.metric = request->question->metric;
    return subject;
}

static int write_json(const cli_find_request *request, const found *all, const cli_common *common) {
    size_t count = request->question->target_count;
    json_t **objects = calloc(count, sizeof *objects);
    if (objects == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    for (size_t k = 0; k < count; k++) {
        cli_find_subject subject = subject_of(request, &all[k]);
        objects[k] = cli_fields_document(&cli_measurement_document, &subject);
    }
    json_t *whole =
        count == 1 ? objects[0] : cli_json_several(&cli_measurements_document, objects, count);
    free(objects);
    return cli_json_write(whole, common);
}

/* The table goes to standard output: -o is the runs file. */
static int write_found(const cli_find_request *request, const found *all) {
    cli_common common = request->call->common;
    common.output = NULL;
    if (strcmp(common.format, "json") == 0) {
        return write_json(request, all, &common);
    }
    size_t count = request->question->target_count;
    cli_report **reports = calloc(count, sizeof(cli_report *));
    if (reports == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    for (size_t k = 0; k < count; k++) {
        cli_find_subject subject = subject_of(request, &all[k]);
        reports[k] = cli_report_find(&subject);
    }
    cli_report *report = count == 1 ? reports[0]
                                    : cli_report_finds(reports, request->question->targets, count,
                                                       request->question->metric);
    free(reports);
    return cli_reports_write(&report, 1, &common);
}

/* Where something else slowed runs, these do not count, which is said once. */
static void report_slowed(const cli_find_request *request, const found *all) {
    size_t runs = 0;
    size_t calm = 0;
    for (size_t k = 0; k < request->question->target_count; k++) {
        for (size_t i = 0; i < request->system_count; i++) {
            runs += all[k].rows[i].runs;
            calm += all[k].rows[i].calm;
        }
    }
    if (request->most > 0 && calm < runs) {
        campaign_report(
            request->setup->listener, CAMPAIGN_NOTE,
            "something else on this machine slowed %zu of %zu runs, which took more than "
            "%g times as long as the shortest of their size; they are left out, and "
            "others were made in their place",
            runs - calm, runs, ISOCAST_CALM_WITHIN);
    }
}

/* Rows that were added become known. */
static isocast_status open_again(const cli_find_request *request, isocast_diagnostics *diagnostics,
                                 campaign_run_file *runs) {
    campaign_run_file_close(runs);
    *runs = (campaign_run_file){.file = -1};
    return campaign_run_file_open(request->call->common.output, request->setup->listener,
                                  diagnostics, runs);
}

/* Searches for one target after the other. Steps that one search made are known to the next. */
static isocast_status search_targets(const cli_find_request *request,
                                     campaign_search_request *search,
                                     isocast_diagnostics *diagnostics, campaign_run_file *runs,
                                     found *all) {
    isocast_status status = ISOCAST_OK;
    for (size_t k = 0; status == ISOCAST_OK && k < request->question->target_count; k++) {
        status = open_again(request, diagnostics, runs);
        search->search = all[k].search = search_of(request, request->question->targets[k]);
        CLI_THEN(status, campaign_search(search, runs, all[k].rows));
    }
    return status;
}

/* What slows a machine for some seconds slows all runs of a size, so that none looks slowed: where
 * calm runs are asked for, all sizes get a few runs more later on, and the search goes on from
 * there. */
static isocast_status search_all(const cli_find_request *request, campaign_search_request *search,
                                 isocast_diagnostics *diagnostics, campaign_run_file *runs,
                                 found *all) {
    enum { ROUNDS = 3, MORE = 2 };
    search->least = (size_t)request->repetitions;
    isocast_status status = search_targets(request, search, diagnostics, runs, all);
    bool several = request->most > 0 && request->setup->simulation == NULL;
    for (size_t round = 1; status == ISOCAST_OK && several && round < ROUNDS; round++) {
        search->least += MORE;
        status = open_again(request, diagnostics, runs);
        CLI_THEN(status, campaign_search_repeat(search, runs));
        CLI_THEN(status, search_targets(request, search, diagnostics, runs, all));
    }
    return status;
}

static found *allocate_found(const cli_find_request *request) {
    size_t count = request->question->target_count;
    found *all = calloc(count, sizeof *all);
    for (size_t k = 0; all != NULL && k < count; k++) {
        all[k].rows = calloc(request->system_count, sizeof *all[k].rows);
        if (all[k].rows == NULL) {
            for (size_t i = 0; i < k; i++) {
                free(all[i].rows);
            }
            free(all);
            return NULL;
        }
    }
    return all;
}

int cli_find_run(const cli_find_request *request, cli_campaign *campaign,
                 isocast_diagnostics *diagnostics, campaign_run_file *runs) {
    isocast_work *work = NULL;
    isocast_system **alone = NULL;
    size_t count = request->question->target_count;
    found *all = allocate_found(request);
    if (all == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    int status = name_alone(request, &alone);
    CLI_THEN(status, make_work(request, &work));
    const isocast_algorithm *algorithm = request->loaded->algorithm;
    campaign_search_request search = {
        .setup = request->setup,
        .repetitions = request->repetitions,
        .most = request->most,
        .longest = request->longest,
        .rules = !request->keep_sizes && algorithm->size_count == 1 ? algorithm : NULL,
        .work = work,
        .systems = request->systems,
        .system_count = request->system_count,
        .metric = request->question->metric,
        .alone = alone};
    CLI_THEN(status, cli_campaign_exit(campaign, diagnostics,
                                       search_all(request, &search, diagnostics, runs, all)));
    if (status == CLI_EXIT_OK) {
        report_slowed(request, all);
        status = write_found(request, all);
    }
    for (size_t k = 0; status == CLI_EXIT_OK && k < count; k++) {
        for (size_t i = 0; status == CLI_EXIT_OK && i < request->system_count; i++) {
            bool reached = all[k].rows[i].state == ISOCAST_SIZE_SEARCH_FOUND;
            status = reached ? status : CLI_EXIT_NO_SOLUTION;
        }
    }
    isocast_work_free(work);
    isocast_systems_free(alone, alone != NULL ? request->system_count : 0);
    for (size_t k = 0; k < count; k++) {
        free(all[k].rows);
    }
    free(all);
    return status;
}
