/* isocast doctor: what commands need on this machine, whether it is there, and how to correct what
 * is not. */
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calibrate/campaign/event.h"
#include "calibrate/campaign/launcher.h"
#include "calibrate/campaign/node.h"
#include "calibrate/fit/machine_file.h"
#include "cli/options/exit.h"
#include "cli/options/launcher_option.h"
#include "cli/options/locate.h"
#include "cli/options/options.h"
#include "cli/output/render.h"
#include "cli/output/report.h"
#include "command.h"
#include "isocast/status.h"
#include "kernels/node_memory.h"
#include "model/base/buffer.h"
#include "model/base/quantity.h"
#include "model/base/text.h"

/* What `isocast doctor` found as a report: a sentence, a table, and how to correct what is missing.
 * Looks at nothing itself. */

enum { CHECKUP_MAX = 40 };

typedef enum checkup_verdict {
    CHECKUP_UNKNOWN, /* the system does not report */
    CHECKUP_OK,
    CHECKUP_WARNING, /* measurements may be disturbed */
    CHECKUP_MISSING  /* a command cannot do its work */
} checkup_verdict;

typedef struct checkup_finding {
    const char *what;
    const char *needed_by; /* commands, parted by ", " */
    checkup_verdict verdict;
    isocast_buffer found;    /* empty: not known */
    isocast_buffer path;     /* of a program that is found; empty for others */
    isocast_buffer remedy;   /* how; empty where there is nothing to do */
    isocast_buffer disturbs; /* of a WARNING: what disturbs measurements, as a clause */
} checkup_finding;

/* Start from {0}. */
typedef struct checkup {
    checkup_finding items[CHECKUP_MAX]; /* [count] */
    size_t count;
} checkup;

static const char *const verdict_words[] = {[CHECKUP_UNKNOWN] = NULL,
                                            [CHECKUP_OK] = "ok",
                                            [CHECKUP_WARNING] = "warning",
                                            [CHECKUP_MISSING] = "missing"};

/* The next finding, as yet OK. There is room for CHECKUP_MAX. The texts are constants. */
static checkup_finding *checkup_add(checkup *list, const char *what, const char *needed_by) {
    assert(list->count < CHECKUP_MAX);
    checkup_finding *finding = &list->items[list->count++];
    *finding = (checkup_finding){.what = what, .needed_by = needed_by, .verdict = CHECKUP_OK};
    return finding;
}

/* Moves all findings of another list to the end of this one. */
static void checkup_append(checkup *list, checkup *other) {
    assert(list->count + other->count <= CHECKUP_MAX);
    memcpy(&list->items[list->count], other->items, other->count * sizeof *other->items);
    list->count += other->count;
    other->count = 0;
}

static bool checkup_misses_something(const checkup *list) {
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].verdict == CHECKUP_MISSING) {
            return true;
        }
    }
    return false;
}

/* Whether an entry of a list that ", " parts is these `length` bytes. */
static bool has_entry(const char *list, const char *entry, size_t length) {
    for (const char *at = list; at != NULL && *at != '\0';) {
        size_t here = strcspn(at, ",");
        if (here == length && strncmp(at, entry, length) == 0) {
            return true;
        }
        at += here;
        at += strspn(at, ", ");
    }
    return false;
}

/* The commands that miss something, each once. */
static void append_commands(const checkup *list, isocast_buffer *out) {
    for (size_t i = 0; i < list->count; i++) {
        bool missing = list->items[i].verdict == CHECKUP_MISSING;
        for (const char *at = list->items[i].needed_by; missing && *at != '\0';) {
            size_t length = strcspn(at, ",");
            if (!has_entry(out->text, at, length)) {
                isocast_buffer_puts(out, out->length > 0 ? ", " : "");
                isocast_buffer_append(out, at, length);
            }
            at += length;
            at += strspn(at, ", ");
        }
    }
}

static void append_disturbances(const checkup *list, isocast_buffer *out) {
    const char *before = "; measurements may be disturbed: ";
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].verdict == CHECKUP_WARNING) {
            isocast_buffer_puts(out, before);
            isocast_buffer_append(out, list->items[i].disturbs.text,
                                  list->items[i].disturbs.length);
            before = ", ";
        }
    }
}

