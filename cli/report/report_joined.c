#include "report_joined.h"

#include <math.h>
#include <string.h>

#include "model/base/quantity.h"

ISOCAST_GIVES(const cli_joined_view *, view_of, at->result)
ISOCAST_GIVES(const isocast_joint_fit *, fit_of, view_of(at)->fit)
ISOCAST_GIVES(const isocast_joined_row *, row_of, at->row)
ISOCAST_GIVES(bool, several_of, view_of(at)->joined->sizes.several)

ISOCAST_NAMES(other_of,
              cli_other_size(view_of(at)->subject.algorithm,
                             row_of(at) != NULL ? row_of(at)->other_sizes : NULL, i, value))

#define ROW(name, member, kind, unit, ...)                                                         \
    ISOCAST_FIELD(name, kind, isocast_joined_row, member, unit, __VA_ARGS__)
static const isocast_field row_fields[] = {
    ROW("system", system, TEXT, NULL, "what was asked for", .known = true, ISOCAST_FILES),
    ROW("p", p, COUNT, NULL, "processes", .known = true),
    ROW("N", N, COUNT, NULL, "size", .known = true),
    ISOCAST_MADE("other_sizes", NAMED, .named = other_of, NULL, "further sizes",
                 .shown = several_of),
    ROW("T", T, NUMBER, "s", "time of a run; null where the status is not ok, like the next ones",
        .compared = 1),
    ROW("T_low", T_low, NUMBER, "s",
        "lower end of its 90 % band, by the errors of the numbers and the scatter of the runs",
        .compared = 1),
    ROW("T_high", T_high, NUMBER, "s", "upper end", .compared = 1),
    ROW("E", E, NUMBER, NULL, "speed-efficiency", .digits = 3),
    ROW("cost", cost, NUMBER, "s", "processor time p T"),
    ROW("open", open, TEXT, NULL, "where the status is open: the number", .optional = true),
    ROW("status", status, TEXT, NULL,
        "ok; open: T depends on a number of which the runs say nothing; none: the formulas have no "
        "T there",
        .words = isocast_joined_status_words, .known = true)};
static const isocast_table row_table = ISOCAST_TABLE_OF(row_fields, "T on one system at one size");
ISOCAST_OWN_ITEMS(row_item, view_of(in)->joined->count, &view_of(in)->joined->rows[i])

/* The numbers. */
ISOCAST_GIVES(const isocast_fitted_number *, number_of, at->row)
ISOCAST_GIVES(double, value_of,
              number_of(at)->status == ISOCAST_FITTED_SILENT ? NAN : number_of(at)->value)
ISOCAST_GIVES(double, relative_error_of, number_of(at)->error / number_of(at)->value)

ISOCAST_PUTS(put_unit,
             isocast_buffer_puts(out, isocast_dimension_text(number_of(at)->dimension).text))

static void put_value(const isocast_at *at, isocast_buffer *out) {
    const isocast_fitted_number *number = at->row;
    isocast_unit_text unit = isocast_dimension_text(number->dimension);
    bool is_count = isocast_dimension_is_count(number->dimension);
    if (number->status != ISOCAST_FITTED_SILENT) {
        isocast_quantity_format(number->value, is_count ? "" : unit.text, 4, out);
    }
}

static const isocast_field number_fields[] = {
    ISOCAST_FIELD("name", TEXT, isocast_fitted_number, name, NULL, "what was left open",
                  .known = true),
    ISOCAST_PUT("value", put_value, "with its unit", .where = ISOCAST_IN_TABLES),
    ISOCAST_NUMBER("value", value_of, NULL, "SI; null where it is still open", ISOCAST_FILES),
    ISOCAST_PUT("unit", put_unit, "of the value", ISOCAST_FILES, .known = true),
    ISOCAST_SHARE("error", relative_error_of, "standard error over the value", .digits = 2),
    ISOCAST_FIELD("share", SHARE, isocast_fitted_number, share, NULL,
                  "d ln T/d ln value, mean over the sizes that were fitted to", .digits = 2,
                  .heading = "of T"),
    ISOCAST_CHOSEN("status", isocast_fitted_number, status, isocast_fitted_status_words,
                   "ok; least, most: T is nearest to the runs at this end of its range; "
                   "contradicted: it is nearest without it; alike: the runs cannot distinguish it "
                   "from others; assumed: T of no run changes with it, and it is the middle of its "
                   "range; silent: the same, without a range",
                   .known = true)};
static const isocast_table number_table =
    ISOCAST_TABLE_OF(number_fields, "a number that was left open");
ISOCAST_OWN_ITEMS(number_item, fit_of(in)->count, &fit_of(in)->numbers[i])

/* The runs. */
ISOCAST_GIVES(const isocast_fitted_point *, point_of, at->row)

static const char *point_other_of(const isocast_at *at, size_t i, double *value) {
    const isocast_run_sizes *sizes = &view_of(at)->joined->sizes;
    const double *others = at->row != NULL ? sizes->systems[point_of(at)->system].others : NULL;
    return cli_other_size(view_of(at)->subject.algorithm, others, i, value);
}

#define POINT(name, member, kind, unit, ...)                                                       \
    ISOCAST_FIELD(name, kind, isocast_fitted_point, member, unit, __VA_ARGS__)
static const isocast_field point_fields[] = {
    POINT("p", p, COUNT, NULL, "processes", .known = true),
    POINT("N", N, COUNT, NULL, "size", .known = true),
    ISOCAST_MADE("other_sizes", NAMED, .named = point_other_of, NULL, "further sizes",
                 .shown = several_of),
    POINT("T", T, NUMBER, "s", "measured, median", .known = true),
    POINT("T_fit", T_fit, NUMBER, "s", "by the formulas with the numbers that were fitted")};
