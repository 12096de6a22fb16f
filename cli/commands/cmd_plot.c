/* isocast plot: draws a result with gnuplot; the scripts in plots/ read columns by name. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "calibrate/campaign/launcher.h"
#include "cli/options/exit.h"
#include "cli/options/load.h"
#include "cli/options/locate.h"
#include "cli/options/options.h"
#include "cli/options/write_all.h"
#include "cli/output/output.h"
#include "cli/report/plot_results.h"
#include "command.h"

static const cli_usage usage = {
    .command = "plot",
    .arguments = "RESULT",
    .summary =
        "Draws the JSON of predict, explain, compare, offers, scalability, forecast, validate "
        "or measure --find, a RUNS.csv, the CSV of predict, a sweep, or the residuals of "
        "fit-operations, with gnuplot.",
    .details =
        "The ending of the output file chooses the format: .svg, .png, .pdf or .txt; - draws "
        "text on standard output. Rows without a solution are crosses at the bottom. Of more than "
        "10 systems, sizes or targets only 10 get lines of their own, spread evenly. A prediction "
        "at several sizes is E over p, a line a size, and over N, a line a system. One at several "
        "targets is N over p, a line a target, and so are explanations and isoefficiency "
        "functions. The contenders of compare are T over N, on three systems at most, with their "
        "crossings; and T over p at three sizes at most, or the work that holds an efficiency. "
        "A sweep is curves over what varies, or heat maps with contours over the first two names. "
        "Text has no dashes: it shows the first system and the first size only.\n"
        "\n"
        "Examples:\n"
        "  isocast plot validation.json -o validation.png\n"
        "  isocast plot prediction.json -o -\n"
        "  isocast plot ranking.json -o ranking.svg",
    .fewest = 1,
    .most = 1};

/* Files that gnuplot reads and writes. They are in memory, so that none is left behind; gnuplot has
 * them open and finds them under numbers that it inherits, not under names. */
enum { VARIABLES = PLOT_BLOCKS, TEXTS, PICTURE, FILES };

static const char *const variable_names[FILES] = {
    [PLOT_POINTS] = "points", [PLOT_CURVES] = "curves", [PLOT_ROUTES] = "routes",
    [PLOT_MORE] = "more",     [PLOT_MARKS] = "marks",   [TEXTS] = "texts",
    [PICTURE] = "output"};

typedef struct drawing {
    cli_call call;
    const char *output;
    const char *format; /* "svg", "png", "pdf", "txt" */
    int files[FILES];   /* -1: not open */
    char *style;        /* scripts, in the order in which they run; `beside` may be NULL */
    char *beside;
    char *script;
    plot_data data;
} drawing;

static const char *format_of(const char *output) {
    static const char *const formats[] = {"svg", "png", "pdf", "txt"};
    if (output == NULL || strcmp(output, "-") == 0) {
        return "txt";
    }
    const char *point = strrchr(output, '.');
    for (size_t i = 0; point != NULL && i < sizeof formats / sizeof formats[0]; i++) {
        if (strcmp(point + 1, formats[i]) == 0) {
            return formats[i];
        }
    }
    return NULL;
}

static void close_files(drawing *d) {
    for (size_t i = 0; i < FILES; i++) {
        if (d->files[i] >= 0) {
            close(d->files[i]);
        }
    }
}

static int report_failure(void) {
    fprintf(stderr, "isocast plot: cannot hand the numbers to gnuplot: %s\n", strerror(errno));
    return CLI_EXIT_SYSTEM;
}

/* Not closed when gnuplot starts. */
static int open_files(drawing *d) {
    for (size_t i = 0; i < FILES; i++) {
        d->files[i] = memfd_create("isocast-plot", 0);
        if (d->files[i] < 0) {
            return report_failure();
        }
    }
    return CLI_EXIT_OK;
}

/* What the scripts need to know: names and texts of this program, and numbers. */
static void write_variables(drawing *d, isocast_buffer *out) {
    struct winsize window = {0};
    bool terminal = ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col >= 60;
    isocast_buffer_printf(out, "format = \"%s\"\nwidth = %d\nheight = %d\n", d->format,
                          terminal ? window.ws_col : 120,
                          terminal && window.ws_row > 20 ? window.ws_row - 2 : 32);
    for (size_t i = 0; i < FILES; i++) {
        if (variable_names[i] != NULL) {
            isocast_buffer_printf(out, "%s = \"/proc/self/fd/%d\"\n", variable_names[i],
                                  d->files[i]);
        }
    }
    isocast_buffer_append(out, d->data.variables.text, d->data.variables.length);
}

static int write_files(drawing *d) {
    isocast_buffer variables = {0};
    write_variables(d, &variables);
    const isocast_buffer *contents[FILES] = {
        [VARIABLES] = &variables, [TEXTS] = &d->data.texts, [PICTURE] = &(isocast_buffer){0}};
    for (size_t i = 0; i < PLOT_BLOCKS; i++) {
        contents[i] = &d->data.blocks[i];
    }
    bool written = !variables.failed;
    for (size_t i = 0; written && i < FILES; i++) {
        written = cli_write_all(d->files[i], contents[i]->text, contents[i]->length);
    }
    isocast_buffer_free(&variables);
    return written ? CLI_EXIT_OK : report_failure();
}