/* The sentence on top. */
static void append_summary(const checkup *list, cli_report *report) {
    isocast_buffer text = {0};
    isocast_buffer commands = {0};
    append_commands(list, &commands);
    if (commands.length > 0) {
        isocast_buffer_printf(&text, "Something is missing for: %s", commands.text);
    } else {
        isocast_buffer_puts(&text, "All commands can run here");
    }
    append_disturbances(list, &text);
    if (!text.failed) {
        cli_report_title(report, "%s.", text.text);
    }
    isocast_buffer_free(&commands);
    isocast_buffer_free(&text);
}

static void append_cell(const isocast_buffer *text, cli_report *report) {
    cli_report_text(report, text->length > 0 ? text->text : NULL);
}

/* NULL, or one that has failed, where memory is short. */
static cli_report *checkup_report(const checkup *list) {
    static const cli_column columns[] = {
        {.name = "what", .kind = CLI_COLUMN_TEXT},
        {.name = "state", .kind = CLI_COLUMN_TEXT},
        {.name = "found", .kind = CLI_COLUMN_TEXT},
        {.name = "needed_by", .heading = "needed by", .kind = CLI_COLUMN_TEXT},
        {.name = "remedy", .kind = CLI_COLUMN_TEXT, .file_only = true},
        {.name = "path", .kind = CLI_COLUMN_TEXT, .file_only = true}};
    cli_report *report = cli_report_create();
    append_summary(list, report);
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        cli_report_column(report, &columns[i]);
    }
    for (size_t i = 0; i < list->count; i++) {
        const checkup_finding *finding = &list->items[i];
        cli_report_text(report, finding->what);
        cli_report_text(report, verdict_words[finding->verdict]);
        append_cell(&finding->found, report);
        cli_report_text(report, finding->needed_by);
        append_cell(&finding->remedy, report);
        append_cell(&finding->path, report);
        CLI_NOTE_IF(finding->remedy.length > 0, report, "%s: %s.", finding->what,
                    finding->remedy.text);
    }
    return report;
}

static void checkup_free(checkup *list) {
    for (size_t i = 0; i < list->count; i++) {
        isocast_buffer_free(&list->items[i].found);
        isocast_buffer_free(&list->items[i].remedy);
        isocast_buffer_free(&list->items[i].path);
        isocast_buffer_free(&list->items[i].disturbs);
    }
    list->count = 0;
}

/* The programs that commands start, and the parts of isocast that they load: whether each is there
 * and answers. Every program is started without a shell, within a time. */

/* How long a program may take to say its version, and two processes to start and end, s. */
static const double answer_within = 5;
static const double start_within = 10;
/* A start that takes longer eats up the time of a calibration, s. */
static const double slow_start = 3;

enum { SAID_MAX = 8192, LINE_SHOWN = 60 };

static const char build_again[] = "build and install isocast again";

/* What a program wrote. */
typedef struct answer {
    isocast_buffer text; /* clean, lines end in newlines */
    launcher_end end;
    double seconds; /* s that it took */
} answer;

static bool keep_line(const char *line, void *context) {
    isocast_buffer *text = context;
    if (text->length < SAID_MAX) {
        isocast_text_clean(line, strlen(line), "", text);
        isocast_buffer_puts(text, "\n");
    }
    return true;
}

/* Errors: PROGRAM, and then the answer shows why; those of doctor_programs(). */
static isocast_status ask(launcher_request request, answer *out) {
    *out = (answer){.text = {0}};
    request.line = keep_line;
    request.context = &out->text;
    double began = campaign_clock();
    isocast_status status = launcher_run(&request, &out->end);
    out->seconds = campaign_clock() - began;
    return out->text.failed ? ISOCAST_NO_MEMORY : status;
}

static isocast_status ask_alone(const char *const *command, answer *out) {
    return ask(
        (launcher_request){
            .alone = true, .processes = 1, .command = command, .timeout = answer_within},
        out);
}

