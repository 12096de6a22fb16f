/* isocast list: what is found under names, and which command takes it. */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calibrate/campaign/launcher.h"
#include "cli/options/exit.h"
#include "cli/options/launcher_option.h"
#include "cli/options/load.h"
#include "cli/options/locate.h"
#include "cli/options/options.h"
#include "cli/options/word_option.h"
#include "cli/output/json_text.h"
#include "cli/output/render.h"
#include "cli/report/schema.h"
#include "command.h"
#include "isocast/status.h"
#include "model/base/array.h"
#include "model/base/diagnostic.h"
#include "model/base/quantity.h"
#include "model/base/text.h"
#include "model/runs/runs.h"
#include "model/spec/algorithm_load.h"
#include "model/spec/machine_load.h"
#include "model/spec/platform_load.h"

/* What a specification or a file of runs is, in one line: its title, or else what it holds. */

typedef enum list_kind {
    LIST_ALGORITHM,
    LIST_MACHINE,
    LIST_PLATFORM,
    LIST_LAUNCHER,
    LIST_RUNS,
    LIST_KINDS
} list_kind;

static void append_count(double count, const char *what, isocast_buffer *out) {
    isocast_buffer_printf(out, "%.15g %s%s", count, what, count == 1 ? "" : "s");
}

/* "128 nodes with 1 processor of 10 Gflop/s". */
static void append_nodes(const isocast_node_class *classes, size_t count, isocast_buffer *out) {
    for (size_t i = 0; i < count; i++) {
        const isocast_node_class *class = &classes[i];
        isocast_buffer_puts(out, i > 0 ? ", " : "");
        append_count(class->count, "node", out);
        isocast_buffer_puts(out, " with ");
        append_count(class->processors, "processor", out);
        isocast_buffer_puts(out, " of ");
        isocast_quantity_format(class->marked_speed, "flop/s", 3, out);
    }
}

/* The key `title`, or else the nodes. False where it was these. */
static bool append_machine(const isocast_machine *machine, isocast_buffer *out) {
    const isocast_tree_entry *title = isocast_tree_find(&machine->tree->root, "title");
    if (title != NULL && title->value.kind == ISOCAST_TREE_SCALAR) {
        isocast_buffer_puts(out, title->value.text);
        return true;
    }
    append_nodes(machine->classes, machine->class_count, out);
    return false;
}

static void append_platform(const isocast_platform *platform, isocast_buffer *out) {
    if (!append_machine(platform->hardware, out)) {
        const isocast_network *network = &platform->network;
        isocast_buffer_printf(out, ", %s, ", isocast_topology_name(network->topology));
        isocast_quantity_format(8 * network->link_bandwidth, "bit/s", 3, out);
    }
}

/* The comment in the first line; nothing where that is none. */
static void append_comment(const isocast_runs *runs, isocast_buffer *out) {
    const char *text = runs->source->text;
    if (text[0] == '#') {
        text += 1 + strspn(text + 1, " \t");
        isocast_buffer_append(out, text, strcspn(text, "\r\n"));
    }
}

/* What is spoken of an entry; of a launcher its command is the title. The sizes are those of an
 * algorithm, "N, K=8" with what it is where it is not given, and the problem is what is behind the
 * status. */
enum { LIST_NAME, LIST_TITLE, LIST_SIZES, LIST_PROBLEM, LIST_FILE, LIST_TEXTS };

static void append_algorithm(const isocast_algorithm *algorithm, isocast_buffer *texts) {
    isocast_buffer_puts(&texts[LIST_TITLE], algorithm->title != NULL ? algorithm->title : "");
    for (size_t i = 0; i < algorithm->size_count; i++) {
        const isocast_size *size = &algorithm->sizes[i];
        isocast_buffer_printf(&texts[LIST_SIZES], "%s%s", i > 0 ? ", " : "", size->name);
        if (!isnan(size->fallback)) {
            isocast_buffer_printf(&texts[LIST_SIZES], "=%.10g", size->fallback);
        }
    }
}

/* Loads the file, checks all of it, and appends what it states to the texts of its entry. Errors,
 * each with diagnostics: IO, INVALID, NO_MEMORY. */
typedef isocast_status title_reader(const char *path, isocast_diagnostics *diagnostics,
                                    isocast_buffer *texts);
