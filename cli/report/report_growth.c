#include "report_growth.h"

#include <math.h>

#include "report_notes.h"
#include "report_prediction.h"

enum { TIMES_COMPARED = 1 /* the columns of processor-time are read against each other */ };

static void add_time_column(cli_report *report, const char *name, const char *heading) {
    cli_report_column(report, &(cli_column){.name = name,
                                            .heading = heading,
                                            .unit = "s",
                                            .kind = CLI_COLUMN_NUMBER,
                                            .compared = TIMES_COMPARED});
}

static const isocast_algorithm *algorithm_of(const isocast_isoefficiency *e) {
    return isocast_model_algorithm(e->prediction->model);
}

static bool has_idle(const isocast_isoefficiency *e) {
    for (size_t k = 0; k < e->prediction->row_count; k++) {
        if (!isnan(e->rows[k].idle) && e->rows[k].idle != 0) {
            return true;
        }
    }
    return false;
}

cli_report *cli_report_of_isoefficiency(const isocast_isoefficiency *e, const double *other_sizes) {
    const isocast_prediction *prediction = e->prediction;
    cli_report *report = cli_report_create();
    cli_report_held(report, prediction, other_sizes);
    cli_report_column(report, &(cli_column){.name = "system", .kind = CLI_COLUMN_TEXT});
    cli_report_column(report, &(cli_column){.name = "p", .kind = CLI_COLUMN_COUNT});
    cli_report_column(report, &(cli_column){.name = algorithm_of(e)->sizes[0].name,
                                            .kind = CLI_COLUMN_NUMBER,
                                            .digits = 6});
    cli_report_column(report,
                      &(cli_column){.name = "W", .unit = "flop", .kind = CLI_COLUMN_NUMBER});
    add_time_column(report, "ideal", "W/C_1");
    add_time_column(report, "overhead", "p T - W/C_1");
    for (size_t i = 0; i < prediction->term_count; i++) {
        add_time_column(report, algorithm_of(e)->overhead[i].name, NULL);
    }
    bool idle = has_idle(e);
    if (idle) {
        add_time_column(report, "idle", "idle or excess");
    }
    add_time_column(report, "cost", "p T");
    cli_report_column(report, &(cli_column){.name = "g", .kind = CLI_COLUMN_NUMBER});
    cli_report_column(report, &(cli_column){.name = "status", .kind = CLI_COLUMN_TEXT});
    for (size_t k = 0; k < prediction->row_count; k++) {
        const isocast_prediction_row *row = &prediction->rows[k];
        cli_report_text(report, row->system);
        cli_report_number(report, row->p);
        cli_report_number(report, row->N);
        cli_report_number(report, row->W);
        cli_report_number(report, e->rows[k].ideal);
        cli_report_number(report, e->rows[k].overhead);
        for (size_t i = 0; i < prediction->term_count; i++) {
            cli_report_number(report, e->rows[k].terms[i]);
        }
        if (idle) {
            cli_report_number(report, e->rows[k].idle);
        }
        cli_report_number(report, e->rows[k].cost);
        cli_report_number(report, e->rows[k].exponent);
        cli_report_text(report, isocast_row_status_word(row->status));
    }
    cli_report_footnote(report, "Times are those of all processes together. C_1 = C/p is the mean "
                                "marked speed of a process, and T_o = p T - W/C_1 is the total "
                                "overhead.");
    if (isfinite(e->growth->K) && e->growth->K > 0) {
        cli_report_footnote(report,
                            "W/C_1 = K T_o with K = E/(1-E) = %.6g: the work must grow with p as "
                            "the total overhead does.",
                            e->growth->K);
    }
    cli_report_footnote(report,
                        "g = d ln W/d ln p is the exact local exponent of growth where E is "
                        "held.");
    cli_report_note_marked_speed(report, isocast_model_machine(prediction->model),
                                 isocast_model_algorithm(prediction->model)->kernel);
    cli_report_remarks(report, prediction);
    return report;
}