/* The first line that says something, up to LINE_SHOWN bytes. */
static void append_line(const char *text, isocast_buffer *out) {
    text += strspn(text, " \t\n");
    size_t length = strcspn(text, "\n");
    isocast_buffer shown = {0};
    isocast_buffer_append(&shown, text, length < LINE_SHOWN ? length : LINE_SHOWN);
    /* What was cut in the middle of a character is no text. */
    if (!shown.failed) {
        isocast_text_clean(shown.text, shown.length, "", out);
    }
    out->failed = out->failed || shown.failed;
    isocast_buffer_free(&shown);
}

static void miss(checkup_finding *finding, const char *remedy) {
    finding->verdict = CHECKUP_MISSING;
    isocast_buffer_puts(&finding->remedy, remedy);
}

/* Why a program did not go well. */
static void append_failure(const answer *said, double within, isocast_buffer *out) {
    if (said->end.cause == LAUNCHER_TIMEOUT) {
        isocast_buffer_printf(out, "does not end within %g s", within);
        return;
    }
    isocast_buffer_printf(out, "ends with exit status %d", said->end.exit_code);
    if (said->end.text[strspn(said->end.text, " \t\n")] != '\0') {
        isocast_buffer_puts(out, ": ");
        append_line(said->end.text, out);
    }
}

/* Starts a program that is found with one argument. *well: it ended well; else the finding states.
 */
static isocast_status ask_version(const char *program, const char *argument, const char *remedy,
                                  checkup_finding *finding, answer *said, bool *well) {
    char path[4096];
    *well = false;
    *said = (answer){.text = {0}};
    if (!launcher_find(program, path, sizeof path)) {
        miss(finding, remedy);
        return ISOCAST_OK;
    }
    const char *const command[] = {program, argument, NULL};
    isocast_status status = ask_alone(command, said);
    isocast_text_clean(path, strlen(path), "", &finding->path);
    if (status == ISOCAST_PROGRAM) {
        isocast_buffer_printf(&finding->found, "%s ",
                              finding->path.failed ? "" : finding->path.text);
        append_failure(said, answer_within, &finding->found);
        miss(finding, remedy);
        return ISOCAST_OK;
    }
    *well = status == ISOCAST_OK;
    return status;
}

/* A program whose first line states its version. */
static isocast_status check_program(const char *program, const char *argument, const char *remedy,
                                    checkup_finding *finding) {
    answer said;
    bool well;
    isocast_status status = ask_version(program, argument, remedy, finding, &said, &well);
    if (well && said.text.length > 0) {
        append_line(said.text.text, &finding->found);
    }
    isocast_buffer_free(&said.text);
    return status;
}

/* MPICH's says so in a page: "HYDRA build details:", "Version: 4.0.2". */
static void append_launcher(const char *text, isocast_buffer *out) {
    const char *version = strstr(text, "Version:");
    if (strncmp(text, "HYDRA", strlen("HYDRA")) == 0 && version != NULL) {
        isocast_buffer_puts(out, "MPICH ");
        append_line(version + strlen("Version:"), out);
    } else {
        isocast_buffer_puts(out, "not of MPICH: ");
        append_line(text, out);
    }
}

static const char launcher_users[] = "calibrate, measure, record, check --against-machine";

/* *works: it can be tried. */
static isocast_status check_launcher(const char *launcher, checkup *out, bool *works) {
    checkup_finding *finding = checkup_add(out, "MPI launcher", launcher_users);
    isocast_buffer program = {0};
    answer said = {.text = {0}};
    launcher += strspn(launcher, " \t");
    isocast_buffer_append(&program, launcher, strcspn(launcher, " \t"));
    isocast_buffer_puts(&program, "");
    *works = false;
    isocast_status status = ISOCAST_NO_MEMORY;
    if (!program.failed) {
        status = ask_version(program.text, "--version",
                             "install the package mpich, or name another launcher with --launcher",
                             finding, &said, works);
    }
    if (*works && said.text.length > 0) {
        append_launcher(said.text.text, &finding->found);
    }
    isocast_buffer_free(&program);
    isocast_buffer_free(&said.text);
    return status;
}

