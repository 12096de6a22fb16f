#include "report_prediction.h"

#include <math.h>
#include <string.h>

#include "report_notes.h"

/* A sum() with a larger estimate than this is worth a footnote. */
static const double sum_error_told = 1e-9;

static void add_columns(cli_report *report, bool fixed_size) {
    const cli_column columns[] = {
        {.name = "system", .kind = CLI_COLUMN_TEXT},
        {.name = "p", .kind = CLI_COLUMN_COUNT},
        {.name = "C", .unit = "flop/s", .kind = CLI_COLUMN_NUMBER, .digits = 5},
        {.name = "N", .kind = CLI_COLUMN_COUNT, .digits = 5},
        {.name = "N_low", .kind = CLI_COLUMN_COUNT, .digits = 4, .optional = true},
        {.name = "N_high", .kind = CLI_COLUMN_COUNT, .digits = 4, .optional = true},
        {.name = "W", .unit = "flop", .kind = CLI_COLUMN_NUMBER},
        {.name = "T", .unit = "s", .kind = CLI_COLUMN_NUMBER},
        {.name = "T_c", .unit = "s", .kind = CLI_COLUMN_NUMBER, .file_only = !fixed_size},
        {.name = "T_o", .unit = "s", .kind = CLI_COLUMN_NUMBER},
        {.name = "E", .kind = CLI_COLUMN_NUMBER},
        {.name = "S", .unit = "flop/s", .kind = CLI_COLUMN_NUMBER, .file_only = !fixed_size},
        {.name = "speedup", .kind = CLI_COLUMN_NUMBER, .optional = true},
        {.name = "psi", .kind = CLI_COLUMN_NUMBER, .optional = true},
        {.name = "psi_from_base", .kind = CLI_COLUMN_NUMBER, .optional = true},
        {.name = "memory", .unit = "B", .kind = CLI_COLUMN_NUMBER, .file_only = true},
        {.name = "p_working", .kind = CLI_COLUMN_COUNT, .file_only = true},
        {.name = "status", .kind = CLI_COLUMN_TEXT},
        {.name = "ruled_by", .kind = CLI_COLUMN_TEXT, .file_only = true},
        {.name = "note", .kind = CLI_COLUMN_TEXT, .file_only = true}};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        cli_report_column(report, &columns[i]);
    }
}

/* In the order of the columns. */
static void add_row(cli_report *report, const isocast_prediction_row *row, const char *status) {
    cli_report_text(report, row->system);
    const double numbers[] = {
        row->p,      row->C,        row->N, row->N_low, row->N_high,  row->W,   row->T,
        row->T_c,    row->T_o,      row->E, row->S,     row->speedup, row->psi, row->psi_from_base,
        row->memory, row->p_working};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        cli_report_number(report, numbers[i]);
    }
    cli_report_text(report, status);
    cli_report_text(report, isocast_row_ruler(row));
    cli_report_text(report, row->note);
}

void cli_report_append_size(const isocast_size *size, isocast_buffer *out) {
    isocast_buffer_puts(out, size->name);
    if (size->description != NULL) {
        isocast_buffer_printf(out, " (%s)", size->description);
    }
}

void cli_report_append_other_sizes(const isocast_algorithm *algorithm, const double *other_sizes,
                                   isocast_buffer *out) {
    for (size_t i = 1; other_sizes != NULL && i < algorithm->size_count; i++) {
        isocast_buffer_puts(out, i == 1 ? "; " : ", ");
        cli_report_append_size(&algorithm->sizes[i], out);
        isocast_buffer_printf(out, " = %.10g", other_sizes[i - 1]);
    }
}

static void append_held(const isocast_prediction *prediction, isocast_buffer *out) {
    const isocast_size *size = &isocast_model_algorithm(prediction->model)->sizes[0];
    cli_report_append_size(size, out);
    if (prediction->fixed_size) {
        double N = prediction->row_count > 0 ? prediction->rows[0].N : NAN;
        isocast_buffer_printf(out, " is held at %.10g on every system (strong scaling)", N);
    } else if (prediction->has_base) {
        isocast_buffer_printf(out,
                              " is scaled so that the speed-efficiency stays E = W/(T C) = %.4g, "
                              "that of %s at %s = %.10g",
                              prediction->target, prediction->base.system, size->name,
                              prediction->base.N);
    } else {
        isocast_buffer_printf(out, " is scaled so that the speed-efficiency is E = W/(T C) = %.6g",
                              prediction->target);
    }
}

void cli_report_subject(cli_report *report, const isocast_model *model) {
    const isocast_algorithm *algorithm = isocast_model_algorithm(model);
    const isocast_machine *machine = isocast_model_machine(model);
    if (algorithm->title != NULL) {
        cli_report_title(report, "%s (%s) on %s", algorithm->title, algorithm->name, machine->name);
    } else {
        cli_report_title(report, "%s on %s", algorithm->name, machine->name);
    }
}

void cli_report_held(cli_report *report, const isocast_prediction *prediction,
                     const double *other_sizes) {
    const isocast_algorithm *algorithm = isocast_model_algorithm(prediction->model);
    cli_report_subject(report, prediction->model);
    isocast_buffer held = {0};
    append_held(prediction, &held);
    cli_report_append_other_sizes(algorithm, other_sizes, &held);
    cli_report_rely(report, &held);
    cli_report_title(report, "%s", held.text != NULL ? held.text : "");
    isocast_buffer_free(&held);
}