/* What a part needs, in a table's cell. */
static void put_need(const isocast_growth_part *part, isocast_buffer *out) {
    switch (part->verdict) {
    case ISOCAST_GROWTH_PROVED:
        isocast_growth_order_put(&part->W, out);
        break;
    case ISOCAST_GROWTH_FREE:
        isocast_buffer_puts(out, "no more than W = Omega(p)");
        break;
    case ISOCAST_GROWTH_CAPPED:
        isocast_buffer_puts(out, "unreachable: E has a limit");
        break;
    case ISOCAST_GROWTH_UNSCALABLE:
        isocast_buffer_puts(out, "unscalable: no polynomial W is enough");
        break;
    case ISOCAST_GROWTH_FALLING:
        isocast_buffer_puts(out, "finite range of p: E falls with W");
        break;
    case ISOCAST_GROWTH_UNDECIDED:
        isocast_buffer_printf(out, "undecided%s%s", part->reason != NULL ? ": " : "",
                              part->reason != NULL ? part->reason : "");
        break;
    }
}

static void add_part(cli_report *report, const char *name, const char *kind,
                     const isocast_growth_part *part) {
    isocast_buffer need = {0};
    isocast_buffer law = {0};
    put_need(part, &need);
    isocast_growth_law_put(part, &law);
    cli_report_text(report, name);
    cli_report_text(report, kind);
    cli_report_rely(report, &need);
    cli_report_text(report, need.text);
    cli_report_text(report, law.text);
    isocast_buffer_free(&need);
    isocast_buffer_free(&law);
}

/* The part that rules, in words: "the overhead broadcast". */
static void put_ruler(const isocast_isoefficiency *e, isocast_buffer *out) {
    if (e->ruler < e->growth->term_count) {
        isocast_buffer_printf(out, "the overhead %s", algorithm_of(e)->overhead[e->ruler].name);
    } else if (e->ruler == e->growth->term_count) {
        isocast_buffer_puts(out, "the idle or excess computation");
    } else if (e->ruler == e->growth->term_count + 1) {
        isocast_buffer_puts(out, "a bound");
    } else {
        isocast_buffer_puts(out, "no part alone");
    }
}

static void say_proved(cli_report *report, const isocast_isoefficiency *e) {
    const isocast_growth_part *whole = &e->growth->whole;
    isocast_buffer order = {0};
    isocast_buffer size = {0};
    isocast_buffer law = {0};
    isocast_growth_order_put(&whole->W, &order);
    isocast_growth_order_put(&whole->N, &size);
    isocast_growth_law_put(whole, &law);
    cli_report_rely(report, &order);
    cli_report_rely(report, &size);
    cli_report_footnote(report,
                        "The isoefficiency function is %s, which is proved. To hold E = %.6g the "
                        "work must grow with p at this rate, and %s as %s.",
                        order.text, e->growth->efficiency, algorithm_of(e)->sizes[0].name,
                        size.text);
    if (whole->depends_on_E && law.text != NULL) {
        cli_report_footnote(report,
                            "The exponent depends on E: the function is %s, and K = %.6g here.",
                            law.text, e->growth->K);
    } else if (whole->depends_on_E) {
        cli_report_footnote(report, "The exponent depends on E; it is that of E = %.6g.",
                            e->growth->efficiency);
    }
    cli_report_footnote(report, "Where the work grows at least as fast, p T = Theta(W): the "
                                "algorithm is cost-optimal there.");
    if (whole->falls_later) {
        isocast_buffer lost = {0};
        if (!isnan(whole->lost.p)) {
            isocast_buffer_puts(&lost, " of the order ");
            isocast_growth_order_put(&whole->lost, &lost);
        }
        cli_report_footnote(report, "E falls below %.6g again at larger work%s.",
                            e->growth->efficiency, lost.text != NULL ? lost.text : "");
        isocast_buffer_free(&lost);
    }
    isocast_buffer_free(&order);
    isocast_buffer_free(&size);
    isocast_buffer_free(&law);
}

static void say_ruler(cli_report *report, const isocast_isoefficiency *e) {
    size_t count = e->prediction->row_count;
    isocast_buffer ruler = {0};
    put_ruler(e, &ruler);
    cli_report_rely(report, &ruler);
    bool holds = e->growth->whole.verdict == ISOCAST_GROWTH_PROVED;
    if (e->ruler != ISOCAST_NO_RULER && !holds) {
        cli_report_footnote(report, "What decides that is %s.", ruler.text);
    } else if (e->ruler == e->growth->term_count + 1) {
        cli_report_footnote(report,
                            "A bound rules the order, and no overhead: E is held as soon as "
                            "all processes can have work.");
    } else if (e->ruler != ISOCAST_NO_RULER && e->rules_from == 0) {
        cli_report_footnote(report,
                            "What rules is %s; on all of these systems it is the largest part of "
                            "the total overhead.",
                            ruler.text);
    } else if (e->ruler != ISOCAST_NO_RULER && e->rules_from < count) {
        cli_report_footnote(report,
                            "What rules is %s; among these systems it is the largest part of the "
                            "total overhead from p = %.6g on.",
                            ruler.text, e->prediction->rows[e->rules_from].p);
    } else if (e->ruler != ISOCAST_NO_RULER) {
        cli_report_footnote(
            report,
            "What rules as p grows is %s; on the last of these systems another part "
            "of the total overhead is still larger, or there is no solution.",
            ruler.text);
    } else if (e->growth->whole.verdict != ISOCAST_GROWTH_UNDECIDED) {
        cli_report_footnote(report, "No part alone rules: it is several together.");
    }
    isocast_buffer_free(&ruler);
}

