#include "report_growth.h"

#include <math.h>

#include "cli/output/fields.h"
#include "report_notes.h"
#include "report_prediction.h"

static const isocast_algorithm *algorithm_of(const isocast_isoefficiency *e) {
    return isocast_model_algorithm(e->prediction->model);
}

cli_report *cli_report_of_isoefficiency(const cli_growth_view *view, const double *other_sizes) {
    const isocast_isoefficiency *e = view->isoefficiency;
    const isocast_prediction *prediction = e->prediction;
    cli_report *report = cli_report_create();
    cli_report_held(report, prediction, other_sizes);
    cli_fields_fill(report, &cli_growth_rows, view, cli_growth_row_item);
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
                        "g = d ln W/d ln p is the exact local exponent of growth where E is held. "
                        "Jumps of the formulas do not count in it, and at a kink it is that of one "
                        "side.");
    cli_report_note_marked_speed(report, isocast_model_machine(prediction->model),
                                 isocast_model_algorithm(prediction->model)->kernel);
    cli_report_remarks(report, prediction);
    return report;
}

/* A part in words: "the overhead broadcast". */
static void put_part(const isocast_isoefficiency *e, size_t k, isocast_buffer *out) {
    if (k < e->growth->term_count) {
        isocast_buffer_printf(out, "the overhead %s", algorithm_of(e)->overhead[k].name);
    } else {
        isocast_buffer_puts(out, "the idle or excess computation");
    }
}

static const isocast_growth_part *part_of(const isocast_isoefficiency *e, size_t k) {
    return k < e->growth->term_count ? &e->growth->terms[k] : &e->growth->idle;
}

/* What is said holds for work beyond the bounds. */
static const char *premise_of(const isocast_growth_part *whole) {
    return whole->at_bound == ISOCAST_GROWTH_NOT_CERTAIN
               ? "Where the work grows faster than the bounds"
               : "Where all processes have work";
}

static void say_at_bound(cli_report *report, const isocast_growth *growth) {
    if (growth->whole.verdict != ISOCAST_GROWTH_UNDECIDED &&
        growth->whole.at_bound == ISOCAST_GROWTH_NOT_CERTAIN) {
        cli_report_footnote(report,
                            "Whether E = %.6g is held where the work grows as the bounds is not "
                            "certain.",
                            growth->efficiency);
    }
}

/* What becomes of E at larger work. */
static void say_later(cli_report *report, const isocast_growth *growth) {
    const isocast_growth_part *whole = &growth->whole;
    double E = growth->efficiency;
    isocast_buffer lost = {0};
    isocast_growth_order_put(&whole->lost, &lost);
    switch (whole->falls_later) {
    case ISOCAST_GROWTH_NO:
        cli_report_footnote(report,
                            "Where the work grows faster, as a polynomial of p, E stays at least "
                            "%.6g and p T = O(W): the algorithm is cost-optimal there.",
                            E);
        break;
    case ISOCAST_GROWTH_YES:
        if (isnan(whole->lost.p)) {
            cli_report_footnote(report, "E falls below %.6g again at larger work.", E);
        } else {
            cli_report_footnote(report,
                                "E falls below %.6g again at larger work of the order %s. Between "
                                "the two orders p T = O(W): the algorithm is cost-optimal there.",
                                E, lost.text);
        }
        break;
    case ISOCAST_GROWTH_NOT_CERTAIN:
        cli_report_footnote(report,
                            "Whether E falls below %.6g again at larger work is not certain.", E);
        break;
    }
    isocast_buffer_free(&lost);
}

static void say_proved(cli_report *report, const isocast_isoefficiency *e) {
    const isocast_growth_part *whole = &e->growth->whole;
    bool beyond = whole->at_bound == ISOCAST_GROWTH_NOT_CERTAIN;
    isocast_buffer order = {0};
    isocast_buffer size = {0};
    isocast_buffer law = {0};
    isocast_growth_order_put(&whole->W, &order);
    isocast_growth_order_put(&whole->N, &size);
    isocast_growth_law_put(whole, &law);
    cli_report_footnote(report,
                        "%s%she isoefficiency function is %s, which is proved. %so hold E = %.6g "
                        "the work must grow with p at this rate, and %s as %s.",
                        beyond ? premise_of(whole) : "", beyond ? ", t" : "T", order.text,
                        whole->at_bound == ISOCAST_GROWTH_YES ? "To give all processes work and t"
                                                              : "T",
                        e->growth->efficiency, algorithm_of(e)->sizes[0].name, size.text);
    if (whole->depends_on_E && law.text != NULL) {
        cli_report_footnote(report,
                            "The exponent depends on E: near this E the function is %s, and "
                            "K = %.6g here.",
                            law.text, e->growth->K);
    } else if (whole->depends_on_E) {
        cli_report_footnote(report, "The exponent depends on E; it is that of E = %.6g.",
                            e->growth->efficiency);
    }
    say_later(report, e->growth);
    isocast_buffer_free(&order);
    isocast_buffer_free(&size);
    isocast_buffer_free(&law);
}

