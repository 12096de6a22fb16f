#include "render.h"

#include <stdio.h>
#include <string.h>

#include "cli/options/terminal.h"
#include "output.h"
#include "page.h"
#include "render_formats.h"

static void render(cli_report *const *reports, size_t count, const cli_common *common,
                   isocast_buffer *out) {
    bool is_latex = strcmp(common->format, "latex") == 0;
    bool is_markup = is_latex || strcmp(common->format, "markdown") == 0;
    if (strcmp(common->format, "json") == 0) {
        cli_render_json(reports, count, out);
        return;
    }
    if (strcmp(common->format, "csv") == 0) {
        cli_render_csv(reports[0], out);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        isocast_buffer_puts(out, i > 0 ? "\n" : "");
        if (is_markup) {
            cli_render_markup(reports[i], is_latex, common->quiet, out);
        } else {
            const char *output = common->output != NULL ? common->output : "-";
            cli_render_table(reports[i], common->quiet, cli_terminal_columns(output), out);
        }
    }
}

void cli_reports_render(cli_report **reports, size_t count, const cli_common *common,
                        isocast_buffer *out) {
    if (strcmp(common->format, "html") == 0) {
        cli_page_render(reports, count, NULL, NULL, out);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        out->failed = out->failed || reports[i] == NULL || reports[i]->failed;
    }
    if (!out->failed) {
        render(reports, count, common, out);
    }
    for (size_t i = 0; i < count; i++) {
        cli_report_free(reports[i]);
    }
}

/* The ending of a file promises a format: a table in a .json would be refused where JSON is read.
 */
void cli_reports_hint(const cli_common *common) {
    static const struct {
        const char *ending;
        const char *format;
    } endings[] = {{".json", "json"},
                   {".csv", "csv"},
                   {".md", "markdown"},
                   {".tex", "latex"},
                   {".html", "html"}};
    bool has_name = common->output != NULL && !common->quiet;
    const char *dot = has_name ? strrchr(common->output, '.') : NULL;
    static const char *const pictures[] = {".png", ".svg", ".pdf"};
    for (size_t i = 0; dot != NULL && i < sizeof pictures / sizeof pictures[0]; i++) {
        if (strcmp(dot, pictures[i]) == 0) {
            fprintf(stderr,
                    "isocast: %s gets text, not a picture; for one write --format json -o "
                    "RESULT.json, and then isocast plot RESULT.json -o %s\n",
                    common->output, common->output);
        }
    }
    bool table = strcmp(common->format, "table") == 0;
    for (size_t i = 0; table && dot != NULL && i < sizeof endings / sizeof endings[0]; i++) {
        if (strcmp(dot, endings[i].ending) == 0) {
            fprintf(stderr, "isocast: %s gets a table; add --format %s to write that format\n",
                    common->output, endings[i].format);
        }
    }
}

int cli_reports_write(cli_report **reports, size_t count, const cli_common *common) {
    cli_reports_hint(common);
    isocast_buffer out = {0};
    cli_reports_render(reports, count, common, &out);
    return cli_output_write_text(common->output, &out);
}
