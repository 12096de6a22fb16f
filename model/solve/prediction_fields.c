#include "prediction_fields.h"

#include <math.h>
#include <string.h>

#include "model/spec/bill.h"
#include "model/spec/rules.h"

ISOCAST_GIVES(const isocast_prediction *, result_of, at->result)
ISOCAST_GIVES(const isocast_prediction_row *, row_of, at->row)
ISOCAST_GIVES(const isocast_metric_row *, metric_of, isocast_metric_row_of(result_of(at)->metric))
ISOCAST_GIVES(const isocast_machine *, machine_of, isocast_model_machine(result_of(at)->model))
ISOCAST_GIVES(bool, is_fixed_size, result_of(at)->fixed_size)
ISOCAST_GIVES(bool, is_solved_for, !is_fixed_size(at))
ISOCAST_GIVES(bool, is_isospeed_e, result_of(at)->metric == ISOCAST_METRIC_ISOSPEED_E)
ISOCAST_GIVES(bool, is_by_reference, result_of(at)->measure == ISOCAST_SIZE_BY_REFERENCE)
ISOCAST_GIVES(bool, has_factor, !is_isospeed_e(at) || is_by_reference(at))
ISOCAST_GIVES(bool, holds_speed, metric_of(at)->unit[0] != '\0')
ISOCAST_GIVES(bool, takes_time_alone, metric_of(at)->numerator == ISOCAST_NUMERATOR_TIME_ALONE)
ISOCAST_GIVES(bool, reads_latency, metric_of(at)->reading == ISOCAST_READ_LATENCY)
ISOCAST_GIVES(bool, has_bill, isocast_machine_has_bill(machine_of(at)))
ISOCAST_GIVES(bool, counts_nodes, isocast_machine_counts_nodes(machine_of(at)))

ISOCAST_GIVES(bool, has_correction,
              isocast_model_correction(result_of(at)->model) < result_of(at)->term_count)

static bool has_invalid_sizes(const isocast_at *at) {
    const isocast_model *model = result_of(at)->model;
    return isocast_valid_excludes(isocast_model_valid(model)) ||
           isocast_rules_look_at_N(isocast_model_algorithm(model));
}

ISOCAST_GIVES(bool, is_unreachable,
              is_solved_for(at) && row_of(at)->solution.status == ISOCAST_ROW_UNREACHABLE)
ISOCAST_GIVES(bool, is_several,
              is_solved_for(at) && row_of(at)->solution.status == ISOCAST_ROW_SEVERAL)

ISOCAST_GIVES(const char *, currency_of, isocast_currency_unit(machine_of(at)->purchase.currency))

static const char *reference_of(const isocast_at *at) {
    static const char *const origins[] = {
        [ISOCAST_REFERENCE_UNKNOWN] = "unknown",
        [ISOCAST_REFERENCE_DEFINITION] = "definition",
        [ISOCAST_REFERENCE_GIVEN] = "given",
        [ISOCAST_REFERENCE_MEASURED] = "measured",
    };
    return origins[row_of(at)->reference_origin];
}

ISOCAST_GIVES(const char *, status_of, isocast_row_status_word(row_of(at)->status))

/* A table has the base among the rows. */
ISOCAST_GIVES(const char *, status_in_table,
              row_of(at) == &result_of(at)->base ? "base" : status_of(at))
ISOCAST_GIVES(const char *, ruler_of, isocast_row_ruler(row_of(at)))

static const char *term_of(const isocast_at *at, size_t i, double *value) {
    if (i >= result_of(at)->term_count) {
        return NULL;
    }
    *value = row_of(at)->terms[i];
    return isocast_model_algorithm(result_of(at)->model)->overhead[i].name;
}

static bool root_of(const isocast_at *at, size_t i, double *value) {
    bool any = i < row_of(at)->solution.root_count;
    *value = any ? row_of(at)->solution.roots[i] : (double)NAN;
    return any;
}

ISOCAST_OWN_ITEMS(best_of, 1, &row_of(in)->solution)

const char *const isocast_row_status_words[] = {
#define WORD(name, word) word,
    ISOCAST_ROW_LIST(WORD)
#undef WORD
        NULL};
const char *isocast_row_status_word(isocast_row_status status) {
    enum { STATUSES = sizeof isocast_row_status_words / sizeof isocast_row_status_words[0] - 1 };
    return (unsigned)status < STATUSES ? isocast_row_status_words[status] : "unknown";
}

