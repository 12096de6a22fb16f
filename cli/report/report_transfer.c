#include "results.h"

#include <math.h>

#include "model/base/any.h"
static void append_why(const isocast_transfer *transfer, isocast_buffer *out) {
    double share = 100 * transfer->weights[ISOCAST_TRANSFER_MEMORY];
    isocast_buffer_printf(out, "%.3g %% of the time of a node is taken as bound by memory", share);
    if (transfer->evidence == 0) {
        isocast_buffer_puts(out, ", one of four kinds in equal parts: the runs show nothing of it, "
                                 "as none leaves processors of its nodes idle.");
        return;
    }
    isocast_buffer_printf(out,
                          ": runs that leave processors of their nodes idle show it (%zu pair%s of "
                          "runs, weighed with the 25 %% that stand for knowing nothing).",
                          transfer->evidence, transfer->evidence == 1 ? "" : "s");
}

ISOCAST_GIVES(const cli_transfer_view *, view_of, at->result)
ISOCAST_GIVES(const isocast_transfer_row *, row_of, at->row)
ISOCAST_GIVES(bool, has_work, view_of(at)->subject.algorithm != NULL)
ISOCAST_GIVES(bool, has_other_sizes, has_work(at) && view_of(at)->subject.algorithm->size_count > 1)

static const char *other_size_of(const isocast_at *at, size_t i, double *value) {
    const isocast_algorithm *algorithm = view_of(at)->subject.algorithm;
    if (i + 1 >= algorithm->size_count) {
        return NULL;
    }
    *value = row_of(at) != NULL ? row_of(at)->sizes[i + 1] : NAN;
    return algorithm->sizes[i + 1].name;
}

ISOCAST_GIVES(double, size_of, row_of(at)->sizes[0])

static const char *const status_words[] = {"ok", "beyond-nodes", NULL};

enum { TIMES = 1, EFFICIENCIES };
#define FIELD(name, member, kind, unit, ...)                                                       \
    ISOCAST_FIELD(name, kind, isocast_transfer_row, member, unit, __VA_ARGS__)
#define TIME(member, ...) FIELD(#member, member, NUMBER, "s", __VA_ARGS__, .compared = TIMES)
#define WORK .shown = has_work
static const isocast_field row_fields[] = {
    ISOCAST_COUNT("N", size_of, "the size, the algorithm's first", .known = true),
    ISOCAST_MADE("other_sizes", NAMED, .named = other_size_of, NULL,
                 "the further size parameters, by name", .known = true, .shown = has_other_sizes,
                 .where = ISOCAST_IN_JSON | ISOCAST_IN_ROWS, .spread = ISOCAST_FIELD_COUNT),
    FIELD("nodes", nodes, COUNT, NULL, "nodes on both machines", .known = true),
    FIELD("p_here", p_here, COUNT, NULL, "processes of the runs", .heading = "p here",
          .known = true),
    FIELD("p", p, COUNT, NULL, "processes there", .heading = "p there", .known = true),
    TIME(T_here, "median of the runs", .heading = "T here", .known = true),
    TIME(T, "time there; null where that machine has fewer nodes, like what follows from it",
         .heading = "T there"),
    TIME(T_low, "lower end of the 90 % interval of T"),
    TIME(T_high, "upper end"),
    TIME(T_by_memory, "T_here by the bare ratio of memory bandwidths", .heading = "by memory"),
    TIME(T_by_speed, "T_here by the bare ratio of the speeds of all processors of a node",
         .heading = "by speed"),
    FIELD("rest", rest, SHARE, NULL, "share of T that more nodes do not shorten", .digits = 2),
    FIELD("W", W, NUMBER, "flop", "work; with an algorithm, like the next ones", ISOCAST_FILES,
          WORK),
    FIELD("E_here", E_here, NUMBER, NULL, "speed-efficiency of the runs", .heading = "E here",
          .compared = EFFICIENCIES, WORK),
    FIELD("E", E, NUMBER, NULL, "speed-efficiency there", .heading = "E there",
          .compared = EFFICIENCIES, WORK),
    FIELD("E_low", E_low, NUMBER, NULL, "lower end of its 90 % interval", .compared = EFFICIENCIES,
          WORK),
    FIELD("E_high", E_high, NUMBER, NULL, "upper end", .compared = EFFICIENCIES, WORK),
    FIELD("N_there", N, NUMBER, NULL,
          "the first size with which E there is E_here, on as many nodes; null beyond the sizes of "
          "the runs",
          .heading = "N'", WORK),
    FIELD("N_there_low", N_low, NUMBER, NULL, "lower end of its 90 % interval", .heading = "N'_low",
          .optional = true, WORK),
    FIELD("N_there_high", N_high, NUMBER, NULL, "upper end", .heading = "N'_high", .optional = true,
          WORK),
    FIELD("psi", psi, NUMBER, NULL, "C'W/(C W') from here to there, with that size", WORK),
    FIELD("status", status, TEXT, NULL,
          "whether T is predicted; beyond-nodes: the other machine has fewer nodes",
          .words = status_words, .known = true)};
