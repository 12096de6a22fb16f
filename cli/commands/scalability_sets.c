#include "scalability_sets.h"

#include <stdlib.h>
#include <string.h>

#include "cli/options/exit.h"
#include "cli/options/metric_option.h"
#include "cli/output/fields.h"
#include "cli/output/json_text.h"
#include "cli/report/report_matrix.h"
#include "cli/report/report_sets.h"
#include "model/base/source_read.h"

/* The files as sources. */
typedef struct inputs {
    isocast_source *first;     /* of the command's argument */
    isocast_source *reference; /* of --reference; NULL: none */
} inputs;

static isocast_status read_inputs(const cli_scalability_sets *asked,
                                  isocast_diagnostics *diagnostics, inputs *in) {
    isocast_status status = isocast_source_read(asked->times, diagnostics, &in->first);
    if (asked->reference != NULL) {
        isocast_status second = isocast_source_read(asked->reference, diagnostics, &in->reference);
        status = status == ISOCAST_OK ? second : status;
    }
    return status;
}

static double psi_of(const void *context, size_t from, size_t to) {
    return isocast_set_psi(context, from, to);
}

static isocast_status make_matrix(const isocast_set_table *table, isocast_psi_matrix **out) {
    const char **names = malloc((table->count + 1) * sizeof *names);
    if (names == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < table->count; i++) {
        names[i] = table->rows[i].set;
    }
    isocast_status status = isocast_psi_matrix_create(names, table->count, psi_of, table, out);
    free(names);
    return status;
}

static int write_table(const cli_scalability_sets *asked, const isocast_set_table *table,
                       const isocast_psi_matrix *matrix) {
    const cli_sets_view view = {
        {.matrix = matrix, .provenance = {.argc = asked->argc, .argv = asked->argv}}, table};
    if (strcmp(asked->common->format, "json") == 0) {
        return cli_json_write(cli_fields_document(&cli_sets_document, &view), asked->common);
    }
    cli_report *reports[CLI_MATRIX_REPORTS] = {NULL};
    size_t count = 1;
    if (matrix == NULL) {
        reports[0] = cli_report_of_sets(&view);
    } else {
        isocast_buffer title = {0};
        cli_title_of_sets(table, &title);
        count = cli_reports_of_matrix(matrix, asked->common->format,
                                      title.text != NULL ? title.text : "", cli_psi_of_sets(table),
                                      reports);
        isocast_buffer_free(&title);
    }
    return cli_reports_write(reports, count, asked->common);
}

static int write_result(const cli_scalability_sets *asked, const isocast_set_table *table) {
    isocast_psi_matrix *matrix = NULL;
    if (asked->matrix && table->count > ISOCAST_MATRIX_SYSTEMS_MAX) {
        return cli_usage_error(asked->usage, "--matrix takes at most %d systems, the file has %zu",
                               ISOCAST_MATRIX_SYSTEMS_MAX, table->count);
    }
    if (asked->matrix) {
        isocast_status status = make_matrix(table, &matrix);
        if (status != ISOCAST_OK) {
            return cli_exit_of(status);
        }
    }
    int status = write_table(asked, table, matrix);
    isocast_psi_matrix_free(matrix);
    return status;
}

/* What the command line lacks, or has too much of, for the kind of file that was read. */
static int check_asked(const cli_scalability_sets *asked, bool has_times, isocast_metric *metric) {
    if (!has_times && (asked->matrix || asked->metric != NULL || asked->reference != NULL)) {
        return cli_usage_error(asked->usage,
                               "%s holds the times of the reference program alone (T_ref_s): psi "
                               "needs a file with a column T_s",
                               asked->times);
    }
    if (has_times && asked->metric == NULL) {
        return cli_usage_error(asked->usage,
                               "say what the times of %s were taken at: --metric isospeed (one "
                               "average speed) or --metric time-scale (one efficiency)",
                               asked->times);
    }
    int status =
        asked->metric == NULL ? CLI_EXIT_OK : cli_metric_read(asked->usage, asked->metric, metric);
    return status == CLI_EXIT_OK && has_times ? cli_metric_needs_psi(asked->usage, *metric)
                                              : status;
}

static int read_and_write(const cli_scalability_sets *asked, const inputs *in,
                          isocast_diagnostics *diagnostics) {
    bool is_sets = false;
    bool has_times = false;
    isocast_status status =
        isocast_set_times_recognise(in->first, diagnostics, &is_sets, &has_times);
    if (status != ISOCAST_OK) {
        return cli_exit_of(cli_diagnostics_tell(diagnostics, asked->common->quiet, status));
    }
    if (!is_sets) {
        return cli_usage_error(asked->usage,
                               "--work ALGORITHM is needed: its work formula gives W(N)");
    }
    if (asked->of_runs != NULL) {
        return cli_usage_error(asked->usage,
                               "%s goes with runs, which have columns system, N and T; %s has "
                               "times of processor sets (column set)",
                               asked->of_runs, asked->times);
    }
    isocast_metric metric = ISOCAST_METRIC_ISOSPEED_E;
    int checked = check_asked(asked, has_times, &metric);
    if (checked != CLI_EXIT_OK) {
        return checked;
    }
    isocast_set_table *table = NULL;
    const isocast_source *times = has_times ? in->first : NULL;
    const isocast_source *reference = has_times ? in->reference : in->first;
    status = isocast_set_table_read(times, reference, asked->program, metric, diagnostics, &table);
    status = cli_diagnostics_tell(diagnostics, asked->common->quiet, status);
    int exit = cli_exit_of(status);
    if (exit == CLI_EXIT_OK) {
        exit = write_result(asked, table);
    }
    isocast_set_table_free(table);
    return exit;
}

int cli_scalability_sets_run(const cli_scalability_sets *asked) {
    isocast_diagnostics diagnostics = {0};
    inputs in = {NULL, NULL};
    isocast_status status = read_inputs(asked, &diagnostics, &in);
    int exit;
    if (status != ISOCAST_OK) {
        exit = cli_exit_of(cli_diagnostics_tell(&diagnostics, asked->common->quiet, status));
    } else {
        exit = read_and_write(asked, &in, &diagnostics);
    }
    isocast_source_free(in.first);
    isocast_source_free(in.reference);
    return exit;
}