#define TITLE_READER(what, load, ...)                                                              \
    static isocast_status read_##what(const char *path, isocast_diagnostics *diagnostics,          \
                                      isocast_buffer *texts) {                                     \
        isocast_##what *file = NULL;                                                               \
        isocast_status status = load(path, diagnostics, &file);                                    \
        if (status == ISOCAST_OK) {                                                                \
            __VA_ARGS__;                                                                           \
        }                                                                                          \
        isocast_##what##_free(file);                                                               \
        return status;                                                                             \
    }
TITLE_READER(algorithm, isocast_algorithm_load, append_algorithm(file, texts))
TITLE_READER(machine, isocast_machine_load, append_machine(file, &texts[LIST_TITLE]))
TITLE_READER(platform, isocast_platform_load, append_platform(file, &texts[LIST_TITLE]))
TITLE_READER(runs, isocast_runs_load_list, append_comment(file, &texts[LIST_TITLE]))

/* How a kind is called and read, and how its names are used. The example is shown where the names
 * in it are found. */
static const struct {
    const char *word;
    const char *heading;
    title_reader *read; /* NULL: all are rows of one file */
    const char *use;
    const char *example;
    const char *named; /* the entry of this kind that the example uses */
} kinds[LIST_KINDS] = {
    [LIST_ALGORITHM] =
        {"algorithm", "Algorithms", read_algorithm,
         "ALGORITHM in predict, explain, compare, sweep and validate",
         "isocast predict gaussian-elimination-published sunwulf --at N=2000 --to C2,C8",
         "gaussian-elimination-published"},
    [LIST_MACHINE] = {"machine", "Machines", read_machine,
                      "MACHINE in predict, explain, compare, sweep and validate",
                      "isocast explain gaussian-elimination-published sunwulf --at N=2000 --to C8",
                      "sunwulf"},
    [LIST_PLATFORM] = {"platform", "Platforms", read_platform,
                       "PLATFORM in export, and --platform in predict, calibrate and measure",
                       "isocast predict gaussian-elimination --platform smp-16 --at N=1000 --to 4",
                       "smp-16"},
    [LIST_LAUNCHER] = {"launcher", "Launchers", NULL,
                       "--launcher in calibrate, measure, record and check",
                       "isocast calibrate --launcher mpich -o here.yaml", "mpich"},
    [LIST_RUNS] = {
        "runs", "Example runs", read_runs, "RUNS.csv in scalability and validate, by path",
        "--work gaussian-elimination --efficiency 0.3", "sunwulf-gaussian-elimination.csv"}};
static const char *const kind_plurals[LIST_KINDS] = {"algorithms", "machines", "platforms",
                                                     "launchers", "runs"};

typedef enum list_status {
    LIST_OK,
    LIST_BROKEN,  /* the file has errors */
    LIST_MISSING, /* the program of a launcher is not found */
    LIST_OUTSIDE  /* a launcher works in a batch job, and this is none */
} list_status;

typedef struct list_entry {
    isocast_buffer texts[LIST_TEXTS]; /* without control characters; NULL: there is none */
    list_status status;
} list_entry;

/* Those of one kind: files by their names, launchers as in their table. Start from {0}. */
typedef struct list_entries {
    list_entry *items; /* [count] */
    size_t count, capacity;
    char *place; /* the folder, or the file of launchers, that was looked at */
} list_entries;

/* Takes the control characters out. False where memory is short. */
static bool clean(isocast_buffer *text) {
    isocast_buffer clean = {.failed = text->failed};
    if (text->length > 0) {
        isocast_buffer_puts(&clean, "");
        isocast_text_clean(text->text, text->length, "", &clean);
    }
    isocast_buffer_free(text);
    *text = clean;
    return !clean.failed;
}

static void free_entry(list_entry *entry) {
    for (size_t i = 0; i < LIST_TEXTS; i++) {
        isocast_buffer_free(&entry->texts[i]);
    }
}

/* Takes the entry over. */
static isocast_status add(list_entries *entries, list_entry *entry) {
    bool room = isocast_array_grow((void **)&entries->items, entries->count, &entries->capacity,
                                   sizeof *entries->items);
    for (size_t i = 0; i < LIST_TEXTS; i++) {
        room = clean(&entry->texts[i]) && room;
    }
    if (!room) {
        free_entry(entry);
        return ISOCAST_NO_MEMORY;
    }
    entries->items[entries->count++] = *entry;
    return ISOCAST_OK;
}