/* The number of processes in the row that the kernel wrote; "" where there is none. Each process by
 * itself writes a row where they do not find each other. */
static const char *processes_in(const char *text) {
    static const char before[] = "adding-numbers,,,";
    const char *row = text != NULL ? strstr(text, before) : NULL;
    return row != NULL ? row + strlen(before) : "";
}

static void judge_start(const answer *said, checkup_finding *finding) {
    if (strncmp(processes_in(said->text.text), "2,", 2) != 0) {
        isocast_buffer_puts(&finding->found, "two processes start, but do not find each other");
        miss(finding, "use the launcher of the MPI library that isocast is built with; the "
                      "package mpich has that of MPICH");
        return;
    }
    isocast_buffer_puts(&finding->found, "start and end in ");
    isocast_quantity_format(said->seconds, "s", 3, &finding->found);
    if (said->seconds > slow_start) {
        finding->verdict = CHECKUP_WARNING;
        isocast_buffer_puts(&finding->disturbs, "starting two processes takes ");
        isocast_quantity_format(said->seconds, "s", 2, &finding->disturbs);
        isocast_buffer_puts(&finding->remedy, "give calibrate a longer --budget");
    }
}

/* A kernel on two processes, whose row shows how many found each other. */
static isocast_status check_start(const char *launcher, const char *kernel, bool works,
                                  checkup *out) {
    checkup_finding *finding = checkup_add(out, "two processes", launcher_users);
    if (!works || kernel == NULL) {
        finding->verdict = CHECKUP_UNKNOWN;
        return ISOCAST_OK;
    }
    const char *const command[] = {kernel, "sum", "-n", "1000", NULL};
    answer said;
    isocast_status status = ask(
        (launcher_request){
            .launcher = launcher, .processes = 2, .command = command, .timeout = start_within},
        &said);
    if (status == ISOCAST_OK) {
        judge_start(&said, finding);
    } else if (status == ISOCAST_PROGRAM) {
        isocast_buffer_puts(&finding->found, "a start of two ");
        append_failure(&said, start_within, &finding->found);
        miss(finding, "see whether the launcher starts any program, as in: mpiexec -n 2 hostname");
        status = ISOCAST_OK;
    }
    isocast_buffer_free(&said.text);
    return status;
}

/* A file that belongs to isocast. Its path is freed; NULL: it is not there. */
static isocast_status check_part(char *path, const char *remedy, checkup_finding *finding) {
    if (path != NULL) {
        isocast_buffer_puts(&finding->found, "installed");
        free(path);
    } else if (errno == ENOMEM) {
        return ISOCAST_NO_MEMORY;
    } else {
        miss(finding, remedy);
    }
    return ISOCAST_OK;
}

static isocast_status check_mpi(const char *launcher, checkup *out) {
    bool works = false;
    const char *command = launcher != NULL ? launcher : launcher_default();
    isocast_status status = check_launcher(command, out, &works);
    char *kernel = status == ISOCAST_OK ? cli_locate_program("isocast-kernel") : NULL;
    CLI_THEN(status, check_start(command, kernel, works, out));
    free(kernel);
    return status;
}

/* One that cli_locate_program() finds, or cli_locate_part(). */
typedef struct part {
    const char *name;
    bool program;
    const char *needed_by;
    const char *remedy;
} part;