static int run_gnuplot(const drawing *d) {
    /* Of the processor: it has nothing to wait for, and a busy machine is no reason to give up. */
    static const unsigned processor_most = 120; /* s */
    char variables[64];
    snprintf(variables, sizeof variables, "/proc/self/fd/%d", d->files[VARIABLES]);
    /* Without the user's own settings, which could change any picture. */
    const char *command[] = {"gnuplot", "-d", variables, d->style, d->script, NULL, NULL};
    if (d->beside != NULL) {
        command[4] = d->beside;
        command[5] = d->script;
    }
    /* Neither theirs in the environment: a terminal that is not there ends gnuplot at once. */
    const char *const environment[] = {"GNUTERM=dumb", "GNUPLOT_LIB=", "GNUPLOT_FONTPATH=", NULL};
    launcher_request request = {.alone = true,
                                .processes = 1,
                                .command = command,
                                .processor = processor_most,
                                .environment = environment};
    launcher_end end;
    isocast_status status = launcher_run(&request, &end);
    if (status == ISOCAST_OK) {
        return CLI_EXIT_OK;
    }
    if (status == ISOCAST_INTERRUPTED) {
        fputs("isocast plot: interrupted; nothing was written\n", stderr);
    } else if (end.cause == LAUNCHER_MISSING) {
        fprintf(stderr, "isocast plot: %s\n", end.text);
    } else if (end.cause == LAUNCHER_FAILED && end.exit_code == 128 + SIGXCPU) {
        fprintf(stderr, "isocast plot: gnuplot took more than %u s of processor time\n",
                processor_most);
    } else if (status == ISOCAST_PROGRAM && end.text[0] == '\0') {
        fprintf(stderr, "isocast plot: gnuplot ended with exit status %d, and says not why\n",
                end.exit_code);
    } else if (status == ISOCAST_PROGRAM) {
        fprintf(stderr, "isocast plot: gnuplot failed\n%s", end.text);
    } else {
        fprintf(stderr, "isocast plot: %s\n",
                status == ISOCAST_IO ? end.text : isocast_status_message(status));
    }
    return CLI_EXIT_SYSTEM;
}

/* gnuplot begins a text with a form feed, which clears some terminals. */
static void drop_form_feeds(isocast_buffer *text) {
    size_t kept = 0;
    for (size_t i = 0; i < text->length; i++) {
        if (text->text[i] != '\f') {
            text->text[kept++] = text->text[i];
        }
    }
    text->length = kept;
}

/* The picture appears under its name when it is whole. */
static int deliver(const drawing *d) {
    isocast_buffer picture = {0};
    char block[16384];
    ssize_t got;
    while ((got = pread(d->files[PICTURE], block, sizeof block, (off_t)picture.length)) > 0 &&
           !picture.failed) {
        isocast_buffer_append(&picture, block, (size_t)got);
    }
    if (got < 0) {
        fprintf(stderr, "isocast plot: cannot read what gnuplot drew: %s\n", strerror(errno));
    } else if (picture.length == 0 && !picture.failed) {
        fputs("isocast plot: gnuplot drew nothing\n", stderr);
    }
    if (got < 0 || (picture.length == 0 && !picture.failed)) {
        isocast_buffer_free(&picture);
        return CLI_EXIT_SYSTEM;
    }
    if (strcmp(d->format, "txt") == 0) {
        drop_form_feeds(&picture);
    }
    return cli_output_write_text(d->output, &picture);
}

static int draw(drawing *d) {
    const struct {
        const char *name;
        char **path;
    } scripts[] = {
        {"style.gp", &d->style}, {d->data.script, &d->script}, {d->data.beside, &d->beside}};
    for (size_t i = 0; i < 3 && scripts[i].name != NULL; i++) {
        *scripts[i].path = cli_locate_plot_script(scripts[i].name);
        if (*scripts[i].path == NULL) {
            return cli_locate_fail("plot", "the script %s is not installed beside isocast",
                                   scripts[i].name);
        }
    }
    int status = open_files(d);
    CLI_THEN(status, write_files(d));
    CLI_THEN(status, run_gnuplot(d));
    return status == CLI_EXIT_OK ? deliver(d) : status;
}

static int plot(drawing *d) {
    if (d->format == NULL) {
        return cli_usage_error(&usage, "the output file must end in .svg, .png, .pdf or .txt");
    }
    int status = cli_data_file_check(&usage, d->call.positional[0], "RESULT");
    CLI_THEN(status, plot_read(d->call.positional[0], &d->data));
    return status == CLI_EXIT_OK ? draw(d) : status;
}

static int run(void *context) {
    drawing *d = context;
    memset(d->files, -1, sizeof d->files);
    d->output = d->call.common.output;
    d->format = format_of(d->output);
    int status = plot(d);
    close_files(d);
    plot_data_free(&d->data);
    free(d->style);
    free(d->beside);
    free(d->script);
    return status;
}

int cmd_plot(int argc, char **argv) {
    drawing d = {0};
    const cli_option options[] = {{0}};
    return cli_call_run(&usage, options, argc, argv, &d.call, run, &d);
}