/* What is wrong with a file, in one line. */
static void describe_errors(const isocast_diagnostics *diagnostics, isocast_buffer *out) {
    for (size_t i = 0; i < diagnostics->count; i++) {
        const isocast_diagnostic *first = &diagnostics->items[i];
        if (first->severity != ISOCAST_ERROR) {
            continue;
        }
        if (first->line > 0) {
            isocast_buffer_printf(out, "line %zu: ", first->line);
        }
        isocast_buffer_puts(out, first->message);
        if (diagnostics->errors > 1) {
            isocast_buffer_printf(out, " (and %zu more)", diagnostics->errors - 1);
        }
        return;
    }
    isocast_buffer_puts(out, "it cannot be read");
}

/* What is wrong with the file is reported by its entry, what is wrong with the system by
 * diagnostics.
 */
static isocast_status add_file(list_kind kind, const char *name, size_t name_length,
                               isocast_diagnostics *diagnostics, list_entries *entries) {
    list_entry d = {.status = LIST_OK};
    isocast_buffer *file = &d.texts[LIST_FILE];
    isocast_buffer_append(&d.texts[LIST_NAME], name, name_length);
    isocast_buffer_printf(file, "%s/%s", entries->place, name);
    isocast_status status =
        file->failed ? ISOCAST_NO_MEMORY : kinds[kind].read(file->text, diagnostics, d.texts);
    if (status == ISOCAST_INVALID && !diagnostics->failed) {
        d.status = LIST_BROKEN;
        describe_errors(diagnostics, &d.texts[LIST_PROBLEM]);
        status = ISOCAST_OK;
    }
    if (status != ISOCAST_IO) {
        status = diagnostics->failed ? ISOCAST_NO_MEMORY : status;
        isocast_diagnostics_clear(diagnostics);
    }
    isocast_status added = add(entries, &d);
    return status != ISOCAST_OK ? status : added;
}

/* The length of a file's name without the ending; 0 where it has another one. */
static size_t stem_length(const char *name, const char *ending) {
    bool ends = isocast_text_ends(name, ending) && name[0] != '.';
    return ends ? strlen(name) - strlen(ending) : 0;
}

static int compare_names(const void *a, const void *b) {
    const list_entry *first = a;
    const list_entry *second = b;
    return strcmp(first->texts[LIST_NAME].text, second->texts[LIST_NAME].text);
}

/* A folder that cannot be read is no fault of a file. */
static isocast_status note_failure(isocast_diagnostics *diagnostics, const char *place, int cause) {
    isocast_status status = isocast_diagnostics_add_failure(diagnostics, place, "read", cause);
    return status == ISOCAST_NO_MEMORY ? status : ISOCAST_IO;
}

static isocast_status find_files(list_kind kind, isocast_diagnostics *diagnostics,
                                 list_entries *out) {
    const char *ending = kind == LIST_RUNS ? ".csv" : ".yaml";
    struct dirent **files = NULL;
    int found = scandir(out->place, &files, NULL, NULL);
    if (found < 0) {
        bool none = errno == ENOENT || errno == ENOTDIR;
        return none ? ISOCAST_OK : note_failure(diagnostics, out->place, errno);
    }
    isocast_status status = ISOCAST_OK;
    for (int i = 0; i < found; i++) {
        const char *name = files[i]->d_name;
        size_t length = stem_length(name, ending);
        if (length > 0 && status == ISOCAST_OK) {
            /* Runs are named by their files, specifications without the ending. */
            length = kind == LIST_RUNS ? strlen(name) : length;
            status = add_file(kind, name, length, diagnostics, out);
        }
        free(files[i]);
    }
    free(files);
    if (out->count > 0) {
        qsort(out->items, out->count, sizeof *out->items, compare_names);
    }
    return status;
}

