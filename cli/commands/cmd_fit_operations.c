/* isocast fit-operations: timings of any benchmark to formulas. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "calibrate/fit/fit_results.h"
#include "calibrate/fit/operations_file.h"
#include "calibrate/samples/import.h"
#include "cli/options/exit.h"
#include "cli/options/options.h"
#include "cli/output/fields.h"
#include "cli/output/json_text.h"
#include "cli/output/output.h"
#include "cli/output/provenance.h"
#include "cli/output/render.h"
#include "cli/report/report_fit.h"
#include "command.h"
#include "model/base/list.h"
#include "model/base/source_read.h"

enum { DRAWS_MOST = 100000 };

static const cli_usage usage = {
    .command = "fit-operations",
    .arguments = "TIMINGS...",
    .summary = "Fits the time of every operation in files of timings as a formula in p and m, and "
               "says how far each may be trusted.",
    .details =
        "TIMINGS are CSV files (columns operation or collective, p, m or bytes, seconds or t_us "
        "and "
        "the like; algorithm, launch), or the text output of the OSU micro-benchmarks, the Intel "
        "MPI Benchmarks, SKaMPI, ReproMPI or nccl-tests; - is standard input. A file is a launch "
        "where it does not name launches.\n"
        "With -o FILE.yaml a machine file is written, and the report goes to standard output.\n"
        "\n"
        "Examples:\n"
        "  isocast fit-operations here.samples.csv\n"
        "  isocast fit-operations --processes 4,8,16 osu4.txt osu8.txt osu16.txt\n"
        "  isocast fit-operations timings.csv -o m.yaml --marked-speed 2e9",
    .fewest = 1,
    .most = (size_t)-1};

typedef struct request {
    cli_call call;
    const char *processes; /* a list, one for each file or one for all */
    const char *system;    /* whose rows are fitted; NULL: all */
    const char *residuals;
    const char *to_text;
    double *to; /* [to_count], processes to forecast in the JSON */
    size_t to_count;
    const char *name;
    double marked_speed;
    long processors;
    long nodes;
    long draws;
    long seed;
} request;

/* The number of processes that goes with a file; false where the list is no list of as many. */
static bool processes_of(const request *r, size_t file, double *out) {
    *out = 0;
    if (r->processes == NULL) {
        return true;
    }
    const char *at = r->processes;
    size_t count = 1;
    for (const char *c = at; *c != '\0'; c++) {
        count += *c == ',';
    }
    if (count != 1 && count != r->call.count) {
        return false;
    }
    for (size_t i = 0; i < file && count > 1; i++) {
        at = strchr(at, ',') + 1;
    }
    char *end = NULL;
    *out = strtod(at, &end);
    return end != at && (*end == ',' || *end == '\0') && *out >= 1 && *out == floor(*out);
}

static int read_files(const request *r, observations *o) {
    isocast_diagnostics diagnostics = {0};
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < r->call.count && !isocast_status_is_of_system(status); i++) {
        double processes = 0;
        if (!processes_of(r, i, &processes)) {
            return cli_usage_error(&usage, "--processes takes a whole number, or one for each of "
                                           "the files: 4,8,16");
        }
        isocast_status one = import_file_of(r->call.positional[i], ISOCAST_INPUT_ANY, r->system,
                                            processes, o, &diagnostics);
        status = status == ISOCAST_OK || isocast_status_is_of_system(one) ? one : status;
    }
    status = cli_diagnostics_report(&diagnostics, r->call.common.quiet, status);
    if (status == ISOCAST_OK && !observations_finish(o)) {
        status = ISOCAST_NO_MEMORY;
    }
    return cli_exit_of(status);
}

/* Texts one after the other, with blanks between. */
static char *join(const char *const *texts, size_t count) {
    isocast_buffer joined = {0};
    for (size_t i = 0; i < count; i++) {
        isocast_buffer_printf(&joined, "%s%s", i > 0 ? " " : "", texts[i]);
    }
    return isocast_buffer_take(&joined);
}

static bool is_machine_file(const char *path) {
    const char *point = path != NULL ? strrchr(path, '.') : NULL;
    return point != NULL && (strcmp(point, ".yaml") == 0 || strcmp(point, ".yml") == 0);
}

/* The file's name without folders and ending. */
static char *machine_name(const request *r) {
    if (r->name != NULL) {
        return strdup(r->name);
    }
    const char *slash = strrchr(r->call.common.output, '/');
    const char *base = slash != NULL ? slash + 1 : r->call.common.output;
    return strndup(base, (size_t)(strrchr(base, '.') - base));
}

