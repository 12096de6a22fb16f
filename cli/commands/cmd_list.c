/* isocast list: what is found under names, and which command takes it. */
#include <stdlib.h>
#include <string.h>

#include "cli/options/exit.h"
#include "cli/options/options.h"
#include "cli/options/word_option.h"
#include "cli/output/json_text.h"
#include "cli/output/render.h"
#include "cli/report/schema.h"
#include "command.h"
#include "list_entries.h"
#include "model/base/diagnostic.h"

static const cli_usage usage = {
    .command = "list",
    .arguments = "[KIND]",
    .summary =
        "Lists what is found: algorithms, machines, platforms, launchers and example runs, "
        "each with its title. A KIND, such as machines, lists these alone; schema gives the JSON "
        "Schema of all results.",
    .details =
        "The names stand for the files in other commands. They are found in share/isocast/specs "
        "of the installation, or in the folder that the variable ISOCAST_SPECS names. A file "
        "that is broken is listed as such. A launcher is listed with whether its program is found "
        "in PATH.\n"
        "\n"
        "Examples:\n"
        "  isocast list\n"
        "  isocast list algorithms --format csv",
    .fewest = 0,
    .most = 1,
    .words = 1};

static const char *const status_words[] = {[LIST_OK] = "ok",
                                           [LIST_BROKEN] = "broken",
                                           [LIST_MISSING] = "missing",
                                           [LIST_OUTSIDE] = "outside"};

/* How the names of a kind are used. The example is shown where the names in it are found. */
typedef struct kind_use {
    const char *heading;
    const char *use;
    const char *example;
    const char *named; /* the entry of this kind that the example uses */
} kind_use;

static const kind_use uses[LIST_KINDS] = {
    [LIST_ALGORITHM] =
        {"Algorithms", "ALGORITHM in predict, explain, compare, sweep and validate",
         "isocast predict gaussian-elimination-published sunwulf --at N=2000 --to C2,C8",
         "gaussian-elimination-published"},
    [LIST_MACHINE] = {"Machines", "MACHINE in predict, explain, compare, sweep and validate",
                      "isocast explain gaussian-elimination-published sunwulf --at N=2000 --to C8",
                      "sunwulf"},
    [LIST_PLATFORM] = {"Platforms",
                       "PLATFORM in export, and --platform in predict, calibrate and measure",
                       "isocast predict gaussian-elimination --platform smp-16 --at N=1000 --to 4",
                       "smp-16"},
    [LIST_LAUNCHER] = {"Launchers", "--launcher in calibrate, measure, record and check",
                       "isocast calibrate --launcher mpich -o here.yaml", "mpich"},
    [LIST_RUNS] = {"Example runs", "RUNS.csv in scalability and validate, by path",
                   "--work gaussian-elimination --efficiency 0.3",
                   "sunwulf-gaussian-elimination.csv"}};

static void append_footnotes(list_kind kind, const list_entries *entries, cli_report *report) {
    const kind_use *use = &uses[kind];
    for (size_t i = 0; i < entries->count; i++) {
        const list_entry *entry = &entries->items[i];
        if (entry->status == LIST_OK && strcmp(entry->name, use->named) == 0) {
            cli_report_footnote(report, "Use: %s. For example:", use->use);
            if (kind == LIST_RUNS) {
                cli_report_footnote(report, "isocast scalability %s %s", entry->file, use->example);
            } else {
                cli_report_footnote(report, "%s", use->example);
            }
            return;
        }
    }
    cli_report_footnote(report, "Use: %s.", use->use);
}

/* The title, or in its place what is wrong with the file. */
static void append_title(const list_entry *entry, cli_report *report) {
    isocast_buffer text = {0};
    if (entry->status == LIST_BROKEN) {
        isocast_buffer_printf(&text, "broken: %s", entry->problem);
    } else if (entry->title != NULL) {
        isocast_buffer_puts(&text, entry->title);
    }
    cli_report_text(report, text.text);
    isocast_buffer_free(&text);
}

static const char *found_of(list_kind kind, const list_entry *entry) {
    bool told = kind == LIST_LAUNCHER && entry->status != LIST_BROKEN;
    return !told ? NULL : entry->problem != NULL ? entry->problem : "its program is found";
}

