#include "doctor_programs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calibrate/campaign/event.h"
#include "calibrate/campaign/launcher.h"
#include "cli/options/locate.h"
#include "model/base/quantity.h"
#include "model/base/text.h"

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

/* Errors: PROGRAM, and then the answer tells why; those of doctor_programs(). */
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

static void miss(checkup_finding *finding, const char *mend) {
    finding->verdict = CHECKUP_MISSING;
    isocast_buffer_puts(&finding->mend, mend);
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

/* Starts a program that is found with one argument. *well: it ended well; else the finding tells.
 */
static isocast_status ask_version(const char *program, const char *argument, const char *mend,
                                  checkup_finding *finding, answer *said, bool *well) {
    char path[4096];
    *well = false;
    *said = (answer){.text = {0}};
    if (!launcher_find(program, path, sizeof path)) {
        miss(finding, mend);
        return ISOCAST_OK;
    }
    const char *const command[] = {program, argument, NULL};
    isocast_status status = ask_alone(command, said);
    isocast_text_clean(path, strlen(path), "", &finding->path);
    if (status == ISOCAST_PROGRAM) {
        isocast_buffer_printf(&finding->found, "%s ",
                              finding->path.failed ? "" : finding->path.text);
        append_failure(said, answer_within, &finding->found);
        miss(finding, mend);
        return ISOCAST_OK;
    }
    *well = status == ISOCAST_OK;
    return status;
}

/* A program whose first line tells its version. */
static isocast_status check_program(const char *program, const char *argument, const char *mend,
                                    checkup_finding *finding) {
    answer said;
    bool well;
    isocast_status status = ask_version(program, argument, mend, finding, &said, &well);
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
        isocast_buffer_puts(&finding->mend, "give calibrate a longer --budget");
    }
}

/* A kernel on two processes, whose row tells how many found each other. */
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
static isocast_status check_part(char *path, const char *mend, checkup_finding *finding) {
    if (path != NULL) {
        isocast_buffer_puts(&finding->found, "installed");
        free(path);
    } else if (errno == ENOMEM) {
        return ISOCAST_NO_MEMORY;
    } else {
        miss(finding, mend);
    }
    return ISOCAST_OK;
}

static isocast_status check_mpi(const char *launcher, checkup *out) {
    bool works = false;
    const char *command = launcher != NULL ? launcher : launcher_default();
    isocast_status status = check_launcher(command, out, &works);
    char *kernel = status == ISOCAST_OK ? cli_locate_program("isocast-kernel") : NULL;
    if (status == ISOCAST_OK) {
        status = check_start(command, kernel, works, out);
    }
    free(kernel);
    return status;
}

/* One that cli_locate_program() finds, or cli_locate_part(). */
typedef struct part {
    const char *name;
    bool program;
    const char *needed_by;
    const char *mend;
} part;

static isocast_status check_parts(checkup *out) {
    static const char with_simgrid[] =
        "install the package libsimgrid-dev, then build and install isocast again";
    static const part parts[] = {
        {"isocast-probe", true, "calibrate, check --against-machine", build_again},
        {"isocast-kernel", true, "calibrate, measure", build_again},
        {"isocast-schedule", true, "run, measure", build_again},
        {"isocast-probe-simulated", true, "calibrate --platform, predict --platform", with_simgrid},
        {"isocast-kernel-simulated", true, "measure --platform", with_simgrid},
        {"isocast-schedule-simulated", true, "measure --platform", with_simgrid},
        {"isocast-probe-quick", true, "predict --platform", with_simgrid},
        {"isocast-schedule-quick", true, "predict --platform", with_simgrid},
        {"isocast-ranks", true, "sweep under mpiexec", build_again},
        {"libisocast-record.so", false, "record", build_again},
        {"own_time.h", false, "cc", build_again}};
    isocast_status status = ISOCAST_OK;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && status == ISOCAST_OK; i++) {
        checkup_finding *finding = checkup_add(out, parts[i].name, parts[i].needed_by);
        errno = 0;
        char *path =
            parts[i].program ? cli_locate_program(parts[i].name) : cli_locate_part(parts[i].name);
        status = check_part(path, parts[i].mend, finding);
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
    if (status == ISOCAST_OK) {
        status = check_program("smpicc", "--version", "install the package libsimgrid-dev",
                               checkup_add(out, "SimGrid compiler", "cc"));
    }
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
    if (status == ISOCAST_OK) {
        status = check_terminals(works, out);
    }
    if (status == ISOCAST_OK) {
        errno = 0;
        status = check_part(cli_locate_plot_script("style.gp"), build_again,
                            checkup_add(out, "plot scripts", "plot"));
    }
    return status;
}

isocast_status doctor_programs(const char *launcher, checkup *out) {
    isocast_status (*const checks[])(checkup *) = {check_parts, check_specifications, check_simgrid,
                                                   check_compilers, check_gnuplot};
    isocast_status status = check_mpi(launcher, out);
    for (size_t i = 0; i < sizeof checks / sizeof checks[0] && status == ISOCAST_OK; i++) {
        status = checks[i](out);
    }
    return status;
}
