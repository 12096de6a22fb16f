#include "report_matrix.h"

#include <math.h>
#include <string.h>

#include "cli/output/fields.h"
#include "model/base/any.h"

ISOCAST_GIVES(const isocast_psi_matrix *, matrix_of, at->result)
ISOCAST_GIVES(const isocast_psi_pair *, pair_of, at->row)
ISOCAST_GIVES(const char *, from_of, matrix_of(at)->names[pair_of(at)->from])
ISOCAST_GIVES(const char *, to_of, matrix_of(at)->names[pair_of(at)->to])
ISOCAST_GIVES(bool, has_intervals, matrix_of(at)->has_theorems)

#define NUMBER(member, ...)                                                                        \
    ISOCAST_FIELD(#member, NUMBER, isocast_psi_pair, member, NULL, __VA_ARGS__)
#define PREDICTED .optional = true, .shown = has_intervals
static const isocast_field columns[] = {
    ISOCAST_TEXT("from", from_of, "the system to start from", .known = true),
    ISOCAST_TEXT("to", to_of, "the system to come to", .known = true),
    NUMBER(psi, "psi of the metric; null where one of the two has no solution"),
    NUMBER(psi_low,
           "lower end of the interval of psi, at the level of the prediction; null where the "
           "machine file gives no errors; of a prediction only",
           PREDICTED),
    NUMBER(psi_high, "upper end of that interval", PREDICTED),
    NUMBER(theorem_1,
           "(t_0 + T_o)/(t_0' + T_o'), Theorem 1 of the source; null where its premises do not "
           "hold; of a prediction only",
           PREDICTED),
    NUMBER(corollary_2, "T_o/T_o', Corollary 2; likewise", PREDICTED),
    NUMBER(theorem_2, "(C beta W - C' beta W + C T_o)/(C T_o'), Theorem 2; likewise", PREDICTED),
    ISOCAST_FIELD("reason", TEXT, isocast_psi_pair, reason, NULL,
                  "why one of these is null; null where none is; of a prediction only",
                  ISOCAST_FILES, .shown = has_intervals)};
const isocast_table cli_pairs = ISOCAST_TABLE_OF(columns, "from a system to another");

ISOCAST_ITEMS(cli_pair_item, matrix_of(in)->pair_count, &matrix_of(in)->pairs[i])

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

static cli_report *report_of_grid(const isocast_psi_matrix *matrix, isocast_buffer *title,
                                  const char *psi) {
    cli_report *report = cli_report_create();
    cli_report_title_take(report, title);
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
    CLI_NOTE_IF(reason != NULL, report, "The theorems of [CSW] 3.4 are not shown beside psi: %s.",
                reason);
    return report;
}

static void note_reasons(cli_report *report, const isocast_psi_matrix *matrix) {
    const char *reported[8] = {NULL};
    size_t count = 0;
    for (size_t i = 0; i < matrix->pair_count; i++) {
        const isocast_psi_pair *pair = &matrix->pairs[i];
        bool is_new = pair->reason != NULL && isfinite(pair->psi) && pair->from < pair->to;
        for (size_t k = 0; k < count && is_new; k++) {
            is_new = strcmp(reported[k], pair->reason) != 0;
        }
        if (is_new && count < sizeof reported / sizeof reported[0]) {
            reported[count++] = pair->reason;
            cli_note(report, "From %s to %s: %s.", matrix->names[pair->from],
                     matrix->names[pair->to], pair->reason);
        }
    }
}

/* Whether a theorem says anything of any pair. */
ISOCAST_ANY(has_theorems, (const isocast_psi_matrix *matrix),
            matrix->has_theorems ? matrix->pair_count : 0, says_anything(&matrix->pairs[i]))

/* The pairs from an earlier system to a later one, with their intervals and what the theorems say,
 * as far as there are any. NULL where memory is short. */
static cli_report *report_beside(const isocast_psi_matrix *matrix, bool theorems) {
    cli_report *report = cli_report_create();
    bool intervals = !isnan(matrix->level);
    cli_report_title(report, "%s",
                     theorems ? "psi beside what the theorems of [CSW] 3.4 say, where they apply"
                              : "psi with its intervals");
    cli_fields_head(report, &cli_pairs, matrix);
    isocast_at at = {.result = matrix};
    for (size_t i = 0; cli_pair_item(&at, i, &at); i++) {
        if (pair_of(&at)->from < pair_of(&at)->to) {
            cli_fields_row(report, &cli_pairs, &at);
        }
    }
    CLI_NOTE_IF(
        intervals, report,
        "psi_low to psi_high is the %.4g %% interval of psi from the standard errors that the "
        "machine file gives. The interval of the way back is from 1/psi_high to 1/psi_low.",
        100 * matrix->level);
    if (theorems) {
        cli_note(report, "theorem_1 = (t_0 + T_o)/(t_0' + T_o'), t_0 = alpha W/C_j; corollary_2 = "
                         "T_o/T_o' for alpha = 0; theorem_2 for one alpha on the same node.");
        note_reasons(report, matrix);
    }
    return report;
}

size_t cli_reports_of_matrix(const isocast_psi_matrix *matrix, bool csv, isocast_buffer *title,
                             const char *psi, cli_report **reports) {
    if (csv) {
        isocast_buffer_free(title);
        reports[0] = cli_report_create();
        cli_fields_fill(reports[0], &cli_pairs, matrix, cli_pair_item);
        return 1;
    }
    reports[0] = report_of_grid(matrix, title, psi);
    bool theorems = has_theorems(matrix);
    bool beside = theorems || !isnan(matrix->level);
    reports[1] = beside ? report_beside(matrix, theorems) : NULL;
    return beside ? 2 : 1;
}