/* Whether it can be used here and now. */
static void judge_launcher(const cli_launcher_row *row, list_entry *d) {
    const char *command = row->command != NULL ? row->command : "";
    isocast_buffer *problem = &d->texts[LIST_PROBLEM];
    isocast_buffer program = {0};
    isocast_buffer_append(&program, command, strcspn(command, " \t"));
    if (program.failed) {
        problem->failed = true;
    } else if (program.length == 0) {
        d->status = LIST_BROKEN;
        isocast_buffer_puts(problem, "it has no command");
    } else if (!launcher_is_installed(program.text)) {
        d->status = LIST_MISSING;
        isocast_buffer_printf(problem, "%s is not on PATH", program.text);
    } else if (row->inside != NULL && getenv(row->inside) == NULL) {
        d->status = LIST_OUTSIDE;
        isocast_buffer_printf(problem, "%s is found, but works only where %s is set", program.text,
                              row->inside);
    }
    isocast_buffer_puts(&d->texts[LIST_TITLE], command);
    isocast_buffer_free(&program);
}

static isocast_status add_launchers(const isocast_tree *table, list_entries *out) {
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < cli_launcher_table_count(table) && status == ISOCAST_OK; i++) {
        cli_launcher_row row = cli_launcher_table_row(table, i);
        list_entry d = {.status = LIST_OK};
        isocast_buffer_puts(&d.texts[LIST_NAME], row.key->text);
        isocast_buffer_puts(&d.texts[LIST_FILE], out->place);
        judge_launcher(&row, &d);
        status = add(out, &d);
    }
    return status;
}

/* A table that cannot be read is one entry, which says why. */
static isocast_status add_broken_table(const isocast_diagnostics *diagnostics, list_entries *out) {
    list_entry d = {.status = LIST_BROKEN};
    const char *slash = strrchr(out->place, '/');
    isocast_buffer_puts(&d.texts[LIST_NAME], slash != NULL ? slash + 1 : out->place);
    isocast_buffer_puts(&d.texts[LIST_FILE], out->place);
    describe_errors(diagnostics, &d.texts[LIST_PROBLEM]);
    return add(out, &d);
}

static isocast_status find_launchers(isocast_diagnostics *diagnostics, list_entries *out) {
    if (access(out->place, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR)) {
        return ISOCAST_OK;
    }
    isocast_tree *table = NULL;
    isocast_status status = cli_launcher_table_read(out->place, diagnostics, &table);
    if (status == ISOCAST_OK) {
        status = add_launchers(table, out);
        isocast_tree_free(table);
    } else if (status == ISOCAST_INVALID && !diagnostics->failed) {
        status = add_broken_table(diagnostics, out);
    }
    if (status != ISOCAST_IO) {
        status = diagnostics->failed ? ISOCAST_NO_MEMORY : status;
        isocast_diagnostics_clear(diagnostics);
    }
    return status;
}

/* A folder that is not there has no entries. Errors: IO, with diagnostics, where the system fails
 * or a folder may not be read; NO_MEMORY. */
static isocast_status find_entries(list_kind kind, isocast_diagnostics *diagnostics,
                                   list_entries *out) {
    bool launchers = kind == LIST_LAUNCHER;
    out->place = cli_locate_specs(launchers ? "launchers.yaml" : kind_plurals[kind]);
    if (out->place == NULL) {
        return note_failure(diagnostics, "/proc/self/exe", errno);
    }
    return launchers ? find_launchers(diagnostics, out) : find_files(kind, diagnostics, out);
}

static void free_entries(list_entries *entries) {
    for (size_t i = 0; i < entries->count; i++) {
        free_entry(&entries->items[i]);
    }
    free(entries->items);
    free(entries->place);
    *entries = (list_entries){0};
}

static const cli_usage usage = {
    .command = "list",
    .arguments = "[KIND] [MACHINE]",
    .summary =
        "Lists what is found: algorithms, machines, platforms, launchers and example runs, "
        "each with its title. A KIND, such as machines, lists these alone; schema gives the JSON "
        "Schema of all results; systems with a MACHINE gives its systems and node classes.",
    .details =
        "The names stand for the files in other commands. They are found in share/isocast/specs "
        "of the installation, or in the folder that the variable ISOCAST_SPECS names. A file "
        "that is broken is listed as such. A launcher is listed with whether its program is found "
        "in PATH.\n"
        "\n"
        "Examples:\n"
        "  isocast list\n"
        "  isocast list systems sunwulf\n"
        "  isocast list algorithms --format csv",
    .fewest = 0,
    .most = 2,
    .words = 1};