static const isocast_table row_table =
    ISOCAST_TABLE_OF(row_fields, "one size on one number of nodes");
ISOCAST_OWN_ITEMS(row_item, view_of(in)->transfer->count, &view_of(in)->transfer->rows[i])

static const char *const kind_words[] = {"memory", "caches", "issue", "vectors", NULL};

ISOCAST_GIVES(const char *, kind_of, kind_words[at->index])
ISOCAST_GIVES(double, share_of, view_of(at)->transfer->weights[at->index])
ISOCAST_GIVES(double, ratio_of, view_of(at)->transfer->ratios[at->index])

static const isocast_field kind_fields[] = {
    ISOCAST_WORD("kind", kind_of, kind_words,
                 "memory: the bandwidth of a node; caches and issue: processors and clock; "
                 "vectors: processors and their speed"),
    ISOCAST_NUMBER("share", share_of, NULL, "share of the time of a node that is taken to go by it",
                   .known = true),
    ISOCAST_NUMBER("ratio", ratio_of, NULL, "what a full node takes by it there, over here",
                   .known = true)};
static const isocast_table kinds = ISOCAST_TABLE_OF(kind_fields, "one of them");
ISOCAST_OWN_ITEMS(kind_item, ISOCAST_TRANSFER_KINDS, in->row)

ISOCAST_GIVES(const char *, file_of, at->index == 0 ? view_of(at)->from_path : view_of(at)->to_path)

ISOCAST_OWN_ITEMS(from_item, 1, view_of(in)->request->from.machine)

static bool to_item(const isocast_at *in, size_t i, isocast_at *out) {
    out->row = view_of(in)->request->to.machine;
    out->index = 1;
    return i == 0;
}

static const isocast_field site_fields[] = {
    ISOCAST_FIELD("name", TEXT, isocast_machine, name, NULL, "its name", .known = true),
    ISOCAST_FIELD("source", TEXT, isocast_machine, source, NULL,
                  "where its figures come from; null where the file does not state it"),
    ISOCAST_TEXT("file", file_of, "the file it was read from", .known = true)};
static const isocast_table site = {NULL, NULL, ISOCAST_TABLE(site_fields)};

ISOCAST_GIVES(const void *, from_transfer, view_of(at)->transfer)

ISOCAST_PUTS(put_why, append_why(view_of(at)->transfer, out))

ISOCAST_GIVES(const char *, algorithm_of,
              has_work(at) ? view_of(at)->subject.algorithm->name : NULL)
ISOCAST_GIVES(bool, is_same_clock, !view_of(at)->transfer->has_clock)
ISOCAST_GIVES(bool, is_same_network, !view_of(at)->transfer->has_network)