static const char *const reference_words[] = {"unknown", "definition", "given", "measured", NULL};
static const char *const ruler_words[] = {"efficiency", "concurrency", NULL};

#define BEST(name, kind, member, ...)                                                              \
    ISOCAST_FIELD(name, kind, isocast_solution, member, NULL, __VA_ARGS__)
static const isocast_field best_columns[] = {
    BEST("E", NUMBER, best_E, "that speed-efficiency"),
    BEST("N", NUMBER, best_N, "the N where it is"),
    BEST("at_end_of_range", FLAG, best_at_end,
         "E is largest at N_end, as far as was seen: it may rise further beyond")};
static const isocast_table best_table = {.fields = best_columns,
                                         .count = sizeof best_columns / sizeof best_columns[0]};

#define FIELD ISOCAST_POINT
#define ROWS .only = ISOCAST_FIELDS_OF_ROWS
#define BILL .shown = has_bill, .only = ISOCAST_FIELDS_OF_BILLS

static const isocast_field columns[] = {
    FIELD("system", TEXT, system, NULL,
          "the system as it was asked for: a name of the machine file, a count, a mix, k x m",
          .known = true),
    FIELD("p", COUNT, p, NULL, "processes", .known = true),
    FIELD("C", NUMBER, C, "flop/s", "sum of the marked speeds of all processes", .known = true,
          .digits = 5, .tabled = is_isospeed_e),
    FIELD("R_f", NUMBER, R_f, NULL,
          "performance reference factor of the system: what the machine file or the reference "
          "times give, else p, or C/C_j where marked speeds differ; not with isospeed-e",
          .shown = has_factor),
    FIELD("system_size", NUMBER, size, "flop/s",
          "R_f C_1, with R_f C_1 for C in E and psi; with --size reference only", ISOCAST_JSON,
          .shown = is_by_reference),
    ISOCAST_MADE("R_f_source", TEXT, .text = reference_of, NULL,
                 "where R_f comes from: the machine file's R_f or times of this very set; 1 by "
                 "definition for one process; unknown: C/C_j stands in; with --size reference only",
                 ISOCAST_JSON, .shown = is_by_reference, .words = reference_words, .known = true),
    FIELD("N", COUNT, N, NULL,
          "the first size parameter of the algorithm; null where no N meets the target",
          .digits = 5),
    FIELD("N_low", COUNT, N_low, NULL,
          "lower end of the interval of N from the standard errors of the machine's parameters, at "
          "the level of the prediction; null where it has none",
          .digits = 4, .optional = true),
    FIELD("N_high", COUNT, N_high, NULL, "upper end of that interval", .digits = 4,
          .optional = true),
    FIELD("W", NUMBER, W, "flop", "work at N"),
    FIELD("T", NUMBER, T, "s", "execution time at N, T_c + T_o"),
    FIELD("T_low", NUMBER, T_low, "s",
          "lower end of the interval of T in a run at N, at the level of the prediction: standard "
          "errors of the machine's parameters, the spread between launches, and the misfit of the "
          "formulas; null where the machine file does not say",
          .optional = true, .tabled = is_fixed_size),
    FIELD("T_high", NUMBER, T_high, "s", "upper end of that interval", .optional = true,
          .tabled = is_fixed_size),
    FIELD("T_c", NUMBER, T_c, "s", "computation time, the sequential part included",
          .tabled = is_fixed_size),
    FIELD("T_o", NUMBER, T_o, "s", "communication overhead"),
    FIELD("overlap", NUMBER, overlap, "s",
          "what executing the program of the algorithm file adds to T of its formulas, below 0 "
          "where it takes less: one of the terms of T_o; only on a platform where it was executed",
          .shown = has_correction),
    FIELD("overlap_error", NUMBER, overlap_error, "s", "its standard error", ISOCAST_FILES,
          .shown = has_correction),
    FIELD("T_alone", NUMBER, T_alone, "s",
          "T(W,1), the time of the computation on process 0 alone, without overhead; only where "
          "the efficiency is held",
          .shown = takes_time_alone),
    FIELD("L_e", NUMBER, latency, "s",
          "average overhead latency L_e = T - T(W,1)/R_f; with latency only",
          .shown = reads_latency),
    FIELD("E", NUMBER, E, NULL, "speed-efficiency W/(T C)", .tabled = is_isospeed_e),
    ISOCAST_POINT_E_LOW(ISOCAST_FILES), ISOCAST_POINT_E_HIGH(ISOCAST_FILES),
    FIELD("average_speed", NUMBER, held, "flop/s", "average speed W/(R_f T); with isospeed only",
          .shown = holds_speed),
    FIELD("efficiency", NUMBER, held, NULL, "efficiency T(W,1)/(R_f T); only where it is held",
          .shown = takes_time_alone),
    FIELD("S", NUMBER, S, "flop/s", "achieved speed W/T", .tabled = is_fixed_size),
    FIELD("N_valid_below", NUMBER, valid_N.below, NULL,
          "the largest size up to N that the algorithm's formulas hold for; null where there is "
          "none. Only where its specification says which sizes are valid",
          ISOCAST_JSON, .shown = has_invalid_sizes),
    FIELD("N_valid_above", NUMBER, valid_N.above, NULL, "the smallest such size from N on",
          ISOCAST_JSON, .shown = has_invalid_sizes),
    FIELD("speedup", NUMBER, speedup, NULL,
          "T_c of process 0 working alone over T; at a fixed size only", .optional = true, ROWS),
    FIELD("psi", NUMBER, psi, NULL,
          "scalability of the metric (C'W/(C W') with isospeed-e) to this row from the row before, "
          "from the base to the first; null in the first row without a base, and at a fixed size",
          .optional = true, ROWS),
    FIELD("psi_low", NUMBER, psi_low, NULL,
          "lower end of the interval of psi from the standard errors of the machine's parameters, "
          "at the level of the prediction; null where it has none",
          ISOCAST_FILES, ROWS),
    FIELD("psi_high", NUMBER, psi_high, NULL, "upper end of that interval", ISOCAST_FILES, ROWS),
    FIELD("psi_from_base", NUMBER, psi_from_base, NULL,
          "scalability to this row from the base (from the first row where there is none)",
          .optional = true, ROWS),
    FIELD("psi_from_base_low", NUMBER, psi_from_base_low, NULL,
          "lower end of the interval of psi_from_base, likewise", ISOCAST_FILES, ROWS),
    FIELD("psi_from_base_high", NUMBER, psi_from_base_high, NULL, "upper end of that interval",
          ISOCAST_FILES, ROWS),
    ISOCAST_POINT_MEMORY(ISOCAST_FILES), ISOCAST_POINT_MEMORY_LIMIT(ISOCAST_JSON),
    ISOCAST_POINT_CONCURRENCY(ISOCAST_JSON),
    FIELD("p_working", COUNT, p_working, NULL,
          "processes that T, T_c, T_o, terms and memory are computed with: p, or at a given N "
          "those that can work; E counts all p",
          ISOCAST_FILES),
    ISOCAST_POINT_NODES(.shown = counts_nodes, .only = ISOCAST_FIELDS_OF_BILLS),
    ISOCAST_POINT_PRICE(.optional = true, .unit_of = currency_of, BILL),
    ISOCAST_POINT_POWER(ISOCAST_FILES, BILL), ISOCAST_POINT_ENERGY(.optional = true, BILL),
    ISOCAST_POINT_COST("cost", .optional = true, .unit_of = currency_of, BILL),
    FIELD("psi_energy", NUMBER, psi_energy, NULL,
          "scalability by energy: W for a joule over that of the row before (the base, for the "
          "first), as productivity in the sense of Jogalekar and Woodside; at a fixed size null",
          .optional = true, .digits = 3, BILL),
    FIELD("psi_cost", NUMBER, psi_cost, NULL,
          "scalability by cost: W for the currency over that of the row before, likewise",
          .optional = true, .digits = 3, BILL),
    ISOCAST_CURRENCY(currency_of, ISOCAST_JSON, BILL),
    ISOCAST_MADE("terms", NAMED, .named = term_of, "s",
                 "the overhead by term, in the algorithm's order; T_o is their sum"),
    ISOCAST_MADE("status", TEXT, .text = status_in_table, NULL, NULL, .where = ISOCAST_IN_ROWS),
    ISOCAST_MADE("status", TEXT, .text = status_of, NULL,
                 "ok; unreachable: the efficiency cannot be held; beyond-memory, "
                 "beyond-concurrency: N is given, but the system has not the memory, or the "
                 "algorithm not the parallelism; several: the smallest N is given; not-converged: "
                 "no N meets the target, though E passes it; not-valid: the system breaks a rule "
                 "of the algorithm file, such as that p must be a square",
                 ISOCAST_JSON, .words = isocast_row_status_words, .known = true),
    ISOCAST_MADE("ruled_by", TEXT, .text = ruler_of, NULL,
                 "what N comes from: the efficiency that is held, or the concurrency, where all "
                 "processes can work at a larger N only; null where N was given or there is none",
                 ISOCAST_FILES, ROWS, .words = ruler_words),
    FIELD("note", TEXT, note, NULL,
          "why the status, and what is outside the measured range; null where there is nothing to "
          "say",
          ISOCAST_FILES),
    FIELD("N_efficiency", NUMBER, N_efficiency, NULL,
          "N at which the efficiency is met, or the least N where it is exceeded from there on, "
          "where the concurrency rules and N is larger; null else",
          ISOCAST_JSON, ROWS),
    FIELD("complete", FLAG, solution.complete, NULL,
          "not at a fixed size: all N that meet the target are known up to N_end (where there are "
          "more than are listed, up to the last of these); false where that is not certain",
          .shown = is_solved_for, ROWS),
    FIELD("complete_to", NUMBER, solution.complete_to, NULL,
          "all N that meet the target are known up to this N; null where nothing was searched",
          ISOCAST_JSON, .shown = is_solved_for, ROWS),
    FIELD("N_end", NUMBER, solution.N_end, NULL,
          "the search ends here: at the size's max, or where W, T or a sum is not known as a "
          "number any more",
          ISOCAST_JSON, .shown = is_solved_for, ROWS),
    ISOCAST_MADE("best", OBJECT, .item = best_of, NULL,
                 "only where unreachable: the largest speed-efficiency found; larger ones between "
                 "the sizes tried, or beyond N_end, are not excluded, but none that is the target "
                 "where complete",
                 .of = &best_table, .known = true, .shown = is_unreachable, ROWS),
    ISOCAST_MADE("roots", NUMBERS, .element = root_of, NULL,
                 "only where several: every N found that meets the target, rising", .known = true,
                 .shown = is_several, ROWS),
    FIELD("more_roots", FLAG, solution.more_roots, NULL,
          "only where several: there are more than are listed", .shown = is_several, ROWS),
    /* Last in CSV, where it moves no column that scripts may know by its place. */
    FIELD("condition", NUMBER, condition, NULL,
          "condition number of N: |d ln N/d ln E|, E being what is held. An error of E counts so "
          "many times in N; above 10, N is ill-conditioned. null where N was given, where the "
          "concurrency rules, and where E does not change with N",
          ISOCAST_FILES, ROWS)};

