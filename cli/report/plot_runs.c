#include "plot_runs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/exit.h"
#include "cli/options/number.h"
#include "cli/output/json_text.h"
#include "model/base/csv.h"
#include "model/runs/runs.h"
#include "plot_results.h"

/* By p, then by name, in which figures count as numbers: "8" is after "4", "C16" after "C8". */
static int compare_systems(const void *a, const void *b) {
    const isocast_run *one = *(const isocast_run *const *)a;
    const isocast_run *other = *(const isocast_run *const *)b;
    double first = isnan(one->p) ? 0 : one->p;
    double second = isnan(other->p) ? 0 : other->p;
    return first != second ? (first > second) - (first < second)
                           : strverscmp(one->system, other->system);
}

/* Errors: NO_MEMORY. */
static isocast_status note_systems(const isocast_runs *runs, plot_data *data) {
    const isocast_run **order = malloc((runs->count + 1) * sizeof *order);
    if (order == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; i < runs->count; i++) {
        order[i] = &runs->rows[i];
        plot_widen(data, runs->rows[i].N);
    }
    qsort(order, runs->count, sizeof *order, compare_systems);
    for (size_t i = 0; i < runs->count; i++) {
        plot_system_note(data, order[i]->system, order[i]->p, order[i]->oversubscribed);
    }
    free(order);
    return ISOCAST_OK;
}

/* Takes the source over. */
static int read_measured(isocast_source *source, plot_data *data) {
    isocast_diagnostics diagnostics = {0};
    isocast_runs *runs = NULL;
    isocast_status status = isocast_runs_read(source, &diagnostics, &runs);
    status = cli_diagnostics_tell(&diagnostics, false, status);
    if (status != ISOCAST_OK) {
        return cli_exit_of(status);
    }
    data->script = "runs.gp";
    status = note_systems(runs, data);
    if (status != ISOCAST_OK) {
        isocast_runs_free(runs);
        return cli_exit_of(status);
    }
    plot_title(data, "%s: every run", plot_file_name(runs->source->name));
    plot_groups_choose(data);
    plot_variable(data, "groups_all", (double)data->groups.count);
    isocast_buffer_puts(&data->points, "group,N,T\n");
    for (size_t i = 0; i < runs->count; i++) {
        size_t group = plot_group_drawn(data, runs->rows[i].system);
        if (group > 0) {
            plot_row(&data->points,
                     (double[]){(double)group, plot_positive(runs->rows[i].N),
                                plot_positive(runs->rows[i].T)},
                     3);
        }
    }
    isocast_runs_free(runs);
    return CLI_EXIT_OK;
}

static bool has_column(const isocast_csv *csv, const char *name) {
    for (size_t i = 0; csv->row_count > 0 && i < csv->rows[0].count; i++) {
        if (strcmp(isocast_csv_text(csv, 0, i), name) == 0) {
            return true;
        }
    }
    return false;
}

/* The table as the JSON of the same rows: a cell is a number where it reads as one. */
static json_t *rows_of(const isocast_csv *csv) {
    json_t *rows = json_array();
    for (size_t i = 1; i < csv->row_count; i++) {
        json_t *row = json_object();
        for (size_t k = 0; k < csv->rows[0].count; k++) {
            double value;
            const char *text = isocast_csv_text(csv, i, k);
            bool is_number = cli_number_parse(text, &value);
            cli_json_set(&row, isocast_csv_text(csv, 0, k),
                         is_number ? cli_json_number(value) : cli_json_string(text));
        }
        cli_json_append(&rows, row);
    }
    return rows;
}

static int read_table(const char *path, const isocast_csv *csv, plot_data *data) {
    json_t *root = json_object();
    cli_json_set(&root, "file", cli_json_string(plot_file_name(path)));
    cli_json_set(&root, "rows", rows_of(csv));
    if (root == NULL) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    if (has_column(csv, "T_o")) {
        plot_read_prediction(root, data);
    } else if (has_column(csv, "steps")) {
        plot_read_found(root, data);
    } else {
        plot_read_scalability(root, data);
    }
    json_decref(root);
    return CLI_EXIT_OK;
}

int plot_read_runs(isocast_source *source, plot_data *data) {
    isocast_diagnostics diagnostics = {0};
    isocast_csv csv = {0};
    isocast_status status = isocast_csv_read(source, &diagnostics, &csv);
    /* Every table with rows of systems has these; runs have no status. */
    bool is_table =
        status == ISOCAST_OK && has_column(&csv, "psi_from_base") && has_column(&csv, "status");
    status = cli_diagnostics_tell(&diagnostics, false, status);
    int outcome = status == ISOCAST_OK && is_table ? read_table(source->name, &csv, data)
                                                   : cli_exit_of(status);
    isocast_csv_free(&csv);
    if (status == ISOCAST_OK && !is_table) {
        return read_measured(source, data);
    }
    isocast_source_free(source);
    return outcome;
}