/* The base, where there is one, and the rows, by one index. */
static size_t all_count(const isocast_prediction *prediction) {
    return prediction->row_count + (prediction->has_base ? 1 : 0);
}

static const isocast_prediction_row *all_row(const isocast_prediction *prediction, size_t i) {
    if (prediction->has_base) {
        return i == 0 ? &prediction->base : &prediction->rows[i - 1];
    }
    return &prediction->rows[i];
}

static bool same_remark(const isocast_prediction_row *a, const isocast_prediction_row *b) {
    return a->note != NULL && b->note != NULL && a->status == b->status &&
           strcmp(a->note, b->note) == 0;
}

static bool told_before(const isocast_prediction *prediction, size_t index) {
    for (size_t i = 0; i < index; i++) {
        if (same_remark(all_row(prediction, i), all_row(prediction, index))) {
            return true;
        }
    }
    return false;
}

void cli_report_remarks(cli_report *report, const isocast_prediction *prediction) {
    size_t count = all_count(prediction);
    for (size_t i = 0; i < count; i++) {
        const isocast_prediction_row *row = all_row(prediction, i);
        if (row->note == NULL || told_before(prediction, i)) {
            continue;
        }
        isocast_buffer systems = {0};
        for (size_t k = i; k < count; k++) {
            if (same_remark(row, all_row(prediction, k))) {
                isocast_buffer_printf(&systems, "%s%s", k == i ? "" : ", ",
                                      all_row(prediction, k)->system);
            }
        }
        bool solved = row->status == ISOCAST_ROW_OK;
        cli_report_rely(report, &systems);
        cli_report_footnote(report, "%s: %s%s%s.", systems.text != NULL ? systems.text : "",
                            solved ? "" : isocast_row_status_word(row->status), solved ? "" : ": ",
                            row->note);
        isocast_buffer_free(&systems);
    }
    cli_report_note_restrictions(report, prediction->model);
}

static bool has_psi(const isocast_prediction_row *row) {
    return isfinite(row->psi);
}

static bool has_interval(const isocast_prediction_row *row) {
    return isfinite(row->N_low);
}

static bool is_above_marked_speed(const isocast_prediction_row *row) {
    return row->E > 1;
}

static bool meets_with_jump(const isocast_prediction_row *row) {
    return row->status == ISOCAST_ROW_SEVERAL && isfinite(row->solution.jump_N);
}

static bool any_row(const isocast_prediction *prediction,
                    bool (*holds)(const isocast_prediction_row *row)) {
    for (size_t i = 0; i < prediction->row_count; i++) {
        if (holds(&prediction->rows[i])) {
            return true;
        }
    }
    return false;
}

static void add_legend(cli_report *report, const isocast_prediction *prediction) {
    cli_report_footnote(report, "p counts processes, C is the sum of their marked speeds, "
                                "T = T_c + T_o.");
    if (prediction->fixed_size) {
        cli_report_footnote(report,
                            "S = W/T, E = S/C; speedup is against process 0 working alone.");
    } else if (any_row(prediction, has_psi)) {
        cli_report_footnote(report,
                            "psi = C'W/(C W') to this row from the row before; psi_from_base from "
                            "%s.",
                            prediction->has_base ? prediction->base.system
                                                 : prediction->rows[0].system);
    }
    if (any_row(prediction, has_interval)) {
        cli_report_footnote(report, "N_low to N_high is the 90 %% interval of N from the standard "
                                    "errors of the machine's parameters.");
    }
    if (any_row(prediction, is_above_marked_speed)) {
        cli_report_note_above_one(report, isocast_model_machine(prediction->model));
    }
    if (any_row(prediction, meets_with_jump)) {
        cli_report_footnote(
            report, "E jumps where data outgrow a cache, or messages a limit of the library, "
                    "so it can meet the target several times. Take the largest N if larger "
                    "problems are to hold the target, too; the smallest takes the least T.");
    }
    if (isinf(prediction->sum_error)) {
        cli_report_footnote(
            report,
            "A sum of which too many terms follow no rule is not known: at one N it "
            "may take %d terms with the sums inside it, and all rows together may "
            "take about %d computing steps.",
            ISOCAST_SUM_TERMS_MAX, ISOCAST_EFFORT_MAX);
    } else if (prediction->sum_error > sum_error_told) {
        cli_report_footnote(report, "Sums are estimated; their relative error is up to %.1e.",
                            prediction->sum_error);
    }
}

cli_report *cli_report_of_prediction(const isocast_prediction *prediction,
                                     const double *other_sizes, bool with_base) {
    cli_report *report = cli_report_create();
    cli_report_held(report, prediction, other_sizes);
    add_columns(report, prediction->fixed_size);
    if (with_base && prediction->has_base) {
        add_row(report, &prediction->base, "base");
    }
    for (size_t i = 0; i < prediction->row_count; i++) {
        const isocast_prediction_row *row = &prediction->rows[i];
        add_row(report, row, isocast_row_status_word(row->status));
    }
    cli_report_remarks(report, prediction);
    add_legend(report, prediction);
    return report;
}