static isocast_status check_parts(checkup *out) {
    static const char with_mpi[] = "install the package libmpich-dev or libopenmpi-dev, then build "
                                   "and install isocast again";
    static const char with_mpich[] =
        "install the package libmpich-dev, then build and install isocast again";
    static const char with_simgrid[] =
        "install the package libsimgrid-dev, then build and install isocast again";
    static const part parts[] = {
        {"isocast-probe", true, "calibrate, check --against-machine", with_mpi},
        {"isocast-kernel", true, "calibrate, measure", with_mpi},
        {"isocast-schedule", true, "run, measure", with_mpi},
        {"isocast-probe-simulated", true, "calibrate --platform, predict --platform", with_simgrid},
        {"isocast-kernel-simulated", true, "measure --platform", with_simgrid},
        {"isocast-schedule-simulated", true, "measure --platform", with_simgrid},
        {"isocast-probe-quick", true, "predict --platform", with_simgrid},
        {"isocast-schedule-quick", true, "predict --platform", with_simgrid},
        {"isocast-ranks", true, "sweep under mpiexec", with_mpi},
        {"libisocast-record.so", false, "record", with_mpich},
        {"own_time.h", false, "cc", build_again}};
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && status == ISOCAST_OK; i++) {
        checkup_finding *finding = checkup_add(out, parts[i].name, parts[i].needed_by);
        errno = 0;
        char *path =
            parts[i].program ? cli_locate_program(parts[i].name) : cli_locate_part(parts[i].name);
        status = check_part(path, parts[i].remedy, finding);
    }
    return status;
}

static isocast_status check_specifications(checkup *out) {
    checkup_finding *finding = checkup_add(out, "specifications", "list, predict, explain");
    char *folder = cli_locate_specs("algorithms");
    if (folder == NULL) {
        return errno == ENOMEM ? ISOCAST_NO_MEMORY : ISOCAST_IO;
    }
    if (access(folder, R_OK) == 0) {
        isocast_buffer_puts(&finding->found, "installed");
    } else {
        miss(finding, getenv("ISOCAST_SPECS") != NULL
                          ? "unset ISOCAST_SPECS, or let it name a folder with a folder algorithms"
                          : build_again);
    }
    free(folder);
    return ISOCAST_OK;
}

static isocast_status check_compilers(checkup *out) {
    bool named = launcher_is_installed("mpicc.mpich");
    checkup_finding *mpicc = checkup_add(out, "MPI compiler", "record");
    isocast_status status = check_program(named ? "mpicc.mpich" : "mpicc", "--version",
                                          "install the package libmpich-dev; programs that are "
                                          "recorded are compiled with its mpicc",
                                          mpicc);
    CLI_THEN(status, check_program("smpicc", "--version", "install the package libsimgrid-dev",
                                   checkup_add(out, "SimGrid compiler", "cc")));
    return status;
}

static isocast_status check_simgrid(checkup *out) {
    return check_program(
        "smpirun", "-version", "install the package libsimgrid-dev",
        checkup_add(out, "SimGrid",
                    "calibrate --platform, measure --platform, predict --platform"));
}

/* Whether one of the words is `word`. */
static bool has_word(const char *text, const char *word) {
    size_t length = strlen(word);
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word)) {
        bool begins = at == text || strchr(" \n", at[-1]) != NULL;
        if (begins && strchr(" \n", at[length]) != NULL) {
            return true;
        }
    }
    return false;
}

static void judge_terminals(const char *text, checkup_finding *finding) {
    static const struct {
        const char *format;
        const char *terminal; /* as plots/style.gp sets it */
    } terminals[] = {{"svg", "svg"}, {"png", "pngcairo"}, {"pdf", "pdfcairo"}, {"txt", "dumb"}};
    isocast_buffer lacking = {0};
    for (size_t i = 0; i < sizeof terminals / sizeof terminals[0]; i++) {
        bool has = has_word(text, terminals[i].terminal);
        isocast_buffer *list = has ? &finding->found : &lacking;
        isocast_buffer_printf(list, "%s%s", list->length > 0 ? ", " : "", terminals[i].format);
    }
    if (lacking.length > 0) {
        isocast_buffer_printf(&finding->found, "%snot %s", finding->found.length > 0 ? ", " : "",
                              lacking.text);
        miss(finding, "install the package gnuplot-nox, whose gnuplot draws all formats");
    }
    finding->found.failed = finding->found.failed || lacking.failed;
    isocast_buffer_free(&lacking);
}

