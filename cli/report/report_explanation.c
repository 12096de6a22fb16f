#include "report_explanation.h"

#include <math.h>
#include <string.h>

#include "report_notes.h"
#include "report_prediction.h"

enum { BAR_LENGTH = 30 };

/* Elasticities under this move nothing that a table could show. */
static const double elasticity_shown = 5e-5;

static const char *kind_word(const isocast_part *part) {
    return part->is_overhead ? "overhead" : "computation";
}

static double share(const isocast_explanation *e, const isocast_part *part, size_t row) {
    return part->T[row] / e->prediction->rows[row].T;
}

static bool has_growth(const isocast_explanation *e) {
    return isfinite(e->growth_T);
}

static bool is_single(const isocast_explanation *e) {
    return e->prediction->row_count == 1;
}

static void add_part_columns(cli_report *report, const isocast_explanation *e) {
    cli_report_column(report, &(cli_column){.name = "part", .kind = CLI_COLUMN_TEXT});
    for (size_t row = 0; row < e->prediction->row_count; row++) {
        cli_report_column(report, &(cli_column){.name = "T",
                                                .heading = e->prediction->rows[row].system,
                                                .unit = "s",
                                                .kind = CLI_COLUMN_NUMBER,
                                                .compared = 1});
        cli_report_column(report, &(cli_column){.name = "share", .kind = CLI_COLUMN_SHARE});
    }
    if (has_growth(e)) {
        cli_report_column(report,
                          &(cli_column){.name = "growth", .kind = CLI_COLUMN_NUMBER, .digits = 3});
    }
    if (is_single(e)) {
        cli_report_column(report,
                          &(cli_column){.name = "bar", .heading = "", .kind = CLI_COLUMN_TEXT});
    }
}

static void add_bar(cli_report *report, double part) {
    char bar[BAR_LENGTH + 1] = "";
    if (isfinite(part) && part > 0) {
        size_t length = (size_t)lround(fmin(part, 1) * BAR_LENGTH);
        memset(bar, '#', length);
        bar[length] = '\0';
    }
    cli_report_text(report, bar);
}

static void add_part(cli_report *report, const isocast_explanation *e, const isocast_part *part) {
    cli_report_text(report, part->name);
    for (size_t row = 0; row < e->prediction->row_count; row++) {
        cli_report_number(report, part->T[row]);
        cli_report_number(report, share(e, part, row));
    }
    if (has_growth(e)) {
        cli_report_number(report, part->growth);
    }
    if (is_single(e)) {
        add_bar(report, share(e, part, 0));
    }
}

static void add_total(cli_report *report, const isocast_explanation *e) {
    cli_report_text(report, "T");
    for (size_t row = 0; row < e->prediction->row_count; row++) {
        double T = e->prediction->rows[row].T;
        cli_report_number(report, T);
        cli_report_number(report, isfinite(T) ? 1 : NAN);
    }
    if (has_growth(e)) {
        cli_report_number(report, e->growth_T);
    }
    if (is_single(e)) {
        cli_report_text(report, "");
    }
}

static const isocast_part *largest_overhead(const isocast_explanation *e) {
    for (size_t i = 0; i < e->part_count; i++) {
        if (e->parts[i].is_overhead) {
            return &e->parts[i];
        }
    }
    return NULL;
}

static void add_verdict(cli_report *report, const isocast_explanation *e) {
    const isocast_prediction *prediction = e->prediction;
    const isocast_prediction_row *first = &prediction->rows[e->first];
    const isocast_prediction_row *last = &prediction->rows[e->last];
    const isocast_part *overhead = largest_overhead(e);
    const char *size = isocast_model_algorithm(prediction->model)->sizes[0].name;
    if (overhead != NULL && last->T_o > 0) {
        cli_report_footnote(report,
                            "On %s (%s = %.6g) the computation takes %.1f %% of T; the largest "
                            "overhead is %s, %.1f %% of T and %.1f %% of the overhead.",
                            last->system, size, last->N, 100 * last->T_c / last->T, overhead->name,
                            100 * share(e, overhead, e->last),
                            100 * overhead->T[e->last] / last->T_o);
    } else {
        cli_report_footnote(report, "On %s (%s = %.6g) there is no overhead.", last->system, size,
                            last->N);
    }
    if (has_growth(e)) {
        cli_report_footnote(report,
                            "growth: the exponent g of p^g between %s (p = %.6g) and %s (p = "
                            "%.6g), each at its N.",
                            first->system, first->p, last->system, last->p);
    }
}

cli_report *cli_report_of_parts(const isocast_explanation *e, const double *other_sizes) {
    cli_report *report = cli_report_create();
    cli_report_held(report, e->prediction, other_sizes);
    add_part_columns(report, e);
    for (size_t i = 0; i < e->part_count; i++) {
        add_part(report, e, &e->parts[i]);
    }
    add_total(report, e);
    if (e->first < e->prediction->row_count) {
        add_verdict(report, e);
        cli_report_note_held_out(report, e->prediction->model);
    }
    cli_report_remarks(report, e->prediction);
    const isocast_model *model = e->prediction->model;
    cli_report_note_marked_speed(report, isocast_model_machine(model),
                                 isocast_model_algorithm(model)->kernel);
    return report;
}