static void say_whole(cli_report *report, const isocast_isoefficiency *e) {
    const isocast_growth *growth = e->growth;
    double E = growth->efficiency;
    const char *size = algorithm_of(e)->sizes[0].name;
    switch (growth->whole.verdict) {
    case ISOCAST_GROWTH_PROVED:
        say_proved(report, e);
        break;
    case ISOCAST_GROWTH_CAPPED:
        cli_report_footnote(report,
                            "E = %.6g is unreachable as p grows, which is proved: the overhead "
                            "grows in proportion to the work, so E tends to %.6g however fast %s "
                            "grows.",
                            E, growth->limit_of_E, size);
        break;
    case ISOCAST_GROWTH_UNSCALABLE:
        cli_report_footnote(report, "The algorithm is unscalable at E = %.6g, which is proved: %s.",
                            E,
                            growth->whole.reason != NULL
                                ? growth->whole.reason
                                : "the overhead grows with the work and with p, so that no "
                                  "polynomial W of p holds E");
        break;
    case ISOCAST_GROWTH_FALLING:
        cli_report_footnote(report,
                            "E = %.6g is held on a finite range of p at most, which is proved: the "
                            "overhead grows faster with %s than the work, so that E falls again.",
                            E, size);
        break;
    case ISOCAST_GROWTH_FREE:
    case ISOCAST_GROWTH_UNDECIDED:
        cli_report_footnote(report,
                            "The order of growth is undecided: %s. The numbers above are those of "
                            "the formulas, and prove no order.",
                            growth->whole.reason != NULL ? growth->whole.reason
                                                         : "no rule is known");
        break;
    }
}

cli_report *cli_report_of_growth(const isocast_isoefficiency *e) {
    const isocast_growth *growth = e->growth;
    cli_report *report = cli_report_create();
    cli_report_title(report, "What each part needs alone, as p grows without end");
    cli_report_column(report, &(cli_column){.name = "part", .kind = CLI_COLUMN_TEXT});
    cli_report_column(report, &(cli_column){.name = "kind", .kind = CLI_COLUMN_TEXT});
    cli_report_column(
        report,
        &(cli_column){.name = "work", .heading = "work must grow as", .kind = CLI_COLUMN_TEXT});
    cli_report_column(report, &(cli_column){.name = "law",
                                            .heading = "with K = E/(1-E)",
                                            .kind = CLI_COLUMN_TEXT,
                                            .optional = true});
    for (size_t i = 0; i < growth->term_count; i++) {
        add_part(report, algorithm_of(e)->overhead[i].name, "overhead", &growth->terms[i]);
    }
    add_part(report, "p T_c - W/C_1", "idle or excess computation", &growth->idle);
    add_part(report, "W = Omega(p)", "bound", &growth->processes);
    if (growth->has_concurrency) {
        add_part(report, "concurrency", "bound", &growth->concurrency);
    }
    add_part(report, "all", "", &growth->whole);
    say_whole(report, e);
    say_ruler(report, e);
    cli_report_footnote(report, "The order is that of the formulas as p grows without end, also "
                                "beyond the processors that the machine file has.");
    if (growth->cubes) {
        cli_report_footnote(report, "All of this holds for p whose grids of processes are cubes "
                                    "or squares. The grid of another p hangs on its divisors, "
                                    "and no order is known for it.");
    } else if (growth->squares) {
        cli_report_footnote(report, "All of this holds for p that are squares, whose process grid "
                                    "is square. The grid of another p hangs on its divisors, and "
                                    "no order is known for it.");
    }
    if (growth->mixed) {
        cli_report_footnote(report,
                            "The node classes of %s keep their shares of p and C as p grows.",
                            e->prediction->rows[e->prediction->row_count - 1].system);
    }
    return report;
}
