#include "report_matrix.h"

#include <math.h>
#include <string.h>

#include "cli/output/json_text.h"

static void add_pair_columns(cli_report *report, bool theorems, bool reason) {
    cli_report_column(report, &(cli_column){.name = "from", .kind = CLI_COLUMN_TEXT});
    cli_report_column(report, &(cli_column){.name = "to", .kind = CLI_COLUMN_TEXT});
    cli_report_column(report, &(cli_column){.name = "psi", .kind = CLI_COLUMN_NUMBER});
    static const char *const ends[] = {"psi_low", "psi_high"};
    for (size_t i = 0; theorems && i < sizeof ends / sizeof ends[0]; i++) {
        cli_report_column(
            report, &(cli_column){.name = ends[i], .kind = CLI_COLUMN_NUMBER, .optional = !reason});
    }
    static const char *const names[] = {"theorem_1", "corollary_2", "theorem_2"};
    for (size_t i = 0; theorems && i < sizeof names / sizeof names[0]; i++) {
        cli_report_column(
            report,
            &(cli_column){.name = names[i], .kind = CLI_COLUMN_NUMBER, .optional = !reason});
    }
    if (theorems && reason) {
        cli_report_column(report, &(cli_column){.name = "reason", .kind = CLI_COLUMN_TEXT});
    }
}

static void add_pair(cli_report *report, const isocast_psi_matrix *matrix,
                     const isocast_psi_pair *pair, bool theorems, bool reason) {
    cli_report_text(report, matrix->names[pair->from]);
    cli_report_text(report, matrix->names[pair->to]);
    cli_report_number(report, pair->psi);
    if (theorems) {
        cli_report_number(report, pair->psi_low);
        cli_report_number(report, pair->psi_high);
        cli_report_number(report, pair->theorem_1);
        cli_report_number(report, pair->corollary_2);
        cli_report_number(report, pair->theorem_2);
    }
    if (theorems && reason) {
        cli_report_text(report, pair->reason);
    }
}

/* A row for each pair, for files. */
static cli_report *report_of_pairs(const isocast_psi_matrix *matrix) {
    cli_report *report = cli_report_create();
    add_pair_columns(report, matrix->has_theorems, true);
    for (size_t i = 0; i < matrix->pair_count; i++) {
        add_pair(report, matrix, &matrix->pairs[i], matrix->has_theorems, true);
    }
    return report;
}

static bool says_anything(const isocast_psi_pair *pair) {
    return isfinite(pair->theorem_1) || isfinite(pair->corollary_2) || isfinite(pair->theorem_2);
}

/* The reason that all pairs share for which no theorem says anything; NULL where there are several
 * or none. */
static const char *common_reason(const isocast_psi_matrix *matrix) {
    const char *reason = NULL;
    for (size_t i = 0; i < matrix->pair_count; i++) {
        const isocast_psi_pair *pair = &matrix->pairs[i];
        if (!isfinite(pair->psi)) {
            continue;
        }
        if (says_anything(pair) || pair->reason == NULL ||
            (reason != NULL && strcmp(reason, pair->reason) != 0)) {
            return NULL;
        }
        reason = pair->reason;
    }
    return reason;
}

static cli_report *report_of_grid(const isocast_psi_matrix *matrix, const char *title,
                                  const char *psi) {
    cli_report *report = cli_report_create();
    cli_report_title(report, "%s", title);
    cli_report_title(report, "psi = %s from the system of the row to that of the column", psi);
    cli_report_column(report, &(cli_column){.name = "from", .kind = CLI_COLUMN_TEXT});
    for (size_t to = 0; to < matrix->count; to++) {
        cli_report_column(
            report,
            &(cli_column){.name = matrix->names[to], .kind = CLI_COLUMN_NUMBER, .compared = 1});
    }
    for (size_t from = 0; from < matrix->count; from++) {
        cli_report_text(report, matrix->names[from]);
        for (size_t to = 0; to < matrix->count; to++) {
            cli_report_number(report,
                              from == to ? 1 : isocast_psi_matrix_at(matrix, from, to)->psi);
        }
    }
    const char *reason = matrix->has_theorems ? common_reason(matrix) : NULL;
    if (reason != NULL) {
        cli_report_footnote(report, "The theorems of [CSW] 3.4 are not shown beside psi: %s.",
                            reason);
    }
    return report;
}