/* gnuplot without the user's settings, as plot starts it. */
static isocast_status check_terminals(bool works, checkup *out) {
    checkup_finding *finding = checkup_add(out, "gnuplot formats", "plot");
    if (!works) {
        finding->verdict = CHECKUP_UNKNOWN;
        return ISOCAST_OK;
    }
    const char *const command[] = {"gnuplot", "-d", "-e", "set print \"-\"; print GPVAL_TERMINALS",
                                   NULL};
    answer said;
    isocast_status status = ask_alone(command, &said);
    if (status == ISOCAST_OK) {
        judge_terminals(said.text.text != NULL ? said.text.text : "", finding);
    } else if (status == ISOCAST_PROGRAM) {
        isocast_buffer_puts(&finding->found, "gnuplot ");
        append_failure(&said, answer_within, &finding->found);
        miss(finding, "install the package gnuplot-nox");
        status = ISOCAST_OK;
    }
    isocast_buffer_free(&said.text);
    return status;
}

static isocast_status check_gnuplot(checkup *out) {
    checkup_finding *finding = checkup_add(out, "gnuplot", "plot");
    isocast_status status =
        check_program("gnuplot", "--version", "install the package gnuplot-nox", finding);
    bool works = finding->verdict == CHECKUP_OK;
    CLI_THEN(status, check_terminals(works, out));
    if (status == ISOCAST_OK) {
        errno = 0;
        status = check_part(cli_locate_plot_script("style.gp"), build_again,
                            checkup_add(out, "plot scripts", "plot"));
    }
    return status;
}

/* launcher: as in launcher_request, NULL for the default. Errors: INTERRUPTED; IO, where the system
 * starts no process; NO_MEMORY. */
static isocast_status doctor_programs(const char *launcher, checkup *out) {
    isocast_status (*const checks[])(checkup *) = {check_parts, check_specifications, check_simgrid,
                                                   check_compilers, check_gnuplot};
    isocast_status status = check_mpi(launcher, out);
    for (size_t i = 0; i < sizeof checks / sizeof checks[0] && status == ISOCAST_OK; i++) {
        status = checks[i](out);
    }
    return status;
}

static const char measuring[] = "calibrate, measure";

/* How long other programs are watched, s. */
static const double watched = 1;
/* A reading of the clock that takes longer adds to every short message, s. */
static const double slow_clock = 200e-9;

static void warn(checkup_finding *finding, const char *remedy) {
    finding->verdict = CHECKUP_WARNING;
    isocast_buffer_puts(&finding->remedy, remedy);
}

static void check_processors(const node_description *node, checkup *out) {
    checkup_finding *finding = checkup_add(out, "processors", measuring);
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    double allowed = (double)launcher_processors();
    double quota = node_processor_quota();
    if (online > 0) {
        isocast_buffer_printf(&finding->found, "%ld online, ", online);
    }
    isocast_buffer_printf(&finding->found, "%.15g may be used", allowed);
    if (isfinite(quota)) {
        isocast_buffer_printf(&finding->found, ", control group allows %.3g", quota);
    }
    isocast_buffer_printf(&finding->found, ", %ld core%s", node->processors,
                          node->processors == 1 ? "" : "s");
    if (quota < allowed) {
        isocast_buffer_printf(&finding->disturbs,
                              "a control group allows only %.3g of %.15g processors", quota,
                              allowed);
        warn(finding, "give the container or batch job as many processors as it sees");
    } else if (node->processors == 1) {
        isocast_buffer_puts(&finding->disturbs, "there is one core for all processes");
        warn(finding, "measure on a machine with several cores, or several nodes; calibrate "
                      "measures no more processes than cores, unless --oversubscribe is given");
    }
}

static void check_memory(checkup *out) {
    checkup_finding *finding = checkup_add(out, "memory", measuring);
    double pages = (double)sysconf(_SC_PHYS_PAGES);
    double whole = pages > 0 ? pages * (double)sysconf(_SC_PAGESIZE) : 0;
    double allowed = node_memory_total();
    double left = node_memory_available();
    if (allowed <= 0) {
        finding->verdict = CHECKUP_UNKNOWN;
        return;
    }
    isocast_quantity_format(whole > 0 ? whole : allowed, "B", 3, &finding->found);
    if (allowed < whole) {
        isocast_buffer_puts(&finding->found, ", control group allows ");
        isocast_quantity_format(allowed, "B", 3, &finding->found);
    }
    if (left > 0) {
        isocast_buffer_puts(&finding->found, ", ");
        isocast_quantity_format(left, "B", 3, &finding->found);
        isocast_buffer_puts(&finding->found, " are free");
    }
}

