#include "report_validation.h"

#include <math.h>

static const isocast_algorithm *algorithm_of(const isocast_validation *v) {
    return isocast_model_algorithm(v->model);
}

static const char *term_name(const isocast_validation *v, size_t term) {
    return term < algorithm_of(v)->overhead_count ? algorithm_of(v)->overhead[term].name : NULL;
}

static void report_points(const isocast_validation *v, cli_report *report) {
    static const cli_column columns[] = {
        {.name = "system", .kind = CLI_COLUMN_TEXT},
        {.name = "p", .kind = CLI_COLUMN_COUNT},
        {.name = "N", .kind = CLI_COLUMN_COUNT},
        {.name = "runs", .kind = CLI_COLUMN_COUNT},
        {.name = "T", .heading = "T measured", .unit = "s", .kind = CLI_COLUMN_NUMBER},
        {.name = "T_min", .unit = "s", .kind = CLI_COLUMN_NUMBER, .file_only = true},
        {.name = "T_max", .unit = "s", .kind = CLI_COLUMN_NUMBER, .file_only = true},
        {.name = "spread", .kind = CLI_COLUMN_SHARE, .digits = 2, .optional = true},
        {.name = "T_predicted", .heading = "predicted", .unit = "s", .kind = CLI_COLUMN_NUMBER},
        {.name = "T_error", .heading = "error of T", .kind = CLI_COLUMN_SHARE, .digits = 2},
        {.name = "E", .heading = "E measured", .kind = CLI_COLUMN_NUMBER},
        {.name = "E_predicted", .heading = "predicted", .kind = CLI_COLUMN_NUMBER},
        {.name = "E_error", .heading = "error of E", .kind = CLI_COLUMN_SHARE, .digits = 2},
        {.name = "largest_overhead", .heading = "largest overhead", .kind = CLI_COLUMN_TEXT},
        {.name = "its_share", .heading = "its share", .kind = CLI_COLUMN_SHARE, .digits = 2},
        {.name = "valid", .kind = CLI_COLUMN_TEXT, .optional = true}};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        cli_report_column(report, &columns[i]);
    }
    for (size_t i = 0; i < v->point_count; i++) {
        const isocast_validation_point *point = &v->points[i];
        const isocast_validation_system *system = &v->systems[point->system];
        cli_report_text(report, system->system->name);
        cli_report_number(report, system->system->p);
        cli_report_number(report, point->N);
        cli_report_number(report, (double)point->repetitions);
        cli_report_number(report, point->T);
        cli_report_number(report, point->T_min);
        cli_report_number(report, point->T_max);
        cli_report_number(report, point->spread);
        cli_report_number(report, point->T_predicted);
        cli_report_number(report, point->T_error);
        cli_report_number(report, point->E);
        cli_report_number(report, point->E_predicted);
        cli_report_number(report, point->E_error);
        cli_report_text(report, term_name(v, point->largest_term));
        cli_report_number(report, point->largest_share);
        cli_report_text(report, i < v->valid_count ? NULL : "no");
    }
}

static void report_systems(const isocast_validation *v, cli_report *report) {
    static const cli_column columns[] = {
        {.name = "system", .kind = CLI_COLUMN_TEXT},
        {.name = "N", .heading = "N computed", .kind = CLI_COLUMN_NUMBER},
        {.name = "N_direct", .heading = "measured", .kind = CLI_COLUMN_NUMBER},
        {.name = "N_predicted", .heading = "predicted", .kind = CLI_COLUMN_NUMBER},
        {.name = "N_error", .heading = "error of N", .kind = CLI_COLUMN_SHARE, .digits = 2},
        {.name = "psi", .heading = "psi computed", .kind = CLI_COLUMN_NUMBER},
        {.name = "psi_direct", .heading = "measured", .kind = CLI_COLUMN_NUMBER},
        {.name = "psi_predicted", .heading = "predicted", .kind = CLI_COLUMN_NUMBER},
        {.name = "psi_error", .heading = "error of psi", .kind = CLI_COLUMN_SHARE, .digits = 2}};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        cli_report_column(report, &columns[i]);
    }
    if (isnan(v->efficiency)) {
        cli_report_footnote(report, "N and psi are not compared: the systems have no measured "
                                    "efficiency in common; measure other sizes, or give "
                                    "--efficiency.");
        return;
    }
    cli_report_title(report,
                     "N that gives E = %.4g, computed (from the trend of the measured E), "
                     "measured directly, and predicted",
                     v->efficiency);
    for (size_t i = 0; i < v->system_count; i++) {
        const isocast_validation_system *system = &v->systems[i];
        cli_report_text(report, system->system->name);
        cli_report_number(report, system->N);
        cli_report_number(report, system->N_direct);
        cli_report_number(report, system->N_predicted);
        cli_report_number(report, system->N_error);
        cli_report_number(report, system->psi);
        cli_report_number(report, system->psi_direct);
        cli_report_number(report, system->psi_predicted);
        cli_report_number(report, system->psi_error);
    }
    cli_report_footnote(report, "measured: a size whose runs show this E within 2 %%, as isocast "
                                "measure --find makes them; errors are to it, or else to what is "
                                "computed.");
}

