#include "plot_csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/exit.h"
#include "cli/options/number.h"
#include "cli/output/json_text.h"
#include "model/base/csv.h"
#include "model/runs/runs.h"
#include "plot_results.h"

/* Draws rows as points, a group for each text of the member `group`, after the title. */
static void put_rows(json_t *rows, const char *group, const char *columns, plot_data *data) {
    const plot_table table = {
        .block = PLOT_POINTS, .rows = "rows", .group = group, .columns = columns};
    json_t *root = json_object();
    plot_choose(data, rows, group);
    cli_json_set(&root, "rows", rows);
    plot_put(data, &table, 1, root);
    json_decref(root);
}

/* By p, then by name, in which figures count as numbers: "8" is after "4", "C16" after "C8". */
static int compare_systems(const void *a, const void *b) {
    const isocast_run *one = *(const isocast_run *const *)a;
    const isocast_run *other = *(const isocast_run *const *)b;
    double first = isnan(one->p) ? 0 : one->p;
    double second = isnan(other->p) ? 0 : other->p;
    return first != second ? (first > second) - (first < second)
                           : strverscmp(one->system, other->system);
}

static void put_runs(const isocast_runs *runs, const isocast_run **order, plot_data *data) {
    json_t *rows = json_array();
    for (size_t i = 0; i < runs->count; i++) {
        order[i] = &runs->rows[i];
    }
    qsort(order, runs->count, sizeof *order, compare_systems);
    for (size_t i = 0; i < runs->count; i++) {
        json_t *row = json_object();
        cli_json_set(&row, "system", cli_json_string(order[i]->system));
        cli_json_set(&row, "oversubscribed", json_boolean(order[i]->oversubscribed));
        plot_set(row, "p", order[i]->p);
        plot_set(row, "N", order[i]->N);
        plot_set(row, "T", order[i]->T);
        cli_json_append(&rows, row);
    }
    data->script = "runs.gp";
    plot_title(data, "%s: every run", plot_file_name(runs->source->name));
    put_rows(rows, "system", "N T", data);
}

/* Takes the source over. */
static isocast_status read_runs(isocast_source *source, isocast_diagnostics *diagnostics,
                                plot_data *data) {
    isocast_runs *runs = NULL;
    isocast_status status = isocast_runs_read(source, diagnostics, &runs);
    if (status == ISOCAST_OK) {
        const isocast_run **order = malloc((runs->count + 1) * sizeof *order);
        if (order != NULL) {
            put_runs(runs, order, data);
        }
        status = order != NULL ? ISOCAST_OK : ISOCAST_NO_MEMORY;
        free(order);
    }
    isocast_runs_free(runs);
    return status;
}

enum { OPERATION, P, M, LAUNCH, MEASURED, FITTED, RATIO, COLUMNS };

/* A row must be whole and its numbers numbers: gnuplot would draw nothing and say nothing. */
static bool check_residual(const isocast_source *source, const isocast_csv *csv, size_t row,
                           isocast_diagnostics *diagnostics) {
    const isocast_csv_row *own = &csv->rows[row];
    if (own->count != COLUMNS) {
        isocast_diagnostics_add(diagnostics, ISOCAST_ERROR, source, csv->fields[own->first].span,
                                "isocast fit-operations --residuals writes it anew",
                                "this row has %zu fields, the header %d", own->count, COLUMNS);
        return false;
    }
    for (size_t column = P; column < COLUMNS; column++) {
        const char *text = isocast_csv_text(csv, row, column);
        char *end = NULL;
        double value = strtod(text, &end);
        if (end == text || *end != '\0' || !isfinite(value) || value < 0) {
            isocast_diagnostics_add(
                diagnostics, ISOCAST_ERROR, source, csv->fields[own->first + column].span,
                "write a plain number, 0 or more", "'%s' is not such a number", text);
            return false;
        }
    }
    return true;
}

/* Measured over fitted by operation, or by p where there is only one. */
static isocast_status read_residuals(const isocast_source *source, const isocast_csv *csv,
                                     isocast_diagnostics *diagnostics, plot_data *data) {
    const char *first = isocast_csv_text(csv, 1, OPERATION);
    bool by_p = csv->row_count > 1;
    bool good = true;
    for (size_t i = 1; i < csv->row_count; i++) {
        good = check_residual(source, csv, i, diagnostics) && good;
        by_p = by_p && strcmp(isocast_csv_text(csv, i, OPERATION), first) == 0;
    }
    const char *group = by_p ? "system" : "operation";
    json_t *rows = json_array();
    for (size_t i = 1; good && i < csv->row_count; i++) {
        json_t *row = json_object();
        cli_json_set(&row, group, cli_json_string(isocast_csv_text(csv, i, by_p ? P : OPERATION)));
        plot_set(row, "p", strtod(isocast_csv_text(csv, i, P), NULL));
        /* Sizes of 0, such as a barrier's, stand at 1 on the logarithmic axis. */
        plot_set(row, "m", fmax(strtod(isocast_csv_text(csv, i, M), NULL), 1));
        plot_set(row, "ratio", strtod(isocast_csv_text(csv, i, RATIO), NULL));
        cli_json_append(&rows, row);
    }
    data->script = "ratio.gp";
    plot_title(data, "%s: measured over fitted", by_p ? first : plot_file_name(source->name));
    put_rows(rows, group, "x=m ratio", data);
    plot_variable(data, "of_messages", 1);
    return good ? ISOCAST_OK : ISOCAST_INVALID;
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

static isocast_status read_table(const isocast_source *source, const isocast_csv *csv,
                                 plot_data *data) {
    json_t *root = json_object();
    cli_json_set(&root, "file", cli_json_string(plot_file_name(source->name)));
    cli_json_set(&root, "rows", rows_of(csv));
    if (root == NULL) {
        return ISOCAST_NO_MEMORY;
    }
    if (has_column(csv, "T_o")) {
        plot_read_prediction(root, data);
    } else if (has_column(csv, "steps")) {
        plot_read_found(root, data);
    } else {
        plot_read_scalability(root, data);
    }
    json_decref(root);
    return ISOCAST_OK;
}

int plot_csv_read(const char *path, const isocast_buffer *text, plot_data *data) {
    isocast_diagnostics diagnostics = {0};
    isocast_source *source = NULL;
    isocast_csv csv = {0};
    isocast_status status =
        isocast_source_take(path, text->text, text->length, &diagnostics, &source);
    if (status == ISOCAST_OK) {
        status = isocast_csv_read(source, &diagnostics, &csv);
    }
    if (status == ISOCAST_OK &&
        strncmp(source->text, CLI_RESIDUALS_HEADER, strlen(CLI_RESIDUALS_HEADER)) == 0) {
        status = read_residuals(source, &csv, &diagnostics, data);
    } else if (status == ISOCAST_OK && has_column(&csv, "psi_from_base") &&
               has_column(&csv, "status")) {
        /* Every table with rows of systems has these; runs have no status. */
        status = read_table(source, &csv, data);
    } else if (status == ISOCAST_OK) {
        status = read_runs(source, &diagnostics, data);
        source = NULL;
    }
    status = cli_diagnostics_tell(&diagnostics, false, status);
    isocast_csv_free(&csv);
    isocast_source_free(source);
    return cli_exit_of(status);
}