/* For people: one kind. */
static cli_report *kind_report(list_kind kind, const list_entries *entries) {
    cli_report *report = cli_report_create();
    bool launchers = kind == LIST_LAUNCHER;
    if (entries->count == 0) {
        cli_report_footnote(report, "%s, in %s: there are none.", uses[kind].heading,
                            entries->place);
        return report;
    }
    cli_report_title(report, "%s, in %s:", uses[kind].heading, entries->place);
    cli_report_column(report, &(cli_column){.name = "name", .kind = CLI_COLUMN_TEXT});
    cli_report_column(report,
                      &(cli_column){.name = "found", .kind = CLI_COLUMN_TEXT, .optional = true});
    cli_report_column(
        report, &(cli_column){.name = launchers ? "command" : "title", .kind = CLI_COLUMN_TEXT});
    for (size_t i = 0; i < entries->count; i++) {
        cli_report_text(report, entries->items[i].name);
        cli_report_text(report, found_of(kind, &entries->items[i]));
        append_title(&entries->items[i], report);
    }
    append_footnotes(kind, entries, report);
    return report;
}

/* For programs: all kinds in one table. all: shape [LIST_KINDS]. */
static cli_report *whole_report(const list_entries *all) {
    static const char *const columns[] = {"kind", "name", "title", "status", "problem", "file"};
    cli_report *report = cli_report_create();
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        cli_report_column(report, &(cli_column){.name = columns[i], .kind = CLI_COLUMN_TEXT});
    }
    for (size_t kind = 0; kind < LIST_KINDS; kind++) {
        for (size_t i = 0; i < all[kind].count; i++) {
            const list_entry *entry = &all[kind].items[i];
            cli_report_text(report, list_kind_words[kind]);
            cli_report_text(report, entry->name);
            cli_report_text(report, entry->title);
            cli_report_text(report, status_words[entry->status]);
            cli_report_text(report, entry->problem);
            cli_report_text(report, entry->file);
        }
    }
    return report;
}

static int write_list(const list_entries *all, const bool *wanted, const cli_common *common) {
    bool files = strcmp(common->format, "json") == 0 || strcmp(common->format, "csv") == 0;
    cli_report *reports[LIST_KINDS] = {NULL};
    size_t count = 0;
    if (files) {
        reports[count++] = whole_report(all);
    }
    for (size_t kind = 0; kind < LIST_KINDS && !files; kind++) {
        if (wanted[kind]) {
            reports[count++] = kind_report((list_kind)kind, &all[kind]);
        }
    }
    return cli_reports_write(reports, count, common);
}

static int list(const bool *wanted, const cli_common *common) {
    list_entries all[LIST_KINDS] = {{0}};
    isocast_diagnostics diagnostics = {0};
    isocast_status found = ISOCAST_OK;
    for (size_t kind = 0; kind < LIST_KINDS && found == ISOCAST_OK; kind++) {
        if (wanted[kind]) {
            found = list_entries_find((list_kind)kind, &diagnostics, &all[kind]);
        }
    }
    int status = cli_exit_of(cli_diagnostics_tell(&diagnostics, common->quiet, found));
    status = status == CLI_EXIT_OK ? write_list(all, wanted, common) : status;
    for (size_t kind = 0; kind < LIST_KINDS; kind++) {
        list_entries_free(&all[kind]);
    }
    return status;
}

/* wanted: shape [LIST_KINDS]. NULL is all kinds; one may be in the singular. */
static int choose(const char *text, bool *wanted) {
    bool known = text == NULL;
    for (size_t kind = 0; kind < LIST_KINDS; kind++) {
        wanted[kind] = text == NULL || strcmp(text, list_kind_words[kind]) == 0 ||
                       strcmp(text, list_kind_plurals[kind]) == 0;
        known = known || wanted[kind];
    }
    if (known) {
        return CLI_EXIT_OK;
    }
    return cli_word_refuse(&usage, "KIND", text, list_kind_plurals, LIST_KINDS);
}

int cmd_list(int argc, char **argv) {
    cli_common common = {0};
    const cli_option options[] = {{0}};
    const char **positional = NULL;
    size_t count = 0;
    bool wanted[LIST_KINDS];
    cli_parse parsed = cli_options_parse(&usage, options, argc, argv, &common, &positional, &count);
    int status = cli_parse_exit(parsed);
    if (parsed == CLI_PARSE_GO_ON) {
        if (count > 0 && strcmp(positional[0], "schema") == 0) {
            status = cli_json_write(cli_results_schema(), &common);
        } else {
            status = choose(count > 0 ? positional[0] : NULL, wanted);
            status = status == CLI_EXIT_OK ? list(wanted, &common) : status;
        }
    }
    free(positional);
    return status;
}
