/* isocast plot: draws a result with gnuplot; the scripts in plots/ read columns by name. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "command.h"
#include "exit.h"
#include "launcher.h"
#include "load.h"
#include "locate.h"
#include "options.h"
#include "output.h"
#include "plot_data.h"

static const cli_usage usage = {
    .command = "plot",
    .arguments = "RESULT",
    .summary = "Draws the JSON of validate or predict, a RUNS.csv, or the residuals of "
               "fit-operations, with gnuplot.",
    .details =
        "The ending of the output file chooses the format: .svg, .png, .pdf or .txt; - draws "
        "text on standard output.\n"
        "\n"
        "Examples:\n"
        "  isocast plot validation.json -o validation.png\n"
        "  isocast plot prediction.json -o -",
    .fewest = 1,
    .most = 1};

typedef struct drawing {
    const char *output;
    const char *format; /* "svg", "png", "pdf", "txt" */
    char folder[64];    /* temporary; empty where it is not made yet */
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

static int write_file(const drawing *d, const char *name, const isocast_buffer *text) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", d->folder, name);
    FILE *file = fopen(path, "w");
    bool written = file != NULL && !text->failed &&
                   (text->length == 0 || fwrite(text->text, text->length, 1, file) == 1);
    written = file != NULL && fclose(file) == 0 && written;
    if (!written) {
        fprintf(stderr, "isocast plot: cannot write %s: %s\n", path, strerror(errno));
    }
    return written ? CLI_EXIT_OK : CLI_EXIT_SYSTEM;
}

/* A text as a gnuplot string in single quotes. */
static void put_quoted(isocast_buffer *out, const char *name, const char *text) {
    isocast_buffer_printf(out, "%s = '", name);
    for (; *text != '\0'; text++) {
        isocast_buffer_append(out, *text == '\'' ? "''" : text, *text == '\'' ? 2 : 1);
    }
    isocast_buffer_puts(out, "'\n");
}

/* What the scripts need to know, as a file of assignments. */
static int write_variables(const drawing *d) {
    isocast_buffer text = {0};
    struct winsize window = {0};
    bool terminal = ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col >= 60;
    char output[128];
    char points[128];
    char curves[128];
    char routes[128];
    snprintf(output, sizeof output, "%s/picture", d->folder);
    snprintf(points, sizeof points, "%s/points.csv", d->folder);
    snprintf(curves, sizeof curves, "%s/curves.csv", d->folder);
    snprintf(routes, sizeof routes, "%s/routes.csv", d->folder);
    char *scripts = strdup(d->script);
    if (scripts != NULL) {
        *strrchr(scripts, '/') = '\0';
    }
    put_quoted(&text, "scripts", scripts != NULL ? scripts : "");
    free(scripts);
    put_quoted(&text, "output", output);
    put_quoted(&text, "format", d->format);
    put_quoted(&text, "points", points);
    put_quoted(&text, "curves", curves);
    put_quoted(&text, "routes", routes);
    put_quoted(&text, "title", d->data.title.text != NULL ? d->data.title.text : "");
    put_quoted(&text, "systems", d->data.systems.text != NULL ? d->data.systems.text : "");
    put_quoted(&text, "labels", d->data.labels.text != NULL ? d->data.labels.text : "");
    isocast_buffer_printf(&text, "width = %d\nheight = %d\n", terminal ? window.ws_col : 120,
                          terminal && window.ws_row > 20 ? window.ws_row - 2 : 32);
    isocast_buffer_printf(&text, "has_interval = %d\nhas_routes = %d\n", d->data.has_interval,
                          d->data.has_routes);
    isocast_buffer_printf(&text, "N_low = %.9g\nN_high = %.9g\np_low = %.9g\np_high = %.9g\n",
                          d->data.x_low, d->data.x_high, d->data.x_low, d->data.x_high);
    int status = write_file(d, "variables.gp", &text);
    isocast_buffer_free(&text);
    return status;
}