static const isocast_field fields[] = {
    CLI_SCHEMA("isocast.transfer/1"),
    CLI_RUNS("the file of runs"),
    ISOCAST_OBJECT("from", from_item, &site, "the machine of the runs", .known = true),
    ISOCAST_OBJECT("to", to_item, &site, "the machine of T", .known = true),
    ISOCAST_TEXT("algorithm", algorithm_of,
                 "name of the algorithm whose work was taken; null for none"),
    ISOCAST_LIST("kinds", kind_item, &kinds, "what the time of a node goes by"),
    ISOCAST_FIELD("evidence", COUNT, isocast_transfer, evidence, NULL,
                  "pairs of runs that show the share of memory", .from = from_transfer,
                  .is_size = true, .known = true),
    ISOCAST_PUT("why", put_why, "what share is taken as bound by memory, and why", .known = true),
    ISOCAST_FLAG("same_clock", is_same_clock,
                 "whether the clock counts as the same, as a file does not state it"),
    ISOCAST_FLAG("same_network", is_same_network,
                 "whether the network counts as the same, likewise"),
    ISOCAST_LIST("rows", row_item, &row_table, "by size, then nodes"),
    CLI_VERSION,
    CLI_COMMAND};
const isocast_table cli_transfer_document = {
    "transfer", "isocast transfer: runs of one machine, predicted on another",
    ISOCAST_TABLE(fields)};

ISOCAST_ANY(goes_beyond, (const isocast_transfer *t), t->count,
            t->rows[i].status == ISOCAST_TRANSFER_BEYOND)
ISOCAST_ANY(is_sizeless, (const isocast_transfer *t), t->count,
            t->rows[i].status == ISOCAST_TRANSFER_OK && isnan(t->rows[i].N))

static void add_footnotes(cli_report *report, const cli_transfer_view *view) {
    const isocast_transfer *t = view->transfer;
    const char *there = view->request->to.machine->name;
    isocast_buffer why = {0};
    append_why(t, &why);
    cli_note_take(report, &why);
    double mean = 0;
    for (size_t k = 0; k < ISOCAST_TRANSFER_KINDS; k++) {
        mean += t->weights[k] * log(t->ratios[k]);
    }
    cli_note(report,
             "A full node of %s is taken as %.3g times as fast: %.3g times by its memory "
             "bandwidth, %.3g times by processors and clock, %.3g times by their speed.",
             there, exp(-mean), 1 / t->ratios[ISOCAST_TRANSFER_MEMORY],
             1 / t->ratios[ISOCAST_TRANSFER_ISSUE], 1 / t->ratios[ISOCAST_TRANSFER_VECTORS]);
    cli_note(report, "T_low to T_high: 90 %% interval, by what is not known of these shares and by "
                     "how far such transfers were off.");
    cli_note(report, "by memory, by speed: T by the bare ratio of memory bandwidths and of speeds. "
                     "rest: the share of T there that more nodes do not shorten.");
    CLI_NOTE_IF(!t->has_clock, report,
                "One of the files does not state the frequency of its processors, which counts as "
                "the same on both machines.");
    CLI_NOTE_IF(!t->has_network, report,
                "One of the files does not state latency and bandwidth of its network, which count "
                "as the same on both machines.");
    CLI_NOTE_IF(goes_beyond(t), report, "beyond-nodes: %s has %.10g nodes.", there,
                view->request->to.machine->classes[0].count);
    CLI_NOTE_IF(view->subject.algorithm != NULL, report,
                "N': the size with which E there is E here, on as many nodes%s; psi = C'W/(C W') "
                "from here to there.",
                is_sizeless(t) ? "; it lies beyond the sizes that were run where it is missing"
                               : "");
}

size_t cli_reports_of_transfer(const void *result, bool csv, cli_report **reports) {
    (void)csv;
    const cli_transfer_view *view = result;
    cli_report *report = cli_fields_report(
        &row_table, view, row_item, "T on %s by the runs of %s on %s, on as many nodes",
        view->request->to.machine->name, view->subject.runs, view->request->from.machine->name);
    if (view->subject.algorithm != NULL) {
        cli_report_call(report, "N", view->subject.algorithm->sizes[0].name);
    }
    add_footnotes(report, view);
    reports[0] = report;
    return 1;
}