static const isocast_table point_table =
    ISOCAST_TABLE_OF(point_fields, "one size that was fitted to");
ISOCAST_OWN_ITEMS(point_item, fit_of(in)->sizes, &fit_of(in)->points[i])

ISOCAST_GIVES(double, sizes_of, (double)fit_of(at)->sizes)
ISOCAST_GIVES(double, p_of, fit_of(at)->p)
ISOCAST_GIVES(double, off_of, fit_of(at)->off)
ISOCAST_GIVES(double, scatter_of, fit_of(at)->scatter)

ISOCAST_PUTS(put_fit, cli_joint_fit_put(fit_of(at), view_of(at)->subject.algorithm, out))

static const isocast_field fields[] = {
    CLI_SCHEMA("isocast.joined/1"),
    CLI_ALGORITHM,
    CLI_MACHINE,
    CLI_RUNS("the file of runs"),
    CLI_SIZE,
    ISOCAST_LIST("rows", row_item, &row_table, "by further sizes, size, then system"),
    ISOCAST_LIST("numbers", number_item, &number_table, "what was fitted"),
    ISOCAST_LIST("points", point_item, &point_table, "what it was fitted to"),
    ISOCAST_COUNT("sizes", sizes_of, "that were fitted to", .known = true),
    ISOCAST_COUNT("p", p_of, "the most processes of these", .known = true),
    ISOCAST_SHARE("off", off_of, "interquartile mean of what T is off there", .known = true),
    ISOCAST_SHARE("scatter", scatter_of, "robust standard deviation of T about the fit"),
    ISOCAST_PUT("verdict", put_fit, "what the fit comes to", .known = true),
    CLI_PROVENANCE};
const isocast_table cli_joined_document = {
    "joined", "isocast forecast --with: T by formulas whose open numbers runs said",
    ISOCAST_TABLE(fields)};

static void put_per_cent(double share, isocast_buffer *out) {
    isocast_buffer_printf(out, share < 1 ? "%.2g %%" : "%.0f %%", 100 * share);
}

void cli_joint_fit_put(const isocast_joint_fit *fit, const isocast_algorithm *algorithm,
                       isocast_buffer *out) {
    size_t known = 0;
    for (size_t j = 0; j < fit->count; j++) {
        const isocast_fitted_number *number = &fit->numbers[j];
        isocast_unit_text unit = isocast_dimension_text(number->dimension);
        bool is_count = isocast_dimension_is_count(number->dimension);
        if (number->status == ISOCAST_FITTED_SILENT) {
            continue;
        }
        isocast_buffer_printf(out, "%s%s = ", known++ == 0 ? "" : ", ", number->name);
        isocast_quantity_format(number->value, is_count ? "" : unit.text, 6, out);
        if (number->error > 0) {
            isocast_buffer_puts(out, " \xC2\xB1 ");
            put_per_cent(number->error / number->value, out);
        }
    }
    isocast_buffer_puts(out, known == 0 ? "Nothing was" : known == 1 ? " was" : " were");
    isocast_buffer_printf(out, " fitted to T of %zu %s on up to %.6g processes", fit->sizes,
                          fit->sizes == 1 ? "size" : "sizes", fit->p);
    isocast_buffer_puts(out, ", where T is off by ");
    put_per_cent(fit->off, out);
    isocast_buffer_puts(out, " on average.");
    static const char *const said[] = {
        [ISOCAST_FITTED_CONTRADICTED] =
            "The runs contradict '%s': T is nearest to them without it.",
        [ISOCAST_FITTED_LEAST] = "'%s' is at its min: T would be nearer to the runs below it.",
        [ISOCAST_FITTED_MOST] = "'%s' is at its max: T would be nearer to the runs above it.",
        [ISOCAST_FITTED_ALIKE] =
            "The runs cannot state '%s' from the others; it is taken as the least it may be.",
        [ISOCAST_FITTED_ASSUMED] =
            "T of no run changes with '%s': the middle of its range is taken.",
        [ISOCAST_FITTED_SILENT] = "T of no run changes with '%s', so it stays open."};
    for (size_t j = 0; j < fit->count; j++) {
        const char *format = said[fit->numbers[j].status];
        if (format != NULL) {
            const char *name = strstr(format, "%s");
            isocast_buffer_puts(out, " ");
            isocast_buffer_append(out, format, (size_t)(name - format));
            isocast_buffer_printf(out, "%s%s", fit->numbers[j].name, name + 2);
        }
    }
    if (fit->trend_part < fit->part_count) {
        isocast_buffer_printf(
            out, " The larger the share of '%s' in T, the more T is predicted too %s: by ",
            isocast_algorithm_part_name(algorithm, fit->trend_part),
            fit->trend > 0 ? "long" : "short");
        put_per_cent(fabs(fit->trend), out);
        isocast_buffer_puts(out, " from its least share to its largest.");
    }
}

size_t cli_reports_of_joined(const void *result, bool csv, cli_report **reports) {
    const cli_joined_view *view = result;
    const isocast_at at = {.result = view};
    reports[0] =
        cli_fields_report(&row_table, view, row_item, "T of '%s' on '%s', by the runs of %s",
                          cli_subject_algorithm(&at), cli_subject_machine(&at), view->subject.runs);
    if (csv) {
        return 1;
    }
    isocast_buffer text = {0};
    put_fit(&at, &text);
    cli_note_take(reports[0], &text);
    cli_note(reports[0], "T_low to T_high: 90 %% band of a run, by the errors of all numbers and "
                         "the scatter of the runs about the fit. cost: p T.");
    cli_report_call(reports[0], "N", view->subject.algorithm->sizes[0].name);
    reports[1] = cli_fields_report(&number_table, view, number_item, "What the runs say");
    return 2;
}
