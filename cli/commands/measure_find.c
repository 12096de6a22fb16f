#include "measure_find.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate/campaign/efficiency_search.h"
#include "cli/options/exit.h"
#include "cli/options/metric_option.h"
#include "cli/options/number.h"
#include "cli/output/json_text.h"
#include "cli/output/provenance.h"
#include "cli/report/report_find.h"

/* A search goes on to this many times the largest size that was named. */
static const double find_beyond = 64;

/* "E=0.3"; "speed=20Mflop/s" where the metric holds a speed. */
static bool read_target(cli_find_question *question) {
    static const char E[] = "E=";
    static const char speed[] = "speed=";
    bool is_speed = isocast_metric_row_of(question->metric)->unit[0] != '\0';
    const char *prefix = is_speed ? speed : E;
    size_t length = strlen(prefix);
    const char *text = question->text + length;
    return strncmp(question->text, prefix, length) == 0 &&
           (is_speed ? cli_speed_parse(text, &question->target)
                     : cli_number_parse(text, &question->target)) &&
           question->target > 0;
}

int cli_find_read(const cli_usage *usage, cli_find_question *question) {
    if (question->metric_name != NULL && question->text == NULL) {
        return cli_usage_error(usage, "--metric says what --find holds: give --find, too");
    }
    int status = cli_metric_read(usage, question->metric_name, &question->metric);
    if (status != CLI_EXIT_OK) {
        return status;
    }
    if (question->text != NULL && !read_target(question)) {
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
    return cli_exit_of(cli_diagnostics_tell(&diagnostics, request->common->quiet, status));
}

static int make_work(const cli_find_request *request, isocast_work **work) {
    isocast_diagnostics diagnostics = {0};
    isocast_status status = isocast_work_create(request->loaded->algorithm, &diagnostics, work);
    return cli_exit_of(cli_diagnostics_tell(&diagnostics, request->common->quiet, status));
}

static isocast_size_search search_of(const cli_find_request *request) {
    isocast_size_search search = {.target = request->question->target,
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

/* The table goes to standard output: -o is the runs file. */
static int write_found(const cli_find_request *request, const isocast_size_search *search,
                       const campaign_search_row *rows) {
    cli_common common = *request->common;
    common.output = NULL;
    cli_find_subject subject = {.algorithm = request->loaded->algorithm,
                                .machine = request->setup->machine,
                                .kernel = request->setup->kernel.name,
                                .runs_name = request->common->output,
                                .search = *search,
                                .metric = request->question->metric,
                                .repetitions = request->repetitions};
    if (strcmp(common.format, "json") == 0) {
        json_t *provenance = cli_provenance(request->argc, request->argv, request->loaded);
        return cli_json_write(cli_json_find(&subject, rows, request->system_count, provenance),
                              &common);
    }
    cli_report *report = cli_report_find(&subject, rows, request->system_count);
    return cli_reports_write(&report, 1, &common);
}

int cli_find_run(const cli_find_request *request, cli_campaign *campaign,
                 isocast_diagnostics *diagnostics, campaign_run_file *runs) {
    isocast_work *work = NULL;
    isocast_system **alone = NULL;
    campaign_search_row *rows = calloc(request->system_count, sizeof *rows);
    if (rows == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    int status = name_alone(request, &alone);
    if (status == CLI_EXIT_OK) {
        status = make_work(request, &work);
    }
    const isocast_algorithm *algorithm = request->loaded->algorithm;
    campaign_search_request search = {
        .setup = request->setup,
        .repetitions = request->repetitions,
        .longest = request->longest,
        .search = search_of(request),
        .rules = !request->keep_sizes && algorithm->size_count == 1 ? algorithm : NULL,
        .work = work,
        .systems = request->systems,
        .system_count = request->system_count,
        .metric = request->question->metric,
        .alone = alone};
    if (status == CLI_EXIT_OK) {
        status = cli_campaign_exit(campaign, diagnostics, campaign_search(&search, runs, rows));
    }
    if (status == CLI_EXIT_OK) {
        status = write_found(request, &search.search, rows);
    }
    for (size_t i = 0; status == CLI_EXIT_OK && i < request->system_count; i++) {
        status = rows[i].state == ISOCAST_SIZE_SEARCH_FOUND ? status : CLI_EXIT_NO_SOLUTION;
    }
    isocast_work_free(work);
    isocast_systems_free(alone, alone != NULL ? request->system_count : 0);
    free(rows);
    return status;
}