static const char *const status_words[] = {[LIST_OK] = "ok",
                                           [LIST_BROKEN] = "broken",
                                           [LIST_MISSING] = "missing",
                                           [LIST_OUTSIDE] = "outside"};

static void append_footnotes(list_kind kind, const list_entries *entries, cli_report *report) {
    CLI_NOTE_IF(
        kind == LIST_ALGORITHM, report,
        "sizes: --at gives the first one (--at N=1000), --set each further one (--set K=8).");
    for (size_t i = 0; i < entries->count; i++) {
        const list_entry *entry = &entries->items[i];
        if (entry->status == LIST_OK &&
            strcmp(entry->texts[LIST_NAME].text, kinds[kind].named) == 0) {
            cli_note(report, "Use: %s. For example:", kinds[kind].use);
            if (kind == LIST_RUNS) {
                cli_note(report, "isocast scalability %s %s", entry->texts[LIST_FILE].text,
                         kinds[kind].example);
            } else {
                cli_note(report, "%s", kinds[kind].example);
            }
            return;
        }
    }
    cli_note(report, "Use: %s.", kinds[kind].use);
}

/* The title, or in its place what is wrong with the file. */
static void append_title(const list_entry *entry, cli_report *report) {
    isocast_buffer text = {0};
    if (entry->status == LIST_BROKEN) {
        isocast_buffer_printf(&text, "broken: %s", entry->texts[LIST_PROBLEM].text);
    } else if (entry->texts[LIST_TITLE].text != NULL) {
        isocast_buffer_puts(&text, entry->texts[LIST_TITLE].text);
    }
    cli_report_text(report, text.text);
    isocast_buffer_free(&text);
}

/* A table has room for three names; files have all. */
static void append_sizes(const char *sizes, cli_report *report) {
    isocast_buffer text = {0};
    const char *end = sizes;
    for (int i = 0; end != NULL && i < 3; i++) {
        end = strchr(end + (i > 0), ',');
    }
    if (end != NULL) {
        isocast_buffer_append(&text, sizes, (size_t)(end - sizes));
        isocast_buffer_puts(&text, ", ...");
    }
    cli_report_text(report, end != NULL ? text.text : sizes);
    isocast_buffer_free(&text);
}

static const char *found_of(list_kind kind, const list_entry *entry) {
    const char *problem = entry->texts[LIST_PROBLEM].text;
    bool reported = kind == LIST_LAUNCHER && entry->status != LIST_BROKEN;
    return !reported ? NULL : problem != NULL ? problem : "its program is found";
}

/* For people: one kind. */
static cli_report *kind_report(list_kind kind, const list_entries *entries) {
    cli_report *report = cli_report_create();
    bool launchers = kind == LIST_LAUNCHER;
    if (entries->count == 0) {
        cli_note(report, "%s, in %s: there are none.", kinds[kind].heading, entries->place);
        return report;
    }
    cli_report_title(report, "%s, in %s:", kinds[kind].heading, entries->place);
    cli_report_column(report, &(cli_column){.name = "name", .kind = CLI_COLUMN_TEXT});
    cli_report_column(report,
                      &(cli_column){.name = "sizes", .kind = CLI_COLUMN_TEXT, .optional = true});
    cli_report_column(report,
                      &(cli_column){.name = "found", .kind = CLI_COLUMN_TEXT, .optional = true});
    cli_report_column(
        report, &(cli_column){.name = launchers ? "command" : "title", .kind = CLI_COLUMN_TEXT});
    for (size_t i = 0; i < entries->count; i++) {
        cli_report_text(report, entries->items[i].texts[LIST_NAME].text);
        append_sizes(entries->items[i].texts[LIST_SIZES].text, report);
        cli_report_text(report, found_of(kind, &entries->items[i]));
        append_title(&entries->items[i], report);
    }
    append_footnotes(kind, entries, report);
    return report;
}

