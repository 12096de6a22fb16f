#include "plot_residuals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/exit.h"
#include "model/base/csv.h"

enum { OPERATION, P, M, LAUNCH, MEASURED, FITTED, RATIO, COLUMNS };

bool plot_residuals_recognise(const isocast_buffer *text) {
    return text->text != NULL &&
           strncmp(text->text, CLI_RESIDUALS_HEADER, strlen(CLI_RESIDUALS_HEADER)) == 0;
}

/* What a row belongs to: its operation, or its p where there is one operation. */
static const char *group(const isocast_csv *csv, size_t row, bool by_p) {
    return isocast_csv_text(csv, row, by_p ? P : OPERATION);
}

/* A row must be whole and its numbers numbers: gnuplot would draw nothing and say nothing. */
static bool check_row(const isocast_source *source, const isocast_csv *csv, size_t row,
                      isocast_diagnostics *diagnostics) {
    const isocast_csv_row *own = &csv->rows[row];
    if (own->count != COLUMNS) {
        isocast_diagnostics_add(diagnostics, ISOCAST_ERROR, source, csv->fields[own->first].span,
                                "isocast fit-operations --residuals writes it anew",
                                "this row has %zu fields, the header %d", own->count, COLUMNS);
        return false;
    }
    for (size_t column = P; column < COLUMNS; column++) {
        char *end = NULL;
        double value = strtod(isocast_csv_text(csv, row, column), &end);
        if (end == isocast_csv_text(csv, row, column) || *end != '\0' || !isfinite(value) ||
            value < 0) {
            isocast_diagnostics_add(diagnostics, ISOCAST_ERROR, source,
                                    csv->fields[own->first + column].span,
                                    "write a plain number, 0 or more", "'%s' is not such a number",
                                    isocast_csv_text(csv, row, column));
            return false;
        }
    }
    return true;
}

/* Sizes of 0, such as a barrier's, stand at 1 on the logarithmic axis. */
static double size_of(const isocast_csv *csv, size_t row) {
    return fmax(strtod(isocast_csv_text(csv, row, M), NULL), 1);
}

static void note_row(const isocast_csv *csv, size_t row, bool by_p, plot_data *out) {
    const char *name = group(csv, row, by_p);
    if (by_p) {
        plot_system_note(out, name, strtod(name, NULL), false);
    } else {
        plot_group_note(out, name, name);
    }
    plot_widen(out, size_of(csv, row));
}

static void put_row(const isocast_csv *csv, size_t row, bool by_p, plot_data *out) {
    size_t drawn = plot_group_drawn(out, group(csv, row, by_p));
    if (drawn > 0) {
        double ratio = plot_positive(strtod(isocast_csv_text(csv, row, RATIO), NULL));
        plot_row(&out->points, (double[]){(double)drawn, size_of(csv, row), ratio}, 3);
    }
}

static void add_rows(const isocast_source *source, const isocast_csv *csv,
                     isocast_diagnostics *diagnostics, plot_data *out) {
    bool by_p = true;
    bool good = true;
    for (size_t i = 1; i < csv->row_count; i++) {
        good = check_row(source, csv, i, diagnostics) && good;
        by_p = by_p && strcmp(isocast_csv_text(csv, i, OPERATION),
                              isocast_csv_text(csv, 1, OPERATION)) == 0;
    }
    for (size_t i = 1; good && i < csv->row_count; i++) {
        note_row(csv, i, by_p, out);
    }
    plot_title(out, "%s: measured over fitted",
               by_p && csv->row_count > 1 ? isocast_csv_text(csv, 1, OPERATION)
                                          : plot_file_name(source->name));
    plot_groups_choose(out);
    plot_variable(out, "of_messages", 1);
    isocast_buffer_puts(&out->points, "group,x,ratio\n");
    for (size_t i = 1; good && i < csv->row_count; i++) {
        put_row(csv, i, by_p, out);
    }
}

int plot_residuals_read(const char *path, plot_data *out) {
    isocast_diagnostics diagnostics = {0};
    isocast_source *source = NULL;
    isocast_csv csv = {0};
    isocast_status status = isocast_csv_load(path, &diagnostics, &source, &csv);
    if (status == ISOCAST_OK) {
        out->script = "ratio.gp";
        add_rows(source, &csv, &diagnostics, out);
        status = diagnostics.errors > 0 ? ISOCAST_INVALID : ISOCAST_OK;
    }
    status = cli_diagnostics_tell(&diagnostics, false, status);
    isocast_csv_free(&csv);
    isocast_source_free(source);
    return cli_exit_of(status);
}
