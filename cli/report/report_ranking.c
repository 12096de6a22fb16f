#include "report_ranking.h"

#include <math.h>

#include "cli/output/fields.h"
#include "model/spec/bill.h"

static const isocast_prediction_row *row_at(const cli_ranking_view *v, size_t value,
                                            size_t contender, size_t system) {
    return &v->predictions[value * v->contenders->count + contender]->rows[system];
}

static const char *size_name(const cli_ranking_view *v) {
    return v->contenders->items[0].loaded.algorithm->sizes[0].name;
}

static const char *name_of(const cli_ranking_view *v, size_t contender) {
    return v->contenders->items[contender].name;
}

/* "binary is fastest up to n = 800", then "cube up to n = 19600", at last "square beyond". */
static void append_range(const cli_ranking_view *v, const isocast_ranking_range *range,
                         const char *axis, bool first, bool last, isocast_buffer *out) {
    bool any = range->fastest < v->contenders->count;
    isocast_buffer_printf(out, "%s%s",
                          first  ? " "
                          : last ? ", and "
                                 : ", ",
                          any ? name_of(v, range->fastest) : "none");
    if (first) {
        isocast_buffer_puts(out, any ? " is fastest" : " works");
    }
    if (first && last) {
        isocast_buffer_puts(out, any ? " everywhere" : " anywhere");
    } else if (last) {
        isocast_buffer_puts(out, any ? " beyond" : " works beyond");
    } else {
        isocast_buffer_printf(out, " up to %s = %.6g", axis, range->to);
    }
}

/* Where terms that are uncertain may reverse the order of the rows of a place, the closest two of
 * them. */
static void append_reversal(const cli_ranking_view *v, bool over_p, size_t place,
                            isocast_buffer *out) {
    const isocast_prediction_row *first = NULL;
    const isocast_prediction_row *second = NULL;
    const char *names[2] = {"", ""};
    double N = NAN;
    double least = INFINITY;
    double most = NAN;
    for (size_t i = 0; i < (over_p ? v->contenders->system_count : v->value_count); i++) {
        size_t value = over_p ? place : i;
        size_t system = over_p ? i : place;
        for (size_t pair = 0; pair < v->contenders->count * v->contenders->count; pair++) {
            size_t a = pair / v->contenders->count;
            size_t b = pair % v->contenders->count;
            const isocast_prediction_row *one = row_at(v, value, a, system);
            const isocast_prediction_row *other = row_at(v, value, b, system);
            double ratio = other->T / one->T;
            double found;
            if (a != b && ratio >= 1 && ratio < least &&
                isocast_rows_may_differ(one, other, ratio, &found)) {
                first = one;
                second = other;
                names[0] = name_of(v, a);
                names[1] = name_of(v, b);
                N = v->values[value];
                least = ratio;
                most = found;
            }
        }
    }
    if (first == NULL || second == NULL) {
        return;
    }
    isocast_buffer_printf(out,
                          ". Terms stated as uncertain may reverse that: on %s, %s = %.6g, %s is "
                          "faster than %s while they make its T less than %.3g %% longer, against "
                          "that of the other, and they may make it ",
                          first->system, size_name(v), N, names[0], names[1], 100 * (least - 1));
    if (isfinite(most)) {
        isocast_buffer_printf(out, "%.3g %% longer", 100 * (most - 1));
    } else {
        isocast_buffer_puts(out, "longer by an unknown time");
    }
}

/* Where no N is given, an order has no such condition. It leaves the terms out, and how much they
 * may come to is told of the row of a place with most of them. */
static void append_left_out(const cli_ranking_view *v, size_t place, isocast_buffer *out) {
    static const double little = 0.001;
    const isocast_prediction_row *worst = NULL;
    size_t whose = 0;
    size_t at = 0;
    double most = little;
    bool any = false;
    for (size_t k = 0; k < v->contenders->count; k++) {
        any = any || v->contenders->items[k].loaded.algorithm->uncertain_count > 0;
        for (size_t i = 0; i < v->value_count; i++) {
            const isocast_prediction_row *row = row_at(v, i, k, place);
            double share = fmax(row->uncertain_high - 1, 1 - row->uncertain_low);
            if (share > most) {
                worst = row;
                whose = k;
                at = i;
                most = share;
            }
        }
    }
    if (worst != NULL) {
        bool shorter = 1 - worst->uncertain_low >= most;
        isocast_buffer_printf(out,
                              ". Terms stated as uncertain count for nothing here and in W/best: "
                              "on %s, at E = %.6g, they may make T of %s ",
                              worst->system, v->values[at], name_of(v, whose));
        if (isfinite(most)) {
            isocast_buffer_printf(out, "%.3g %% %s", 100 * most, shorter ? "shorter" : "longer");
        } else {
            isocast_buffer_puts(out, "longer by an unknown time");
        }
    } else if (any && v->value_count == 0) {
        isocast_buffer_puts(out, ". Terms stated as uncertain count for nothing here; with --at "
                                 "the answer has their share of T");
    }
}