/* As the timings say how many processes shared a node, where nothing else is asked for. */
static double processors_of(const request *r, const fit_results *results) {
    double most = 1;
    for (size_t i = 0; i < results->count; i++) {
        most = fmax(most, ceil(results->items[i].timings.per_node));
    }
    return r->processors > 0 ? (double)r->processors : most;
}

/* As many nodes as give the most processes measured. */
static double nodes_of(const request *r, const fit_results *results) {
    double most = 1;
    for (size_t i = 0; i < results->count; i++) {
        const fit_timings *t = &results->items[i].timings;
        most = fmax(most, t->counts_of_p[t->p_count - 1]);
    }
    return r->nodes > 0 ? (double)r->nodes : ceil(most / processors_of(r, results));
}

static void render_machine(const request *r, const fit_result_settings *settings,
                           const fit_results *results, isocast_buffer *out) {
    char date[32];
    time_t now = time(NULL);
    struct tm parts;
    gmtime_r(&now, &parts);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &parts);
    char *name = machine_name(r);
    char *command = join((const char *const *)r->call.argv, (size_t)r->call.argc);
    char *sources = join(r->call.positional, r->call.count);
    out->failed = name == NULL || command == NULL || sources == NULL;
    if (!out->failed) {
        operations_file file = {.name = name,
                                .date = date,
                                .version = ISOCAST_VERSION,
                                .command = command,
                                .sources = sources,
                                .system = r->system,
                                .nodes = nodes_of(r, results),
                                .processors = processors_of(r, results),
                                .marked_speed = r->marked_speed,
                                .settings = settings};
        operations_file_write(&file, results, out);
    }
    free(name);
    free(command);
    free(sources);
}

static void render_report(const request *r, const fit_results *results, isocast_buffer *out) {
    const cli_fit_view view = {.subject = {.provenance = {&r->call, NULL}},
                               .results = results,
                               .to = r->to,
                               .to_count = r->to_count,
                               .files = r->call.positional,
                               .file_count = r->call.count};
    const cli_written how = {&cli_fit_document, cli_reports_of_fit, NULL};
    cli_result_render(&how, &view, &r->call.common, out);
}

/* The machine file, the residuals and the report: all of those asked for, or none. */
static int write_all(const request *r, const fit_result_settings *settings, const observations *o,
                     const fit_results *results) {
    cli_output outputs[3] = {0};
    size_t count = 0;
    bool machine = is_machine_file(r->call.common.output);
    if (machine) {
        outputs[count].path = r->call.common.output;
        render_machine(r, settings, results, &outputs[count++].text);
    }
    if (r->residuals != NULL) {
        outputs[count].path = r->residuals;
        cli_fit_residuals(o, results, &outputs[count++].text);
    }
    outputs[count].path = machine ? NULL : r->call.common.output;
    render_report(r, results, &outputs[count++].text);
    return cli_outputs_write(outputs, count);
}

/* Points to a line that is no operation. */
static int report_no_operation(const request *r, const observations *o) {
    const char *path = r->call.positional[o->passed_file < r->call.count ? o->passed_file : 0];
    isocast_diagnostics diagnostics = {0};
    isocast_source *source = NULL;
    isocast_status status = isocast_source_read(path, &diagnostics, &source);
    if (status == ISOCAST_OK) {
        size_t at = 0;
        for (size_t line = 1; line < o->passed_line && at < source->length; line++) {
            at = isocast_source_next_line(source, at);
        }
        isocast_diagnostics_add(
            &diagnostics, ISOCAST_ERROR, source, isocast_source_line(source, at),
            "give timings of operations, such as T_send; 'isocast calibrate' makes a machine "
            "file of both",
            "%s: this is a time per flop, and no formula is fitted to those",
            r->call.count > 1 ? "the files have no operation" : "the file has no operation");
        status = ISOCAST_INVALID;
    }
    isocast_source_free(source);
    return cli_exit_with(&diagnostics, r->call.common.quiet, status);
}

static int fit_and_write(const request *r, const observations *o) {
    fit_result_settings settings = {(size_t)r->draws, (uint64_t)r->seed, INFINITY};
    fit_results results = {0};
    if (!fit_results_make(o, &settings, &results)) {
        return cli_exit_of(ISOCAST_NO_MEMORY);
    }
    int status = CLI_EXIT_OK;
    if (results.count == 0) {
        status = report_no_operation(r, o);
    }
    CLI_THEN(status, write_all(r, &settings, o, &results));
    fit_results_free(&results);
    return status;
}