static const char *driver_word(const isocast_driver *driver) {
    switch (driver->kind) {
    case ISOCAST_DRIVER_PARAMETER:
        return "machine parameter";
    case ISOCAST_DRIVER_MARKED_SPEED:
        return "marked speed";
    case ISOCAST_DRIVER_REFERENCE:
        return "reference factor";
    case ISOCAST_DRIVER_MESSAGES:
        return "misfit of formulas";
    case ISOCAST_DRIVER_TERM:
        break;
    }
    return "overhead term";
}

static bool is_shown(const isocast_driver *driver) {
    return !(fabs(driver->elasticity) < elasticity_shown);
}

bool cli_explanation_has_drivers(const isocast_explanation *e) {
    for (size_t i = 0; i < e->drivers.count; i++) {
        if (is_shown(&e->drivers.items[i])) {
            return true;
        }
    }
    return false;
}

static const char *words_of(const isocast_driver *driver) {
    return driver->meaning != NULL ? driver->meaning : driver->name;
}

/* Names what has no effect, instead of rows of zeros; a long list says nothing, so it is counted.
 */
static void add_idle_drivers(cli_report *report, const isocast_explanation *e, const char *what) {
    enum { NAMED_MAX = 8 };
    isocast_buffer idle = {0};
    size_t count = 0;
    for (size_t i = 0; i < e->drivers.count; i++) {
        if (!is_shown(&e->drivers.items[i]) && count++ < NAMED_MAX) {
            isocast_buffer_printf(&idle, "%s%s", idle.length > 0 ? ", " : "",
                                  words_of(&e->drivers.items[i]));
        }
    }
    if (count > NAMED_MAX) {
        cli_report_footnote(report,
                            "The other %zu numbers of the machine file do not move %s: they are of "
                            "other operations, kernels, sizes or numbers of processes.",
                            count, what);
    } else if (idle.length > 0) {
        cli_report_footnote(report, "No effect on %s: %s.", what, idle.text);
    }
    isocast_buffer_free(&idle);
}

cli_report *cli_report_of_drivers(const isocast_explanation *e) {
    cli_report *report = cli_report_create();
    const char *size = isocast_model_algorithm(e->prediction->model)->sizes[0].name;
    const char *what = e->prediction->fixed_size ? "T" : size;
    const isocast_prediction_row *row = &e->prediction->rows[e->last];
    cli_report_title(report, "What moves %s on %s: per cent of %s for one per cent more", what,
                     row->system, what);
    cli_report_column(report, &(cli_column){.name = "driver", .kind = CLI_COLUMN_TEXT});
    cli_report_column(report, &(cli_column){.name = "kind", .kind = CLI_COLUMN_TEXT});
    cli_report_column(report,
                      &(cli_column){.name = "elasticity", .kind = CLI_COLUMN_NUMBER, .digits = 3});
    for (size_t i = 0; i < e->drivers.count; i++) {
        const isocast_driver *driver = &e->drivers.items[i];
        if (is_shown(driver)) {
            cli_report_text(report, words_of(driver));
            cli_report_text(report, driver_word(driver));
            cli_report_number(report, driver->elasticity);
        }
    }
    add_idle_drivers(report, e, what);
    return report;
}

cli_report *cli_report_of_part_rows(const isocast_explanation *e) {
    const cli_column columns[] = {{.name = "system", .kind = CLI_COLUMN_TEXT},
                                  {.name = "p", .kind = CLI_COLUMN_COUNT},
                                  {.name = "N", .kind = CLI_COLUMN_COUNT},
                                  {.name = "part", .kind = CLI_COLUMN_TEXT},
                                  {.name = "kind", .kind = CLI_COLUMN_TEXT},
                                  {.name = "T", .unit = "s", .kind = CLI_COLUMN_NUMBER},
                                  {.name = "share", .kind = CLI_COLUMN_SHARE},
                                  {.name = "growth", .kind = CLI_COLUMN_NUMBER}};
    cli_report *report = cli_report_create();
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        cli_report_column(report, &columns[i]);
    }
    for (size_t row = 0; row < e->prediction->row_count; row++) {
        for (size_t i = 0; i < e->part_count; i++) {
            const isocast_part *part = &e->parts[i];
            cli_report_text(report, e->prediction->rows[row].system);
            cli_report_number(report, e->prediction->rows[row].p);
            cli_report_number(report, e->prediction->rows[row].N);
            cli_report_text(report, part->name);
            cli_report_text(report, kind_word(part));
            cli_report_number(report, part->T[row]);
            cli_report_number(report, share(e, part, row));
            cli_report_number(report, part->growth);
        }
    }
    return report;
}