static int run_gnuplot(const drawing *d) {
    char variables[128];
    snprintf(variables, sizeof variables, "%s/variables.gp", d->folder);
    const char *command[] = {variables, d->script, NULL};
    launcher_request request = {
        .launcher = "gnuplot", .processes = 1, .command = command, .timeout = 120};
    int exit_code;
    launcher_message message;
    switch (launcher_run(&request, &exit_code, &message)) {
    case LAUNCHER_OK:
        return CLI_EXIT_OK;
    case LAUNCHER_MISSING:
        fputs("isocast plot: there is no program 'gnuplot'; install the package gnuplot-nox\n",
              stderr);
        return CLI_EXIT_SYSTEM;
    default:
        fprintf(stderr, "isocast plot: gnuplot failed\n%s", message.text);
        return CLI_EXIT_SYSTEM;
    }
}

/* The picture appears under its name when it is whole. */
static int deliver(const drawing *d) {
    char path[128];
    snprintf(path, sizeof path, "%s/picture", d->folder);
    FILE *file = fopen(path, "rb");
    isocast_buffer picture = {0};
    char block[16384];
    size_t got = 0;
    while (file != NULL && (got = fread(block, 1, sizeof block, file)) > 0) {
        isocast_buffer_append(&picture, block, got);
    }
    if (file != NULL) {
        fclose(file);
    }
    if (picture.length == 0) {
        fputs("isocast plot: gnuplot drew nothing\n", stderr);
        isocast_buffer_free(&picture);
        return CLI_EXIT_SYSTEM;
    }
    return cli_output_write_text(d->output, &picture);
}

static void remove_folder(const drawing *d) {
    static const char *const names[] = {"points.csv", "curves.csv", "routes.csv", "variables.gp",
                                        "picture"};
    for (size_t i = 0; d->folder[0] != '\0' && i < sizeof names / sizeof names[0]; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", d->folder, names[i]);
        unlink(path);
    }
    if (d->folder[0] != '\0') {
        rmdir(d->folder);
    }
}

static int draw(drawing *d) {
    d->script = cli_locate_plot_script(d->data.script);
    if (d->script == NULL) {
        fprintf(stderr, "isocast plot: the script %s is not installed beside isocast\n",
                d->data.script);
        return CLI_EXIT_SYSTEM;
    }
    const char *temporary = getenv("TMPDIR");
    bool fits = temporary != NULL && strlen(temporary) < 32;
    snprintf(d->folder, sizeof d->folder, "%s/isocast-plot-XXXXXX", fits ? temporary : "/tmp");
    if (mkdtemp(d->folder) == NULL) {
        fprintf(stderr, "isocast plot: cannot make a temporary folder: %s\n", strerror(errno));
        d->folder[0] = '\0';
        return CLI_EXIT_SYSTEM;
    }
    int status = write_file(d, "points.csv", &d->data.points);
    status = status == CLI_EXIT_OK ? write_file(d, "curves.csv", &d->data.curves) : status;
    status = status == CLI_EXIT_OK ? write_file(d, "routes.csv", &d->data.routes) : status;
    status = status == CLI_EXIT_OK ? write_variables(d) : status;
    status = status == CLI_EXIT_OK ? run_gnuplot(d) : status;
    return status == CLI_EXIT_OK ? deliver(d) : status;
}

int cmd_plot(int argc, char **argv) {
    cli_common common = {0};
    const cli_option options[] = {{0}};
    const char **positional = NULL;
    size_t count = 0;
    cli_parse parsed = cli_options_parse(&usage, options, argc, argv, &common, &positional, &count);
    int status = cli_parse_exit(parsed);
    drawing d = {.output = common.output, .format = format_of(common.output)};
    if (parsed == CLI_PARSE_GO_ON && d.format == NULL) {
        status = cli_usage_error(&usage, "the output file must end in .svg, .png, .pdf or .txt");
    } else if (parsed == CLI_PARSE_GO_ON) {
        status = plot_data_read(positional[0], &d.data);
        status = status == CLI_EXIT_OK ? draw(&d) : status;
    }
    remove_folder(&d);
    plot_data_free(&d.data);
    free(d.script);
    free(positional);
    return status;
}
