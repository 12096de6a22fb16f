#include "results.h"

#include <stdlib.h>

#include "cli/output/report.h"
#include "report_notes.h"

static bool is_isospeed_e(const cli_find_subject *subject) {
    return subject->subject.metric == ISOCAST_METRIC_ISOSPEED_E;
}

ISOCAST_GIVES(const cli_find_subject *, subject_of, at->result)
ISOCAST_GIVES(const campaign_search_row *, row_of, at->row)
ISOCAST_GIVES(const void *, system_of, row_of(at)->system)
ISOCAST_GIVES(bool, has_factor, !is_isospeed_e(subject_of(at)))
ISOCAST_GIVES(bool, holds_E, is_isospeed_e(subject_of(at)))
ISOCAST_GIVES(bool, holds_speed,
              isocast_metric_row_of(subject_of(at)->subject.metric)->unit[0] != '\0')
ISOCAST_GIVES(bool, holds_efficiency, !holds_E(at) && !holds_speed(at))

static double speed_efficiency(const isocast_at *at) {
    const campaign_search_row *row = row_of(at);
    return holds_E(at) ? row->E : row->W / (row->T * row->system->C);
}

ISOCAST_GIVES(const char *, status_of, campaign_search_status_word(row_of(at)->state))

ISOCAST_PUTS(put_note, campaign_search_note(row_of(at), subject_of(at)->subject.metric,
                                            &subject_of(at)->search, out))

static const char *const status_words[] = {"ok", "above", "below", "jump", NULL};
#define SYSTEM(name, kind, member, unit, ...)                                                      \
    ISOCAST_FIELD(name, kind, isocast_system, member, unit, __VA_ARGS__, .from = system_of)
#define ROW(name, kind, member, unit, ...)                                                         \
    ISOCAST_FIELD(name, kind, campaign_search_row, member, unit, __VA_ARGS__)
static const isocast_field row_fields[] = {
    SYSTEM("system", TEXT, name, NULL, "the system as it was asked for", .known = true),
    SYSTEM("p", COUNT, p, NULL, "processes", .known = true),
    SYSTEM("C", NUMBER, C, "flop/s", "sum of the marked speeds of all processes", .digits = 5,
           .known = true),
    ROW("N", COUNT, N, NULL, "size at which the runs show the target; null where none does"),
    ROW("W", NUMBER, W, "flop", "work at N"),
    ROW("T", NUMBER, T, "s", "median of the measured execution times at N"),
    SYSTEM("R_f", NUMBER, reference_factor, NULL,
           "performance reference factor of the system: what the machine file or the reference "
           "times give, else p, or C/C_j where marked speeds differ; not with isospeed-e",
           .shown = has_factor),
    ROW("T_alone", NUMBER, T_alone, "s",
        "T(W,1), median time of the runs on one process; only where the efficiency is held",
        .optional = true, .shown = has_factor),
    ROW("E", NUMBER, E, NULL, NULL, ISOCAST_ROWS, .shown = holds_E),
    ISOCAST_NUMBER("E", speed_efficiency, NULL, "speed-efficiency W/(T C) measured at N",
                   ISOCAST_JSON),
    ROW("average_speed", NUMBER, E, "flop/s", "average speed W/(R_f T); with isospeed only",
        .shown = holds_speed),
    ROW("efficiency", NUMBER, E, NULL, "efficiency T(W,1)/(R_f T); only where it is held",
        .shown = holds_efficiency),
    ROW("psi", NUMBER, psi, NULL,
        "C'W/(C W') to this row from the row before; null in the first and where either has no N",
        .optional = true),
    ROW("psi_from_base", NUMBER, psi_from_base, NULL, "the same from the first row",
        .optional = true),
    ROW("steps", COUNT, steps, NULL, "sizes tried, also those that the runs file had already",
        .is_size = true, .known = true),
    ISOCAST_WORD(
        "status", status_of, status_words,
        "ok; above: the target is not reached up to the largest N that fits, or that --limit "
        "allows; below: E is over the target at the smallest N; jump: E leaps over the target "
        "between two N that have none between them, and at neither it is near the target"),
    ISOCAST_PUT("note", put_note, "what is to be said of the row in words", ISOCAST_FILES)};
static const isocast_table rows_table = ISOCAST_TABLE_OF(row_fields, "one system");
ISOCAST_OWN_ITEMS(row_item, subject_of(in)->count, &subject_of(in)->rows[i])

ISOCAST_GIVES(const char *, kernel_of, subject_of(at)->kernel)

#define SUBJECT(name, kind, member, ...)                                                           \
    ISOCAST_FIELD(name, kind, cli_find_subject, member, NULL, __VA_ARGS__)