const isocast_table isocast_prediction_rows = {"row", "one predicted system",
                                               ISOCAST_TABLE(columns)};
const isocast_table isocast_prediction_base = {"point", "one system at N", ISOCAST_TABLE(columns),
                                               .without = ISOCAST_FIELDS_OF_ROWS};

static const char *const brief_names[] = {"system",        "p", "C",      "N",    "T", "overlap",
                                          "overlap_error", "E", "status", "note", NULL};
const isocast_table isocast_prediction_brief = {
    .meaning = "one system at N", ISOCAST_TABLE(columns), .names = brief_names};

ISOCAST_ITEMS(isocast_prediction_row_item, result_of(in)->row_count, &result_of(in)->rows[i])

ISOCAST_ITEMS(isocast_prediction_base_item, result_of(in)->has_base, &result_of(in)->base)

isocast_prediction_row isocast_prediction_row_unknown(void) {
    static const double unknown = NAN;
    isocast_prediction_row row = {.covered = NAN,
                                  .given_W = NAN,
                                  .given_T = NAN,
                                  .uncertain_low = NAN,
                                  .uncertain_high = NAN,
                                  .raise = {.complete = true, .looked_to = NAN}};
    for (size_t i = 0; i < isocast_prediction_rows.count; i++) {
        const isocast_field *column = &columns[i];
        if (column->kind == ISOCAST_FIELD_NUMBER || column->kind == ISOCAST_FIELD_COUNT) {
            memcpy((char *)&row + column->offset, &unknown, sizeof unknown);
        }
    }
    return row;
}
