/* The formats of reports: one file per format (render_<format>.c). */
#ifndef CLI_RENDER_FORMATS_H
#define CLI_RENDER_FORMATS_H

#include "report.h"

/* `columns`: width of the page; 0: as wide as it gets. */
void cli_render_table(const cli_report *report, bool quiet, size_t columns, isocast_buffer *out);
/* Markdown or LaTeX. */
void cli_render_markup(const cli_report *report, bool is_latex, bool quiet, isocast_buffer *out);
/* A text as LaTeX shows it. */
void cli_put_latex(const char *text, isocast_buffer *out);
void cli_render_csv(const cli_report *report, isocast_buffer *out);
void cli_render_json(cli_report *const *reports, size_t count, isocast_buffer *out);

#endif