/* For programs: all kinds in one table. all: shape [LIST_KINDS]. */
static cli_report *whole_report(const list_entries *all) {
    static const char *const columns[] = {"kind",   "name",    "sizes", "title",
                                          "status", "problem", "file"};
    cli_report *report = cli_report_create();
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        cli_report_column(report, &(cli_column){.name = columns[i], .kind = CLI_COLUMN_TEXT});
    }
    for (size_t kind = 0; kind < LIST_KINDS; kind++) {
        for (size_t i = 0; i < all[kind].count; i++) {
            const list_entry *entry = &all[kind].items[i];
            cli_report_text(report, kinds[kind].word);
            cli_report_text(report, entry->texts[LIST_NAME].text);
            cli_report_text(report, entry->texts[LIST_SIZES].text);
            cli_report_text(report, entry->texts[LIST_TITLE].text);
            cli_report_text(report, status_words[entry->status]);
            cli_report_text(report, entry->texts[LIST_PROBLEM].text);
            cli_report_text(report, entry->texts[LIST_FILE].text);
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
            found = find_entries((list_kind)kind, &diagnostics, &all[kind]);
        }
    }
    int status = cli_exit_with(&diagnostics, common->quiet, found);
    CLI_THEN(status, write_list(all, wanted, common));
    for (size_t kind = 0; kind < LIST_KINDS; kind++) {
        free_entries(&all[kind]);
    }
    return status;
}

/* wanted: shape [LIST_KINDS]. NULL is all kinds; one may be in the singular. */
static int choose(const char *text, bool *wanted) {
    bool known = text == NULL;
    for (size_t kind = 0; kind < LIST_KINDS; kind++) {
        wanted[kind] = text == NULL || strcmp(text, kinds[kind].word) == 0 ||
                       strcmp(text, kind_plurals[kind]) == 0;
        known = known || wanted[kind];
    }
    if (known) {
        return CLI_EXIT_OK;
    }
    return cli_word_refuse(&usage, "KIND", text, kind_plurals, LIST_KINDS);
}

/* What --to takes: the systems that the file names, and the classes that mixes name. */
static int list_systems(const cli_call *call) {
    cli_loaded loaded = {0};
    if (call->count < 2) {
        return cli_usage_error(&usage, "write isocast list systems MACHINE");
    }
    int status = cli_load_hardware(call->positional[1], call->common.quiet, &loaded);
    if (status == CLI_EXIT_OK) {
        const isocast_machine *machine =
            loaded.platform != NULL ? loaded.platform->hardware : loaded.machine;
        cli_report *report = cli_report_create();
        cli_report_title(report,
                         "Systems and node classes of %s, for --to and --base:", machine->name);
        cli_report_column(report, &(cli_column){.name = "kind", .kind = CLI_COLUMN_TEXT});
        cli_report_column(report, &(cli_column){.name = "name", .kind = CLI_COLUMN_TEXT});
        cli_report_column(report, &(cli_column){.name = "nodes", .kind = CLI_COLUMN_TEXT});
        for (size_t i = 0; i < machine->system_count; i++) {
            cli_report_text(report, "system");
            cli_report_text(report, machine->systems[i].name);
            cli_report_text(report, machine->systems[i].text);
        }
        for (size_t i = 0; i < machine->class_count; i++) {
            isocast_buffer nodes = {0};
            append_nodes(&machine->classes[i], 1, &nodes);
            cli_report_text(report, "class");
            cli_report_text(report, machine->classes[i].name);
            cli_report_text(report, nodes.text);
            isocast_buffer_free(&nodes);
        }
        status = cli_reports_write(&report, 1, &call->common);
        cli_loaded_free(&loaded);
    }
    return status;
}

static int run(void *context) {
    const cli_call *call = context;
    const char *what = call->count > 0 ? call->positional[0] : NULL;
    if (what != NULL && strcmp(what, "systems") == 0) {
        return list_systems(call);
    }
    if (call->count > 1) {
        return cli_usage_error(&usage, "a second argument goes with systems alone: isocast list "
                                       "systems MACHINE");
    }
    if (what != NULL && strcmp(what, "schema") == 0) {
        return cli_json_write(cli_results_schema(), &call->common);
    }
    bool wanted[LIST_KINDS];
    int status = choose(what, wanted);
    return status == CLI_EXIT_OK ? list(wanted, &call->common) : status;
}

int cmd_list(int argc, char **argv) {
    cli_call call = {0};
    const cli_option options[] = {{0}};
    return cli_call_run(&usage, options, argc, argv, &call, run, &call);
}
