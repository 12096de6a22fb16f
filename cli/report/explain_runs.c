#include "explain_runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/exit.h"
#include "cli/options/number.h"
#include "cli/output/fields.h"
#include "cli/output/json_text.h"
#include "model/runs/comparison.h"
#include "report_comparison.h"

/* The points of the runs that the options leave. */
typedef struct choice {
    const cli_usage *usage;
    const isocast_validation *validation;
    bool *chosen; /* [point_count] */
} choice;

static int no_memory(void) {
    return cli_exit_of(ISOCAST_NO_MEMORY);
}

/* Leaves only points of the systems named. */
static int choose_systems(const choice *c, const char *to) {
    if (to == NULL) {
        return CLI_EXIT_OK;
    }
    isocast_diagnostics diagnostics = {0};
    isocast_system **systems = NULL;
    size_t count = 0;
    isocast_status status =
        isocast_systems_parse(isocast_model_machine(c->validation->model),
                              isocast_model_algorithm(c->validation->model)->kernel, "--to", to,
                              &diagnostics, &systems, &count);
    status = cli_diagnostics_tell(&diagnostics, false, status);
    if (status != ISOCAST_OK) {
        isocast_systems_free(systems, count);
        return status == ISOCAST_INVALID ? CLI_EXIT_USAGE : cli_exit_of(status);
    }
    for (size_t i = 0; i < c->validation->point_count; i++) {
        const char *name = c->validation->systems[c->validation->points[i].system].label;
        bool named = false;
        for (size_t k = 0; k < count; k++) {
            named = named || strcmp(systems[k]->name, name) == 0;
        }
        c->chosen[i] = c->chosen[i] && named;
    }
    isocast_systems_free(systems, count);
    return CLI_EXIT_OK;
}

/* "N=200": whether it could be read, and whether a point has that size. */
static bool names_size(const char *text, const char *size, double *N) {
    size_t length = strlen(size);
    return strncmp(text, size, length) == 0 && text[length] == '=' &&
           cli_number_parse(text + length + 1, N);
}

/* Marks the points of the sizes in "N=200,N=400"; `named` has shape [point_count]. */
static int name_sizes(const choice *c, const char *list, bool *named) {
    const char *size = isocast_model_algorithm(c->validation->model)->sizes[0].name;
    char *copy = strdup(list);
    if (copy == NULL) {
        return no_memory();
    }
    int status = CLI_EXIT_OK;
    for (char *rest = copy; status == CLI_EXIT_OK && rest != NULL;) {
        const char *text = strsep(&rest, ",");
        double N;
        if (!names_size(text, size, &N)) {
            status = cli_usage_error(
                c->usage, "--at takes sizes of the runs such as %s=1000, not '%s'", size, text);
            break;
        }
        for (size_t k = 0; k < c->validation->point_count; k++) {
            named[k] = named[k] || c->validation->points[k].N == N;
        }
    }
    free(copy);
    return status;
}

/* Leaves only points of the sizes named. */
static int choose_sizes(const choice *c, const cli_list *at) {
    bool *named = calloc(c->validation->point_count + 1, sizeof *named);
    if (named == NULL) {
        return no_memory();
    }
    int status = CLI_EXIT_OK;
    for (size_t i = 0; status == CLI_EXIT_OK && i < at->count; i++) {
        status = name_sizes(c, at->items[i], named);
    }
    for (size_t k = 0; at->count > 0 && k < c->validation->point_count; k++) {
        c->chosen[k] = c->chosen[k] && named[k];
    }
    free(named);
    return status;
}

static int choose(const choice *c, const cli_prediction_texts *texts) {
    for (size_t i = 0; i < c->validation->point_count; i++) {
        c->chosen[i] = true;
    }
    int status = choose_systems(c, texts->to);
    if (status == CLI_EXIT_OK) {
        status = choose_sizes(c, &texts->at);
    }
    bool any = false;
    for (size_t i = 0; i < c->validation->point_count; i++) {
        any = any || c->chosen[i];
    }
    if (status == CLI_EXIT_OK && !any) {
        return cli_usage_error(c->usage, "the runs have none of the systems of --to at a size of "
                                         "--at");
    }
    return status;
}

static int write_comparison(const isocast_comparison *comparison, const char *runs_path,
                            const cli_prediction_run *answer) {
    const cli_common *common = &answer->common;
    cli_comparison_view view = {cli_subject_of(answer->argc, answer->argv, &answer->loaded),
                                comparison};
    view.subject.runs = runs_path;
    if (strcmp(common->format, "json") == 0) {
        return cli_json_write(cli_fields_document(&cli_comparison_document, &view), common);
    }
    cli_report *reports[COMPARISON_REPORTS];
    cli_report_comparison(&view, reports);
    return cli_reports_write(reports, COMPARISON_REPORTS, common);
}

static int compare(const cli_usage *usage, const cli_prediction_texts *texts,
                   const isocast_validation *validation, const isocast_runs *runs,
                   const char *runs_path, const cli_prediction_run *answer) {
    choice c = {usage, validation, malloc((validation->point_count + 1) * sizeof *c.chosen)};
    if (c.chosen == NULL) {
        return no_memory();
    }
    isocast_comparison *comparison = NULL;
    int status = choose(&c, texts);
    if (status == CLI_EXIT_OK) {
        isocast_diagnostics diagnostics = {0};
        isocast_status result =
            isocast_compare(validation, runs, c.chosen, &diagnostics, &comparison);
        result = cli_diagnostics_tell(&diagnostics, answer->common.quiet, result);
        status = cli_exit_of(result);
    }
    if (status == CLI_EXIT_OK) {
        status = write_comparison(comparison, runs_path, answer);
    }
    isocast_comparison_free(comparison);
    free(c.chosen);
    return status;
}

int cli_explain_runs(const cli_usage *usage, const char *const *positional,
                     const cli_prediction_texts *texts, const char *runs_path,
                     cli_prediction_run *answer) {
    int status = cli_load_set(positional[0], positional[1], &texts->set, answer->common.quiet,
                              &answer->loaded);
    if (status != CLI_EXIT_OK) {
        return status;
    }
    isocast_diagnostics diagnostics = {0};
    isocast_runs *runs = NULL;
    isocast_validation *validation = NULL;
    isocast_status result = isocast_runs_load(runs_path, &diagnostics, &runs);
    if (result == ISOCAST_OK) {
        result = isocast_validate_times(answer->loaded.model, runs, NULL, ISOCAST_METRIC_ISOSPEED_E,
                                        &diagnostics, &validation);
    }
    result = cli_diagnostics_tell(&diagnostics, answer->common.quiet, result);
    status = cli_exit_of(result);
    if (status == CLI_EXIT_OK && validation != NULL) {
        status = compare(usage, texts, validation, runs, runs_path, answer);
    }
    isocast_validation_free(validation);
    isocast_runs_free(runs);
    cli_loaded_free(&answer->loaded);
    return status;
}
