#include "results.h"

#include <math.h>
#include <stdio.h>

#include "model/base/any.h"
#include "model/base/quantity.h"
#include "model/solve/prediction_fields.h"
#include "model/spec/bill.h"
#include "report_notes.h"
#include "report_prediction.h"

/* What a line of systems, or a choice of the number of processes, says: its rows and its JSON. */

ISOCAST_GIVES(const cli_scaling_view *, view_of, at->result)
ISOCAST_GIVES(const isocast_scaling_row *, row_of, at->row)

/* The system at its N. */
static const void *point_of(const isocast_at *at) {
    const isocast_prediction_row *point = isocast_scaling_point(row_of(at));
    return point != NULL ? point : &view_of(at)->unknown;
}

ISOCAST_GIVES(bool, has_bill,
              isocast_scaling_point(row_of(at)) != NULL &&
                  isocast_machine_has_bill(view_of(at)->subject.machine))
ISOCAST_GIVES(bool, counts_nodes,
              isocast_scaling_point(row_of(at)) != NULL &&
                  isocast_machine_counts_nodes(view_of(at)->subject.machine))

ISOCAST_GIVES(const char *, currency_of,
              isocast_currency_unit(view_of(at)->subject.machine->purchase.currency))

static const char *term_of(const isocast_at *at, size_t i, double *value) {
    const isocast_algorithm *algorithm = view_of(at)->subject.algorithm;
    const isocast_prediction_row *point = isocast_scaling_point(row_of(at));
    *value = point != NULL && i < algorithm->overhead_count ? point->terms[i] : (double)NAN;
    return i < algorithm->overhead_count ? algorithm->overhead[i].name : NULL;
}

ISOCAST_GIVES(const char *, status_of, isocast_row_status_word(row_of(at)->status))
ISOCAST_GIVES(const char *, status_in_table,
              row_of(at) == &view_of(at)->scaling->base ? "base" : status_of(at))