static void tell_ranges(const cli_ranking_view *v, const isocast_ranking *ranking, bool over_p,
                        cli_report *report) {
    const char *axis = over_p ? "p" : size_name(v);
    for (size_t i = 0; i < ranking->range_count;) {
        size_t first = i;
        size_t place = ranking->ranges[i].place;
        isocast_buffer line = {0};
        isocast_buffer_puts(&line, over_p ? "At " : "On ");
        cli_ranking_append_place(v, over_p, place, &line);
        isocast_buffer_puts(&line, ":");
        for (; i < ranking->range_count && ranking->ranges[i].place == place; i++) {
            const isocast_ranking_range *range = &ranking->ranges[i];
            bool last = i + 1 == ranking->range_count || range[1].place != place;
            append_range(v, range, axis, i == first, last, &line);
        }
        isocast_buffer_printf(&line, "; the search ends at %s = %.6g", axis,
                              ranking->ranges[i - 1].to);
        if (v->fixed_size && v->value_count > 0) {
            append_reversal(v, over_p, place, &line);
        } else if (!over_p) {
            append_left_out(v, place, &line);
        }
        isocast_buffer_puts(&line, ".");
        cli_report_footnote(report, "%s", line.text != NULL ? line.text : "");
        isocast_buffer_free(&line);
    }
}

/* The first rule of systems of any contender; NULL where there is none. */
static const char *first_rule(const cli_ranking_view *v) {
    for (size_t i = 0; i < v->contenders->count; i++) {
        const isocast_algorithm *algorithm = v->contenders->items[i].loaded.algorithm;
        for (size_t k = 0; k < algorithm->rule_count; k++) {
            if (!algorithm->rules->of_N[k]) {
                return algorithm->rule_list[k].otherwise;
            }
        }
    }
    return NULL;
}

/* Which p count where there are rules of systems. */
static void tell_rules(const cli_ranking_view *v, cli_report *report) {
    const char *rule = first_rule(v);
    if (rule == NULL || v->over_p == NULL) {
        return;
    }
    const isocast_crossing_processes *all = &v->over_p->processes;
    double looked_to = fmin(all->most, ISOCAST_CROSSING_PROCESSES);
    if (all->count == 0) {
        cli_report_footnote(report,
                            "Up to p = %.6g no number of processes keeps the rules of all "
                            "algorithm files, such as \"%s\".",
                            looked_to, rule);
    } else {
        cli_report_footnote(report,
                            "Over p those numbers of processes count that keep the rules of all "
                            "algorithm files, such as \"%s\": these are %zu up to p = %.6g.",
                            rule, all->count, looked_to);
    }
    if (all->most > looked_to) {
        cli_report_footnote(report, "Beyond p = %.6g the rules are left aside.", looked_to);
    }
}

static void add_crossings(const cli_ranking_view *v, const isocast_ranking *ranking, bool over_p,
                          cli_report *report) {
    const isocast_at axis = {.result = v, .index = over_p};
    for (size_t i = 0; i < ranking->pair_count; i++) {
        isocast_at at = {.result = v, .row = &ranking->pairs[i], .in = &axis};
        for (; at.index < ranking->pairs[i].crossings.count; at.index++) {
            cli_fields_row(report, &cli_ranking_crossings, &at);
        }
    }
}

/* Up to where all crossings of all pairs are known, where that is one number for those of which not
 * all is known; NAN elsewhere. Over p it is where samples begin. */
static double known_to(const isocast_ranking *ranking) {
    double known = NAN;
    for (size_t i = 0; i < ranking->pair_count; i++) {
        const isocast_crossings *c = &ranking->pairs[i].crossings;
        if (!c->more && c->complete_to < c->end) {
            if (known != c->complete_to && !isnan(known)) {
                return NAN;
            }
            known = c->complete_to;
        }
    }
    return known;
}