static const isocast_field fields[] = {
    CLI_SCHEMA("isocast.measurement/1"),
    ISOCAST_TEXT("algorithm", cli_subject_algorithm,
                 "name of the kernel's algorithm, whose work W is", .known = true),
    CLI_MACHINE,
    ISOCAST_TEXT("kernel", kernel_of, "name of the kernel", .known = true),
    CLI_RUNS("the runs file, which has every step"),
    SUBJECT("simulated", FLAG, simulated, "the runs were simulated"),
    CLI_METRIC,
    SUBJECT("target", NUMBER, search.target,
            "the wanted speed-efficiency; with isospeed in flop/s, else", .known = true),
    SUBJECT("tolerance", NUMBER, search.tolerance, "how far E may be from it, relative",
            .known = true),
    SUBJECT("repetitions", COUNT, repetitions, "runs at each size", .is_size = true, .known = true),
    ISOCAST_LIST("rows", row_item, &rows_table, "one for each system, in the order of --systems"),
    CLI_PROVENANCE};
const isocast_table cli_measurement_document = {
    "measurement", "what isocast measure --find writes to standard output", ISOCAST_TABLE(fields)};

/* The machine file of measured runs may lack operations that a prediction needs: then there is no
 * model to ask for the working set. */
static void note_above_one(cli_report *report, const cli_find_subject *subject,
                           const campaign_search_row *rows, size_t count) {
    cli_above_one above = {0};
    for (size_t i = 0; is_isospeed_e(subject) && i < count; i++) {
        const cli_above_one place = {
            .name = rows[i].system->name, .system = rows[i].system, .N = rows[i].N};
        cli_above_one_take(&above, rows[i].E, &place);
    }
    isocast_diagnostics ignored = {0};
    isocast_model *model = NULL;
    bool bound = above.count > 0 && subject->subject.algorithm->size_count == 1 &&
                 isocast_model_create(subject->subject.algorithm, subject->subject.machine,
                                      &ignored, &model) == ISOCAST_OK;
    isocast_diagnostics_clear(&ignored);
    cli_report_note_above_one(report, subject->subject.algorithm, subject->subject.machine,
                              bound ? model : NULL, subject->kernel, &above);
    isocast_model_free(model);
}

cli_report *cli_report_find(const cli_find_subject *subject) {
    const campaign_search_row *rows = subject->rows;
    size_t count = subject->count;
    cli_report *report = cli_report_create();
    cli_report_title(report, "%s (kernel %s) on %s, %s", subject->subject.algorithm->name,
                     subject->kernel, subject->subject.machine->name,
                     subject->simulated ? "simulated" : "measured");
    const isocast_metric_row *metric = isocast_metric_row_of(subject->subject.metric);
    cli_report_title(report, "%s is scaled until the runs show the %s %s%s = %s",
                     subject->subject.algorithm->sizes[0].name, metric->held,
                     is_isospeed_e(subject) ? "E = " : "", metric->formula,
                     isocast_metric_text(subject->subject.metric, subject->search.target, 6).text);
    cli_fields_fill(report, &rows_table, subject, row_item);
    cli_report_call(report, "N", subject->subject.algorithm->sizes[0].name);
    for (size_t i = 0; i < count; i++) {
        isocast_buffer note = {0};
        campaign_search_note(&rows[i], subject->subject.metric, &subject->search, &note);
        CLI_NOTE_IF(note.text != NULL, report, "%s: %s: %s.", rows[i].system->name,
                    campaign_search_status_word(rows[i].state), note.text);
        isocast_buffer_free(&note);
    }
    if (subject->simulated) {
        cli_note(report, "T: of a simulated run; %s may be %.3g %% off; steps: sizes tried.",
                 metric->symbol, 100 * subject->search.tolerance);
    } else {
        cli_note(report, "T: median of %zu runs; %s may be %.3g %% off; steps: sizes tried.",
                 subject->repetitions, metric->symbol, 100 * subject->search.tolerance);
    }
    CLI_NOTE_IF(metric->numerator == ISOCAST_NUMERATOR_TIME_ALONE, report,
                "T_alone is T(W,1), the median of the runs on one process.");
    cli_report_note_marked_speed(report, subject->subject.machine, subject->kernel);
    note_above_one(report, subject, rows, count);
    CLI_NOTE_IF(count > 1 && metric->psi != NULL, report,
                "psi = %s to this row from the row before; psi_from_base from %s.", metric->psi,
                rows[0].system->name);
    return report;
}

static double target_of(const void *targets, size_t k) {
    return ((const double *)targets)[k];
}

cli_report *cli_report_finds(cli_report **reports, const double *targets, size_t count,
                             isocast_metric metric) {
    const isocast_metric_row *row = isocast_metric_row_of(metric);
    const cli_column column = {.name = "target",
                               .unit = row->unit[0] != '\0' ? row->unit : NULL,
                               .kind = CLI_COLUMN_NUMBER,
                               .digits = 2};
    const cli_join how = {&column, target_of, targets, "target", " ", row->unit, 6};
    return cli_report_join(reports, count, &how,
                           "N is scaled until the runs show the %s of the column target",
                           row->held);
}