static void report_summary_row(cli_report *report, const char *what,
                               const isocast_error_summary *summary) {
    cli_report_text(report, what);
    cli_report_number(report, summary->mean);
    cli_report_number(report, summary->max);
    cli_report_number(report, summary->bias);
    cli_report_number(report, (double)summary->n);
}

/* Says which rows count for nothing. */
static void tell_valid(const isocast_validation *v, cli_report *report) {
    if (v->valid_count == v->point_count) {
        return;
    }
    isocast_buffer which = {0};
    isocast_valid_describe(isocast_model_valid(v->model), &which);
    cli_report_footnote(report,
                        "valid: the prediction holds only for %s; the rows with no are in no "
                        "summary, and no N or psi is read from them.",
                        which.text != NULL ? which.text : "");
    isocast_buffer_free(&which);
}

/* Of the valid ones. */
static size_t worst_point(const isocast_validation *v) {
    size_t worst = 0;
    for (size_t i = 1; i < v->valid_count; i++) {
        if (fabs(v->points[i].T_error) > fabs(v->points[worst].T_error)) {
            worst = i;
        }
    }
    return worst;
}

/* What the rest of the error of T comes from, as far as the runs can tell. */
static void explain_rest(const isocast_validation *v, cli_report *report) {
    if (v->valid_count == 0) {
        return;
    }
    const isocast_validation_point *worst = &v->points[worst_point(v)];
    const char *term = term_name(v, worst->largest_term);
    cli_report_footnote(
        report,
        "The largest error of T, %+.1f %%, is at N = %g on %s, where computation is "
        "%.0f %% of the prediction and the largest overhead is %s (%.1f %%).",
        100 * worst->T_error, worst->N, v->systems[worst->system].system->name,
        100 * worst->compute_share, term != NULL ? term : "none",
        100 * fmax(worst->largest_share, 0));
    if (worst->spread >= fabs(worst->T_error) / 2) {
        cli_report_footnote(
            report,
            "Its repetitions differ by %.1f %% among themselves: much of that error "
            "is the machine's noise.",
            100 * worst->spread);
    } else if (worst->compute_share > 1 - worst->compute_share) {
        cli_report_footnote(report, "So what dominates the rest is the time per flop: how far the "
                                    "kernel's own speed there is from the calibrated one.");
    } else {
        cli_report_footnote(report, "So what dominates the rest is the overhead, %s first.",
                            term != NULL ? term : "of no single term");
    }
    if (fabs(v->T.bias) > 0.7 * v->T.mean && v->T.n > 2) {
        cli_report_footnote(report,
                            "T is %s throughout (by %.1f %% on average): one cause for all "
                            "points, such as a missing overhead or a machine that has "
                            "changed since it was calibrated.",
                            v->T.bias > 0 ? "over-predicted" : "under-predicted",
                            100 * fabs(v->T.bias));
    }
    for (size_t i = 0; i < v->system_count; i++) {
        if (v->systems[i].oversubscribed) {
            cli_report_footnote(report,
                                "%s was measured with more processes than processors "
                                "(oversubscribed): its times are the scheduler's too.",
                                v->systems[i].system->name);
        }
        double most = INFINITY;
        const isocast_machine *machine = isocast_model_machine(v->model);
        for (size_t k = 0; k < machine->operation_count; k++) {
            most = fmin(most, isnan(machine->operations[k].p_max) ? INFINITY
                                                                  : machine->operations[k].p_max);
        }
        if (v->systems[i].system->p > most) {
            cli_report_footnote(report, "%s is outside the calibrated range (up to %g processes).",
                                v->systems[i].system->name, most);
        }
    }
}

static void report_summary(const isocast_validation *v, cli_report *report) {
    static const cli_column columns[] = {
        {.name = "of", .heading = "relative error of", .kind = CLI_COLUMN_TEXT},
        {.name = "mean", .kind = CLI_COLUMN_SHARE, .digits = 3},
        {.name = "max", .kind = CLI_COLUMN_SHARE, .digits = 3},
        {.name = "bias", .kind = CLI_COLUMN_SHARE, .digits = 3},
        {.name = "points", .kind = CLI_COLUMN_COUNT}};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        cli_report_column(report, &columns[i]);
    }
    report_summary_row(report, "T", &v->T);
    report_summary_row(report, "E", &v->E);
    report_summary_row(report, "N'", &v->N);
    report_summary_row(report, "psi'", &v->psi);
    explain_rest(v, report);
}

void cli_report_validation(const isocast_validation *validation, const char *runs_name,
                           cli_report *reports[VALIDATION_REPORTS]) {
    for (size_t i = 0; i < VALIDATION_REPORTS; i++) {
        reports[i] = cli_report_create();
    }
    const isocast_machine *machine = isocast_model_machine(validation->model);
    cli_report_title(reports[0], "%s on %s%s, predicted against the runs of %s",
                     algorithm_of(validation)->name, machine->name,
                     machine->simulated ? " (simulated)" : "", runs_name);
    report_points(validation, reports[0]);
    cli_report_footnote(reports[0], "measured: median of the runs; spread: median absolute "
                                    "deviation; error: predicted over measured - 1.");
    tell_valid(validation, reports[0]);
    report_systems(validation, reports[1]);
    report_summary(validation, reports[2]);
}