/* No part was found that asks alone for what all together do. */
static void say_no_ruler(cli_report *report, const isocast_growth *growth, const char *rules) {
    bool known = true;
    bool holds = growth->whole.verdict == ISOCAST_GROWTH_PROVED;
    for (size_t k = 0; k <= growth->term_count; k++) {
        const isocast_growth_part *part =
            k < growth->term_count ? &growth->terms[k] : &growth->idle;
        bool is_held =
            part->verdict == ISOCAST_GROWTH_PROVED || part->verdict == ISOCAST_GROWTH_FREE;
        known = known && part->verdict != ISOCAST_GROWTH_UNDECIDED && (is_held || !holds);
    }
    cli_report_footnote(report,
                        known ? "No part alone %s: it is several together."
                              : "Which part %s is not certain.",
                        rules);
}

static void say_bound_rules(cli_report *report, const isocast_growth_part *whole) {
    switch (whole->asks_bound) {
    case ISOCAST_GROWTH_NO:
        cli_report_footnote(report, "A bound rules the order, and no overhead: E is held as soon "
                                    "as all processes can have work.");
        break;
    case ISOCAST_GROWTH_YES:
        cli_report_footnote(report, "A bound rules the order, and all overheads together.");
        break;
    case ISOCAST_GROWTH_NOT_CERTAIN:
        cli_report_footnote(report, "A bound rules the order. Whether the overheads ask for it, "
                                    "too, is not certain.");
        break;
    }
}

/* Parts and bounds that rule as much as the one that is named. */
static void say_other_rulers(cli_report *report, const isocast_isoefficiency *e) {
    const isocast_growth *growth = e->growth;
    bool holds = growth->whole.verdict == ISOCAST_GROWTH_PROVED;
    isocast_buffer others = {0};
    for (size_t k = 0; k <= growth->term_count; k++) {
        if (k != e->ruler && isocast_growth_part_rules(growth, part_of(e, k))) {
            isocast_buffer_puts(&others, others.length > 0 ? ", " : "");
            put_part(e, k, &others);
        }
    }
    const struct {
        const isocast_growth_part *part;
        const char *name;
    } bounds[] = {{&growth->processes, "the bound W = Omega(p)"},
                  {&growth->concurrency, "the bound of concurrency"}};
    for (size_t k = 0; k < 2; k++) {
        if (isocast_growth_part_rules(growth, bounds[k].part)) {
            isocast_buffer_printf(&others, "%s%s", others.length > 0 ? ", " : "", bounds[k].name);
        }
    }
    if (others.length > 0) {
        cli_report_footnote(
            report, holds ? "The same order is needed for %s." : "The same would be decided by %s.",
            others.text);
    }
    isocast_buffer_free(&others);
}

static void say_part_rules(cli_report *report, const isocast_isoefficiency *e) {
    isocast_buffer ruler = {0};
    put_part(e, e->ruler, &ruler);
    if (e->growth->whole.verdict != ISOCAST_GROWTH_PROVED) {
        cli_report_footnote(report, "What decides that is %s.", ruler.text);
    } else if (e->rules_on_all) {
        cli_report_footnote(report,
                            "What rules is %s; on all of these systems it is the largest part of "
                            "the total overhead.",
                            ruler.text);
    } else if (!isnan(e->rules_from_p)) {
        cli_report_footnote(report,
                            "What rules is %s; among these systems it is the largest part of the "
                            "total overhead from p = %.6g on.",
                            ruler.text, e->rules_from_p);
    } else {
        cli_report_footnote(
            report,
            "What rules as p grows is %s; on the largest of these systems another part "
            "of the total overhead is still larger, or there is no solution.",
            ruler.text);
    }
    isocast_buffer_free(&ruler);
    say_other_rulers(report, e);
}