static void check_clock(const node_settings *settings, checkup *out) {
    checkup_finding *finding = checkup_add(out, "clock", measuring);
    double resolution;
    double cost;
    node_clock_read(&resolution, &cost);
    if (isnan(resolution) || isnan(cost)) {
        finding->verdict = CHECKUP_UNKNOWN;
        return;
    }
    isocast_buffer_puts(&finding->found, "steps of ");
    isocast_quantity_format(resolution, "s", 3, &finding->found);
    isocast_buffer_puts(&finding->found, ", read in ");
    isocast_quantity_format(cost, "s", 3, &finding->found);
    if (settings->clock_source[0] != '\0') {
        isocast_buffer_puts(&finding->found, ", by ");
        isocast_text_clean(settings->clock_source, strlen(settings->clock_source), "",
                           &finding->found);
    }
    if (fmax(resolution, cost) > slow_clock) {
        isocast_buffer_puts(&finding->disturbs, "reading the clock takes ");
        isocast_quantity_format(fmax(resolution, cost), "s", 3, &finding->disturbs);
        warn(finding, "let the kernel use the clock source tsc, where it is in "
                      "/sys/devices/system/clocksource/clocksource0/available_clocksource");
    }
}

static void check_governor(const node_settings *settings, checkup *out) {
    checkup_finding *finding = checkup_add(out, "frequency governor", measuring);
    const char *governors = settings->governors;
    if (governors[0] == '\0') {
        finding->verdict = CHECKUP_UNKNOWN;
        return;
    }
    isocast_text_clean(governors, strlen(governors), "", &finding->found);
    if (strcmp(governors, "performance") != 0) {
        isocast_buffer_puts(&finding->disturbs, "the frequency governor is ");
        isocast_text_clean(governors, strlen(governors), "", &finding->disturbs);
        warn(finding, "sudo cpupower frequency-set --governor performance (package "
                      "linux-cpupower)");
    }
}

static const char *word_of(node_switch value) {
    return value == NODE_ON ? "on" : value == NODE_OFF ? "off" : "";
}

static checkup_finding *add_switch(const char *what, node_switch value, checkup *out) {
    checkup_finding *finding = checkup_add(out, what, measuring);
    isocast_buffer_puts(&finding->found, word_of(value));
    finding->verdict = value == NODE_UNKNOWN ? CHECKUP_UNKNOWN : CHECKUP_OK;
    return finding;
}

static void check_switches(const node_settings *settings, checkup *out) {
    checkup_finding *turbo = add_switch("turbo", settings->turbo, out);
    if (settings->turbo == NODE_ON) {
        isocast_buffer_puts(&turbo->disturbs, "turbo makes a processor faster while others rest");
        warn(turbo, "write 1 to /sys/devices/system/cpu/intel_pstate/no_turbo, or 0 to "
                    "/sys/devices/system/cpu/cpufreq/boost");
    }
    checkup_finding *threads = add_switch("threads on a core", settings->threads, out);
    if (settings->threads == NODE_ON) {
        isocast_buffer_puts(&threads->found, "; calibrate counts cores alone");
    }
}

static void check_load(const node_load *load, checkup *out) {
    checkup_finding *finding = checkup_add(out, "other programs", measuring);
    if (isnan(load->others)) {
        finding->verdict = CHECKUP_UNKNOWN;
        return;
    }
    double share = 100 * fmin(fmax(load->others, 0), 1);
    isocast_buffer_printf(&finding->found, "use %.0f %% of the processors, in %g s", share,
                          watched);
    if (load->others > MACHINE_FILE_QUIET) {
        isocast_buffer_printf(&finding->disturbs, "other programs used %.0f %% of the processors",
                              share);
        warn(finding, "wait until the machine is quiet, or end what runs; top shows it");
    }
}