#define FIELD(member, kind, unit, ...)                                                             \
    ISOCAST_FIELD(#member, kind, isocast_scaling_row, member, unit, __VA_ARGS__)
#define POINT(name, kind, member, unit, ...)                                                       \
    ISOCAST_POINT(name, kind, member, unit, __VA_ARGS__, .from = point_of)
#define BILL ISOCAST_JSON, .from = point_of, .shown = has_bill
static const isocast_field row_fields[] = {
    FIELD(system, TEXT, NULL,
          "the system as it was asked for; the number of processes that was chosen; or what was to "
          "be chosen from, where none is",
          .known = true),
    FIELD(p, COUNT, NULL, "processes", .known = true),
    FIELD(C, NUMBER, "flop/s",
          "sum of the marked speeds of all processes; null where no number of processes was chosen",
          ISOCAST_FILES),
    FIELD(N, COUNT, NULL,
          "the first size parameter of the algorithm; null where the line has none on this system",
          .digits = 5),
    POINT("W", NUMBER, W, "flop", "work at N"),
    POINT("T", NUMBER, T, "s", "execution time at N, T_c + T_o", .compared = 1),
    POINT("T_low", NUMBER, T_low, "s",
          "lower end of the interval of T in a run at N: standard errors of the machine's "
          "parameters and marked speeds, the spread between launches, and the misfit of the "
          "formulas; null where the machine file does not say",
          .optional = true, .compared = 1),
    POINT("T_high", NUMBER, T_high, "s", "upper end of that interval", .optional = true,
          .compared = 1),
    POINT("T_c", NUMBER, T_c, "s", "computation time, the sequential part included", ISOCAST_FILES),
    POINT("T_o", NUMBER, T_o, "s", "communication overhead", ISOCAST_FILES),
    POINT("E", NUMBER, E, NULL, "speed-efficiency W/(T C)"),
    ISOCAST_POINT_E_LOW(ISOCAST_FILES, .from = point_of),
    ISOCAST_POINT_E_HIGH(ISOCAST_FILES, .from = point_of),
    POINT("S", NUMBER, S, "flop/s", "achieved speed W/T", ISOCAST_JSON),
    FIELD(T_alone, NUMBER, "s", "time of process 0 alone at N", ISOCAST_FILES),
    FIELD(speedup, NUMBER, NULL, "T_alone/T"),
    FIELD(efficiency, NUMBER, NULL,
          "speedup over p; over C/C_j where the nodes differ, C_j being the marked speed of "
          "process 0"),
    FIELD(scaled_speedup, NUMBER, NULL,
          "achieved speed over that of the base, or of the first row where there is none; null "
          "where a number of processes was chosen",
          .optional = true),
    FIELD(serial_fraction, NUMBER, NULL,
          "the serial fraction of Karp and Flatt, (1/speedup - 1/p)/(1 - 1/p), with p as in "
          "efficiency; null for one process",
          .optional = true),
    FIELD(overhead, NUMBER, "s",
          "total overhead over all processes, p T - T_alone, with p as in efficiency"),
    FIELD(cost, NUMBER, "s", "p T"),
    ISOCAST_POINT_MEMORY(ISOCAST_FILES, .from = point_of),
    ISOCAST_POINT_MEMORY_LIMIT(ISOCAST_JSON, .from = point_of),
    ISOCAST_POINT_CONCURRENCY(ISOCAST_JSON, .from = point_of),
    POINT("p_working", COUNT, p_working, NULL,
          "processes that T, T_c, T_o, terms and memory are computed with: those that can work at "
          "N; E and efficiency count all p",
          ISOCAST_FILES),
    ISOCAST_POINT_NODES(ISOCAST_JSON, .from = point_of, .shown = counts_nodes),
    ISOCAST_POINT_PRICE(BILL),
    ISOCAST_POINT_POWER(BILL),
    ISOCAST_POINT_ENERGY(BILL),
    ISOCAST_POINT_COST("run_cost", BILL),
    ISOCAST_CURRENCY(currency_of, ISOCAST_JSON, .shown = has_bill),
    ISOCAST_MADE("terms", NAMED, .named = term_of, "s",
                 "the overhead by term, in the algorithm's order; T_o is their sum"),
    FIELD(complete, FLAG, NULL,
          "it is proved that N is the largest on the line, or that there is none"),
    ISOCAST_TEXT("status", status_in_table, NULL, ISOCAST_ROWS),
    ISOCAST_WORD("status", status_of, isocast_row_status_words,
                 "ok; unreachable: no N is on the line; beyond-memory, beyond-concurrency: the "
                 "system has not the memory, or the algorithm not the parallelism; not-converged: "
                 "a formula or a sum has no value that is known",
                 ISOCAST_JSON),
    FIELD(note, TEXT, NULL,
          "why the status, and what is not certain or outside the measured range; null where there "
          "is nothing to say",
          ISOCAST_FILES)};
static const isocast_table scaling_rows = {"scaling_row", "one system on the line",
                                           ISOCAST_TABLE(row_fields)};
ISOCAST_OWN_ITEMS(cli_scaling_row_item, view_of(in)->scaling->row_count,
                  &view_of(in)->scaling->rows[i])
ISOCAST_OWN_ITEMS(base_item, view_of(in)->scaling->has_base, &view_of(in)->scaling->base)

ISOCAST_GIVES(const isocast_choice *, choice_of, view_of(at)->choice)

static const char *const goal_words[] = {"least-time", "most", NULL};
/* What has several reasons is the end of the list, which is no word. */
static const char *const ruler_words[] = {
#define WORD(name, word) word,
    ISOCAST_CHOICE_LIST(WORD)
#undef WORD
        NULL};
#define POINT_OF_CHOICE(member, unit, ...)                                                         \
    ISOCAST_FIELD(#member, NUMBER, isocast_choice_point, member, unit, __VA_ARGS__, .known = true)
static const isocast_field point_fields[] = {POINT_OF_CHOICE(p, NULL, "number of processes"),
                                             POINT_OF_CHOICE(T, "s", "time"),
                                             POINT_OF_CHOICE(E, NULL, "speed-efficiency")};
static const isocast_table points = {NULL, NULL, ISOCAST_TABLE(point_fields)};
ISOCAST_OWN_ITEMS(point_item, choice_of(in)->point_count, &choice_of(in)->points[i])

#define CHOICE(name, kind, member, unit, ...)                                                      \
    ISOCAST_FIELD(name, kind, isocast_choice, member, unit, __VA_ARGS__)
static const isocast_field choice_fields[] = {
    CHOICE("goal", TEXT, goal, NULL,
           "least-time: the smallest T, or one beside it within 0.1 % that fills its nodes; most: "
           "the largest number of processes with E of at least the limit",
           .words = goal_words, .known = true),
    CHOICE("efficiency", NUMBER, efficiency, NULL,
           "E is at least this; null where there is no limit"),
    CHOICE("most", NUMBER, most, NULL, "processes of the largest system that was to be looked at",
           .known = true),
    CHOICE("least_p", NUMBER, least_p, NULL,
           "number of processes with the smallest T, where one beside it that fills its nodes was "
           "chosen, whose T is longer by 0.1 % at most; else null"),
    CHOICE("least_T", NUMBER, least_T, "s", "T there; null where least_p is"),
    CHOICE("looked_at", NUMBER, looked, NULL,
           "numbers of processes, or systems, that were looked at", .known = true),
    CHOICE("complete", FLAG, complete, NULL, "all of them were, so the choice is certain"),
    CHOICE(
        "ruled_by", TEXT, ruler, NULL,
        "what keeps it from one more process (time: it takes longer; end: no more were to be "
        "looked at), or every number where none is chosen; null where these have several reasons",
        .words = ruler_words),
    ISOCAST_LIST(
        "points", point_item, &points,
        "T and E over p around the number that was chosen, as far as all processes can work; rules "
        "of p and the memory are left aside; empty where systems were listed, or none was chosen")};
static const isocast_table choice_table = {
    "choice",
    "what was asked of the number of processes, and what limits it; null where a line of systems "
    "was asked",
    ISOCAST_TABLE(choice_fields)};
ISOCAST_OWN_ITEMS(choice_item, choice_of(in) != NULL, choice_of(in))

ISOCAST_GIVES(const char *, held_of,
              isocast_line_word(choice_of(at) != NULL ? ISOCAST_LINE_SIZE
                                                      : view_of(at)->scaling->line))
ISOCAST_GIVES(double, level_at,
              choice_of(at) != NULL ? choice_of(at)->N : view_of(at)->scaling->level)
ISOCAST_GIVES(double, interval_level, isocast_scaling_interval_level(view_of(at)->scaling))

static const char *const held_words[] = {
    "size", "size-per-process", "work-per-process", "memory", "memory-per-process", "time", NULL};
static const isocast_field fields[] = {
    CLI_SCHEMA("isocast.scaling/1"),
    CLI_ALGORITHM,
    CLI_MACHINE,
    ISOCAST_WORD("held", held_of, held_words,
                 "what is the same on every system; memory: N fills what each system has; time: N "
                 "is the largest that takes no longer"),
    CLI_SIZE,
    CLI_OTHER_SIZES,
    ISOCAST_NUMBER("level", level_at, NULL,
                   "how much of it, in N, N per process, flop per process, B per process or s; "
                   "null for memory"),
    ISOCAST_NUMBER("interval_level", interval_level, NULL,
                   "the probability with which the intervals hold T and E; null where the machine "
                   "file gives no errors"),
    ISOCAST_OBJECT("choice", choice_item, &choice_table,
                   "what was asked of the number of processes; null where a line was asked"),
    ISOCAST_OBJECT("base", base_item, &scaling_rows,
                   "the system that the level is taken from; null where it was given"),
    ISOCAST_LIST("rows", cli_scaling_row_item, &scaling_rows,
                 "the systems in the order that was asked for; or one row, of what was chosen"),
    CLI_SOURCES,
    CLI_PROVENANCE};
const isocast_table cli_scaling_document = {
    "scaling",
    "isocast predict --fixed and --processes: systems along a line other than that of constant "
    "efficiency, or the number of processes to take",
    ISOCAST_TABLE(fields)};

static isocast_amount level_of(const isocast_scaling *scaling) {
    const char *unit = isocast_line_unit(scaling->line);
    return isocast_quantity_text(scaling->level, unit, unit[0] == '\0' ? 10 : 5);
}

static void append_held(const isocast_scaling *scaling, isocast_buffer *out) {
    /* What stands before and behind the level. */
    static const char *const words[][2] = {
        [ISOCAST_LINE_SIZE] = {"is held at ", " on every system (strong scaling)"},
        [ISOCAST_LINE_SIZE_PER_PROCESS] = {"grows with p: each process has ",
                                           " of it (weak scaling)"},
        [ISOCAST_LINE_WORK_PER_PROCESS] = {"is scaled so that the work per process stays ",
                                           " (weak scaling)"},
        [ISOCAST_LINE_MEMORY_PER_PROCESS] = {"is scaled so that the memory per process stays ",
                                             " (memory-bounded scaling)"},
        [ISOCAST_LINE_MEMORY] = {"is the largest that fits into the memory of each system "
                                 "(memory-bounded scaling)",
                                 ""},
        [ISOCAST_LINE_TIME] = {"is the largest that takes T = ",
                               " at most (time-bounded scaling)"}};
    const isocast_size *size = &isocast_model_algorithm(scaling->model)->sizes[0];
    bool has_level = scaling->line != ISOCAST_LINE_MEMORY;
    cli_report_append_size(size, out);
    isocast_buffer_printf(out, " %s%s%s", words[scaling->line][0],
                          has_level ? level_of(scaling).text : "", words[scaling->line][1]);
    CLI_PUT_IF(scaling->has_base && has_level, out, ", as on %s at %s = %.10g",
               scaling->base.system, size->name, scaling->base.N);
}

/* The base, where there is one, and the rows, by one index. */
static size_t all_count(const isocast_scaling *scaling) {
    return scaling->row_count + (scaling->has_base ? 1 : 0);
}

static const isocast_scaling_row *all_row(const isocast_scaling *scaling, size_t i) {
    bool has_base = scaling->has_base;
    return has_base && i == 0 ? &scaling->base : &scaling->rows[i - has_base];
}

ISOCAST_OWN_ITEMS(all_item, all_count(view_of(in)->scaling), all_row(view_of(in)->scaling, i))

static cli_remark remark_of(const void *result, size_t i) {
    const isocast_scaling_row *row = all_row(result, i);
    return (cli_remark){row->system, row->status, row->note};
}

static void add_remarks(cli_report *report, const isocast_scaling *scaling) {
    cli_report_put_remarks(report, scaling, all_count(scaling), remark_of);
    cli_report_note_restrictions(report, scaling->model);
}

static const char *first_system(const isocast_scaling *scaling) {
    if (scaling->has_base) {
        return scaling->base.system;
    }
    for (size_t i = 0; i < scaling->row_count; i++) {
        if (isfinite(scaling->rows[i].scaled_speedup)) {
            return scaling->rows[i].system;
        }
    }
    return NULL;
}

ISOCAST_ANY(is_unlike, (const isocast_scaling *s), all_count(s),
            fabs(all_row(s, i)->equivalent - all_row(s, i)->p) > 1e-9 * all_row(s, i)->p)

static void add_legend(cli_report *report, const isocast_scaling *scaling) {
    cli_note(report, "T_1 is the time of process 0 alone at the same N. speedup = T_1/T, "
                     "efficiency = speedup/p, E = W/(T C).");
    cli_note(report, "cost = p T, overhead = p T - T_1, serial_fraction = (1/speedup - 1/p)/(1 - "
                     "1/p) (Karp and Flatt).");
    double level = isocast_scaling_interval_level(scaling);
    CLI_NOTE_IF(
        !isnan(level), report,
        "T_low to T_high is the %.4g %% interval of T in a run at this N, from the standard errors "
        "that the machine file gives, the spread between launches and the misfit of the formulas.",
        100 * level);
    CLI_NOTE_IF(is_unlike(scaling), report,
                "In efficiency, overhead and serial_fraction p stands for C over the marked speed "
                "of process 0, as the nodes differ.");
    const char *first = first_system(scaling);
    if (first != NULL && scaling->line != ISOCAST_LINE_SIZE) {
        cli_note(report, "scaled_speedup is the speed W/T over that of %s.", first);
    } else if (first != NULL) {
        cli_note(report, "scaled_speedup is T of %s over T, as the work is the same.", first);
    }
}

/* Whose marked speeds E is computed with, and what E above 1 means. */
static void add_marked_speed(cli_report *report, const isocast_scaling *scaling,
                             const double *other_sizes) {
    const isocast_machine *machine = isocast_model_machine(scaling->model);
    const char *program = isocast_model_algorithm(scaling->model)->kernel;
    cli_report_note_marked_speed(report, machine, program);
    cli_above_one above = {0};
    for (size_t i = 0; i < all_count(scaling); i++) {
        const isocast_prediction_row *point = isocast_scaling_point(all_row(scaling, i));
        if (point != NULL) {
            const cli_above_one place = {
                .name = point->system, .N = point->N, .other_sizes = other_sizes};
            cli_above_one_take(&above, point->E, &place);
        }
    }
    cli_report_note_above_one(report, isocast_model_algorithm(scaling->model), machine,
                              scaling->model, program, &above);
}

static void add_title(cli_report *report, const isocast_model *model, const double *other_sizes,
                      isocast_buffer *held) {
    cli_report_subject(report, model);
    cli_report_append_other_sizes(isocast_model_algorithm(model), other_sizes, held);
    cli_report_title_take(report, held);
}

cli_scaling_view cli_scaling_view_of(const cli_prediction_run *run, const double *other_sizes,
                                     const isocast_scaling *scaling, const isocast_choice *choice) {
    cli_scaling_view view = {cli_subject_of(&run->call, &run->loaded), scaling, choice,
                             isocast_prediction_row_unknown()};
    view.subject.other_sizes = other_sizes;
    return view;
}

static cli_report *report_line(const cli_scaling_view *view, bool with_base) {
    const isocast_scaling *scaling = view->scaling;
    const double *other_sizes = view->subject.other_sizes;
    cli_report *report = cli_report_create();
    isocast_buffer held = {0};
    append_held(scaling, &held);
    add_title(report, scaling->model, other_sizes, &held);
    cli_fields_fill(report, &scaling_rows, view, with_base ? all_item : cli_scaling_row_item);
    cli_report_call(report, "N", isocast_model_algorithm(scaling->model)->sizes[0].name);
    add_remarks(report, scaling);
    add_legend(report, scaling);
    add_marked_speed(report, scaling, other_sizes);
    return report;
}

/* "Of 1 to 4096 processes" or "Of the systems". */
static void append_asked(const isocast_model *model, const isocast_choice *choice,
                         isocast_buffer *out) {
    cli_report_append_size(&isocast_model_algorithm(model)->sizes[0], out);
    isocast_buffer_printf(out, " is held at %.10g: ", choice->N);
    if (choice->goal == ISOCAST_CHOICE_MOST) {
        isocast_buffer_printf(out, "the largest number of processes with E of at least %.6g",
                              choice->efficiency);
    } else if (isnan(choice->efficiency)) {
        isocast_buffer_puts(out, "the number of processes with the smallest T");
    } else {
        isocast_buffer_printf(
            out, "the number of processes with the smallest T among those with E of at least %.6g",
            choice->efficiency);
    }
    isocast_buffer_printf(out, choice->of_list ? ", of %.0f systems" : ", from 1 to %.10g",
                          choice->of_list ? choice->looked : choice->most);
}

/* Where T is the least, and why another number of processes stands there. */
static void add_least(cli_report *report, const isocast_choice *choice) {
    const isocast_scaling_row *row = &choice->scaling->rows[0];
    if (isnan(choice->least_p)) {
        return;
    }
    double longer = isocast_scaling_point(row)->T / choice->least_T - 1;
    cli_note(report,
             "T is the least with %.10g processes, %s. With %.10g all processors of the nodes "
             "work, and T is longer by %.2g %%.",
             choice->least_p, isocast_quantity_text(choice->least_T, "s", 4).text, row->p,
             100 * longer);
}

/* Why not more processes. */
static void add_ruler(cli_report *report, const isocast_choice *choice) {
    bool filled = !isnan(choice->least_p);
    double last = fmax(choice->scaling->rows[0].p, choice->least_p);
    char more[64] = "more processes";
    if (filled) {
        snprintf(more, sizeof more, "more than %.10g processes", last);
    }
    switch (choice->ruler) {
    case ISOCAST_CHOICE_BY_TIME:
        cli_note(
            report,
            "With %s it takes longer%s: the overhead grows by more than the computation shrinks.",
            more, filled ? " than the least T" : "");
        break;
    case ISOCAST_CHOICE_BY_EFFICIENCY:
        cli_note(report, "The efficiency rules: with %s E is below %.6g.", more,
                 choice->efficiency);
        break;
    case ISOCAST_CHOICE_BY_CONCURRENCY:
        cli_note(report,
                 "The concurrency rules: no more than %.10g processes can work at this size.",
                 last);
        break;
    case ISOCAST_CHOICE_BY_MEMORY:
        cli_note(report, "The memory rules: %s need more of it than there is.", more);
        break;
    case ISOCAST_CHOICE_BY_NO_VALUE:
        cli_note(report, "With %s the formulas have no time.", more);
        break;
    case ISOCAST_CHOICE_BY_END:
        cli_note(report, "These are all that was to be looked at: with %s it may be better.", more);
        break;
    case ISOCAST_CHOICE_BY_RULES:
    case ISOCAST_CHOICE_RULERS:
        break;
    }
}

static cli_report *report_choice(const cli_scaling_view *view) {
    const isocast_choice *choice = view->choice;
    const isocast_model *model = choice->scaling->model;
    const double *other_sizes = view->subject.other_sizes;
    cli_report *report = cli_report_create();
    isocast_buffer asked = {0};
    append_asked(model, choice, &asked);
    add_title(report, model, other_sizes, &asked);
    cli_fields_fill(report, &scaling_rows, view, cli_scaling_row_item);
    cli_report_call(report, "N", isocast_model_algorithm(model)->sizes[0].name);
    if (choice->found) {
        add_least(report, choice);
        add_ruler(report, choice);
    }
    add_remarks(report, choice->scaling);
    if (choice->found) {
        add_legend(report, choice->scaling);
        add_marked_speed(report, choice->scaling, other_sizes);
    }
    CLI_NOTE_IF(!choice->complete, report,
                "This is not certain: %.0f numbers of processes were looked at, not all.",
                choice->looked);
    return report;
}

size_t cli_reports_of_scaling(const void *result, bool csv, cli_report **reports) {
    const cli_scaling_view *view = result;
    reports[0] = view->choice != NULL ? report_choice(view) : report_line(view, !csv);
    return 1;
}