/* "1024,2048" or "64..4096*2". */
static int read_to(request *r) {
    isocast_diagnostics diagnostics = {0};
    isocast_source *source = NULL;
    isocast_list_item *items = NULL;
    size_t count = 0;
    isocast_status status = isocast_source_create("--to", r->to_text, strlen(r->to_text), &source);
    CLI_THEN(status, isocast_list_split(source, &diagnostics, &items, &count));
    r->to = status == ISOCAST_OK ? calloc(count + 1, sizeof *r->to) : NULL;
    if (status == ISOCAST_OK && r->to == NULL) {
        status = ISOCAST_NO_MEMORY;
    }
    for (size_t i = 0; r->to != NULL && i < count; i++) {
        r->to[r->to_count++] = items[i].number;
        if (!items[i].is_number || !(items[i].number >= 1)) {
            isocast_diagnostics_add(&diagnostics, ISOCAST_ERROR, source, items[i].span,
                                    "write numbers of processes: 64,128 or 64..4096*2",
                                    "this is not a number of processes");
            status = ISOCAST_INVALID;
        }
    }
    free(items);
    isocast_source_free(source);
    return cli_exit_with_text(&diagnostics, status);
}

static int run(void *context) {
    request *r = context;
    bool machine = is_machine_file(r->call.common.output);
    if (machine && !(r->marked_speed > 0)) {
        return cli_usage_error(&usage, "a machine file needs the marked speed of a processor: "
                                       "--marked-speed 2e9");
    }
    bool report_aside = machine || r->call.common.output == NULL;
    if (report_aside && r->residuals != NULL && strcmp(r->residuals, "-") == 0) {
        return cli_usage_error(&usage, "the report goes to standard output; name a file for "
                                       "--residuals");
    }
    if (r->draws < 2 || r->draws > DRAWS_MOST) {
        return cli_usage_error(&usage, "--draws takes 2 to %d", DRAWS_MOST);
    }
    observations o = {0};
    int status = r->to_text != NULL ? read_to(r) : CLI_EXIT_OK;
    CLI_THEN(status, read_files(r, &o));
    CLI_THEN(status, fit_and_write(r, &o));
    observations_free(&o);
    free(r->to);
    return status;
}

int cmd_fit_operations(int argc, char **argv) {
    request r = {.draws = 200, .seed = 1};
    const cli_option options[] = {
        {"--processes", 0, CLI_OPTION_TEXT, "LIST",
         "how many processes ran, for files that do not say so (OSU): one number for all files, or "
         "one for each",
         &r.processes},
        {"--system", 0, CLI_OPTION_TEXT, "NAME",
         "fit the rows of this system alone, by the column system, and leave its name out of the "
         "names of operations (default: all systems, each with operations of its own)",
         &r.system},
        {"--to", 0, CLI_OPTION_TEXT, "LIST",
         "numbers of processes to forecast in the JSON (default: 2, 4 and 8 times the largest)",
         &r.to_text},
        {"--residuals", 0, CLI_OPTION_OUTPUT, "FILE",
         "also write measured and fitted times there as CSV, for isocast plot", &r.residuals},
        {"--marked-speed", 0, CLI_OPTION_SPEED, "SPEED",
         "marked speed of one processor, such as 2Gflop/s, for the machine file; a plain number is "
         "in flop/s",
         &r.marked_speed},
        {"--processors", 0, CLI_OPTION_COUNT, "N",
         "processors of a node, for the machine file (default: as in the timings)", &r.processors},
        {"--nodes", 0, CLI_OPTION_COUNT, "N",
         "nodes, for the machine file (default: as many as the largest number of processes needs)",
         &r.nodes},
        {"--name", 0, CLI_OPTION_TEXT, "NAME",
         "name of the machine (default: the name of the file)", &r.name},
        {"--draws", 0, CLI_OPTION_COUNT, "N",
         "how many random draws of launches give the standard errors (default: 200)", &r.draws},
        {"--seed", 0, CLI_OPTION_COUNT, "N", "seed of these draws (default: 1)", &r.seed},
        {0}};
    return cli_call_run(&usage, options, argc, argv, &r.call, run, &r);
}