static void check_virtual(const node_settings *settings, const node_load *load, checkup *out) {
    checkup_finding *finding = checkup_add(out, "virtual machine", measuring);
    if (settings->virtual == NODE_UNKNOWN) {
        finding->verdict = CHECKUP_UNKNOWN;
        return;
    }
    isocast_buffer_puts(&finding->found, settings->virtual == NODE_ON ? "yes" : "no");
    if (settings->virtual == NODE_ON && !isnan(load->stolen)) {
        double share = 100 * fmin(fmax(load->stolen, 0), 1);
        isocast_buffer_printf(&finding->found, "; its host took %.0f %% of the time", share);
        if (load->stolen > MACHINE_FILE_QUIET) {
            isocast_buffer_printf(&finding->disturbs,
                                  "the host of this virtual machine took %.0f %% of the time",
                                  share);
            warn(finding, "measure on hardware of your own, or on a host with fewer guests");
        }
    }
}

/* Watches the other programs for a second, so nothing else is to be started meanwhile. */
static void look_at_node(checkup *out) {
    node_load load;
    node_settings settings;
    node_description node;
    node_load_watch(watched, &load);
    node_settings_read("", &settings);
    node_describe(&node);
    check_processors(&node, out);
    check_memory(out);
    check_clock(&settings, out);
    check_governor(&settings, out);
    check_switches(&settings, out);
    check_load(&load, out);
    check_virtual(&settings, &load, out);
}

static const cli_usage usage = {
    .command = "doctor",
    .arguments = "",
    .summary = "Shows what commands need on this machine, whether it is there, and how to correct "
               "what is missing. It also shows what may disturb measurements: other programs, "
               "limits, changing frequencies.",
    .details =
        "It takes two to three seconds, one of which watches the other programs. It starts each "
        "program that is needed, and ends one that does not answer within 5 s (two MPI "
        "processes: 10 s).\n"
        "States: ok; missing, a command cannot do its work; warning, measurements may be "
        "disturbed; - is not known. The exit status is 1 where something is missing, else 0.\n"
        "\n"
        "Examples:\n"
        "  isocast doctor\n"
        "  isocast doctor --launcher slurm\n"
        "  isocast doctor --format json -o doctor.json",
    .fewest = 0,
    .most = 0};

static int report_failure(isocast_status status, int cause) {
    if (status == ISOCAST_INTERRUPTED) {
        fputs("isocast doctor: interrupted\n", stderr);
    } else if (status == ISOCAST_IO) {
        fprintf(stderr, "isocast doctor: cannot start a program: %s\n", strerror(cause));
    } else {
        return cli_exit_of(status);
    }
    return CLI_EXIT_SYSTEM;
}

static int examine(const char *launcher, const cli_common *common) {
    checkup list = {.count = 0};
    /* First, while nothing of this command runs. */
    checkup node = {.count = 0};
    look_at_node(&node);
    isocast_status done = doctor_programs(launcher, &list);
    int cause = errno;
    int status = done == ISOCAST_OK ? CLI_EXIT_OK : report_failure(done, cause);
    if (status == CLI_EXIT_OK) {
        checkup_append(&list, &node);
        cli_report *report = checkup_report(&list);
        bool missing = checkup_misses_something(&list);
        status = cli_reports_write(&report, 1, common);
        status = status == CLI_EXIT_OK && missing ? CLI_EXIT_CHECK_FAILED : status;
    }
    checkup_free(&list);
    checkup_free(&node);
    return status;
}

/* The command line. */
typedef struct command_line {
    cli_call call;
    const char *launcher;
} command_line;

static int run(void *context) {
    const command_line *c = context;
    cli_launcher launcher = {0};
    int status = cli_launcher_find(&usage, c->launcher, &launcher);
    CLI_THEN(status, examine(launcher.command, &c->call.common));
    cli_launcher_free(&launcher);
    return status;
}

int cmd_doctor(int argc, char **argv) {
    command_line c = {0};
    const cli_option options[] = {
        {"--launcher", 0, CLI_OPTION_TEXT, "LAUNCHER", CLI_LAUNCHER_HELP, &c.launcher}, {0}};
    return cli_call_run(&usage, options, argc, argv, &c.call, run, &c);
}