static void say_ruler(cli_report *report, const isocast_isoefficiency *e) {
    const isocast_growth *growth = e->growth;
    bool holds = growth->whole.verdict == ISOCAST_GROWTH_PROVED;
    if (growth->whole.verdict == ISOCAST_GROWTH_UNDECIDED) {
        return;
    }
    if (e->ruler <= growth->term_count) {
        say_part_rules(report, e);
    } else if (e->ruler == ISOCAST_NO_RULER) {
        say_no_ruler(report, growth, holds ? "rules" : "decides that");
    } else if (holds) {
        say_bound_rules(report, &growth->whole);
    } else {
        cli_report_footnote(report, "What decides that is a bound.");
    }
}

static void say_whole(cli_report *report, const isocast_isoefficiency *e) {
    const isocast_growth *growth = e->growth;
    const isocast_growth_part *whole = &growth->whole;
    double E = growth->efficiency;
    const char *size = algorithm_of(e)->sizes[0].name;
    switch (whole->verdict) {
    case ISOCAST_GROWTH_PROVED:
        say_proved(report, e);
        break;
    case ISOCAST_GROWTH_CAPPED:
        cli_report_footnote(report,
                            "%s, E = %.6g is unreachable as p grows, which is proved for every W "
                            "that is a polynomial of p.",
                            premise_of(whole), E);
        if (!isnan(growth->limit_of_E)) {
            cli_report_footnote(report, "Where %s grows fast enough with p, E tends to %.6g.", size,
                                growth->limit_of_E);
        }
        break;
    case ISOCAST_GROWTH_UNSCALABLE:
        if (whole->reason != NULL) {
            cli_report_footnote(report,
                                "The algorithm is unscalable at E = %.6g, which is proved: %s.", E,
                                whole->reason);
        } else {
            cli_report_footnote(report,
                                "%s, the algorithm is unscalable at E = %.6g, which is proved: no "
                                "W that is a polynomial of p holds E.",
                                premise_of(whole), E);
        }
        break;
    case ISOCAST_GROWTH_FALLING:
        cli_report_footnote(report,
                            "%s, E = %.6g is held on a finite range of p at most, which is proved: "
                            "the overhead grows faster with %s than the work, so that E falls as "
                            "%s grows.",
                            premise_of(whole), E, size, size);
        break;
    case ISOCAST_GROWTH_FREE:
    case ISOCAST_GROWTH_UNDECIDED:
        cli_report_footnote(report,
                            "The order of growth is undecided: %s. The numbers above are those of "
                            "the formulas, and prove no order.",
                            whole->reason != NULL ? whole->reason : "no rule is known");
        break;
    }
    say_at_bound(report, growth);
}

static void say_premises(cli_report *report, const isocast_question_premises *premises) {
    if (premises->cubes) {
        cli_report_footnote(report, "All of this holds for p whose grids of processes are cubes "
                                    "or squares. The grid of another p hangs on its divisors, "
                                    "and no order is known for it.");
    } else if (premises->squares) {
        cli_report_footnote(report, "All of this holds for p that are squares, whose process grid "
                                    "is square. The grid of another p hangs on its divisors, and "
                                    "no order is known for it.");
    }
    if (premises->divisors) {
        cli_report_footnote(report, "All of this holds for p that x divides in each divisor(p, x). "
                                    "For another p no order is known.");
    }
}

cli_report *cli_report_of_growth(const cli_growth_view *view) {
    const isocast_isoefficiency *e = view->isoefficiency;
    const isocast_growth *growth = e->growth;
    cli_report *report = cli_report_create();
    cli_report_title(report, "What each part needs alone, as p grows without end");
    cli_fields_fill(report, &cli_growth_parts, view, cli_growth_part_item);
    say_whole(report, e);
    say_ruler(report, e);
    cli_report_footnote(report, "The order is that of the formulas as p grows without end, also "
                                "beyond the processors that the machine file has.");
    say_premises(report, &growth->premises);
    if (growth->mixed) {
        cli_report_footnote(report,
                            "The node classes of %s keep their shares of p and C as p grows.",
                            e->prediction->rows[e->prediction->row_count - 1].system);
    }
    return report;
}