/* Pairs without a crossing, and those of which not all is known. */
static void tell_pairs(const cli_ranking_view *v, const isocast_ranking *ranking, bool over_p,
                       cli_report *report) {
    const char *axis = over_p ? "p" : size_name(v);
    double together = over_p ? known_to(ranking) : NAN;
    for (size_t i = 0; i < ranking->pair_count; i++) {
        const isocast_ranking_pair *pair = &ranking->pairs[i];
        const isocast_crossings *c = &pair->crossings;
        isocast_buffer line = {0};
        isocast_buffer_puts(&line, over_p ? "At " : "On ");
        cli_ranking_append_place(v, over_p, pair->place, &line);
        isocast_buffer_printf(&line, " %s and %s", name_of(v, pair->first),
                              name_of(v, pair->second));
        size_t length = line.length;
        if (c->alike) {
            isocast_buffer_puts(&line, " take the same time wherever that was looked at");
        } else if (c->count == 0 && c->complete_to >= c->end && v->contenders->count == 2) {
            /* One of two is fastest everywhere, which was told. */
        } else if (c->count == 0 && c->complete_to >= c->end) {
            isocast_buffer_printf(&line, " do not cross up to %s = %.6g", axis, c->end);
        } else if (c->count == 0 && c->complete_to == together) {
            isocast_buffer_printf(&line,
                                  " do not cross up to %s = %.6g, and no crossing was found up to "
                                  "%s = %.6g",
                                  axis, c->complete_to, axis, c->end);
        } else if (c->more) {
            isocast_buffer_printf(&line, " cross more often; the first %d are given",
                                  ISOCAST_CROSSINGS_MAX);
        }
        if (!c->more && c->complete_to < c->end && c->complete_to != together) {
            isocast_buffer_printf(&line,
                                  "%s: it is not certain that all crossings beyond %s = %.6g were "
                                  "found",
                                  line.length > length ? "; of these" : "", axis, c->complete_to);
        }
        if (line.length > length) {
            cli_report_footnote(report, "%s.", line.text);
        }
        isocast_buffer_free(&line);
    }
    if (!isnan(together)) {
        cli_report_footnote(report,
                            "Beyond %s = %.6g samples are looked at. It is not certain that all "
                            "crossings there were found.",
                            axis, together);
    }
}

static void add_notes(const cli_ranking_view *v, cli_report *report) {
    for (size_t value = 0; value < v->value_count; value++) {
        for (size_t k = 0; k < v->contenders->count; k++) {
            for (size_t system = 0; system < v->contenders->system_count; system++) {
                const isocast_prediction_row *row = row_at(v, value, k, system);
                if (row->note != NULL) {
                    bool ok = row->status == ISOCAST_ROW_OK;
                    cli_report_footnote(
                        report, "%s on %s, %s = %.6g: %s%s%s.", name_of(v, k), row->system,
                        v->fixed_size ? size_name(v) : "target", v->values[value],
                        ok ? "" : isocast_row_status_word(row->status), ok ? "" : ": ", row->note);
                }
            }
        }
    }
}

void cli_reports_of_ranking(const cli_ranking_view *view,
                            cli_report *reports[CLI_RANKING_REPORTS]) {
    cli_report *rows = cli_report_create();
    cli_report_title(rows, "%zu contenders, side by side%s", view->contenders->count,
                     view->value_count == 0 ? ""
                     : view->fixed_size     ? " at the same size"
                                            : ", each at the size that holds the speed-efficiency");
    cli_fields_fill(rows, &cli_ranking_rows, view, cli_ranking_row_item);
    add_notes(view, rows);
    cli_report_footnote(rows, view->fixed_size
                                  ? "T/best is T over the smallest T on the same system."
                                  : "W/best is W over the smallest W that holds the target on the "
                                    "same system.");
    if (cli_ranking_has_bill(view)) {
        cli_report_footnote(rows, "price, power and energy are of the nodes that the system uses, "
                                  "with what they need; cost is that of one run.");
    }
    cli_report *crossings = cli_report_create();
    cli_fields_head(crossings, &cli_ranking_crossings, view);
    add_crossings(view, view->over_N, false, crossings);
    if (view->over_p != NULL) {
        add_crossings(view, view->over_p, true, crossings);
    }
    cli_report_title(crossings, "%s",
                     cli_report_rows(crossings) > 0 ? "Where the faster of two changes"
                                                    : "No crossing was found");
    tell_ranges(view, view->over_N, false, crossings);
    if (view->over_p != NULL) {
        tell_ranges(view, view->over_p, true, crossings);
    }
    tell_rules(view, crossings);
    tell_pairs(view, view->over_N, false, crossings);
    if (view->over_p != NULL) {
        tell_pairs(view, view->over_p, true, crossings);
    }
    reports[0] = rows;
    reports[1] = crossings;
}