static void note_reasons(cli_report *report, const isocast_psi_matrix *matrix) {
    const char *told[8] = {NULL};
    size_t count = 0;
    for (size_t i = 0; i < matrix->pair_count; i++) {
        const isocast_psi_pair *pair = &matrix->pairs[i];
        bool is_new = pair->reason != NULL && isfinite(pair->psi) && pair->from < pair->to;
        for (size_t k = 0; k < count && is_new; k++) {
            is_new = strcmp(told[k], pair->reason) != 0;
        }
        if (is_new && count < sizeof told / sizeof told[0]) {
            told[count++] = pair->reason;
            cli_report_footnote(report, "From %s to %s: %s.", matrix->names[pair->from],
                                matrix->names[pair->to], pair->reason);
        }
    }
}

/* Whether a theorem says anything of any pair. */
static bool has_theorems(const isocast_psi_matrix *matrix) {
    bool any = false;
    for (size_t i = 0; matrix->has_theorems && i < matrix->pair_count; i++) {
        any = any || says_anything(&matrix->pairs[i]);
    }
    return any;
}

/* The pairs from an earlier system to a later one, with their intervals and what the theorems say,
 * as far as there are any. NULL where memory is short. */
static cli_report *report_beside(const isocast_psi_matrix *matrix, bool theorems) {
    cli_report *report = cli_report_create();
    bool intervals = !isnan(matrix->level);
    if (theorems) {
        cli_report_title(report, "psi beside what the theorems of [CSW] 3.4 say, where they apply");
    } else {
        cli_report_title(report, "psi with its intervals");
    }
    add_pair_columns(report, true, false);
    for (size_t i = 0; i < matrix->pair_count; i++) {
        if (matrix->pairs[i].from < matrix->pairs[i].to) {
            add_pair(report, matrix, &matrix->pairs[i], true, false);
        }
    }
    if (intervals) {
        cli_report_footnote(report,
                            "psi_low to psi_high is the %.4g %% interval of psi from the standard "
                            "errors that the machine file gives. The interval of the way back is "
                            "from 1/psi_high to 1/psi_low.",
                            100 * matrix->level);
    }
    if (theorems) {
        cli_report_footnote(report, "theorem_1 = (t_0 + T_o)/(t_0' + T_o'), t_0 = alpha W/C_j; "
                                    "corollary_2 = T_o/T_o' for alpha = 0; theorem_2 for one alpha "
                                    "on the same node.");
        note_reasons(report, matrix);
    }
    return report;
}

size_t cli_reports_of_matrix(const isocast_psi_matrix *matrix, const char *format,
                             const char *title, const char *psi, cli_report **reports) {
    if (strcmp(format, "csv") == 0) {
        reports[0] = report_of_pairs(matrix);
        return 1;
    }
    reports[0] = report_of_grid(matrix, title, psi);
    bool theorems = has_theorems(matrix);
    bool beside = theorems || !isnan(matrix->level);
    reports[1] = beside ? report_beside(matrix, theorems) : NULL;
    return beside ? 2 : 1;
}

json_t *cli_json_pairs(const isocast_psi_matrix *matrix) {
    json_t *array = json_array();
    for (size_t i = 0; i < matrix->pair_count; i++) {
        const isocast_psi_pair *pair = &matrix->pairs[i];
        json_t *object = json_object();
        cli_json_set(&object, "from", cli_json_string(matrix->names[pair->from]));
        cli_json_set(&object, "to", cli_json_string(matrix->names[pair->to]));
        cli_json_set(&object, "psi", cli_json_number(pair->psi));
        if (matrix->has_theorems) {
            cli_json_set(&object, "psi_low", cli_json_number(pair->psi_low));
            cli_json_set(&object, "psi_high", cli_json_number(pair->psi_high));
            cli_json_set(&object, "theorem_1", cli_json_number(pair->theorem_1));
            cli_json_set(&object, "corollary_2", cli_json_number(pair->corollary_2));
            cli_json_set(&object, "theorem_2", cli_json_number(pair->theorem_2));
            cli_json_set(&object, "reason", cli_json_string(pair->reason));
        }
        cli_json_append(&array, object);
    }
    return array;
}
